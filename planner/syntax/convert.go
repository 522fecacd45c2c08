package syntax

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	esast "github.com/ije/esbuild-internal/ast"
	"github.com/ije/esbuild-internal/helpers"
	"github.com/ije/esbuild-internal/js_ast"
	"github.com/ije/esbuild-internal/logger"
)

// converter turns esbuild's tree into ours.
type converter struct {
	text string
	at   *positions
	// list are the statements, and shift is how far they stand behind their places in the text.
	list    []js_ast.Stmt
	shift   int
	syms    *symbols
	imports []esast.ImportRecord
	diags   []nodes.Diagnostic
	// fn is the function being converted; nil at the top of the program.
	fn *funcScope
	// exported is what `export default` or `export function` offered as the program's wrapper.
	exported *export
	// wrapped says that a wrapping function was taken off.
	wrapped bool
}

func newConverter(text string, at *positions, tree js_ast.AST) *converter {
	c := &converter{text: text, at: at, syms: newSymbols(tree.Symbols), imports: tree.ImportRecords}
	for _, part := range tree.Parts {
		c.list = append(c.list, part.Stmts...)
	}
	return c
}

// program converts the whole tree, takes off a wrapping function and names the symbols.
func (c *converter) program() []ast.Stmt {
	body := c.unwrap(c.tree())
	c.syms.name()
	return body
}

// tree converts the whole tree as it is.
func (c *converter) tree() []ast.Stmt { return c.appendStmts(nil, c.list) }

func (c *converter) pos(loc logger.Loc) ast.Pos { return c.at.at(int(loc.Start) - c.shift) }

func (c *converter) stmts(list []js_ast.Stmt) []ast.Stmt {
	return c.appendStmts(make([]ast.Stmt, 0, len(list)), list)
}

func (c *converter) appendStmts(out []ast.Stmt, list []js_ast.Stmt) []ast.Stmt {
	functions := 0
	for _, s := range list {
		if stmt := c.stmtOrNil(s); stmt != nil {
			out = append(out, stmt)
			if _, ok := stmt.(*ast.FunctionDecl); ok {
				functions++
			}
		}
	}
	if functions > 1 {
		out = withoutOverwritten(out)
	}
	return out
}

// withoutOverwritten drops a function whose name a later declaration in the list takes: nobody can ever see it.
func withoutOverwritten(list []ast.Stmt) []ast.Stmt {
	last := map[*ast.Symbol]ast.Stmt{}
	for _, s := range list {
		if fn, ok := s.(*ast.FunctionDecl); ok {
			last[fn.Name.Sym] = s
		}
	}
	kept := list[:0]
	for _, s := range list {
		if fn, ok := s.(*ast.FunctionDecl); !ok || last[fn.Name.Sym] == s {
			kept = append(kept, s)
		}
	}
	return kept
}

// stmt converts a statement that must be there, as the body of a loop.
func (c *converter) stmt(s js_ast.Stmt) ast.Stmt {
	if stmt := c.stmtOrNil(s); stmt != nil {
		return stmt
	}
	return &ast.Empty{Pos: c.pos(s.Loc)}
}

func (c *converter) block(loc logger.Loc, b js_ast.SBlock) *ast.Block {
	return &ast.Block{Pos: c.pos(loc), Body: c.stmts(b.Stmts)}
}

// stmtOrNil converts one statement; nil if nothing is left of it at run time.
func (c *converter) stmtOrNil(s js_ast.Stmt) ast.Stmt {
	pos := c.pos(s.Loc)
	switch d := s.Data.(type) {
	case *js_ast.SExpr:
		return &ast.ExprStmt{Pos: pos, X: c.expr(d.Value)}
	case *js_ast.SLocal:
		return c.local(pos, d)
	case *js_ast.SFunction:
		return c.function(pos, d)
	case *js_ast.SClass:
		if d.IsExport {
			c.diags = append(c.diags, moduleSyntax(c.exportWord(pos), "export"))
		}
		return &ast.ClassDecl{Pos: pos, ClassBody: c.class(&d.Class)}
	case *js_ast.SBlock:
		return c.block(s.Loc, *d)
	case *js_ast.SEmpty, *js_ast.SDebugger:
		return &ast.Empty{Pos: pos}
	case *js_ast.SLabel:
		return &ast.Labeled{Pos: pos, Label: c.label(&d.Name), Body: c.stmt(d.Stmt)}
	case *js_ast.SReturn:
		return &ast.Return{Pos: pos, X: c.exprOrNil(d.ValueOrNil)}
	case *js_ast.SThrow:
		return &ast.Throw{Pos: pos, X: c.expr(d.Value)}
	case *js_ast.SBreak:
		return &ast.Break{Pos: pos, Label: c.label(d.Label)}
	case *js_ast.SContinue:
		return &ast.Continue{Pos: pos, Label: c.label(d.Label)}
	case *js_ast.SComment, *js_ast.SDirective, *js_ast.STypeScript:
		return nil
	case *js_ast.SImport, *js_ast.SExportFrom, *js_ast.SExportStar, *js_ast.SExportClause, *js_ast.SExportEquals,
		*js_ast.SExportDefault, *js_ast.SLazyExport:
		return c.module(pos, s)
	}
	return c.control(pos, s)
}

