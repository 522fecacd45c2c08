package expr

import (
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/value"
)

// variable is where a declared name lives: in a slot of its function's frame, or in a cell if inner functions use it.
type variable struct {
	sym   *ast.Symbol
	owner *scope
	// captured says that it lives in cells[index], not in slots[index].
	captured bool
	// settled says that index is its place.
	settled bool
	index   int
}

// scope is a function under compilation, or the piece itself.
type scope struct {
	parent *scope
	// vars are the variables of kind var, which start as undefined.
	vars         []variable
	slots, cells int
	// free are the variables of outer functions that this one uses.
	free      []*variable
	freeIndex map[*variable]int
}

// place is how one function reaches a variable.
type place struct {
	kind  placeKind
	index int
}

type placeKind uint8

const (
	inSlot placeKind = iota
	inCell
	inFree
)

// resolver finds which function declares each name, and which names inner functions use.
type resolver struct {
	vars  table[*variable]
	funcs map[*ast.Func]*scope
	refs  []reference
	spare []variable
}

type reference struct {
	id   *ast.Ident
	from *scope
}

func (r *resolver) declare(sym *ast.Symbol, s *scope) {
	if r.vars.at(sym) == nil {
		r.vars.set(sym, r.variable(sym, s))
	}
}

// variable makes one, among the spare ones while there are any.
func (r *resolver) variable(sym *ast.Symbol, s *scope) *variable {
	if len(r.spare) == 0 {
		return &variable{sym: sym, owner: s}
	}
	v := &r.spare[0]
	r.spare = r.spare[1:]
	*v = variable{sym: sym, owner: s}
	return v
}

func (r *resolver) declareAll(p ast.Pattern, s *scope) {
	bound(p, func(id *ast.Ident) { r.declare(id.Sym, s) })
}

func (r *resolver) visit(n ast.Node, s *scope) {
	switch n := n.(type) {
	case *ast.Ident:
		r.refs = append(r.refs, reference{n, s})
		return
	case *ast.VarDecl:
		for _, d := range n.Decls {
			r.declareAll(d.Target, s)
		}
	case *ast.Try:
		if n.Param != nil {
			r.declareAll(n.Param, s)
		}
	case *ast.FunctionDecl:
		r.declare(n.Name.Sym, s)
		r.refs = append(r.refs, reference{n.Name, s})
		r.function(n.Func, s, false)
		return
	case *ast.FunctionExpr:
		r.function(n.Func, s, true)
		return
	}
	children(n, func(c ast.Node) { r.visit(c, s) })
}

func (r *resolver) function(f *ast.Func, outer *scope, named bool) {
	s := &scope{parent: outer}
	if r.funcs == nil {
		r.funcs = map[*ast.Func]*scope{}
	}
	r.funcs[f] = s
	if f.Name != nil && named {
		r.declare(f.Name.Sym, s)
		r.refs = append(r.refs, reference{f.Name, s})
	}
	for _, p := range f.Params {
		r.declareAll(p.Target, s)
	}
	funcChildren(f, func(c ast.Node) { r.visit(c, s) })
}

// assign gives every variable its slot or cell. It reports the first name that nothing declares.
func (r *resolver) assign() *ast.Ident {
	for _, ref := range r.refs {
		if v := r.vars.get(ref.id.Sym); v == nil {
			if ref.id.Sym.Kind != ast.SymUnbound {
				return ref.id
			}
		} else if v.owner != ref.from {
			v.captured = true
		}
	}
	for _, ref := range r.refs {
		if v := r.vars.get(ref.id.Sym); v != nil && !v.settled {
			v.settle()
		}
	}
	return nil
}

func (v *variable) settle() {
	s := v.owner
	v.settled = true
	if v.captured {
		v.index = s.cells
		s.cells++
	} else {
		v.index = s.slots
		s.slots++
	}
	if v.sym.Kind == ast.SymVar {
		s.vars = append(s.vars, *v)
	}
}

// place finds v from inside s.
func (s *scope) place(v *variable) place {
	switch {
	case v.owner != s:
		i, ok := s.freeIndex[v]
		if !ok {
			i = len(s.free)
			s.free = append(s.free, v)
			if s.freeIndex == nil {
				s.freeIndex = map[*variable]int{}
			}
			s.freeIndex[v] = i
		}
		return place{inFree, i}
	case v.captured:
		return place{inCell, v.index}
	}
	return place{inSlot, v.index}
}

// init gives a variable of fr's own function a value, in a new cell if it is captured.
func (v variable) init(fr *frame, val value.Value) {
	if v.captured {
		fr.cells[v.index] = &cell{val}
	} else {
		fr.slots[v.index] = val
	}
}
