package syntax

import (
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/js_ast"
)

// export is one exported declaration: allowed only if it turns out to be the program's wrapper.
type export struct {
	pos ast.Pos
	sym *ast.Symbol // its name, if it has one
	fn  *ast.Func   // its function, if it is one
	// byDefault says that it was exported as default, which makes it the wrapper even beside other statements.
	byDefault bool
}

// module converts import and export statements: all are errors but `export {}` and what may wrap the program.
func (c *converter) module(pos ast.Pos, s js_ast.Stmt) ast.Stmt {
	switch d := s.Data.(type) {
	case *js_ast.SExportClause:
		if len(d.Items) == 0 {
			return nil
		}
	case *js_ast.SExportDefault:
		return c.exportDefault(pos, d)
	case *js_ast.SImport:
		c.diags = append(c.diags, moduleSyntax(pos, "import"))
		return nil
	}
	c.diags = append(c.diags, moduleSyntax(pos, "export"))
	return nil
}

func (c *converter) exportDefault(pos ast.Pos, d *js_ast.SExportDefault) ast.Stmt {
	switch v := d.Value.Data.(type) {
	case *js_ast.SFunction:
		fn := c.fnBody(&v.Fn)
		if fn.Name == nil {
			c.export(&export{pos: pos, fn: fn, byDefault: true})
			return &ast.ExprStmt{Pos: pos, X: &ast.FunctionExpr{Pos: c.pos(d.Value.Loc), Func: fn}}
		}
		c.export(&export{pos: pos, sym: fn.Name.Sym, fn: fn, byDefault: true})
		return &ast.FunctionDecl{Pos: c.pos(d.Value.Loc), Func: fn}
	case *js_ast.SExpr:
		x := c.expr(v.Value)
		switch f := x.(type) {
		case *ast.FunctionExpr:
			c.export(&export{pos: pos, fn: f.Func, byDefault: true})
			return &ast.ExprStmt{Pos: pos, X: x}
		case *ast.Ident:
			c.export(&export{pos: pos, sym: f.Sym, byDefault: true})
			return nil
		}
	}
	c.diags = append(c.diags, moduleSyntax(pos, "export"))
	return nil
}

// exportVar notes `export const main = async () => …`; every other exported variable is an error.
func (c *converter) exportVar(pos ast.Pos, d *ast.VarDecl) {
	if fn, sym := declaredFunction(d); fn != nil {
		c.export(&export{pos: pos, sym: sym, fn: fn})
		return
	}
	c.diags = append(c.diags, moduleSyntax(pos, "export"))
}

// exportWord returns where the word export stands before the declaration at pos.
func (c *converter) exportWord(pos ast.Pos) ast.Pos {
	before := strings.TrimRight(c.text[:pos.Offset], " \t\r\n")
	if strings.HasSuffix(before, "export") {
		return c.at.at(len(before) - len("export"))
	}
	return pos
}

// export remembers e as the program's wrapper; a second one cannot be.
func (c *converter) export(e *export) {
	if c.exported != nil {
		c.diags = append(c.diags, moduleSyntax(e.pos, "export"))
		return
	}
	c.exported = e
}
