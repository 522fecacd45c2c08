package expr

import (
	"fmt"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

type (
	// eval computes an expression. What it gives may be a *value.Lazy, never nil.
	eval func(fr *frame) value.Value
	// test computes an expression for its truth.
	test func(fr *frame) bool
	// exec runs a statement.
	exec func(fr *frame) completion
)

// completion is how a statement ended (ECMAScript §6.2.4); a throw is a panic instead.
type completion uint8

const (
	normal   completion = iota
	breaks              // to fr.label
	goesOn              // continue, of fr.label
	returned            // with fr.ret
)

// compiler turns the syntax of one piece into closures.
type compiler struct {
	res    *resolver
	scope  *scope
	labels []label
	next   int // the next label's id
	// inFunction says that a return statement is legal.
	inFunction bool
	// iterated is the call whose result is iterated over, inKey says that a computed key is compiled: both change what V8
	// says of a callee that is no function.
	iterated *ast.Call
	inKey    bool
	depth    int
}

// label is a statement that break or continue can name.
type label struct {
	id    int
	names []string
	loop  bool
	// breakable says that a plain break leaves it: a loop or switch.
	breakable bool
}

// maxNesting bounds the recursion of the compiler.
const maxNesting = 2000

// refuse ends the compilation.
func refuse(pos ast.Pos, format string, args ...any) {
	panic(&Unsupported{Pos: pos, Reason: fmt.Sprintf(format, args...)})
}

func (c *compiler) enter(n ast.Node) {
	if c.depth++; c.depth > maxNesting {
		refuse(n.Position(), "code nested this deeply is not evaluated natively")
	}
}

func (c *compiler) leave() { c.depth-- }

// expr compiles an expression.
func (c *compiler) expr(n ast.Expr) eval {
	c.enter(n)
	defer c.leave()
	switch n := n.(type) {
	case *ast.Ident:
		return c.load(n)
	case *ast.Null:
		return constant(value.Null{})
	case *ast.Undefined:
		return constant(undefined)
	case *ast.Bool:
		return constant(value.Bool(n.Value))
	case *ast.Number:
		return constant(value.Number(n.Value))
	case *ast.String:
		return constant(value.String(n.Value))
	case *ast.RegExp:
		return c.regExpLiteral(n)
	case *ast.Template:
		return c.template(n)
	case *ast.TaggedTemplate:
		return c.taggedTemplate(n)
	case *ast.Array:
		return c.array(n)
	case *ast.Object:
		return c.object(n)
	case *ast.FunctionExpr:
		return c.function(n.Func, n.Pos)
	case *ast.Unary:
		return c.unary(n)
	case *ast.Update:
		return c.update(n)
	case *ast.Binary:
		return c.binary(n)
	case *ast.Logical:
		return c.logical(n)
	case *ast.Assign:
		return c.assign(n)
	case *ast.Conditional:
		return c.conditional(n)
	case *ast.Call:
		return endChain(n.Chain, c.callExpr(n))
	case *ast.New:
		return c.newExpr(n)
	case *ast.Member:
		return endChain(n.Chain, c.member(n))
	case *ast.Index:
		return endChain(n.Chain, c.index(n))
	case *ast.Sequence:
		return c.sequence(n)
	}
	refuse(n.Position(), "%s is not evaluated natively", construct(n))
	return nil
}

// construct names a kind of syntax that is refused.
func construct(n ast.Node) string {
	switch n.(type) {
	case *ast.This:
		return "`this`"
	case *ast.Super:
		return "`super`"
	case *ast.NewTarget:
		return "`new.target`"
	case *ast.BigInt:
		return "a BigInt"
	case *ast.ClassExpr, *ast.ClassDecl:
		return "a class"
	case *ast.PrivateIn:
		return "a private name"
	case *ast.Await:
		return "`await`"
	case *ast.Yield:
		return "`yield`"
	case *ast.Import:
		return "`import()`"
	case *ast.ImportMeta:
		return "`import.meta`"
	}
	return fmt.Sprintf("%T", n)
}

func constant(v value.Value) eval { return func(*frame) value.Value { return v } }

func (c *compiler) exprs(list []ast.Expr) []eval {
	out := make([]eval, len(list))
	for i, x := range list {
		out[i] = c.expr(x)
	}
	return out
}

func (c *compiler) sequence(n *ast.Sequence) eval {
	list := c.exprs(n.Exprs)
	return func(fr *frame) (v value.Value) {
		for _, x := range list {
			v = x(fr)
		}
		return v
	}
}

func (c *compiler) conditional(n *ast.Conditional) eval {
	test, then, els := c.test(n.Test), c.expr(n.Then), c.expr(n.Else)
	return func(fr *frame) value.Value {
		if test(fr) {
			return then(fr)
		}
		return els(fr)
	}
}

func (c *compiler) logical(n *ast.Logical) eval {
	x, y := c.expr(n.X), c.expr(n.Y)
	switch n.Op {
	case "&&":
		return func(fr *frame) value.Value {
			if v := x(fr); !truthy(v) {
				return v
			}
			return y(fr)
		}
	case "||":
		return func(fr *frame) value.Value {
			if v := x(fr); truthy(v) {
				return v
			}
			return y(fr)
		}
	}
	return func(fr *frame) value.Value {
		if v := x(fr); !isNullish(v) {
			return v
		}
		return y(fr)
	}
}

// test compiles an expression of which only the truth matters.
func (c *compiler) test(n ast.Expr) test {
	switch n := n.(type) {
	case *ast.Binary:
		if t := c.compare(n); t != nil {
			return t
		}
	case *ast.Unary:
		if n.Op == "!" {
			t := c.test(n.X)
			return func(fr *frame) bool { return !t(fr) }
		}
	case *ast.Logical:
		switch n.Op {
		case "&&":
			x, y := c.test(n.X), c.test(n.Y)
			return func(fr *frame) bool { return x(fr) && y(fr) }
		case "||":
			x, y := c.test(n.X), c.test(n.Y)
			return func(fr *frame) bool { return x(fr) || y(fr) }
		}
	}
	x := c.expr(n)
	return func(fr *frame) bool { return truthy(x(fr)) }
}

func (c *compiler) template(n *ast.Template) eval {
	parts := c.exprs(n.Exprs)
	pos := n.Pos
	return func(fr *frame) value.Value {
		s := n.Quasis[0]
		for i, x := range parts {
			v := x(fr)
			text, ok := v.(value.String)
			if !ok {
				fr.m.pos = &pos
				text = value.String(fr.m.toString(v))
			}
			s = fr.m.concat3(s, string(text), n.Quasis[i+1])
		}
		return str(s)
	}
}

// taggedTemplate knows only String.raw.
func (c *compiler) taggedTemplate(n *ast.TaggedTemplate) eval {
	tag, ok := n.Tag.(*ast.Member)
	if !ok || tag.Name != "raw" || globalName(tag.Object) != "String" {
		refuse(n.Pos, "a tagged template is not evaluated natively")
	}
	return c.template(&ast.Template{Pos: n.Pos, Quasis: n.Raws, Exprs: n.Exprs})
}

func (c *compiler) regExpLiteral(n *ast.RegExp) eval {
	prog, err := compileRegex(n.Pattern, n.Flags)
	if err != nil {
		refuse(n.Pos, "the regular expression /%s/%s: %s", n.Pattern, n.Flags, err)
	}
	return func(*frame) value.Value { return newRegExp(prog) }
}

// array compiles an array literal.
func (c *compiler) array(n *ast.Array) eval {
	for _, e := range n.Elems {
		if e == nil {
			refuse(n.Pos, "an array literal with holes is not evaluated natively")
		}
	}
	if spread, list := c.arguments(n.Elems); spread {
		build := c.spreadList(n.Elems, false)
		return func(fr *frame) value.Value { return &value.Array{Elems: build(fr)} }
	} else {
		return func(fr *frame) value.Value {
			elems := make([]value.Value, len(list))
			fr.m.alloc(16 * len(list))
			for i, x := range list {
				elems[i] = x(fr)
			}
			return &value.Array{Elems: elems}
		}
	}
}

// arguments compiles a list of expressions, unless it has a spread.
func (c *compiler) arguments(list []ast.Expr) (spread bool, out []eval) {
	for _, x := range list {
		if _, ok := x.(*ast.Spread); ok {
			return true, nil
		}
	}
	return false, c.exprs(list)
}

// spreadList compiles a list with spreads.
func (c *compiler) spreadList(list []ast.Expr, call bool) func(fr *frame) []value.Value {
	type item struct {
		x      eval
		spread bool
		pos    ast.Pos
		from   origin
	}
	items := make([]item, len(list))
	for i, x := range list {
		if s, ok := x.(*ast.Spread); ok {
			from := originOf(s.X)
			if call {
				from = origin{fromSpread, render(s.X)}
				if i < len(list)-1 {
					from.kind = fromOther
				}
			}
			if c.inKey {
				from = origin{kind: fromOther}
			}
			items[i] = item{c.spreadExpr(s.X, call), true, s.X.Position(), from}
		} else {
			items[i] = item{c.expr(x), false, x.Position(), origin{}}
		}
	}
	return func(fr *frame) []value.Value {
		out := make([]value.Value, 0, 2*len(items))
		for i := range items {
			it := &items[i]
			v := it.x(fr)
			if !it.spread {
				out = append(out, v)
				continue
			}
			fr.m.pos = &it.pos
			out = fr.m.spread(out, v, it.from)
		}
		fr.m.alloc(16 * len(out))
		return out
	}
}
