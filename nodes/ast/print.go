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

// control writes branches, loops, switch and try.
func (p *printer) control(s Stmt) {
	switch s := s.(type) {
	case *If:
		p.ifStmt(s)
	case *For:
		p.forStmt(s)
	case *ForIn:
		p.forEach("for (", s.Left, " in ", s.Right, s.Body)
	case *ForOf:
		open := "for ("
		if s.Await {
			open = "for await ("
		}
		p.forEach(open, s.Left, " of ", s.Right, s.Body)
	case *While:
		p.head("while (", s.Test)
		p.body(s.Body)
	case *DoWhile:
		p.put("do ")
		p.body(s.Body)
		p.head(" while (", s.Test)
		p.out = append(p.out[:len(p.out)-1], ';')
	case *Try:
		p.try(s)
	case *Switch:
		p.switchStmt(s)
	}
}

func (p *printer) exprStmt(x Expr) {
	if _, directive := x.(*String); directive {
		p.put("(")
		p.expr(x, precSequence)
		p.put(");")
		return
	}
	p.stmtStart = len(p.out)
	p.expr(x, precSequence)
	p.stmtStart = -1
	p.put(";")
}

func (p *printer) keyword(word string, x Expr) {
	p.put(word)
	if x != nil {
		p.put(" ")
		p.expr(x, precSequence)
	}
	p.put(";")
}

func (p *printer) jump(word, label string) {
	p.put(word)
	if label != "" {
		p.put(" " + label)
	}
	p.put(";")
}

// varDecl writes a declaration without its semicolon; wrapIn parenthesises initialisers for a for loop's head.
func (p *printer) varDecl(s *VarDecl, wrapIn bool) {
	p.put(string(s.Kind) + " ")
	for i, d := range s.Decls {
		if i > 0 {
			p.put(", ")
		}
		p.pattern(d.Target)
		if d.Init == nil {
			continue
		}
		p.put(" = ")
		if wrapIn && usesIn(d.Init) {
			p.parens(d.Init)
		} else {
			p.expr(d.Init, precAssign)
		}
	}
}

func (p *printer) parens(x Expr) {
	p.put("(")
	p.expr(x, precSequence)
	p.put(")")
}

// usesIn reports an `in` operator anywhere in x: the head of a for loop would read it as for-in.
func usesIn(x Expr) bool {
	found := false
	Walk(x, func(n Node) bool {
		switch n := n.(type) {
		case *Binary:
			found = found || n.Op == "in"
		case *PrivateIn:
			found = true
		}
		return !found
	})
	return found
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

// body writes the body of a branch or loop, always in braces.
func (p *printer) body(s Stmt) {
	switch s := s.(type) {
	case *Block:
		p.block(s.Body)
	case *Empty:
		p.block(nil)
	default:
		p.block([]Stmt{s})
	}
}

func (p *printer) head(open string, test Expr) {
	p.put(open)
	p.expr(test, precSequence)
	p.put(") ")
}

func (p *printer) ifStmt(s *If) {
	p.head("if (", s.Test)
	p.body(s.Then)
	if s.Else == nil {
		return
	}
	p.put(" else ")
	if next, ok := s.Else.(*If); ok {
		p.mark(next.Pos)
		p.ifStmt(next)
		return
	}
	p.body(s.Else)
}

func (p *printer) forStmt(s *For) {
	p.put("for (")
	switch init := s.Init.(type) {
	case *VarDecl:
		p.varDecl(init, true)
	case *ExprStmt:
		if usesIn(init.X) {
			p.parens(init.X)
		} else {
			p.expr(init.X, precSequence)
		}
	}
	p.put("; ")
	if s.Test != nil {
		p.expr(s.Test, precSequence)
	}
	p.put("; ")
	if s.Update != nil {
		p.expr(s.Update, precSequence)
	}
	p.put(") ")
	p.body(s.Body)
}

func (p *printer) forEach(open string, left Stmt, word string, right Expr, body Stmt) {
	p.put(open)
	switch l := left.(type) {
	case *VarDecl:
		p.varDecl(l, true)
	case *ExprStmt:
		if a, ok := l.X.(*Assign); ok {
			p.forTarget(a.Target)
		}
	}
	p.put(word)
	p.expr(right, precAssign)
	p.put(") ")
	p.body(body)
}

// forTarget writes an assigned loop variable; `for (async of` would start an arrow function.
func (p *printer) forTarget(target Pattern) {
	if id, ok := target.(*Ident); ok && unique(id.Sym) == "async" {
		p.put("(async)")
		return
	}
	p.pattern(target)
}

func (p *printer) try(s *Try) {
	p.put("try ")
	p.block(s.Body.Body)
	if s.Handler != nil {
		p.put(" catch ")
		if s.Param != nil {
			p.put("(")
			p.pattern(s.Param)
			p.put(") ")
		}
		p.block(s.Handler.Body)
	}
	if s.Finally != nil {
		p.put(" finally ")
		p.block(s.Finally.Body)
	}
}

func (p *printer) switchStmt(s *Switch) {
	p.head("switch (", s.X)
	p.put("{")
	p.newline()
	p.indent++
	for _, c := range s.Cases {
		p.startLine()
		p.mark(c.Pos)
		if c.Test == nil {
			p.put("default:")
		} else {
			p.put("case ")
			p.expr(c.Test, precSequence)
			p.put(":")
		}
		p.newline()
		p.indent++
		p.stmts(c.Body)
		p.indent--
	}
	p.indent--
	p.startLine()
	p.put("}")
}
