package planner

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// uses are the places where a program reaches for tools.
type uses struct {
	all     []use
	aliases map[*ast.Symbol]*alias
	// dynamic says that mcp is also used in ways that do not name a tool.
	dynamic bool
	args    *ast.Symbol
	// constants are the constants whose value is known wherever they are used.
	constants map[*ast.Symbol]ast.Expr
}

// use is one mention of mcp.server.tool, or of mcp.server alone.
type use struct {
	server, tool       string
	serverPos, toolPos ast.Pos
	// call is set if the tool is called.
	call *ast.Call
	at   ast.Node
}

// alias is a constant that stands for mcp, a server or a tool.
type alias struct {
	sym  *ast.Symbol
	path []string
	init ast.Expr
	// dynamic: the constant is used for more than calling tools by name.
	dynamic bool
}

// decl declares the alias again, inside a piece of code that mentions it.
func (a *alias) decl() ast.Stmt {
	return &ast.VarDecl{Kind: ast.DeclConst, Decls: []ast.Declarator{{Target: &ast.Ident{Sym: a.sym}, Init: a.init}}}
}

// findUses walks the program for mcp and its aliases.
func findUses(p *ast.Program) *uses {
	u := &uses{aliases: map[*ast.Symbol]*alias{}}
	assigned := map[*ast.Symbol]bool{}
	for _, s := range p.Body {
		for _, sym := range ast.Assigned(s) {
			assigned[sym] = true
		}
	}
	for _, s := range p.Body {
		ast.Walk(s, func(n ast.Node) bool { u.findAlias(n, assigned); return true })
	}
	for _, s := range p.Body {
		u.walk(s)
	}
	u.constants = knownConstants(p.Body, u)
	return u
}

// knownConstants finds the constants that hold a primitive literal, and those that hold an object literal and are used
// for nothing but arguments of tools.
func knownConstants(body []ast.Stmt, u *uses) map[*ast.Symbol]ast.Expr {
	inits := map[*ast.Symbol]ast.Expr{}
	free := map[*ast.Symbol]int{}
	for _, s := range body {
		ast.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				free[n.Sym]++
			case *ast.VarDecl:
				for _, d := range n.Decls {
					if id, ok := d.Target.(*ast.Ident); ok && n.Kind == ast.DeclConst && d.Init != nil {
						inits[id.Sym] = d.Init
						free[id.Sym]--
					}
				}
			}
			return true
		})
	}
	for _, x := range u.all {
		if x.call != nil && len(x.call.Args) == 1 {
			if id, ok := x.call.Args[0].(*ast.Ident); ok {
				free[id.Sym]--
			}
		}
	}
	for s, init := range inits {
		if _, object := init.(*ast.Object); !literal(init) && !object || object && free[s] > 0 {
			delete(inits, s)
		}
	}
	return inits
}

// findAlias recognises const fs = mcp.filesystem and const { filesystem, git: g } = mcp.
func (u *uses) findAlias(n ast.Node, assigned map[*ast.Symbol]bool) {
	decl, ok := n.(*ast.VarDecl)
	if !ok {
		return
	}
	for _, d := range decl.Decls {
		path, ok := u.path(d.Init)
		if !ok {
			continue
		}
		switch t := d.Target.(type) {
		case *ast.Ident:
			u.addAlias(t.Sym, path, d.Init, assigned)
		case *ast.ObjectPattern:
			for _, p := range t.Props {
				key, isStr := p.Key.(*ast.String)
				id, isIdent := p.Target.(*ast.Ident)
				if isStr && isIdent && p.Default == nil && !p.Rest && aliasPattern(t) {
					init := &ast.Member{Pos: id.Pos, Object: d.Init, Name: key.Value, NamePos: id.Pos}
					u.addAlias(id.Sym, append(path[:len(path):len(path)], key.Value), init, assigned)
				}
			}
		}
	}
}

