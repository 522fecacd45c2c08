package ast

// Renumber gives the parts of a tree offsets of their own, in the order of the text as it would be printed, from first
// on: after code has been moved or copied, offsets say again what comes first. It changes the tree in place, the places
// of declaration of its symbols too.
func Renumber(list []Stmt) {
	r := &renumberer{first: map[*Symbol]int{}}
	for _, s := range list {
		Walk(s, r.visit)
	}
	for _, s := range Declared(stmtNodes(list)...) {
		if at, ok := r.first[s]; ok {
			s.Decl.Offset = at
		}
	}
}

type renumberer struct {
	next  int
	first map[*Symbol]int
}

func stmtNodes(list []Stmt) []Node {
	out := make([]Node, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// place gives p the next offset.
func (r *renumberer) place(p *Pos) {
	p.Offset = r.next
	r.next++
}

// place is promoted to every node.
func (p *Pos) place(r *renumberer) { r.place(p) }

func (r *renumberer) visit(n Node) bool {
	n.(interface{ place(*renumberer) }).place(r)
	switch n := n.(type) {
	case *Ident:
		if _, ok := r.first[n.Sym]; !ok {
			r.first[n.Sym] = n.Offset
		}
	case *VarDecl:
		for i := range n.Decls {
			n.Decls[i].Offset = n.Offset
		}
	case *Switch:
		for i := range n.Cases {
			n.Cases[i].Offset = n.Offset
		}
	case *Member:
		n.NamePos.Offset = n.Offset
	}
	return true
}
