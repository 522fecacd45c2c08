package syntax

import (
	"github.com/casys-ai/pml/nodes/ast"
	esast "github.com/ije/esbuild-internal/ast"
	"github.com/ije/esbuild-internal/js_ast"
)

// funcScope notes what the function being converted mentions.
type funcScope struct {
	outer           *funcScope
	arrow           bool
	this, arguments bool
}

// enter starts a function; leave ends it and writes what it mentioned into fn. An arrow shares its outer function's
// this and arguments.
func (c *converter) enter(arrow bool) { c.fn = &funcScope{outer: c.fn, arrow: arrow} }

func (c *converter) leave(fn *ast.Func) {
	scope := c.fn
	c.fn = scope.outer
	fn.UsesThis, fn.UsesArguments = scope.this, scope.arguments
	if scope.arrow && c.fn != nil {
		c.fn.this = c.fn.this || scope.this
		c.fn.arguments = c.fn.arguments || scope.arguments
	}
}

// mentionThis notes a this, super or new.target. It reports false at the top of the program, where this is undefined.
func (c *converter) mentionThis() bool {
	nested := false
	for scope := c.fn; scope != nil; scope = scope.outer {
		nested = nested || !scope.arrow
	}
	if c.fn != nil {
		c.fn.this = true
	}
	return nested
}

func (c *converter) function(pos ast.Pos, d *js_ast.SFunction) ast.Stmt {
	fn := c.fnBody(&d.Fn)
	if d.IsExport {
		c.export(&export{pos: c.exportWord(pos), sym: fn.Name.Sym, fn: fn})
		pos = c.afterWord(pos, "export")
	}
	return &ast.FunctionDecl{Pos: pos, Func: fn}
}

// afterWord moves pos past a word and the space behind it.
func (c *converter) afterWord(pos ast.Pos, word string) ast.Pos {
	end := pos.Offset + len(word)
	if end > len(c.text) || c.text[pos.Offset:end] != word {
		return pos
	}
	return c.at.at(skipSpace(c.text, end))
}

// fnBody converts a function that is not an arrow.
func (c *converter) fnBody(f *js_ast.Fn) *ast.Func {
	fn := &ast.Func{Async: f.IsAsync, Generator: f.IsGenerator}
	if f.Name != nil {
		fn.Name = c.name(f.Name, ast.SymFunction)
	}
	c.enter(false)
	fn.Params = c.params(f.Args, f.HasRestArg)
	fn.Body = c.stmts(f.Body.Block.Stmts)
	c.leave(fn)
	return fn
}

func (c *converter) arrow(pos ast.Pos, e *js_ast.EArrow) ast.Expr {
	fn := &ast.Func{Arrow: true, Async: e.IsAsync}
	c.enter(true)
	fn.Params = c.params(e.Args, e.HasRestArg)
	fn.Body = c.stmts(e.Body.Block.Stmts)
	c.leave(fn)
	if e.PreferExpr && len(fn.Body) == 1 {
		ret, ok := fn.Body[0].(*ast.Return)
		fn.ExprBody = ok && ret.X != nil
	}
	return &ast.FunctionExpr{Pos: pos, Func: fn}
}

func (c *converter) params(args []js_ast.Arg, rest bool) []ast.Param {
	if len(args) == 0 {
		return nil
	}
	out := make([]ast.Param, len(args))
	for i, arg := range args {
		out[i] = ast.Param{Target: c.binding(arg.Binding, ast.SymParam), Default: c.exprOrNil(arg.DefaultOrNil)}
	}
	out[len(out)-1].Rest = rest
	return out
}

// name converts the name that a function or class declares.
func (c *converter) name(ref *esast.LocRef, kind ast.SymbolKind) *ast.Ident {
	pos := c.pos(ref.Loc)
	return &ast.Ident{Pos: pos, Sym: c.syms.declare(ref.Ref, kind, pos)}
}

func (c *converter) class(d *js_ast.Class) *ast.ClassBody {
	body := &ast.ClassBody{Decorators: c.decorators(d.Decorators)}
	if d.Name != nil {
		body.Name = c.name(d.Name, ast.SymClass)
	}
	body.Extends = c.exprOrNil(d.ExtendsOrNil)
	for i := range d.Properties {
		if p := &d.Properties[i]; p.Kind != js_ast.PropertyDeclareOrAbstract {
			body.Members = append(body.Members, c.member(p))
		}
	}
	return body
}

func (c *converter) decorators(list []js_ast.Decorator) []ast.Expr {
	var out []ast.Expr
	for _, d := range list {
		out = append(out, c.expr(d.Value))
	}
	return out
}

