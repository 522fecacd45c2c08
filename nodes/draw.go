package nodes

import (
	"fmt"
	"strings"
)

// Mermaid draws the graph as a Mermaid flowchart: blocks are subgraphs, cloud calls have double borders, writes are
// coloured, edges carry their reasons.
func (g *Graph) Mermaid() string {
	d := &drawing{}
	d.WriteString("flowchart TD\n")
	d.mermaid(g.Root, "  ")
	d.WriteString("  classDef write fill:#ffe3d3,stroke:#c4501b,color:#333\n")
	d.WriteString("  classDef read fill:#e3f0ff,stroke:#2b6cb0,color:#333\n")
	d.WriteString("  classDef script fill:#f3e8ff,stroke:#7c3aed,color:#333\n")
	return d.String()
}

type drawing struct{ strings.Builder }

func (d *drawing) mermaid(b *Block, indent string) {
	for _, n := range b.Nodes {
		blocks := n.Blocks()
		if len(blocks) == 0 {
			fmt.Fprintf(d, "%sn%d%s%s\n", indent, n.ID, mermaidShape(n), mermaidClass(n))
			continue
		}
		fmt.Fprintf(d, "%ssubgraph n%d[\"%s\"]\n", indent, n.ID, mermaidText(n.caption()))
		for k, inner := range blocks {
			if len(inner.Nodes) == 0 {
				continue
			}
			if name := n.blockName(k); name != "" {
				fmt.Fprintf(d, "%s  subgraph n%d_%d[\"%s\"]\n", indent, n.ID, k, name)
				d.mermaid(inner, indent+"    ")
				fmt.Fprintf(d, "%s  end\n", indent)
				continue
			}
			d.mermaid(inner, indent+"  ")
		}
		fmt.Fprintf(d, "%send\n", indent)
	}
	for _, e := range b.Edges() {
		fmt.Fprintf(d, "%sn%d -->|\"%s\"| n%d\n", indent, b.Nodes[e.From].ID, mermaidText(e.Reason), b.Nodes[e.To].ID)
	}
}

func mermaidShape(n *Node) string {
	text := mermaidText(n.caption())
	switch {
	case n.Kind == KindCall && n.Call.Route == Server:
		return "[[\"" + text + "\"]]"
	case n.Kind == KindCall:
		return "[\"" + text + "\"]"
	case n.Kind == KindExit:
		return "([\"" + text + "\"])"
	}
	return "(\"" + text + "\")"
}

func mermaidClass(n *Node) string {
	switch n.Kind {
	case KindCall:
		return ":::" + n.Call.Effect.String()
	case KindScript:
		return ":::script"
	}
	return ""
}

// mermaidText escapes what Mermaid would take for markup.
func mermaidText(s string) string {
	return strings.NewReplacer("&", "#amp;", "\"", "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\n", " ").Replace(s)
}

// caption is what a drawing shows of a node.
func (n *Node) caption() string {
	name := fmt.Sprintf("n%d ", n.ID)
	switch n.Kind {
	case KindCall:
		return fmt.Sprintf("%s%s\n%s %s%s", name, n.Call.Tool, n.Call.Route, n.Call.Effect, labelled(n))
	case KindExpr:
		return name + clip(orLabel(n, n.Code.Text()), 40)
	case KindScript:
		return name + "script " + clip(orLabel(n, n.scriptText()), 40)
	case KindHost:
		return name + string(n.Host)
	case KindAwait:
		return name + "await " + string(n.Await)
	case KindExit:
		return name + string(n.Exit.Mode)
	}
	if n.Label == n.Kind.String() {
		return name + n.Label
	}
	return name + n.Kind.String() + " " + clip(n.Label, 40)
}

func labelled(n *Node) string {
	if n.Label == "" {
		return ""
	}
	return " → " + clip(n.Label, 30)
}

func orLabel(n *Node, text string) string {
	if n.Label != "" {
		return n.Label
	}
	return text
}

// DOT draws the graph for Graphviz.
func (g *Graph) DOT() string {
	d := &drawing{}
	d.WriteString("digraph program {\n  rankdir=TB;\n  compound=true;\n  node [fontname=\"Helvetica\", fontsize=11];\n" +
		"  edge [fontname=\"Helvetica\", fontsize=9];\n")
	d.dot(g.Root, "  ")
	d.WriteString("}\n")
	return d.String()
}

func (d *drawing) dot(b *Block, indent string) {
	for _, n := range b.Nodes {
		fmt.Fprintf(d, "%sn%d [label=%s%s];\n", indent, n.ID, dotText(n.caption()), dotStyle(n))
		for k, inner := range n.Blocks() {
			if len(inner.Nodes) == 0 {
				continue
			}
			fmt.Fprintf(d, "%ssubgraph cluster_n%d_%d {\n%s  label=%s; style=rounded; color=gray;\n", indent, n.ID, k, indent,
				dotText(strings.TrimSpace(fmt.Sprintf("n%d %s", n.ID, n.blockName(k)))))
			d.dot(inner, indent+"  ")
			fmt.Fprintf(d, "%s}\n%sn%d -> n%d [style=dotted, arrowhead=none];\n", indent, indent, n.ID, inner.Nodes[0].ID)
		}
	}
	for _, e := range b.Edges() {
		fmt.Fprintf(d, "%sn%d -> n%d [label=%s];\n", indent, b.Nodes[e.From].ID, b.Nodes[e.To].ID, dotText(e.Reason))
	}
}

func dotStyle(n *Node) string {
	switch n.Kind {
	case KindCall:
		color := map[Effect]string{Write: "#ffe3d3", Read: "#e3f0ff", Pure: "#eeeeee"}[n.Call.Effect]
		peripheries := 1
		if n.Call.Route == Server {
			peripheries = 2
		}
		return fmt.Sprintf(", shape=box, style=filled, fillcolor=%q, peripheries=%d", color, peripheries)
	case KindScript:
		return ", shape=box, style=\"filled,rounded\", fillcolor=\"#f3e8ff\""
	case KindExit:
		return ", shape=oval"
	}
	return ", shape=box, style=rounded"
}

// dotText quotes for DOT: only the quote and the backslash are special; a line break is \n.
func dotText(s string) string {
	return "\"" + strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n").Replace(s) + "\""
}