func (u *uses) addAlias(s *ast.Symbol, path []string, init ast.Expr, assigned map[*ast.Symbol]bool) {
	if !assigned[s] && len(path) <= 2 {
		u.aliases[s] = &alias{sym: s, path: path, init: init}
	}
}

// aliasPattern reports whether every part of the pattern can be an alias.
func aliasPattern(t *ast.ObjectPattern) bool {
	for _, p := range t.Props {
		_, isStr := p.Key.(*ast.String)
		_, isIdent := p.Target.(*ast.Ident)
		if !isStr || !isIdent || p.Default != nil || p.Rest {
			return false
		}
	}
	return true
}

// path is the names after mcp in mcp.a.b, following aliases; false if e is something else.
func (u *uses) path(e ast.Expr) ([]string, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		if isMCP(e) {
			return nil, true
		}
		if a := u.aliases[e.Sym]; a != nil {
			return a.path, true
		}
	case *ast.Member:
		if p, ok := u.path(e.Object); ok && e.Chain == ast.NoChain {
			return append(p[:len(p):len(p)], e.Name), true
		}
	case *ast.Index:
		name, isStr := e.Index.(*ast.String)
		if p, ok := u.path(e.Object); ok && isStr && e.Chain == ast.NoChain {
			return append(p[:len(p):len(p)], name.Value), true
		}
	}
	return nil, false
}

// walk records every use below n.
func (u *uses) walk(n ast.Node) {
	ast.Walk(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.VarDecl:
			for _, d := range n.Decls {
				if !u.declaresAlias(d) {
					u.walkDeclarator(d)
				}
			}
			return false
		case *ast.Call:
			if path, ok := u.path(n.Callee); ok && n.Chain == ast.NoChain {
				u.record(path, n.Callee, n)
				for _, x := range n.Args {
					u.walk(x)
				}
				return false
			}
		case *ast.Member, *ast.Index:
			if path, ok := u.path(n.(ast.Expr)); ok {
				u.record(path, n.(ast.Expr), nil)
				return false
			}
		case *ast.Ident:
			if n.Sym.Kind == ast.SymUnbound && n.Sym.Name == "args" {
				u.args = n.Sym
			}
			if isMCP(n) || u.aliases[n.Sym] != nil {
				u.loose(n)
			}
		}
		return true
	})
}

// loose notes a use that names no tool: from then on any tool may be meant.
func (u *uses) loose(n *ast.Ident) {
	u.dynamic = true
	if a := u.aliases[n.Sym]; a != nil {
		a.dynamic = true
	}
}

func (u *uses) declaresAlias(d ast.Declarator) bool {
	switch t := d.Target.(type) {
	case *ast.Ident:
		return u.aliases[t.Sym] != nil
	case *ast.ObjectPattern:
		for _, s := range ast.PatternSymbols(t) {
			if u.aliases[s] == nil {
				return false
			}
		}
		_, ok := u.path(d.Init)
		return ok && len(t.Props) > 0
	}
	return false
}

func (u *uses) walkDeclarator(d ast.Declarator) {
	u.walk(d.Target)
	if d.Init != nil {
		u.walk(d.Init)
	}
}

func (u *uses) record(path []string, e ast.Expr, call *ast.Call) {
	x := use{call: call, at: e}
	if len(path) == 0 {
		u.dynamic = true
		return
	}
	x.server, x.serverPos = path[0], e.Position()
	if len(path) > 1 {
		x.tool = path[1]
	}
	x.toolPos = lastName(e)
	if m, ok := object(e); ok && len(path) == 2 {
		x.serverPos = lastName(m)
	}
	if call == nil || len(path) != 2 {
		u.dynamic = true
	}
	u.all = append(u.all, x)
}

func object(e ast.Expr) (ast.Expr, bool) {
	switch e := e.(type) {
	case *ast.Member:
		return e.Object, true
	case *ast.Index:
		return e.Object, true
	}
	return nil, false
}

