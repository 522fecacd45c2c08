package cli

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// pageText is the page of `pml plan --format html`. It is complete in itself: it loads nothing.
//
//go:embed plan_page.html
var pageText string

var pageTemplate = template.Must(template.New("plan").Funcs(template.FuncMap{
	"lineNumber": func(index int) int { return index + 1 },
	"indent":     func(depth int) float64 { return 0.6 + float64(depth)*1.2 },
}).Parse(pageText))

// planPage shows a plan as a page: the program, its graph, and the reasons for what is in it.
func planPage(v *planView) ([]byte, error) {
	data := struct {
		Summary, Questions string
		Lines              []string
		Picture            template.HTML
		Nodes              []pageNode
	}{v.summary.String(), strings.TrimSpace(questions(v)), strings.Split(v.graph.Source, "\n"),
		template.HTML(v.graph.SVG()), v.pageNodes(v.graph.Root, 0)}
	var page bytes.Buffer
	err := pageTemplate.Execute(&page, data)
	return page.Bytes(), err
}

// pageNode is a row of the page's table.
type pageNode struct {
	ID, Line, Depth                           int
	Kind, What, Effect, Route, Permission, At string
	Reasons                                   []string
}

// pageNodes lists the nodes of b, and of the blocks that they own.
func (v *planView) pageNodes(b *nodes.Block, depth int) (rows []pageNode) {
	edges := b.Edges()
	for i, n := range b.Nodes {
		row := pageNode{ID: n.ID, Line: n.Pos.Line, Depth: depth, Kind: n.Kind.String(), What: what(n), At: place(n.Pos)}
		row.Effect, row.Route, row.Permission = v.traits(n)
		row.Reasons = v.reasons(b, edges, i)
		rows = append(rows, row)
		for _, inner := range n.Blocks() {
			rows = append(rows, v.pageNodes(inner, depth+1)...)
		}
	}
	return rows
}
