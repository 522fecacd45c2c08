package ast

// Walk calls visit for n and, where visit returns true, for everything inside n, in source order: functions, classes,
// parameters, patterns, declared names, computed keys. Names that are mere text (fixed keys, labels) are no nodes.
func Walk(n Node, visit func(Node) bool) {
	var step func(Node)
	step = func(n Node) {
		if visit(n) {
			eachChild(n, step)
		}
	}
	step(n)
}

// WalkAll walks a list of statements.
func WalkAll(list []Stmt, visit func(Node) bool) {
	for _, s := range list {
		Walk(s, visit)
	}
}

// Children returns the nodes directly inside n, in source order.
func Children(n Node) []Node {
	var out []Node
	eachChild(n, func(child Node) { out = append(out, child) })
	return out
}

// eachChild calls f for the nodes directly inside n. Expressions are most of a tree: they are told apart in one step.
func eachChild(n Node, f func(Node)) {
	switch n := n.(type) {
	case *Ident, *String, *Number, *Bool, *Null, *Undefined:
	case *Member:
		f(n.Object)
	case *Index:
		f(n.Object)
		f(n.Index)
	case *Call:
		f(n.Callee)
		eachExpr(f, n.Args...)
	case *New:
		f(n.Callee)
		eachExpr(f, n.Args...)
	case *Array:
		eachExpr(f, n.Elems...)
	case *Object:
		eachProperty(n.Props, f)
	case *FunctionExpr:
		eachOfFunc(n.Func, f)
	case *ClassExpr:
		eachOfClass(n.ClassBody, f)
	case *Template:
		eachExpr(f, n.Exprs...)
	case *TaggedTemplate:
		f(n.Tag)
		eachExpr(f, n.Exprs...)
	case *Unary:
		f(n.X)
	case *Update:
		f(n.X)
	case *Binary:
		f(n.X)
		f(n.Y)
	case *PrivateIn:
		f(n.X)
	case *Logical:
		f(n.X)
		f(n.Y)
	case *Assign:
		f(n.Target)
		eachExpr(f, n.Value)
	case *Conditional:
		f(n.Test)
		f(n.Then)
		f(n.Else)
	case *Spread:
		f(n.X)
	case *Await:
		f(n.X)
	case *Yield:
		eachExpr(f, n.X)
	case *Sequence:
		eachExpr(f, n.Exprs...)
	case *Import:
		f(n.X)
	default:
		eachOfStmt(n, f)
	}
}

func eachOfStmt(n Node, f func(Node)) {
	switch n := n.(type) {
	case *ExprStmt:
		f(n.X)
	case *VarDecl:
		for _, d := range n.Decls {
			f(d.Target)
			eachExpr(f, d.Init)
		}
	case *FunctionDecl:
		eachOfFunc(n.Func, f)
	case *ClassDecl:
		eachOfClass(n.ClassBody, f)
	case *Block:
		eachStmt(f, n.Body)
	case *If:
		f(n.Test)
		f(n.Then)
		if n.Else != nil {
			f(n.Else)
		}
	case *Return:
		eachExpr(f, n.X)
	case *Throw:
		f(n.X)
	case *Labeled:
		f(n.Body)
	case *Try:
		eachOfTry(n, f)
	case *Switch:
		f(n.X)
		for _, c := range n.Cases {
			eachExpr(f, c.Test)
			eachStmt(f, c.Body)
		}
	default:
		eachOfLoop(n, f)
	}
}

func eachOfLoop(n Node, f func(Node)) {
	switch n := n.(type) {
	case *For:
		if n.Init != nil {
			f(n.Init)
		}
		eachExpr(f, n.Test, n.Update)
		f(n.Body)
	case *ForIn:
		f(n.Left)
		f(n.Right)
		f(n.Body)
	case *ForOf:
		f(n.Left)
		f(n.Right)
		f(n.Body)
	case *While:
		f(n.Test)
		f(n.Body)
	case *DoWhile:
		f(n.Body)
		f(n.Test)
	default:
		eachOfPattern(n, f)
	}
}

func eachOfPattern(n Node, f func(Node)) {
	switch n := n.(type) {
	case *ArrayPattern:
		for _, e := range n.Elems {
			if e.Target != nil {
				f(e.Target)
			}
			eachExpr(f, e.Default)
		}
	case *ObjectPattern:
		for _, p := range n.Props {
			if p.Computed {
				f(p.Key)
			}
			f(p.Target)
			eachExpr(f, p.Default)
		}
	}
}

func eachExpr(f func(Node), list ...Expr) {
	for _, x := range list {
		if x != nil {
			f(x)
		}
	}
}

func eachStmt(f func(Node), list []Stmt) {
	for _, s := range list {
		f(s)
	}
}

func eachOfFunc(fn *Func, f func(Node)) {
	if fn.Name != nil {
		f(fn.Name)
	}
	for _, p := range fn.Params {
		f(p.Target)
		eachExpr(f, p.Default)
	}
	eachStmt(f, fn.Body)
}

func eachOfClass(c *ClassBody, f func(Node)) {
	eachExpr(f, c.Decorators...)
	if c.Name != nil {
		f(c.Name)
	}
	eachExpr(f, c.Extends)
	eachProperty(c.Members, f)
}

func eachProperty(list []Property, f func(Node)) {
	for i := range list {
		p := &list[i]
		eachExpr(f, p.Decorators...)
		if p.Computed {
			f(p.Key)
		}
		eachExpr(f, p.Value)
	}
}

func eachOfTry(n *Try, f func(Node)) {
	f(n.Body)
	if n.Param != nil {
		f(n.Param)
	}
	if n.Handler != nil {
		f(n.Handler)
	}
	if n.Finally != nil {
		f(n.Finally)
	}
}
