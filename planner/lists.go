package planner

import (
	"slices"

	"github.com/casys-ai/pml/nodes/ast"
)

// eachList copies a statement with f applied to the lists of statements in it, one level down; a statement without any
// stays as it is. Functions are not looked into.
func eachList(s ast.Stmt, f func([]ast.Stmt) []ast.Stmt) ast.Stmt {
	block := func(b *ast.Block) *ast.Block {
		if b == nil {
			return nil
		}
		return &ast.Block{Pos: b.Pos, Body: f(b.Body)}
	}
	one := func(s ast.Stmt) ast.Stmt {
		if b, ok := s.(*ast.Block); ok || s == nil {
			if b == nil {
				return nil
			}
			return block(b)
		}
		if list := f([]ast.Stmt{s}); len(list) != 1 || list[0] != s {
			return &ast.Block{Pos: s.Position(), Body: list}
		}
		return s
	}
	switch s := s.(type) {
	case *ast.Block:
		return block(s)
	case *ast.If:
		return &ast.If{Pos: s.Pos, Test: s.Test, Then: one(s.Then), Else: one(s.Else)}
	case *ast.For:
		return &ast.For{Pos: s.Pos, Init: s.Init, Test: s.Test, Update: s.Update, Body: one(s.Body)}
	case *ast.ForIn:
		return &ast.ForIn{Pos: s.Pos, Left: s.Left, Right: s.Right, Body: one(s.Body)}
	case *ast.ForOf:
		return &ast.ForOf{Pos: s.Pos, Await: s.Await, Left: s.Left, Right: s.Right, Body: one(s.Body)}
	case *ast.While:
		return &ast.While{Pos: s.Pos, Test: s.Test, Body: one(s.Body)}
	case *ast.DoWhile:
		return &ast.DoWhile{Pos: s.Pos, Body: one(s.Body), Test: s.Test}
	case *ast.Labeled:
		return eachLabelled(s, f)
	case *ast.Try:
		return &ast.Try{Pos: s.Pos, Body: block(s.Body), Param: s.Param, Handler: block(s.Handler), Finally: block(s.Finally)}
	case *ast.Switch:
		c := &ast.Switch{Pos: s.Pos, X: s.X, Cases: slices.Clone(s.Cases)}
		for i := range c.Cases {
			c.Cases[i].Body = f(s.Cases[i].Body)
		}
		return c
	}
	return s
}

// eachLabelled keeps a label on its loop.
func eachLabelled(s *ast.Labeled, f func([]ast.Stmt) []ast.Stmt) ast.Stmt {
	return &ast.Labeled{Pos: s.Pos, Label: s.Label, Body: eachList(s.Body, f)}
}
