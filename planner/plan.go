// Package planner turns a program into a task graph. It is pure: the graph is a function of source, catalogue and
// options; the same input gives the same bytes.
package planner

import (
	"slices"
	"sort"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/planner/syntax"
)

// Options change how a graph is made.
type Options struct {
	// Script puts the whole program into one script node: the reference that native runs are compared with.
	Script bool
	// NoSpeculation makes reads wait until everything before them has succeeded (ARCHITECTURE.md, rule 3).
	NoSpeculation bool
}

// Program is a parsed program, not yet planned.
type Program struct {
	tree  *ast.Program
	uses  *uses
	diags []nodes.Diagnostic
}

// Parse reads a program. Its diagnostics are what is wrong with it whatever tools there are; with an error among them it
// cannot be planned.
func Parse(source string) *Program {
	tree, diags := syntax.Parse(source)
	p := &Program{tree: tree, diags: diags}
	if !Failed(diags) {
		useStandIns(tree)
		p.uses = findUses(tree)
		p.diags = append(diags, checkNames(tree.Body, p.uses)...)
	}
	return p
}

// Diagnostics are what Parse had to say.
func (p *Program) Diagnostics() []nodes.Diagnostic { return p.diags }

// Failed reports whether an error is among the diagnostics.
func Failed(diags []nodes.Diagnostic) bool {
	for _, d := range diags {
		if d.Severity == nodes.SeverityError {
			return true
		}
	}
	return false
}

// Servers lists the servers whose tools the program names, sorted, and whether it may call others too, by names that are
// computed as it runs.
func (p *Program) Servers() (names []string, dynamic bool) {
	if p.uses == nil {
		return nil, false
	}
	seen := map[string]bool{}
	for _, u := range p.uses.all {
		if !seen[u.server] {
			seen[u.server] = true
			names = append(names, u.server)
		}
	}
	sort.Strings(names)
	return names, p.uses.dynamic
}

// Tools lists the tools that the program names, in the order in which it first does.
func (p *Program) Tools() []nodes.ToolID {
	list := []nodes.ToolID{}
	if p.uses == nil {
		return list
	}
	for _, u := range p.uses.all {
		id := nodes.ToolID(u.server + ":" + u.tool)
		if u.tool != "" && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// Plan makes the graph. It is nil if an error is among the diagnostics, which are sorted by position.
//
// The passes: resolve the tools and check their arguments; find out what is shared and changed; lift; put in order;
// number.
func (p *Program) Plan(c Catalog, o Options) (*nodes.Graph, []nodes.Diagnostic) {
	diags := p.diags
	if Failed(diags) {
		return nil, diags
	}
	calls, found := resolve(p.uses, c)
	found = append(found, checkMembers(p.tree.Body, calls, c)...)
	diags = sorted(append(diags[:len(diags):len(diags)], found...))
	if Failed(diags) {
		return nil, diags
	}
	l, root := p.best(c, calls, o)
	g := l.finish(root, o)
	if err := nodes.Check(g); err != nil {
		why := refusal{ast.Pos{Line: 1, Column: 1}, "the planner made a graph that is not sound: " + err.Error()}
		g = l.finish(l.whole(why), o)
	}
	return g, diags
}

// best lifts the program with Map, Set and Date objects that travel between pieces of lifted code. Where that leaves more
// calls in scripts, which cannot take those, it is lifted with each of them at home in one piece; and where takeTurns has
// rewritten what cannot be lifted then, without that.
func (p *Program) best(c Catalog, calls map[*ast.Call]nodes.ToolID, o Options) (*lifter, *nodes.Block) {
	l := p.lifter(c, calls, true)
	l.an.travels = l.an.hasRich()
	root := l.graph(o)
	lost := inScripts(root)
	other := func(turns, travels bool) {
		again := p.lifter(c, calls, turns)
		again.an.travels = travels
		if block := again.graph(o); inScripts(block) < lost || !turns && len(l.turned) > 0 && inScripts(block) == lost {
			l, root, lost = again, block, inScripts(block)
		}
	}
	if lost > 0 && len(l.turned) > 0 {
		other(false, l.an.travels)
	}
	if lost > 0 && l.an.travels {
		other(len(l.turned) > 0, false)
	}
	return l, root
}

func (p *Program) lifter(c Catalog, calls map[*ast.Call]nodes.ToolID, turns bool) *lifter {
	l := &lifter{src: p.tree.Source, catalog: c, calls: calls, aliases: p.uses.aliases, args: p.uses.args, known: p.uses.constants, body: p.tree.Body,
		unlifted: map[*nodes.Node]refusal{}, exits: map[*nodes.Node]*nodes.Node{},
		copied: map[*ast.Func]bool{}, plained: map[*ast.Declarator]bool{}, declared: map[*ast.Symbol]bool{}, outlasts: map[ast.Stmt]bool{}, turned: map[*ast.Call][]*ast.Symbol{}, placeless: map[*ast.Symbol]bool{},
		impurity: map[ast.Node]bool{}, impureFuncs: map[*ast.Func]bool{}, inside: map[*ast.Func]map[*ast.Symbol]bool{}}
	unpack(l)
	keepApart(l)
	specialise(l)
	takeTurns(l, turns)
	l.an = analyse(l.body, l.calls, l.copied)
	return l
}

// inScripts counts the places below root that call tools from scripts; a program that is one script counts for more.
func inScripts(root *nodes.Block) int {
	n := 0
	root.Walk(func(x *nodes.Node) {
		if x.Kind == nodes.KindScript {
			n += x.Code.Calls
			if x.Code.Program {
				n++
			}
		}
	})
	return n
}

// finish puts the nodes in order and numbers them.
func (l *lifter) finish(root *nodes.Block, o Options) *nodes.Graph {
	order(root, o)
	own(l, root)
	return l.number(root)
}

// graph lifts the program; where even the statement around a refusal cannot be a script node, all of it becomes one.
func (l *lifter) graph(o Options) *nodes.Block {
	if o.Script {
		return l.whole(refusal{ast.Pos{Line: 1, Column: 1}, "script mode was asked for"})
	}
	var root *nodes.Block
	if r := l.attempt(func() { root = l.program(l.body) }); r != nil {
		root = l.whole(*r)
	}
	return root
}

// whole forgets what was lifted and makes the whole program one script node.
func (l *lifter) whole(why refusal) *nodes.Block {
	clear(l.unlifted)
	clear(l.exits)
	return wholeProgram(l, why)
}

func sorted(diags []nodes.Diagnostic) []nodes.Diagnostic {
	sort.SliceStable(diags, func(i, j int) bool { return diags[i].Pos.Offset < diags[j].Pos.Offset })
	return diags
}

// number numbers the nodes in program order and resolves what refers to them.
func (l *lifter) number(root *nodes.Block) *nodes.Graph {
	g := &nodes.Graph{Root: root, Source: l.src}
	root.Walk(func(n *nodes.Node) {
		g.Count++
		n.ID = g.Count
		if why, ok := l.unlifted[n]; ok {
			g.Unlifted = append(g.Unlifted, nodes.Unlifted{Node: n.ID, Pos: why.pos, Reason: why.reason})
		}
	})
	root.Walk(func(n *nodes.Node) {
		if l.exits[n] == nil {
			return
		}
		if n.Kind == nodes.KindExit {
			n.Exit.Target = l.exits[n].ID
		} else {
			n.Code.Target = l.exits[n].ID
		}
	})
	return g
}
