package planner

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// globals are the names that every program has.
var globals = set("mcp", "args", "undefined", "NaN", "Infinity", "globalThis", "arguments", "console",
	"Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Math", "JSON", "Date", "RegExp",
	"Map", "Set", "WeakMap", "WeakSet", "Promise", "Proxy", "Reflect", "Intl",
	"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError",
	"parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI",
	"escape", "unescape", "eval", "structuredClone", "setTimeout", "clearTimeout", "setInterval", "clearInterval",
	"setImmediate", "clearImmediate", "queueMicrotask", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob",
	"btoa", "crypto", "performance", "ArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array",
	"Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
	"ToolError")

// absent says what to do instead of using a global that other JavaScript hosts have.
var absent = map[string]string{
	"fetch": "programs have no network: call a tool", "XMLHttpRequest": "programs have no network: call a tool",
	"WebSocket": "programs have no network: call a tool", "require": "programs have no modules: call a tool",
	"module": "programs have no modules", "exports": "programs have no modules",
	"process": "programs have no access to the system: call a tool", "Deno": "programs have no access to the system: call a tool",
	"Bun": "programs have no access to the system: call a tool", "__dirname": "programs have no files: call a tool",
	"__filename": "programs have no files: call a tool", "Buffer": "use Uint8Array, TextEncoder, atob and btoa",
	"window": "programs do not run in a browser", "document": "programs do not run in a browser",
}

// checkNames reports what is used and cannot be there. A name that nothing defines is a warning: the program may never
// get to it, or expect the ReferenceError.
func checkNames(body []ast.Stmt, u *uses) []nodes.Diagnostic {
	c := &nameChecker{u: u, guarded: map[*ast.Ident]bool{}, known: map[string]bool{}, typed: map[string]bool{},
		seen: map[string]bool{}}
	for _, s := range body {
		ast.Walk(s, c.collect)
	}
	for _, s := range body {
		ast.Walk(s, c.check)
	}
	return c.diags
}

type nameChecker struct {
	u        *uses
	declared []string
	// guarded are the names under typeof, which may be undefined.
	guarded map[*ast.Ident]bool
	// known, typed and seen are the names that are declared, stand under typeof, and have been reported.
	known, typed, seen map[string]bool
	unknown            int
	diags              []nodes.Diagnostic
}

func (c *nameChecker) collect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		if n.Sym.Kind != ast.SymUnbound && !c.known[n.Sym.Name] {
			c.known[n.Sym.Name] = true
			c.declared = append(c.declared, n.Sym.Name)
		}
	case *ast.Unary:
		if id, ok := n.X.(*ast.Ident); ok && n.Op == "typeof" {
			c.guarded[id] = true
			c.typed[id.Sym.Name] = true
		}
	}
	return true
}

func (c *nameChecker) check(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		c.name(n)
	case *ast.Import:
		c.report(nodes.SeverityError, n, len("import"), "programs cannot import modules", "call tools as mcp.server.tool(args)")
	case *ast.Assign:
		c.change(n, n.Target)
	case *ast.Unary:
		if n.Op == "delete" {
			c.change(n, n.X)
		}
	case *ast.New:
		if path, ok := c.u.path(n.Callee); ok && len(path) > 0 {
			c.report(nodes.SeverityError, n, len("new"), "a tool is called, not constructed", "leave out new")
		}
	case *ast.TaggedTemplate:
		if path, ok := c.u.path(n.Tag); ok && len(path) > 0 {
			c.report(nodes.SeverityError, n, 1, "a tool is no template tag", "call it with an object: mcp.server.tool({ … })")
		}
	}
	return true
}

// name warns of a name that nothing defines, once for each name.
func (c *nameChecker) name(id *ast.Ident) {
	name := id.Sym.Name
	if id.Sym.Kind != ast.SymUnbound || globals[name] || c.guarded[id] || c.typed[name] || c.seen[name] {
		return
	}
	c.seen[name] = true
	hint := absent[name]
	if c.unknown++; hint == "" && c.unknown <= suggestions {
		hint = c.suggest(name)
	}
	c.report(nodes.SeverityWarning, id, width(name), fmt.Sprintf("%s is not defined", name), hint)
}

// suggestions is for how many unknown names a declared one is looked for: a program with more of them lacks something else.
const suggestions = 20

func (c *nameChecker) suggest(name string) string {
	if near := nodes.Nearest(name, c.declared); near != "" {
		return fmt.Sprintf("did you mean `%s`?", near)
	}
	return ""
}

// change reports an assignment to mcp or something of it.
func (c *nameChecker) change(at ast.Node, target ast.Node) {
	e, ok := target.(ast.Expr)
	if !ok {
		return
	}
	if path, ok := c.u.path(e); ok {
		if id, isName := e.(*ast.Ident); isName && len(path) == 0 && !isMCP(id) {
			return
		}
		c.report(nodes.SeverityError, at, 1, "mcp and its tools cannot be changed", "")
	}
}

func (c *nameChecker) report(s nodes.Severity, at ast.Node, length int, message, hint string) {
	c.diags = append(c.diags, nodes.Diagnostic{Code: nodes.CodeError, Severity: s, Message: message, Hint: hint,
		Pos: at.Position(), Length: length})
}
