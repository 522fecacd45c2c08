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
		return x.Op == op && (op == "+" || op == "-")
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
