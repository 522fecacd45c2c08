package ast

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
