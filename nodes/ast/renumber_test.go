package ast_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/ast"
)

// Code that was moved behind other code gets a later offset than that, and lines stay those of the source.
func TestRenumber(t *testing.T) {
	is := is.New(t)
	s := &ast.Symbol{Name: "x", Unique: "x", Decl: ast.Pos{Line: 9, Offset: 90}}
	moved := &ast.Ident{Pos: ast.Pos{Line: 2, Column: 1, Offset: 20}, Sym: s}
	decl := &ast.VarDecl{Pos: ast.Pos{Line: 9, Offset: 90}, Kind: ast.DeclConst, Decls: []ast.Declarator{
		{Pos: ast.Pos{Line: 9, Offset: 96}, Target: &ast.Ident{Pos: ast.Pos{Line: 9, Offset: 96}, Sym: s}, Init: &ast.Null{}}}}
	list := []ast.Stmt{decl, &ast.ExprStmt{Pos: ast.Pos{Line: 2, Column: 1, Offset: 20}, X: moved}}
	ast.Renumber(list)
	is.True(decl.Offset < list[1].Position().Offset)
	is.True(list[1].Position().Offset < moved.Offset)
	is.Equal(moved.Line, 2)
	is.True(s.Decl.Offset > decl.Offset && s.Decl.Offset < moved.Offset)
}