// control converts branches, loops, switch and try.
func (c *converter) control(pos ast.Pos, s js_ast.Stmt) ast.Stmt {
	switch d := s.Data.(type) {
	case *js_ast.SIf:
		out := &ast.If{Pos: pos, Test: c.expr(d.Test), Then: c.stmt(d.Yes)}
		if d.NoOrNil.Data != nil {
			out.Else = c.stmt(d.NoOrNil)
		}
		return out
	case *js_ast.SFor:
		return c.forLoop(pos, d)
	case *js_ast.SForIn:
		return &ast.ForIn{Pos: pos, Left: c.forLeft(d.Init), Right: c.expr(d.Value), Body: c.stmt(d.Body)}
	case *js_ast.SForOf:
		return &ast.ForOf{Pos: pos, Await: d.Await.Len > 0, Left: c.forLeft(d.Init), Right: c.expr(d.Value),
			Body: c.stmt(d.Body)}
	case *js_ast.SWhile:
		return &ast.While{Pos: pos, Test: c.expr(d.Test), Body: c.stmt(d.Body)}
	case *js_ast.SDoWhile:
		body := c.stmt(d.Body)
		return &ast.DoWhile{Pos: pos, Body: body, Test: c.expr(d.Test)}
	case *js_ast.STry:
		return c.try(pos, d)
	case *js_ast.SSwitch:
		return c.switchStmt(pos, d)
	case *js_ast.SWith: // an error in strict code, which esbuild has reported
		return nil
	}
	c.unsupported(pos, "this statement is not supported", "")
	return nil
}

func (c *converter) unsupported(pos ast.Pos, message, word string) {
	c.diags = append(c.diags, nodes.Diagnostic{
		Code: nodes.ParseError, Message: message, Pos: pos, Length: len(word)})
}

func (c *converter) local(pos ast.Pos, d *js_ast.SLocal) ast.Stmt {
	out := &ast.VarDecl{Pos: pos, Kind: declKinds[d.Kind], Decls: make([]ast.Declarator, len(d.Decls))}
	kind := declSymbols[d.Kind]
	for i, decl := range d.Decls {
		target := c.binding(decl.Binding, kind)
		out.Decls[i] = ast.Declarator{Pos: target.Position(), Target: target, Init: c.exprOrNil(decl.ValueOrNil)}
	}
	if d.IsExport {
		c.exportVar(c.exportWord(pos), out)
	}
	return out
}

var declKinds = [...]ast.DeclKind{
	js_ast.LocalVar: ast.DeclVar, js_ast.LocalLet: ast.DeclLet, js_ast.LocalConst: ast.DeclConst,
	js_ast.LocalUsing: ast.DeclUsing, js_ast.LocalAwaitUsing: ast.DeclAwaitUsing,
}

var declSymbols = [...]ast.SymbolKind{
	js_ast.LocalVar: ast.SymVar, js_ast.LocalLet: ast.SymLet, js_ast.LocalConst: ast.SymConst,
	js_ast.LocalUsing: ast.SymConst, js_ast.LocalAwaitUsing: ast.SymConst,
}

func (c *converter) label(ref *esast.LocRef) string {
	if ref == nil {
		return ""
	}
	return c.syms.table[c.syms.follow(ref.Ref)].OriginalName
}

func (c *converter) forLoop(pos ast.Pos, d *js_ast.SFor) ast.Stmt {
	out := &ast.For{Pos: pos}
	if d.InitOrNil.Data != nil {
		out.Init = c.stmt(d.InitOrNil)
	}
	out.Test, out.Update = c.exprOrNil(d.TestOrNil), c.exprOrNil(d.UpdateOrNil)
	out.Body = c.stmt(d.Body)
	return out
}

// forLeft converts what a for-in or for-of loop assigns to.
func (c *converter) forLeft(s js_ast.Stmt) ast.Stmt {
	d, ok := s.Data.(*js_ast.SExpr)
	if !ok {
		return c.stmt(s)
	}
	target := c.target(d.Value)
	return &ast.ExprStmt{Pos: target.Position(), X: &ast.Assign{Pos: target.Position(), Op: "=", Target: target}}
}

func (c *converter) try(pos ast.Pos, d *js_ast.STry) ast.Stmt {
	out := &ast.Try{Pos: pos, Body: c.block(d.BlockLoc, d.Block)}
	if d.Catch != nil {
		if d.Catch.BindingOrNil.Data != nil {
			out.Param = c.binding(d.Catch.BindingOrNil, ast.SymCatch)
		}
		out.Handler = c.block(d.Catch.BlockLoc, d.Catch.Block)
	}
	if d.Finally != nil {
		out.Finally = c.block(d.Finally.Loc, d.Finally.Block)
		out.Finally.Pos = c.afterWord(out.Finally.Pos, "finally")
	}
	return out
}

func (c *converter) switchStmt(pos ast.Pos, d *js_ast.SSwitch) ast.Stmt {
	out := &ast.Switch{Pos: pos, X: c.expr(d.Test), Cases: make([]ast.Case, len(d.Cases))}
	for i, clause := range d.Cases {
		out.Cases[i] = ast.Case{Pos: c.pos(clause.Loc), Test: c.exprOrNil(clause.ValueOrNil), Body: c.stmts(clause.Body)}
	}
	return out
}

func text16(s []uint16) string { return helpers.UTF16ToString(s) }
