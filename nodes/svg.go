package nodes

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/layered"
)

// SVG draws the graph as a picture of its own: blocks are frames, cloud calls have double borders, writes are coloured,
// data edges are drawn through, all others dashed. Each node is a group with the id "n5" and the attribute data-line, for
// pages that add to it; each edge has its reason as its title.
func (g *Graph) SVG() string {
	s := &svg{placed: map[*Block]*placed{}}
	whole := s.place(g.Root)
	s.block(g.Root, svgMargin, svgMargin)
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]f %[2]f">` + "\n" +
		"<style>%s</style>\n" +
		`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">` +
		`<path d="M0 0L8 4L0 8z" fill="#8a8f98"/></marker></defs>` + "\n"
	return fmt.Sprintf(head, whole.width+2*svgMargin, whole.height+2*svgMargin, svgStyle) + s.String() + "</svg>\n"
}

const svgStyle = `svg{background:#fff}` +
	`text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#24292f;white-space:pre}` +
	`.frame>rect{fill:#8a8f98;fill-opacity:.06;stroke:#c4c8ce}.frame>text,.note{fill:#656d76}` +
	`.box{fill:#fff;stroke:#8a8f98}.read .box{fill:#e3f0ff;stroke:#2b6cb0}.write .box{fill:#ffe3d3;stroke:#c4501b}` +
	`.script .box{fill:#f3e8ff;stroke:#7c3aed}.exit .box{fill:#eef0f2}` +
	`.edge{fill:none;stroke:#8a8f98;stroke-width:1.2;marker-end:url(#tip)}.order{stroke-dasharray:4 3}`

// Distances of the picture, in pixels. A letter of the font is svgLetter wide.
const (
	svgMargin  = 16
	svgLetter  = 6.62
	svgLine    = 15
	svgPad     = 9
	svgAcross  = 22
	svgDown    = 36
	svgWidest  = 1500
	svgHeading = 22
)

// svg is a picture in the making. Each block is placed once.
type svg struct {
	strings.Builder
	placed map[*Block]*placed
}

// placed is a block with its places, seen from its upper left corner.
type placed struct {
	edges         []Edge
	boxes         []layered.Box
	routes        []layered.Edge
	width, height float64
}

func (s *svg) place(b *Block) *placed {
	if p := s.placed[b]; p != nil {
		return p
	}
	p := &placed{edges: b.Edges(), boxes: make([]layered.Box, len(b.Nodes))}
	for i, n := range b.Nodes {
		p.boxes[i].Width, p.boxes[i].Height = s.size(n)
	}
	for _, e := range p.edges {
		p.routes = append(p.routes, layered.Edge{From: e.From, To: e.To})
	}
	o := layered.Options{Across: svgAcross, Down: svgDown, Widest: svgWidest}
	p.width, p.height = layered.Place(p.boxes, p.routes, o)
	s.placed[b] = p
	return p
}

// block draws b with its upper left corner at (x, y).
func (s *svg) block(b *Block, x, y float64) {
	p := s.place(b)
	for i, e := range p.edges {
		s.edge(b, e, p.routes[i].Route, x, y)
	}
	for i, n := range b.Nodes {
		s.node(n, x+p.boxes[i].X-p.boxes[i].Width/2, y+p.boxes[i].Y, p.boxes[i])
	}
}

// size is the room that a node takes.
func (s *svg) size(n *Node) (width, height float64) {
	for line := range strings.Lines(n.caption()) {
		width = max(width, float64(utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))*svgLetter)
		height += svgLine
	}
	width, height = width+2*svgPad, height+svgPad
	arms := n.arms()
	if len(arms) == 0 {
		return width, height
	}
	inside, tall := float64(svgPad), 0.0
	for _, a := range arms {
		w, h := s.armSize(a)
		inside, tall = inside+w+svgPad, max(tall, h)
	}
	return max(width, inside), svgHeading + tall + svgPad
}

// arm is one of the blocks that a node owns, where there is something in it.
type arm struct {
	name  string
	block *Block
}

