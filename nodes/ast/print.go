package ast

import "strings"

// Print writes any node as JavaScript: an expression, a statement or a pattern. Names come out as Symbol.Unique.
func Print(n Node) string {
	switch n := n.(type) {
	case Stmt:
		return PrintStmt(n, 0)
	case Expr:
		return PrintExpr(n)
	case Pattern:
		p := printer{}
		p.pattern(n)
		return p.String()
	}
	return ""
}

// PrintExpr writes e as JavaScript, without parentheses around the whole.
func PrintExpr(e Expr) string {
	p := printer{stmtStart: -1, arrowStart: -1}
	p.expr(e, precSequence)
	return p.String()
}

// PrintStmt writes one statement, indented by indent levels of two spaces, without a line break at its end.
func PrintStmt(s Stmt, indent int) string {
	p := printer{indent: indent}
	p.stmt(s)
	return strings.TrimSuffix(p.String(), "\n")
}

// PrintStmts writes statements, each on a line of its own.
func PrintStmts(list []Stmt) string {
	p := printer{}
	p.stmts(list)
	return p.String()
}

// PrintMapped is PrintStmts together with the way back from the printed text to the program's.
func PrintMapped(list []Stmt) (string, Mapping) {
	p := printer{mapped: true}
	p.stmts(list)
	return p.String(), p.mapping
}

// printer writes JavaScript. Where a node needs parentheses only because of what stands before it, the writers compare
// the length of out with stmtStart or arrowStart.
type printer struct {
	out    []byte
	indent int
	// line and lineStart say where the printer stands: lines counted from 0, and where the current one starts in out.
	line, lineStart int
	// stmtStart and arrowStart are where an expression statement or an arrow's expression body began.
	stmtStart, arrowStart int
	mapped                bool
	mapping               Mapping
}

func (p *printer) String() string { return string(p.out) }

func (p *printer) put(s string) { p.out = append(p.out, s...) }

// raw writes text that may contain line breaks.
func (p *printer) raw(s string) {
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			break
		}
		p.put(s[:i+1])
		p.line, p.lineStart = p.line+1, len(p.out)
		s = s[i+1:]
	}
	p.put(s)
}

// mark notes that what is written next came from pos.
func (p *printer) mark(pos Pos) {
	if !p.mapped || !pos.IsValid() {
		return
	}
	s := Segment{OutLine: p.line + 1, OutCol: len(p.out) - p.lineStart + 1, Pos: pos}
	if n := len(p.mapping); n > 0 && p.mapping[n-1].OutLine == s.OutLine && p.mapping[n-1].OutCol == s.OutCol {
		p.mapping[n-1] = s
		return
	}
	p.mapping = append(p.mapping, s)
}

func (p *printer) newline() {
	p.put("\n")
	p.line, p.lineStart = p.line+1, len(p.out)
}

func (p *printer) startLine() {
	for range p.indent {
		p.put("  ")
	}
}

func (p *printer) stmts(list []Stmt) {
	for _, s := range list {
		p.stmt(s)
	}
}

// stmt writes one statement with its indentation and line break.
func (p *printer) stmt(s Stmt) {
	p.startLine()
	p.bare(s)
	p.newline()
}

// bare writes a statement where the line has already begun.
func (p *printer) bare(s Stmt) {
	p.mark(s.Position())
	switch s := s.(type) {
	case *ExprStmt:
		p.exprStmt(s.X)
	case *VarDecl:
		p.varDecl(s, false)
		p.put(";")
	case *FunctionDecl:
		p.function(s.Func)
	case *ClassDecl:
		p.class(s.ClassBody)
	case *Block:
		p.block(s.Body)
	case *Return:
		p.keyword("return", s.X)
	case *Throw:
		p.keyword("throw", s.X)
	case *Break:
		p.jump("break", s.Label)
	case *Continue:
		p.jump("continue", s.Label)
	case *Empty:
		p.put(";")
	case *Labeled:
		p.put(s.Label + ": ")
		p.bare(s.Body)
	default:
		p.control(s)
	}
}

func (p *printer) parens(x Expr) {
	p.put("(")
	p.expr(x, precSequence)
	p.put(")")
}

func (p *printer) block(list []Stmt) {
	if len(list) == 0 {
		p.put("{}")
		return
	}
	p.put("{")
	p.newline()
	p.indent++
	p.stmts(list)
	p.indent--
	p.startLine()
	p.put("}")
}
