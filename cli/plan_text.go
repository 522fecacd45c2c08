package cli

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// planText writes a plan for people: the numbers, the nodes, the tools, what will be asked. The graph's own one-line
// forms are not used since a table is read faster.
func planText(v *planView, explain bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", v.summary)
	if v.graph.Count > 0 {
		t := &nodeTable{explain: explain, planView: v}
		t.columns.add("node", "kind", "what", "effect", "route", "permission", "at")
		t.block(v.graph.Root, "")
		b.WriteString("\n" + t.columns.text("  "))
	}
	if explain && v.path > 0 {
		b.WriteString("\n" + criticalPath(v))
	}
	b.WriteString(toolsUsed(v))
	b.WriteString(questions(v))
	if !explain && len(v.graph.Unlifted) > 0 {
		fmt.Fprintf(&b, "\n%s as script; --explain says why\n", isOrAre(len(v.graph.Unlifted), "part of the program runs",
			"parts of the program run"))
	}
	return b.String()
}

// criticalPath says how long the longest path takes.
func criticalPath(v *planView) string {
	text := fmt.Sprintf("critical path: about %s, as calls took in earlier runs", v.path)
	if len(v.unmeasured) > 0 {
		text += "; not measured: " + joined(v.unmeasured)
	}
	return text + "\n"
}

type nodeTable struct {
	*planView
	columns columns
	explain bool
}

func (t *nodeTable) block(b *nodes.Block, indent string) {
	edges := b.Edges()
	for i, n := range b.Nodes {
		effect, route, permission := t.traits(n)
		t.columns.add(fmt.Sprintf("%sn%d", indent, n.ID), n.Kind.String(), what(n), effect, route, permission, place(n.Pos))
		if t.explain {
			for _, reason := range t.reasons(b, edges, i) {
				t.columns.add(indent + "    " + reason)
			}
		}
		for k, inner := range n.Blocks() {
			if len(inner.Nodes) == 0 {
				continue
			}
			if names := armNames[n.Kind]; names != nil {
				t.columns.add(indent + "  " + names[k])
			}
			t.block(inner, indent+"    ")
		}
	}
}

var armNames = map[nodes.Kind][]string{nodes.KindBranch: {"then", "else"}, nodes.KindTry: {"try", "catch"}}

func edgeText(b *nodes.Block, e nodes.Edge) string {
	text := fmt.Sprintf("n%d %s", b.Nodes[e.From].ID, e.Reason)
	if from := b.Nodes[e.From].Pos; from.IsValid() && strings.HasPrefix(e.Reason, "data ") {
		text += fmt.Sprintf(" (%d:%d)", from.Line, from.Column)
	}
	if e.Inner != 0 {
		text += fmt.Sprintf(", for n%d", e.Inner)
	}
	return text
}

// fromGate reports whether an edge is there because of the gate of its node, which Node.Why explains.
func fromGate(e nodes.Edge) bool {
	return strings.HasPrefix(e.Reason, "control ") || strings.HasSuffix(e.Reason, " may fail")
}

// reasons says what node i of b waits for, why its gate is what it is, if that makes it wait, and why it is a script.
func (v *planView) reasons(b *nodes.Block, edges []nodes.Edge, i int) (lines []string) {
	n, gated := b.Nodes[i], false
	for _, e := range edges {
		if e.To == i {
			lines = append(lines, "← "+edgeText(b, e))
			gated = gated || fromGate(e)
		}
	}
	if gated && n.Why != "" {
		lines = append(lines, "  "+n.Why)
	}
	for _, u := range v.graph.Unlifted {
		if u.Node == n.ID {
			lines = append(lines, fmt.Sprintf("not lifted: %s (%s)", u.Reason, place(u.Pos)))
		}
	}
	return lines
}

// traits is what is known of the calls that n makes.
func (v *planView) traits(n *nodes.Node) (effect, route, permission string) {
	switch {
	case n.Kind == nodes.KindCall:
		return n.Call.Effect.String(), v.trips.route(n), v.permission(n.Call.Tool)
	case n.Kind == nodes.KindScript && (len(n.Code.Tools) > 0 || n.Code.Dynamic):
		return n.Effect().String(), "", ""
	}
	return "", "", ""
}

// place is a position as people read it.
func place(p ast.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// what says in a few words what a node does.
func what(n *nodes.Node) string {
	text := clip(n.Label, 40)
	switch n.Kind {
	case nodes.KindCall:
		text = string(n.Call.Tool) + arrow(n)
	case nodes.KindExpr:
		text = clip(n.Code.Text(), 48) + arrow(n)
	case nodes.KindScript:
		text = scriptText(n)
	case nodes.KindHost:
		text = string(n.Host)
	case nodes.KindAwait:
		text = string(n.Await) + arrow(n)
	case nodes.KindExit:
		text = string(n.Exit.Mode)
	}
	if n.Async {
		text += " (not awaited here)"
	}
	return text
}

func arrow(n *nodes.Node) string {
	if n.Label == "" {
		return ""
	}
	return " → " + clip(n.Label, 28)
}

func scriptText(n *nodes.Node) string {
	text := "the whole program"
	if !n.Code.Program {
		text = strings.TrimSuffix(clip(n.Code.Text(), 40), ";")
	}
	switch {
	case n.Code.Dynamic:
		text += " · calls tools by computed names"
	case len(n.Code.Tools) > 0:
		text += " · calls " + clip(joined(n.Code.Tools), 60)
	}
	return text
}

func joined(ids []nodes.ToolID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return strings.Join(names, ", ")
}

// toolsUsed lists the tools by server.
func toolsUsed(v *planView) string {
	if len(v.tools) == 0 {
		return ""
	}
	var c columns
	c.add("server", "origin", "tools")
	for _, server := range v.servers() {
		var names []string
		origin := ""
		for _, t := range v.tools {
			if t.ID.Server() == server {
				origin = t.Origin
				names = append(names, t.ID.Name())
			}
		}
		c.add(server, origin, strings.Join(names, ", "))
	}
	return "\n" + c.text("  ")
}

// questions says which tools a person will be asked about, and how to allow them.
func questions(v *planView) string {
	var asks []nodes.ToolID
	var text strings.Builder
	for _, t := range v.tools {
		switch d := v.rules.Static(t); {
		case d.Depends:
			fmt.Fprintf(&text, "may ask before it calls %s, depending on the arguments: %s\n", t.ID, d.Rule)
		case d.Permission == nodes.Ask:
			asks = append(asks, t.ID)
		}
	}
	if len(asks) > 0 {
		fmt.Fprintf(&text, "asks before it calls %s\n", joined(asks))
		fmt.Fprintf(&text, "  to allow: {\"permissions\": {\"allow\": [%s]}} in .pml.json, or pml run --yes\n", quoted(asks))
	}
	if v.summary.Dynamic {
		text.WriteString("calls by names that the program computes are checked one by one as they are made\n")
	}
	if text.Len() == 0 {
		return ""
	}
	return "\n" + text.String()
}

func quoted(ids []nodes.ToolID) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = fmt.Sprintf("%q", id)
	}
	return strings.Join(parts, ", ")
}

func isOrAre(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
