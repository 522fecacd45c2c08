package engine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes"
)

// TestDump prints the program of a seed: PML_SEED=86 go test -run TestDump -v.
func TestDump(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("PML_SEED"), 10, 64)
	if err != nil {
		t.Skip("no PML_SEED")
	}
	g, _ := generate(seed, []int{0, 3, 6}[seed%3])
	t.Log("\n" + dump(g.Root, ""))
	t.Log(compare(seed, noMistake))
}

func dump(b *nodes.Block, indent string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%sparams %v\n", indent, b.Params)
	for i, n := range b.Nodes {
		fmt.Fprintf(&s, "%s%d: n%d %s %s in%v", indent, i, n.ID, n.Kind, n.Label, refs(n.In))
		fmt.Fprintf(&s, " outs%d gate %s", len(n.Outs), n.Gate)
		if n.Async {
			s.WriteString(" async")
		}
		switch {
		case n.Call != nil:
			fmt.Fprintf(&s, " %s %v", n.Call.Effect, n.Call.Scopes)
		case n.Exit != nil:
			fmt.Fprintf(&s, " %s %d", n.Exit.Mode, n.Exit.Target)
		case n.Map != nil:
			fmt.Fprintf(&s, " settled=%v", n.Map.Settled)
		case n.Loop != nil:
			fmt.Fprintf(&s, " each=%v", n.Loop.Each)
		case n.Kind == nodes.KindAwait:
			fmt.Fprintf(&s, " %s", n.Await)
		case n.Code != nil:
			fmt.Fprintf(&s, " returns=%v %d", n.Code.Returns, n.Code.Target)
		case n.Try != nil:
			fmt.Fprintf(&s, " saved=%v", n.Try.Saved)
		}
		for _, a := range n.After {
			fmt.Fprintf(&s, " after(%d,%d,%v,%s)", a.Up, a.Node, a.Prev, a.Port)
		}
		s.WriteString("\n")
		for _, inner := range n.Blocks() {
			s.WriteString(dump(inner, indent+"    "))
		}
	}
	fmt.Fprintf(&s, "%sresults %v\n", indent, refs(b.Results))
	return s.String()
}

func refs(rs []nodes.Ref) (s []string) {
	for _, r := range rs {
		s = append(s, fmt.Sprintf("%d/%d.%d", r.Up, r.Node, r.Out))
	}
	return s
}
