package nodes

import (
	"fmt"
	"strings"
)

// Text writes the graph for people: a line per node, indented by block; with explain, each node's edges and the reason
// that it is a script.
func (g *Graph) Text(explain bool) string {
	w := &textWriter{explain: explain, why: map[int]Unlifted{}}
	for _, u := range g.Unlifted {
		w.why[u.Node] = u
	}
	w.block(g.Root, "")
	return w.String()
}

type textWriter struct {
	strings.Builder
	explain bool
	why     map[int]Unlifted
}

func (w *textWriter) block(b *Block, indent string) {
	edges := b.Edges()
	for i, n := range b.Nodes {
		fmt.Fprintf(w, "%sn%-3d %s\n", indent, n.ID, n.Describe())
		if w.explain {
			for _, e := range edges {
				if e.To == i {
					fmt.Fprintf(w, "%s     ← n%d %s%s\n", indent, b.Nodes[e.From].ID, e.Reason, innerText(e))
				}
			}
			w.reasons(n, indent)
		}
		for k, inner := range n.Blocks() {
			if name := n.blockName(k); name != "" && len(inner.Nodes) > 0 {
				fmt.Fprintf(w, "%s  %s\n", indent, name)
			}
			w.block(inner, indent+"    ")
		}
	}
}

func (w *textWriter) reasons(n *Node, indent string) {
	if n.Why != "" {
		fmt.Fprintf(w, "%s     waits %s: %s\n", indent, n.Gate, n.Why)
	}
	if u, ok := w.why[n.ID]; ok {
		fmt.Fprintf(w, "%s     not lifted: %s (%d:%d)\n", indent, u.Reason, u.Pos.Line, u.Pos.Column)
	}
}

func innerText(e Edge) string {
	if e.Inner == 0 {
		return ""
	}
	return fmt.Sprintf(" for n%d", e.Inner)
}

func (n *Node) blockName(k int) string {
	switch n.Kind {
	case KindBranch:
		return [...]string{"then", "else"}[k]
	case KindTry:
		return [...]string{"try", "catch"}[k]
	}
	return ""
}

// Describe is the node in one line, without its id: kind, what it does, effect and route of a call, label, place.
func (n *Node) Describe() string {
	parts := []string{fmt.Sprintf("%-6s", n.Kind)}
	switch n.Kind {
	case KindCall:
		parts = append(parts, string(n.Call.Tool)+n.Call.argsText(), fmt.Sprintf("[%s %s]", n.Call.Route, n.Call.Effect))
		if n.Call.Permission == Ask {
			parts = append(parts, "asks")
		}
	case KindExpr:
		parts = append(parts, clip(n.Code.Text(), 60))
	case KindScript:
		parts = append(parts, clip(n.scriptText(), 60))
	case KindHost:
		parts = append(parts, string(n.Host))
	case KindAwait:
		parts = append(parts, string(n.Await))
	case KindExit:
		parts = append(parts, string(n.Exit.Mode))
	case KindMap:
		if n.Map.Settled {
			parts = append(parts, "settled")
		}
	}
	if n.Async {
		parts = append(parts, "async")
	}
	if n.Label != "" && n.Kind != KindExit && n.Kind != KindHost {
		parts = append(parts, "→ "+clip(n.Label, 40))
	}
	if n.Pos.IsValid() {
		parts = append(parts, fmt.Sprintf("(%d:%d)", n.Pos.Line, n.Pos.Column))
	}
	return strings.Join(parts, " ")
}

func (c *Call) argsText() string {
	if c.Args == nil {
		return "()"
	}
	return "(" + clip(c.Args.Text(), 50) + ")"
}

func (n *Node) scriptText() string {
	if n.Code.Program {
		return "the whole program"
	}
	text := n.Code.Text()
	if len(n.Code.Tools) > 0 {
		names := make([]string, len(n.Code.Tools))
		for i, id := range n.Code.Tools {
			names[i] = string(id)
		}
		return "calls " + strings.Join(names, ", ") + ": " + text
	}
	return text
}

// clip puts text on one line of at most n characters.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n-1]) + "…"
}
