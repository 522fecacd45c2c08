package ast

// Levels of precedence, from loose to tight (ECMAScript §13).
const (
	precSequence = iota
	precAssign   // assignment, arrow, yield
	precConditional
	precNullish
	precOr
	precAnd
	precBitOr
	precBitXor
	precBitAnd
	precEquality
	precRelational
	precShift
	precAdditive
	precMultiply
	precPower
	precUnary
	precUpdate
	precCall
	precPrimary
)

var binaryPrec = map[string]int{
	"??": precNullish, "||": precOr, "&&": precAnd, "|": precBitOr, "^": precBitXor, "&": precBitAnd,
	"==": precEquality, "!=": precEquality, "===": precEquality, "!==": precEquality,
	"<": precRelational, "<=": precRelational, ">": precRelational, ">=": precRelational,
	"in": precRelational, "instanceof": precRelational,
	"<<": precShift, ">>": precShift, ">>>": precShift, "+": precAdditive, "-": precAdditive,
	"*": precMultiply, "/": precMultiply, "%": precMultiply, "**": precPower,
}

// precOf is how tightly e holds together as it is printed.
func precOf(e Expr) int {
	switch e := e.(type) {
	case *Sequence:
		return precSequence
	case *Assign, *Yield:
		return precAssign
	case *FunctionExpr:
		if e.Arrow {
			return precAssign
		}
	case *Conditional:
		return precConditional
	case *Logical:
		return binaryPrec[e.Op]
	case *Binary:
		return binaryPrec[e.Op]
	case *PrivateIn:
		return precRelational
	case *Unary, *Await:
		return precUnary
	case *Number:
		if negative(e.Value) {
			return precUnary
		}
	case *Update:
		return precUpdate
	case *Call, *Member, *Index, *New, *Import, *TaggedTemplate:
		return precCall
	}
	return precPrimary
}

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

// misread reports that e starts with a word or brace that means something else at the start of a statement or arrow body.
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

// operator writes operators.
func (p *printer) operator(e Expr) {
	switch e := e.(type) {
	case *Unary:
		p.unary(e)
	case *Update:
		if e.Prefix {
			p.put(e.Op)
			p.expr(e.X, precUnary)
		} else {
			p.expr(e.X, precCall)
			p.put(e.Op)
		}
	case *Binary:
		p.binary(e)
	case *PrivateIn:
		p.put("#" + e.Name + " in ")
		p.expr(e.X, precShift)
	case *Logical:
		p.logical(e)
	case *Assign:
		p.pattern(e.Target)
		if e.Value != nil {
			p.put(" " + e.Op + " ")
			p.expr(e.Value, precAssign)
		}
	case *Conditional:
		p.expr(e.Test, precNullish)
		p.put(" ? ")
		p.expr(e.Then, precAssign)
		p.put(" : ")
		p.expr(e.Else, precAssign)
	case *Sequence:
		for i, x := range e.Exprs {
			if i > 0 {
				p.put(", ")
			}
			p.expr(x, precAssign)
		}
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

func (p *printer) unary(e *Unary) {
	p.put(e.Op)
	if len(e.Op) > 1 || signed(e.X, e.Op) {
		p.put(" ")
	}
	p.expr(e.X, precUnary)
}

// signed reports that x is printed with the sign op in front, so that op op would read as an update.
func signed(x Expr, op string) bool {
	switch x := x.(type) {
	case *Unary:
		return x.Op == op
	case *Update:
		return x.Prefix && x.Op[:1] == op
	case *Number:
		return op == "-" && negative(x.Value)
	}
	return false
}

func (p *printer) binary(e *Binary) {
	left, right := binaryPrec[e.Op], binaryPrec[e.Op]+1
	if e.Op == "**" {
		left, right = precUpdate, precPower
	}
	p.expr(e.X, left)
	p.put(" " + e.Op + " ")
	p.expr(e.Y, right)
}

// logical writes && || ??; the last must not be mixed with the others without parentheses.
func (p *printer) logical(e *Logical) {
	prec := binaryPrec[e.Op]
	p.operand(e.X, prec, e.Op)
	p.put(" " + e.Op + " ")
	p.operand(e.Y, prec+1, e.Op)
}

func (p *printer) operand(x Expr, min int, op string) {
	if l, ok := x.(*Logical); ok && op == "??" && l.Op != "??" {
		p.parens(x)
		return
	}
	p.expr(x, min)
}
