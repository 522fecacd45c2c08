package syntax

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/js_ast"
)

func (c *converter) unary(pos ast.Pos, d *js_ast.EUnary) ast.Expr {
	op := js_ast.OpTable[d.Op].Text
	switch d.Op {
	case js_ast.UnOpPreDec, js_ast.UnOpPreInc:
		return &ast.Update{Pos: pos, Op: op, Prefix: true, X: c.expr(d.Value)}
	case js_ast.UnOpPostDec, js_ast.UnOpPostInc:
		x := c.expr(d.Value)
		return &ast.Update{Pos: x.Position(), Op: op, X: x}
	case js_ast.UnOpVoid:
		if _, constant := d.Value.Data.(*js_ast.ENumber); constant {
			return &ast.Undefined{Pos: pos}
		}
	}
	x := c.expr(d.Value)
	if (d.Op == js_ast.UnOpTypeof && !d.WasOriginallyTypeofIdentifier && isUnbound(x, "")) ||
		(d.Op == js_ast.UnOpDelete && !d.WasOriginallyDeleteOfIdentifierOrPropertyAccess && isReference(x)) {
		x = valueOnly(x)
	}
	return &ast.Unary{Pos: pos, Op: op, X: x}
}

// valueOnly writes (0, x) for a reference that esbuild's folding laid bare: (true && o.f)() calls f without o, so it
// must not become o.f(), nor may typeof or delete see the reference.
func valueOnly(x ast.Expr) ast.Expr {
	return &ast.Sequence{Pos: x.Position(), Exprs: []ast.Expr{&ast.Number{Pos: x.Position()}, x}}
}

func isAccess(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Member, *ast.Index:
		return true
	}
	return false
}

func isReference(x ast.Expr) bool {
	_, ident := x.(*ast.Ident)
	return ident || isAccess(x)
}

// isUnbound reports a name that the program does not declare; any if name is empty.
func isUnbound(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Sym.Kind == ast.SymUnbound && (name == "" || id.Sym.Name == name)
}

// binary converts operators of two operands. A long chain a + b + c … leans left: it is followed in a loop so that it
// costs no stack.
func (c *converter) binary(d *js_ast.EBinary) ast.Expr {
	spine := []*js_ast.EBinary{d}
	for leansLeft(d.Op) {
		left, ok := d.Left.Data.(*js_ast.EBinary)
		if !ok {
			break
		}
		spine, d = append(spine, left), left
	}
	x := c.binaryOf(d, nil)
	for i := len(spine) - 2; i >= 0; i-- {
		x = c.binaryOf(spine[i], x)
	}
	return x
}

func leansLeft(op js_ast.OpCode) bool { return op <= js_ast.BinOpComma }

// binaryOf converts d; left is its left operand if that was converted already.
func (c *converter) binaryOf(d *js_ast.EBinary, left ast.Expr) ast.Expr {
	op := js_ast.OpTable[d.Op].Text
	if d.Op >= js_ast.BinOpAssign {
		target := c.target(d.Left)
		return &ast.Assign{Pos: target.Position(), Op: op, Target: target, Value: c.expr(d.Right)}
	}
	if private, ok := d.Left.Data.(*js_ast.EPrivateIdentifier); ok {
		return &ast.PrivateIn{Pos: c.pos(d.Left.Loc), Name: c.privateName(private), X: c.expr(d.Right)}
	}
	if left == nil {
		left = c.expr(d.Left)
	}
	right := c.expr(d.Right)
	switch d.Op {
	case js_ast.BinOpComma:
		return sequence(left, right)
	case js_ast.BinOpLogicalAnd, js_ast.BinOpLogicalOr, js_ast.BinOpNullishCoalescing:
		return &ast.Logical{Pos: left.Position(), Op: op, X: left, Y: right}
	}
	return &ast.Binary{Pos: left.Position(), Op: op, X: left, Y: right}
}

func sequence(left, right ast.Expr) ast.Expr {
	if s, ok := left.(*ast.Sequence); ok {
		s.Exprs = append(s.Exprs, right)
		return s
	}
	return &ast.Sequence{Pos: left.Position(), Exprs: []ast.Expr{left, right}}
}