func (n *Node) arms() (list []arm) {
	for k, b := range n.Blocks() {
		if len(b.Nodes) > 0 {
			list = append(list, arm{n.blockName(k), b})
		}
	}
	return list
}

func (s *svg) armSize(a arm) (width, height float64) {
	p := s.place(a.block)
	if a.name == "" {
		return p.width, p.height
	}
	return max(p.width, float64(len(a.name))*svgLetter), p.height + svgHeading
}

func (s *svg) node(n *Node, x, y float64, box layered.Box) {
	arms, class := n.arms(), svgClass(n)
	fmt.Fprintf(s, "<g id=\"n%d\" class=\"%s\" data-line=\"%d\">", n.ID, class, n.Pos.Line)
	if len(arms) == 0 {
		s.leaf(n, x, y, box)
	} else {
		s.frame(n, arms, x, y, box)
	}
	s.WriteString("</g>\n")
}

func svgClass(n *Node) string {
	switch {
	case len(n.arms()) > 0:
		return "node frame"
	case n.Kind == KindCall:
		return "node call " + n.Call.Effect.String()
	}
	return "node " + n.Kind.String()
}

func (s *svg) leaf(n *Node, x, y float64, box layered.Box) {
	round := 9.0
	switch n.Kind {
	case KindCall, KindScript:
		round = 2
	case KindExit:
		round = box.Height / 2
	}
	s.rect("box", x, y, box.Width, box.Height, round)
	if n.Kind == KindCall && n.Call.Route == Server {
		s.rect("box", x+3, y+3, box.Width-6, box.Height-6, round)
	}
	class := ""
	for line := range strings.Lines(n.caption()) {
		y += svgLine
		s.text(class, x+svgPad, y, strings.TrimSuffix(line, "\n"))
		class = "note"
	}
}

// frame draws a control node: its caption, and its blocks side by side.
func (s *svg) frame(n *Node, arms []arm, x, y float64, box layered.Box) {
	s.rect("", x, y, box.Width, box.Height, 6)
	s.text("", x+svgPad, y+svgLine, n.caption())
	x += svgPad
	for _, a := range arms {
		width, _ := s.armSize(a)
		top := y + svgHeading
		if a.name != "" {
			s.text("note", x, top+svgLine-4, a.name)
			top += svgHeading
		}
		s.block(a.block, x, top)
		x += width + svgPad
	}
}

func (s *svg) rect(class string, x, y, width, height, round float64) {
	fmt.Fprintf(s, `<rect%s x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f"/>`, svgAttr(class), x, y, width, height, round)
}

func (s *svg) text(class string, x, y float64, text string) {
	fmt.Fprintf(s, `<text%s x="%.1f" y="%.1f">%s</text>`, svgAttr(class), x, y, svgText(text))
}

func svgAttr(class string) string {
	if class == "" {
		return ""
	}
	return ` class="` + class + `"`
}

// edge draws a line that is vertical where it leaves, passes a row, and arrives.
func (s *svg) edge(b *Block, e Edge, route []layered.Point, x, y float64) {
	class := "edge order"
	if strings.HasPrefix(e.Reason, "data ") {
		class = "edge"
	}
	from, to := b.Nodes[e.From].ID, b.Nodes[e.To].ID
	fmt.Fprintf(s, `<path class="%s" data-from="n%d" data-to="n%d" d="M%.1f %.1f`, class, from, to, x+route[0].X, y+route[0].Y)
	for k := 1; k < len(route); k++ {
		a, z := route[k-1], route[k]
		bend := (z.Y - a.Y) / 2
		fmt.Fprintf(s, "C%.1f %.1f %.1f %.1f %.1f %.1f", x+a.X, y+a.Y+bend, x+z.X, y+z.Y-bend, x+z.X, y+z.Y)
	}
	fmt.Fprintf(s, "\"><title>n%d → n%d: %s</title></path>\n", from, to, svgText(e.Reason))
}

// svgText escapes markup, and leaves out what XML does not allow in a text (XML 1.0 §2.2).
func svgText(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return '·'
		}
		return r
	}, s))
}
