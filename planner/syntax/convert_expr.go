package syntax

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
	esast "github.com/ije/esbuild-internal/ast"
	"github.com/ije/esbuild-internal/js_ast"
)

func (c *converter) exprOrNil(e js_ast.Expr) ast.Expr {
	if e.Data == nil {
		return nil
	}
	return c.expr(e)
}

func (c *converter) exprs(list []js_ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		if _, hole := e.Data.(*js_ast.EMissing); !hole {
			out[i] = c.expr(e)
		}
	}
	return out
}

// expr converts an expression: literals and other leaves here, the rest in compound and operation.
func (c *converter) expr(e js_ast.Expr) ast.Expr {
	pos := c.pos(e.Loc)
	switch d := e.Data.(type) {
	case *js_ast.EIdentifier:
		return c.ident(pos, d.Ref)
	case *js_ast.EImportIdentifier:
		return c.ident(pos, d.Ref)
	case *js_ast.EString:
		return &ast.String{Pos: pos, Value: text16(d.Value)}
	case *js_ast.ENumber:
		return &ast.Number{Pos: pos, Value: d.Value}
	case *js_ast.EBoolean:
		return &ast.Bool{Pos: pos, Value: d.Value}
	case *js_ast.ENull:
		return &ast.Null{Pos: pos}
	case *js_ast.EUndefined, *js_ast.EMissing:
		return &ast.Undefined{Pos: pos}
	case *js_ast.EBigInt:
		return &ast.BigInt{Pos: pos, Text: decimal(d.Value)}
	case *js_ast.ERegExp:
		end := strings.LastIndexByte(d.Value, '/')
		return &ast.RegExp{Pos: pos, Pattern: d.Value[1:end], Flags: d.Value[end+1:]}
	case *js_ast.EThis:
		if !c.mentionThis() {
			return &ast.Undefined{Pos: pos}
		}
		return &ast.This{Pos: pos}
	case *js_ast.ESuper:
		c.mentionThis()
		return &ast.Super{Pos: pos}
	case *js_ast.ENewTarget:
		c.mentionThis()
		return &ast.NewTarget{Pos: pos}
	case *js_ast.EImportMeta:
		return &ast.ImportMeta{Pos: pos}
	case *js_ast.EInlinedEnum:
		return c.expr(js_ast.Expr{Loc: e.Loc, Data: d.Value.Data})
	case *js_ast.EAnnotation:
		return c.expr(d.Value)
	case *js_ast.ENameOfSymbol:
		return &ast.String{Pos: pos, Value: c.syms.table[c.syms.follow(d.Ref)].OriginalName}
	}
	return c.compound(pos, e)
}

// compound converts literals with parts, functions and everything with operands.
func (c *converter) compound(pos ast.Pos, e js_ast.Expr) ast.Expr {
	switch d := e.Data.(type) {
	case *js_ast.EArray:
		return &ast.Array{Pos: pos, Elems: c.exprs(d.Items)}
	case *js_ast.EObject:
		return c.object(pos, d)
	case *js_ast.ESpread:
		return &ast.Spread{Pos: pos, X: c.expr(d.Value)}
	case *js_ast.ETemplate:
		return c.template(pos, d)
	case *js_ast.EArrow:
		return c.arrow(pos, d)
	case *js_ast.EFunction:
		return &ast.FunctionExpr{Pos: pos, Func: c.fnBody(&d.Fn)}
	case *js_ast.EClass:
		return &ast.ClassExpr{Pos: pos, ClassBody: c.class(&d.Class)}
	case *js_ast.EDot:
		object := c.expr(d.Target)
		return &ast.Member{Pos: object.Position(), Object: object, Name: d.Name, Chain: chain(d.OptionalChain),
			NamePos: c.pos(d.NameLoc)}
	case *js_ast.EIndex:
		return c.index(d)
	case *js_ast.ECall:
		callee := c.expr(d.Target)
		if d.Kind == js_ast.NormalCall && (isAccess(callee) || isUnbound(callee, "eval")) {
			callee = valueOnly(callee)
		}
		return &ast.Call{Pos: callee.Position(), Callee: callee, Args: c.exprs(d.Args), Chain: chain(d.OptionalChain)}
	case *js_ast.ENew:
		return &ast.New{Pos: pos, Callee: c.expr(d.Target), Args: c.exprs(d.Args)}
	}
	return c.operation(pos, e)
}

