package ast

// Of copies an expression; nil stays nil.
func (r Rewrite) Of(e Expr) Expr {
	if e == nil {
		return nil
	}
	if r.Expr != nil {
		if x, ok := r.Expr(e); ok {
			return x
		}
	}
	switch e := e.(type) {
	case *Ident:
		return r.ident(e)
	case *Member:
		return r.pattern(e).(*Member)
	case *Index:
		return r.pattern(e).(*Index)
	case *Call:
		return &Call{e.Pos, r.Of(e.Callee), r.exprs(e.Args), e.Chain}
	case *New:
		return &New{e.Pos, r.Of(e.Callee), r.exprs(e.Args)}
	case *Array:
		return &Array{e.Pos, r.exprs(e.Elems)}
	case *Object:
		return &Object{e.Pos, r.properties(e.Props)}
	case *FunctionExpr:
		return &FunctionExpr{e.Pos, r.Func(e.Func)}
	case *ClassExpr:
		return &ClassExpr{e.Pos, r.class(e.ClassBody)}
	case *Template:
		return &Template{e.Pos, append([]string(nil), e.Quasis...), r.exprs(e.Exprs)}
	case *TaggedTemplate:
		return &TaggedTemplate{e.Pos, r.Of(e.Tag), append([]*string(nil), e.Cooked...),
			append([]string(nil), e.Raws...), r.exprs(e.Exprs)}
	}
	return r.operator(e)
}

func (r Rewrite) operator(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		return &Unary{e.Pos, e.Op, r.Of(e.X)}
	case *Update:
		return &Update{e.Pos, e.Op, e.Prefix, r.updated(e.X)}
	case *Binary:
		return &Binary{e.Pos, e.Op, r.Of(e.X), r.Of(e.Y)}
	case *PrivateIn:
		return &PrivateIn{e.Pos, e.Name, r.Of(e.X)}
	case *Logical:
		return &Logical{e.Pos, e.Op, r.Of(e.X), r.Of(e.Y)}
	case *Assign:
		return &Assign{e.Pos, e.Op, r.Pattern(e.Target), r.Of(e.Value)}
	case *Conditional:
		return &Conditional{e.Pos, r.Of(e.Test), r.Of(e.Then), r.Of(e.Else)}
	case *Spread:
		return &Spread{e.Pos, r.Of(e.X)}
	case *Await:
		return &Await{e.Pos, r.Of(e.X)}
	case *Yield:
		return &Yield{e.Pos, r.Of(e.X), e.Delegate}
	case *Sequence:
		return &Sequence{e.Pos, r.exprs(e.Exprs)}
	case *Import:
		return &Import{e.Pos, r.Of(e.X)}
	}
	return leaf(e)
}

// updated copies the operand of ++ or --, which is assigned and so not replaced.
func (r Rewrite) updated(x Expr) Expr {
	if target, ok := x.(Pattern); ok {
		return r.Pattern(target).(Expr)
	}
	return r.Of(x)
}

func (r Rewrite) exprs(list []Expr) []Expr {
	if list == nil {
		return nil
	}
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = r.Of(x)
	}
	return out
}

// leaf copies an expression without parts.
func leaf(e Expr) Expr {
	switch e := e.(type) {
	case *This:
		return &This{e.Pos}
	case *Super:
		return &Super{e.Pos}
	case *NewTarget:
		return &NewTarget{e.Pos}
	case *ImportMeta:
		return &ImportMeta{e.Pos}
	case *Null:
		return &Null{e.Pos}
	case *Undefined:
		return &Undefined{e.Pos}
	case *Bool:
		return &Bool{e.Pos, e.Value}
	case *Number:
		return &Number{e.Pos, e.Value}
	case *BigInt:
		return &BigInt{e.Pos, e.Text}
	case *String:
		return &String{e.Pos, e.Value}
	case *RegExp:
		return &RegExp{e.Pos, e.Pattern, e.Flags}
	}
	return e
}