// member converts one class member.
func (c *converter) member(p *js_ast.Property) ast.Property {
	out := ast.Property{Pos: c.pos(p.Loc), Static: p.Flags.Has(js_ast.PropertyIsStatic)}
	if p.ClassStaticBlock != nil {
		out.Kind, out.Static = ast.PropStaticBlock, true
		out.Pos = c.pos(p.ClassStaticBlock.Loc)
		out.Value = c.initializer(out.Pos, func(fn *ast.Func) { fn.Body = c.stmts(p.ClassStaticBlock.Block.Stmts) })
		return out
	}
	out.Decorators = c.decorators(p.Decorators)
	c.key(&out, p)
	switch p.Kind {
	case js_ast.PropertyField, js_ast.PropertyAutoAccessor:
		out.Kind, out.Accessor = ast.PropField, p.Kind == js_ast.PropertyAutoAccessor
		if p.InitializerOrNil.Data != nil {
			c.initializer(out.Pos, func(*ast.Func) { out.Value = c.expr(p.InitializerOrNil) })
		}
	default:
		c.method(&out, p)
	}
	return out
}

// initializer converts what has a this of its own: a field's value or a static block.
func (c *converter) initializer(pos ast.Pos, convert func(*ast.Func)) ast.Expr {
	fn := &ast.Func{}
	c.enter(false)
	convert(fn)
	c.leave(fn)
	return &ast.FunctionExpr{Pos: pos, Func: fn}
}

// method fills in a method, getter or setter of a class or object.
func (c *converter) method(out *ast.Property, p *js_ast.Property) {
	switch p.Kind {
	case js_ast.PropertyGetter:
		out.Kind = ast.PropGet
	case js_ast.PropertySetter:
		out.Kind = ast.PropSet
	default:
		out.Kind, out.Method = ast.PropInit, true
	}
	out.Value = c.expr(p.ValueOrNil)
}

// key converts a member's key.
func (c *converter) key(out *ast.Property, p *js_ast.Property) {
	out.Computed = p.Flags.Has(js_ast.PropertyIsComputed)
	if private, ok := p.Key.Data.(*js_ast.EPrivateIdentifier); ok {
		out.Private = true
		out.Key = &ast.String{Pos: c.pos(p.Key.Loc), Value: c.privateName(private)}
		return
	}
	out.Key = c.propertyKey(p.Key, &out.Computed)
}

// propertyKey converts a key; a fixed key comes out as a String or Number.
func (c *converter) propertyKey(key js_ast.Expr, computed *bool) ast.Expr {
	x := c.expr(key)
	if *computed {
		return x
	}
	switch k := x.(type) {
	case *ast.String, *ast.Number:
	case *ast.BigInt:
		return &ast.String{Pos: k.Pos, Value: k.Text}
	default:
		*computed = true
	}
	return x
}

func (c *converter) privateName(e *js_ast.EPrivateIdentifier) string {
	name := c.syms.table[c.syms.follow(e.Ref)].OriginalName
	return name[1:]
}

// binding converts the target of a declaration or parameter.
func (c *converter) binding(b js_ast.Binding, kind ast.SymbolKind) ast.Pattern {
	pos := c.pos(b.Loc)
	switch d := b.Data.(type) {
	case *js_ast.BIdentifier:
		return &ast.Ident{Pos: pos, Sym: c.syms.declare(d.Ref, kind, pos)}
	case *js_ast.BArray:
		return c.arrayBinding(pos, d, kind)
	case *js_ast.BObject:
		return c.objectBinding(pos, d, kind)
	}
	panic("a declaration without a name")
}

func (c *converter) arrayBinding(pos ast.Pos, d *js_ast.BArray, kind ast.SymbolKind) ast.Pattern {
	out := &ast.ArrayPattern{Pos: pos, Elems: make([]ast.PatternElem, len(d.Items))}
	for i, item := range d.Items {
		if _, hole := item.Binding.Data.(*js_ast.BMissing); hole {
			continue
		}
		out.Elems[i] = ast.PatternElem{
			Target: c.binding(item.Binding, kind), Default: c.exprOrNil(item.DefaultValueOrNil),
			Rest: d.HasSpread && i == len(d.Items)-1,
		}
	}
	return out
}

func (c *converter) objectBinding(pos ast.Pos, d *js_ast.BObject, kind ast.SymbolKind) ast.Pattern {
	out := &ast.ObjectPattern{Pos: pos, Props: make([]ast.PatternProp, len(d.Properties))}
	for i, p := range d.Properties {
		prop := ast.PatternProp{Rest: p.IsSpread, Computed: p.IsComputed}
		if !p.IsSpread {
			prop.Key = c.propertyKey(p.Key, &prop.Computed)
		}
		prop.Target, prop.Default = c.binding(p.Value, kind), c.exprOrNil(p.DefaultValueOrNil)
		out.Props[i] = prop
	}
	return out
}