func lastName(e ast.Expr) ast.Pos {
	switch e := e.(type) {
	case *ast.Member:
		return e.NamePos
	case *ast.Index:
		return e.Index.Position()
	}
	return e.Position()
}

// resolve looks every use up in the catalogue.
func resolve(u *uses, c Catalog) (map[*ast.Call]nodes.ToolID, []nodes.Diagnostic) {
	calls := map[*ast.Call]nodes.ToolID{}
	var diags []nodes.Diagnostic
	report := func(d nodes.Diagnostic) { diags = append(diags, d) }
	for _, x := range u.all {
		tool := lookUp(x, c, report)
		switch {
		case tool == nil:
		case x.call == nil:
			report(nodes.Diagnostic{Code: nodes.CodeError, Severity: nodes.SeverityWarning, Pos: x.toolPos, Length: width(x.tool),
				Tool: tool.ID, Message: fmt.Sprintf("mcp.%s.%s is a tool, used without calling it", x.server, x.tool),
				Hint: fmt.Sprintf("await mcp.%s.%s({ … })", x.server, x.tool)})
		default:
			calls[x.call] = tool.ID
			checkArguments(x, tool, u.constants, report)
		}
	}
	return calls, diags
}

// lookUp finds the tool that a use names, or says what is wrong with it.
func lookUp(x use, c Catalog, report func(nodes.Diagnostic)) *nodes.Tool {
	tools, err := c.Tools(x.server)
	switch {
	case err != nil:
		d := nodes.Diagnostic{Code: nodes.ServerError, Message: err.Error(), Pos: x.serverPos, Length: width(x.server)}
		var coded Coded
		if errors.As(err, &coded) {
			d.Code = coded.Code()
		}
		var hinted Hinted
		if errors.As(err, &hinted) {
			d.Hint = hinted.Hint()
		}
		report(d)
		return nil
	case tools == nil:
		report(nodes.Diagnostic{Code: nodes.UnknownTool, Pos: x.serverPos, Length: width(x.server),
			Message: fmt.Sprintf("there is no server %q", x.server), Hint: serverHint(x.server, c.Servers())})
		return nil
	case x.tool == "":
		report(bareServer(x, tools))
		return nil
	}
	id := nodes.ToolID(x.server + ":" + x.tool)
	tool := c.Tool(id)
	if tool == nil {
		report(nodes.Diagnostic{Code: nodes.UnknownTool, Pos: x.toolPos, Length: width(x.tool), Tool: id,
			Message: fmt.Sprintf("server %q has no tool %q", x.server, x.tool), Hint: toolHint(x.tool, tools)})
		return nil
	}
	if tool.Permission == nodes.Deny {
		report(nodes.Diagnostic{Code: nodes.PermissionDenied, Pos: x.toolPos, Length: width(x.tool), Tool: id,
			Message: fmt.Sprintf("%s is forbidden by the permissions of this project", id),
			Hint:    "see permissions.deny in .pml.json"})
	}
	return tool
}

func bareServer(x use, tools []*nodes.Tool) nodes.Diagnostic {
	d := nodes.Diagnostic{Code: nodes.UnknownTool, Severity: nodes.SeverityWarning, Pos: x.toolPos, Length: width(x.server),
		Message: fmt.Sprintf("mcp.%s is a server, not a tool", x.server), Hint: toolHint("", tools)}
	if x.call != nil {
		d.Severity = nodes.SeverityError
	}
	return d
}

func width(s string) int { return len(utf16.Encode([]rune(s))) }

func serverHint(name string, servers []string) string {
	if near := nodes.Nearest(name, servers); near != "" {
		return fmt.Sprintf("did you mean `%s`?", near)
	}
	if len(servers) == 0 {
		return "no servers are configured: see mcpServers in .pml.json"
	}
	return "servers: " + listed(servers)
}

func toolHint(name string, tools []*nodes.Tool) string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.ID.Name()
	}
	if near := nodes.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean `%s`?", near)
	}
	return "its tools: " + listed(names)
}

func listed(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