// operation converts operators and keywords that take operands.
func (c *converter) operation(pos ast.Pos, e js_ast.Expr) ast.Expr {
	switch d := e.Data.(type) {
	case *js_ast.EBinary:
		return c.binary(d)
	case *js_ast.EUnary:
		return c.unary(pos, d)
	case *js_ast.EIf:
		test := c.expr(d.Test)
		return &ast.Conditional{Pos: test.Position(), Test: test, Then: c.expr(d.Yes), Else: c.expr(d.No)}
	case *js_ast.EAwait:
		return &ast.Await{Pos: pos, X: c.expr(d.Value)}
	case *js_ast.EYield:
		return &ast.Yield{Pos: pos, X: c.exprOrNil(d.ValueOrNil), Delegate: d.IsStar}
	case *js_ast.EImportCall:
		return &ast.Import{Pos: pos, X: c.expr(d.Expr)}
	case *js_ast.EImportString:
		return &ast.Import{Pos: pos, X: c.importPath(pos, d.ImportRecordIndex)}
	case *js_ast.ERequireString:
		require := &ast.Ident{Pos: pos, Sym: c.syms.free("require", false)}
		return &ast.Call{Pos: pos, Callee: require, Args: []ast.Expr{c.importPath(pos, d.ImportRecordIndex)}}
	}
	c.unsupported(pos, fmt.Sprintf("this expression is not supported (%T)", e.Data), "")
	return &ast.Undefined{Pos: pos}
}

func (c *converter) importPath(pos ast.Pos, record uint32) ast.Expr {
	return &ast.String{Pos: pos, Value: c.imports[record].Path.Text}
}

func (c *converter) ident(pos ast.Pos, ref esast.Ref) ast.Expr {
	if c.fn != nil && c.syms.table[c.syms.follow(ref)].Kind == esast.SymbolArguments {
		c.fn.arguments = true
	}
	return &ast.Ident{Pos: pos, Sym: c.syms.of(ref)}
}

func chain(c js_ast.OptionalChain) ast.Chain {
	switch c {
	case js_ast.OptionalChainStart:
		return ast.ChainStart
	case js_ast.OptionalChainContinue:
		return ast.ChainContinue
	}
	return ast.NoChain
}

func (c *converter) index(d *js_ast.EIndex) ast.Expr {
	object := c.expr(d.Target)
	if private, ok := d.Index.Data.(*js_ast.EPrivateIdentifier); ok {
		return &ast.Member{Pos: object.Position(), Object: object, Name: c.privateName(private), Private: true,
			Chain: chain(d.OptionalChain), NamePos: c.pos(d.Index.Loc)}
	}
	return &ast.Index{Pos: object.Position(), Object: object, Index: c.expr(d.Index), Chain: chain(d.OptionalChain)}
}

func (c *converter) object(pos ast.Pos, d *js_ast.EObject) ast.Expr {
	out := &ast.Object{Pos: pos, Props: make([]ast.Property, len(d.Properties))}
	for i := range d.Properties {
		p := &d.Properties[i]
		prop := ast.Property{Pos: c.pos(p.Loc)}
		switch p.Kind {
		case js_ast.PropertySpread:
			prop.Kind, prop.Value = ast.PropSpread, c.expr(p.ValueOrNil)
		case js_ast.PropertyField:
			c.key(&prop, p)
			prop.Computed = prop.Computed || ownProto(&prop, p)
			prop.Value = c.expr(p.ValueOrNil)
		default:
			c.key(&prop, p)
			c.method(&prop, p)
		}
		out.Props[i] = prop
	}
	return out
}

// ownProto reports a shorthand {__proto__}: unlike __proto__: x it makes an own property, as a computed key does.
func ownProto(prop *ast.Property, p *js_ast.Property) bool {
	key, ok := prop.Key.(*ast.String)
	return ok && key.Value == "__proto__" && p.Flags.Has(js_ast.PropertyWasShorthand)
}

func (c *converter) template(pos ast.Pos, d *js_ast.ETemplate) ast.Expr {
	if d.TagOrNil.Data == nil {
		out := &ast.Template{Pos: pos, Quasis: []string{text16(d.HeadCooked)}}
		for _, part := range d.Parts {
			out.Exprs = append(out.Exprs, c.expr(part.Value))
			out.Quasis = append(out.Quasis, text16(part.TailCooked))
		}
		return out
	}
	tag := c.expr(d.TagOrNil)
	if !d.TagWasOriginallyPropertyAccess && isAccess(tag) {
		tag = valueOnly(tag)
	}
	out := &ast.TaggedTemplate{Pos: tag.Position(), Tag: tag}
	out.Raws, out.Cooked = []string{d.HeadRaw}, []*string{cook(d.HeadRaw)}
	for _, part := range d.Parts {
		out.Exprs = append(out.Exprs, c.expr(part.Value))
		out.Raws = append(out.Raws, part.TailRaw)
		out.Cooked = append(out.Cooked, cook(part.TailRaw))
	}
	return out
}

// decimal writes a BigInt literal's digits in base ten.
func decimal(text string) string {
	n, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 0)
	if !ok {
		return text
	}
	return n.String()
}
