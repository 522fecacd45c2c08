package planner

import (
	"fmt"
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// switchStmt lifts a switch: one whose cases all end in break, return, throw or continue as a chain of ifs.
func (l *lifter) switchStmt(b *block, s *ast.Switch) {
	x := l.hold(b, l.lower(b, s.X), "switch")
	if !chained(s) {
		l.switchSteps(b, s, x)
		return
	}
	var chain ast.Stmt
	for i := len(s.Cases) - 1; i >= 0; i-- {
		c := &s.Cases[i]
		body, _ := caseBody(c.Body, i == len(s.Cases)-1)
		if c.Test == nil {
			chain = body
			continue
		}
		test := c.Test
		for j := i - 1; j >= 0 && len(s.Cases[j].Body) == 0 && s.Cases[j].Test != nil; j-- {
			test = &ast.Logical{Pos: s.Cases[j].Pos, Op: "||", X: equals(x, s.Cases[j].Test), Y: orEquals(x, test)}
			i = j
		}
		chain = &ast.If{Pos: c.Pos, Test: orEquals(x, test), Then: body, Else: chain}
	}
	if chain != nil {
		l.stmts(b, []ast.Stmt{chain})
	}
}

// chained reports whether the cases stand for themselves: none falls through or breaks in its middle, and default is last.
func chained(s *ast.Switch) bool {
	for i, c := range s.Cases {
		last := i == len(s.Cases)-1
		joins := len(c.Body) == 0 && !last && s.Cases[i+1].Test != nil
		if _, ok := caseBody(c.Body, last); !ok && !joins || c.Test == nil && !last {
			return false
		}
	}
	return true
}

// switchSteps lifts any switch:
//
//	let at = the number of the case that matches
//	done: { if (at <= 0) {…} if (at <= 1) {…} … }
func (l *lifter) switchSteps(b *block, s *ast.Switch, x ast.Expr) {
	at := &ast.Ident{Pos: s.Pos, Sym: l.temp("at")}
	at.Sym.Kind = ast.SymLet
	label := fmt.Sprintf("switch%d", l.temps)
	number := func(i int) ast.Expr { return &ast.Number{Pos: s.Pos, Value: float64(i)} }
	way := leaver{instead: func(way ast.Stmt) []ast.Stmt {
		if br, ok := way.(*ast.Break); ok && br.Label == "" {
			return []ast.Stmt{&ast.Break{Pos: br.Pos, Label: label}}
		}
		return nil
	}}
	none := len(s.Cases)
	var steps []ast.Stmt
	for i, c := range s.Cases {
		l.ownNames(s, i)
		if c.Test == nil {
			none = i
		}
		test := &ast.Binary{Pos: c.Pos, Op: "<=", X: at, Y: number(i)}
		steps = append(steps, &ast.If{Pos: c.Pos, Test: test, Then: &ast.Block{Pos: c.Pos, Body: way.list(c.Body)}})
	}
	var chain ast.Stmt
	for i := len(s.Cases) - 1; i >= 0; i-- {
		if c := s.Cases[i]; c.Test != nil {
			chain = &ast.If{Pos: c.Pos, Test: equals(x, c.Test), Then: assignment(c.Pos, at, number(i)), Else: chain}
		}
	}
	list := []ast.Stmt{&ast.VarDecl{Pos: s.Pos, Kind: ast.DeclLet, Decls: []ast.Declarator{{Pos: s.Pos, Target: at, Init: number(none)}}}}
	if chain != nil {
		list = append(list, chain)
	}
	l.stmts(b, append(list, &ast.Labeled{Pos: s.Pos, Label: label, Body: &ast.Block{Pos: s.Pos, Body: steps}}))
}

// ownNames refuses a case that declares what another case mentions: they are one scope.
func (l *lifter) ownNames(s *ast.Switch, i int) {
	for _, stmt := range s.Cases[i].Body {
		for _, sym := range topLevel(stmt) {
			for k, other := range s.Cases {
				for _, x := range other.Body {
					if k != i && l.mentions(x, sym) {
						refuse(stmt, "a switch case declares %s, which another case mentions", sym.Name)
					}
				}
			}
		}
	}
}

func equals(x, y ast.Expr) ast.Expr { return &ast.Binary{Pos: y.Position(), Op: "===", X: x, Y: y} }

func orEquals(x, y ast.Expr) ast.Expr {
	if lg, ok := y.(*ast.Logical); ok && lg.Op == "||" {
		return y
	}
	return equals(x, y)
}

// caseBody is the body of a case without its final break; false if control can leave it in any other way.
func caseBody(list []ast.Stmt, last bool) (*ast.Block, bool) {
	if len(list) == 1 {
		if blk, ok := list[0].(*ast.Block); ok {
			list = blk.Body
		}
	}
	body := &ast.Block{Body: list}
	if len(list) > 0 {
		body.Pos = list[0].Position()
		switch end := list[len(list)-1].(type) {
		case *ast.Break:
			if end.Label == "" {
				body.Body, last = list[:len(list)-1], true
			}
		case *ast.Return, *ast.Throw, *ast.Continue:
			last = true
		}
	}
	for _, s := range body.Body {
		if breaksOut(s) {
			return nil, false
		}
	}
	return body, last
}

// breaksOut reports whether a plain break in s would leave the switch around it.
func breaksOut(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.Break:
		return s.Label == ""
	case *ast.Block:
		return slices.ContainsFunc(s.Body, breaksOut)
	case *ast.If:
		return breaksOut(s.Then) || s.Else != nil && breaksOut(s.Else)
	case *ast.Try:
		return slices.ContainsFunc(s.Body.Body, breaksOut) || s.Handler != nil && slices.ContainsFunc(s.Handler.Body, breaksOut)
	}
	return false
}
