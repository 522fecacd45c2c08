package nodes

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/ast"
)

func at(line int) ast.Pos { return ast.Pos{Line: line, Column: 1} }

func callNode(id, line int, tool ToolID, e Effect, gate Gate) *Node {
	return &Node{ID: id, Kind: KindCall, Pos: at(line), Label: tool.Name(), Outs: []string{tool.Name()}, Gate: gate,
		Call: &Call{Tool: tool, Effect: e}}
}

// small is: a read; a branch on it that may return; a write; a read after the write.
func small() *Graph {
	test := &Node{ID: 1, Kind: KindCall, Pos: at(1), Outs: []string{"a"}, Gate: GatePassed, Call: &Call{Tool: "s:a", Effect: Read}}
	leave := &Node{ID: 3, Kind: KindExit, Pos: at(2), In: []Ref{{Up: 1, Node: 0}}, Exit: &Exit{Mode: ExitReturn}}
	branch := &Node{ID: 2, Kind: KindBranch, Pos: at(2), In: []Ref{{Node: 0}},
		Branch: &Branch{Then: &Block{Nodes: []*Node{leave}}, Else: &Block{}}}
	write := callNode(4, 3, "s:write", Write, GateSafe)
	read := callNode(5, 4, "s:b", Read, GatePassed)
	read.After = []After{{Node: 2, Port: PortWrites, Reason: "order write→read workspace (line 3 → 4)"}}
	return &Graph{Root: &Block{Params: []string{"args"}, Nodes: []*Node{test, branch, write, read}}, Count: 5}
}

func TestEdges(t *testing.T) {
	is := is.New(t)
	var got []string
	for _, e := range small().Root.Edges() {
		got = append(got, strings.TrimSpace(strings.Join([]string{string(rune('0' + e.From)), string(rune('0' + e.To)), e.Reason}, " ")))
	}
	is.Equal(got, []string{
		"0 1 data a",
		"0 1 data a", // for the return in the branch
		"1 2 control branch line 2",
		"2 3 order write→read workspace (line 3 → 4)",
	})
}

func TestCheck(t *testing.T) {
	is := is.New(t)
	is.NoErr(Check(small()))
	for name, spoil := range map[string]func(*Graph){
		"a ref to a later node":   func(g *Graph) { g.Root.Nodes[1].In[0].Node = 3 },
		"a ref out of the graph":  func(g *Graph) { g.Root.Nodes[1].In[0].Up = 1 },
		"an output too many":      func(g *Graph) { g.Root.Nodes[1].In[0].Out = 1 },
		"a param that is not":     func(g *Graph) { g.Root.Nodes[1].In[0] = Param(1) },
		"an exit to nowhere":      func(g *Graph) { g.Root.Nodes[1].Branch.Then.Nodes[0].Exit.Target = 4 },
		"a promise read as value": func(g *Graph) { g.Root.Nodes[0].Async = true },
		"an order edge onwards":   func(g *Graph) { g.Root.Nodes[3].After[0].Node = 3 },
		"a wrong id":              func(g *Graph) { g.Root.Nodes[3].ID = 7 },
		"a missing part":          func(g *Graph) { g.Root.Nodes[2].Call = nil },
		"a missing block":         func(g *Graph) { g.Root.Nodes[1].Branch.Else = nil },
		"a result too few":        func(g *Graph) { g.Root.Nodes[1].Outs = []string{"x"} },
		"a wrong count":           func(g *Graph) { g.Count = 4 },
	} {
		g := small()
		spoil(g)
		if Check(g) == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestForms(t *testing.T) {
	is := is.New(t)
	g := small()
	text, err := json.Marshal(g)
	is.NoErr(err)
	var back struct {
		Version int
		Nodes   []struct{ ID, Kind, Tool string }
		Edges   []struct{ From, To, Reason string }
	}
	is.NoErr(json.Unmarshal(text, &back))
	is.Equal(back.Version, FormatVersion)
	is.Equal(back.Nodes[2].Tool, "s:write")
	is.Equal(back.Edges[3].Reason, "order write→read workspace (line 3 → 4)")
	for _, drawing := range []string{g.Mermaid(), g.DOT()} {
		for _, want := range []string{"s:write", "n4", "n5", "order write→read workspace"} {
			is.True(strings.Contains(drawing, want))
		}
	}
	is.True(strings.Contains(g.Text(true), "← n4 order write→read workspace (line 3 → 4)"))
}

func TestCaret(t *testing.T) {
	is := is.New(t)
	is.Equal(Caret("a\n\tb 😀 c", ast.Pos{Line: 2, Column: 7}, 1), "   2 | \tb 😀 c\n     | \t    ^\n")
	is.Equal(Caret("one", ast.Pos{Line: 1, Column: 1}, 3), "   1 | one\n     | ^^^\n")
	is.Equal(Caret("one\r\ntwo\r\n", ast.Pos{Line: 2, Column: 3}, 0), "   2 | two\n     |   ^\n")
	is.Equal(Caret("one", ast.Pos{Line: 5, Column: 1}, 1), "")
}

func TestNearest(t *testing.T) {
	is := is.New(t)
	names := []string{"read_file", "write_file", "list_directory"}
	is.Equal(Nearest("raed_file", names), "read_file")
	is.Equal(Nearest("readFile", names), "read_file")
	is.Equal(Nearest("list_dir", names), "list_directory")
	is.Equal(Nearest("xyz", names), "")
	is.Equal(Nearest("", names), "")
}

func TestConflicts(t *testing.T) {
	is := is.New(t)
	tool := func(e Effect, scopes ...string) *Tool { return &Tool{Effect: e, Scopes: scopes} }
	is.True(!Conflicts(tool(Read), tool(Read)))
	is.True(!Conflicts(tool(Pure), tool(Write)))
	is.True(Conflicts(tool(Write), tool(Read)))
	is.True(!Conflicts(tool(Write, "crm"), tool(Read, "mail")))
	is.True(Conflicts(tool(Write, "crm", "mail"), tool(Write, "mail")))
	is.True(Conflicts(tool(Write, World), tool(Read, "mail")))
}
