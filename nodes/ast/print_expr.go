package ast

// expr writes e, in parentheses if it holds together less tightly than min or would be misread where it stands.
func (p *printer) expr(e Expr, min int) {
	if precOf(e) < min || p.misread(e) {
		p.put("(")
		p.bareExpr(e)
		p.put(")")
		return
	}
	p.bareExpr(e)
}

// misread reports that e starts with a word or brace that means something else where a statement or arrow body starts.
func (p *printer) misread(e Expr) bool {
	at := len(p.out)
	switch e := e.(type) {
	case *Object:
		return at == p.stmtStart || at == p.arrowStart
	case *FunctionExpr:
		return !e.Arrow && at == p.stmtStart
	case *ClassExpr:
		return at == p.stmtStart
	case *Assign:
		_, object := e.Target.(*ObjectPattern)
		return object && (at == p.stmtStart || at == p.arrowStart)
	}
	return false
}

// bareExpr writes e: literals and leaves here, the rest in compound.
func (p *printer) bareExpr(e Expr) {
	p.mark(e.Position())
	switch e := e.(type) {
	case *Ident:
		p.put(unique(e.Sym))
	case *This:
		p.put("this")
	case *Super:
		p.put("super")
	case *NewTarget:
		p.put("new.target")
	case *ImportMeta:
		p.put("import.meta")
	case *Null:
		p.put("null")
	case *Undefined:
		p.put("undefined")
	case *Bool:
		if e.Value {
			p.put("true")
		} else {
			p.put("false")
		}
	case *Number:
		p.put(number(e.Value))
	case *BigInt:
		p.put(e.Text + "n")
	case *String:
		p.out = appendQuoted(p.out, e.Value)
	case *RegExp:
		p.put("/" + e.Pattern + "/" + e.Flags)
	case *Template:
		p.template(e)
	case *TaggedTemplate:
		p.tagged(e)
	case *FunctionExpr:
		p.function(e.Func)
	case *ClassExpr:
		p.class(e.ClassBody)
	case *Array:
		p.array(e)
	case *Object:
		p.object(e)
	default:
		p.compound(e)
	}
}

// compound writes accesses, calls and keywords.
func (p *printer) compound(e Expr) {
	switch e := e.(type) {
	case *Member:
		p.member(e)
	case *Index:
		p.chained(e.Object, e.Chain)
		if e.Chain == ChainStart {
			p.put("?.")
		}
		p.put("[")
		p.expr(e.Index, precSequence)
		p.put("]")
	case *Call:
		p.chained(e.Callee, e.Chain)
		if e.Chain == ChainStart {
			p.put("?.")
		}
		p.args(e.Args)
	case *New:
		p.put("new ")
		if newable(e.Callee) {
			p.expr(e.Callee, precCall)
		} else {
			p.parens(e.Callee)
		}
		p.args(e.Args)
	case *Spread:
		p.put("...")
		p.expr(e.X, precAssign)
	case *Await:
		p.put("await ")
		p.expr(e.X, precUnary)
	case *Yield:
		p.yield(e)
	case *Import:
		p.put("import(")
		p.expr(e.X, precAssign)
		p.put(")")
	default:
		p.operator(e)
	}
}

func (p *printer) member(e *Member) {
	p.chained(e.Object, e.Chain)
	if !e.Private && !IsIdentifierName(e.Name) {
		if e.Chain == ChainStart {
			p.put("?.")
		}
		p.put("[")
		p.out = appendQuoted(p.out, e.Name)
		p.put("]")
		return
	}
	if e.Chain == ChainStart {
		p.put("?.")
	} else {
		p.put(".")
	}
	p.mark(e.NamePos)
	if e.Private {
		p.put("#")
	}
	p.put(e.Name)
}

// chained writes the object of an access or the callee of a call: (a?.b).c keeps its parentheses, and so does (1).x.
func (p *printer) chained(x Expr, chain Chain) {
	_, literal := x.(*Number)
	if literal || (chain == NoChain && ChainOf(x) != NoChain) {
		p.parens(x)
		return
	}
	p.expr(x, precCall)
}

// ChainOf returns the part that e plays in an optional chain.
func ChainOf(e Expr) Chain {
	switch e := e.(type) {
	case *Member:
		return e.Chain
	case *Index:
		return e.Chain
	case *Call:
		return e.Chain
	}
	return NoChain
}

// newable reports that `new e(…)` takes its arguments for e's and not for a call inside e.
func newable(e Expr) bool {
	switch e := e.(type) {
	case *Member:
		return e.Chain == NoChain && newable(e.Object)
	case *Index:
		return e.Chain == NoChain && newable(e.Object)
	case *TaggedTemplate:
		return newable(e.Tag)
	case *Call, *Import:
		return false
	case *New:
		return true
	}
	return precOf(e) == precPrimary
}

func (p *printer) args(list []Expr) {
	p.put("(")
	for i, x := range list {
		if i > 0 {
			p.put(", ")
		}
		p.expr(x, precAssign)
	}
	p.put(")")
}

func (p *printer) yield(e *Yield) {
	p.put("yield")
	if e.Delegate {
		p.put("*")
	}
	if e.X != nil {
		p.put(" ")
		p.expr(e.X, precAssign)
	}
}
