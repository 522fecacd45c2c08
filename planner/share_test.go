package planner_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/fixtures/progen"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/planner/syntax"
)

// The least share of the tool calls, in percent, that are call nodes of the graph and not made from inside a script. A
// change that lifts more raises them.
var (
	leastOfFixtures  = share{"all": 87, "try": 87, "Promise.all": 89, "then": 84, "callback": 82, "class": 66}
	leastOfGenerated = share{"all": 93, "for…of": 92, "while": 96, "if": 90, "try": 91, "switch": 89, "function": 76,
		"callback": 82, "Promise.all": 79, "then": 90}
	leastOfFunctions = share{"all": 91, "for…of": 87, "while": 94, "if": 89, "try": 87, "switch": 93, "function": 70,
		"callback": 81, "Promise.all": 78, "then": 91, "class": 75}
)

// share is the percentage of each construct.
type share map[string]int

// tally counts the tool calls of a construct.
type tally struct{ lifted, inScripts int }

func (t *tally) share() float64 {
	return 100 * float64(t.lifted) / float64(max(1, t.lifted+t.inScripts))
}

// TestShareOfFixtures prints how many of the fixtures' tool calls are call nodes.
func TestShareOfFixtures(t *testing.T) {
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]*tally{}
	for _, c := range cases {
		tallyCalls(t, counts, c.Program, c.Tools)
	}
	judgeShare(t, fmt.Sprintf("%d fixtures", len(cases)), counts, leastOfFixtures)
}

// TestShareOfGenerated does the same for generated programs, by construct.
func TestShareOfGenerated(t *testing.T) {
	shareOfGenerated(t, "generated programs", progen.Options{}, leastOfGenerated)
}

// TestShareOfFunctions does it for programs that keep functions as values.
func TestShareOfFunctions(t *testing.T) {
	shareOfGenerated(t, "generated programs that keep functions", progen.Options{Functions: true}, leastOfFunctions)
}

func shareOfGenerated(t *testing.T, what string, o progen.Options, least share) {
	t.Helper()
	const programs = 1200
	counts := map[string]*tally{}
	for seed := range uint64(programs) {
		p := progen.Generate(seed+1, o)
		tallyCalls(t, counts, p.Source, p.Tools)
	}
	judgeShare(t, fmt.Sprintf("%d %s", programs, what), counts, least)
}

func judgeShare(t *testing.T, what string, counts map[string]*tally, least share) {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return counts[names[i]].share() > counts[names[j]].share() })
	var text strings.Builder
	for _, name := range names {
		c := counts[name]
		fmt.Fprintf(&text, "\n  share in %-12s %5.1f %%  %4d of %4d", name, c.share(), c.lifted, c.lifted+c.inScripts)
		if c.share() < float64(least[name]) {
			t.Errorf("%s: of the tool calls in %s %.1f %% are call nodes, %d %% were before", what, name, c.share(), least[name])
		}
	}
	t.Logf("share of call nodes, %s:%s", what, &text)
}

// tallyCalls adds the calls of one program to those of all, and to those of each construct around them.
func tallyCalls(t *testing.T, counts map[string]*tally, source string, tools []byte) {
	t.Helper()
	g, diags := planner.Parse(source).Plan(newCatalog(t, tools), planner.Options{})
	if planner.Failed(diags) {
		t.Fatalf("%v\n%s", diags, source)
	}
	tree, _ := syntax.Parse(source)
	lifted, inScripts := callPlaces(g, tree)
	add := func(construct string, n ast.Node) {
		c := counts[construct]
		if c == nil {
			c = &tally{}
			counts[construct] = c
		}
		for pos := range placesIn(n) {
			switch {
			case inScripts[pos]:
				c.inScripts++
			case lifted[pos]:
				c.lifted++
			}
		}
	}
	for _, s := range tree.Body {
		add("all", s)
		ast.Walk(s, func(n ast.Node) bool {
			if name := construct(n); name != "" {
				add(name, n)
			}
			return true
		})
	}
}

// callPlaces are the places of the calls that are nodes, and of those inside of scripts.
func callPlaces(g *nodes.Graph, tree *ast.Program) (lifted, inScripts map[ast.Pos]bool) {
	lifted, inScripts = map[ast.Pos]bool{}, map[ast.Pos]bool{}
	g.Root.Walk(func(n *nodes.Node) {
		switch {
		case n.Kind == nodes.KindCall:
			lifted[place(n.Pos)] = true
		case n.Kind == nodes.KindScript:
			body := n.Code.Body
			if n.Code.Program {
				body = tree.Body
			}
			for _, s := range body {
				for pos := range placesIn(s) {
					inScripts[pos] = true
				}
			}
		}
	})
	return lifted, inScripts
}

// placesIn are the places of the calls mcp.server.tool(…), however the names are computed.
func placesIn(n ast.Node) map[ast.Pos]bool {
	places := map[ast.Pos]bool{}
	ast.Walk(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.Call); ok {
			if id, ok := owner(owner(call.Callee)).(*ast.Ident); ok && id.Sym.Name == "mcp" {
				places[place(call)] = true
			}
		}
		return true
	})
	return places
}

// place is where n stands, as an editor says it: offsets are the planner's own.
func place(n ast.Node) ast.Pos {
	at := n.Position()
	at.Offset = 0
	return at
}

// owner is the object of a property; nil if e is none.
func owner(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Member:
		return e.Object
	case *ast.Index:
		return e.Object
	}
	return nil
}

// construct names what a call may stand in.
func construct(n ast.Node) string {
	switch n := n.(type) {
	case *ast.ForOf:
		return "for…of"
	case *ast.While, *ast.DoWhile, *ast.For:
		return "while"
	case *ast.If, *ast.Conditional:
		return "if"
	case *ast.Try:
		return "try"
	case *ast.Switch:
		return "switch"
	case *ast.FunctionDecl:
		return "function"
	case *ast.FunctionExpr:
		return "callback"
	case *ast.ClassDecl, *ast.ClassExpr:
		return "class"
	case *ast.Call:
		return chainOrAll(n)
	}
	return ""
}

func chainOrAll(n *ast.Call) string {
	m, ok := n.Callee.(*ast.Member)
	if !ok {
		return ""
	}
	if id, ok := m.Object.(*ast.Ident); ok && id.Sym.Name == "Promise" {
		return "Promise.all"
	}
	if m.Name == "then" || m.Name == "catch" || m.Name == "finally" {
		return "then"
	}
	return ""
}
