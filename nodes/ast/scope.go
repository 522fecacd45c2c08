package ast

import "slices"

// symbolSet keeps symbols once each, in the order they were added.
type symbolSet struct {
	list []*Symbol
	// seen is the list as a set, once it is long.
	seen map[*Symbol]bool
}

// long is from where on a list is searched by way of a map.
const long = 16

func (s *symbolSet) has(sym *Symbol) bool {
	if s.seen != nil {
		return s.seen[sym]
	}
	return slices.Contains(s.list, sym)
}

func (s *symbolSet) add(sym *Symbol) {
	if s.has(sym) {
		return
	}
	s.list = append(s.list, sym)
	if s.seen != nil {
		s.seen[sym] = true
	} else if len(s.list) == long {
		s.seen = make(map[*Symbol]bool, 2*long)
		for _, sym := range s.list {
			s.seen[sym] = true
		}
	}
}

// FreeSymbols returns the symbols that nodes mention without declaring them, unbound ones included, in the order of
// their first mention. The `arguments` of a function inside is that function's own.
func FreeSymbols(list ...Node) []*Symbol {
	var declared, used symbolSet
	for _, n := range list {
		collectDeclared(n, &declared)
	}
	depth := 0
	var visit func(n Node)
	visit = func(n Node) {
		own := ownArguments(n)
		if own {
			depth++
		}
		if id, ok := n.(*Ident); ok && !declared.has(id.Sym) && (depth == 0 || !isArguments(id.Sym)) {
			used.add(id.Sym)
		}
		eachChild(n, visit)
		if own {
			depth--
		}
	}
	for _, n := range list {
		visit(n)
	}
	return used.list
}

// ownArguments reports that n is a function with an `arguments` of its own.
func ownArguments(n Node) bool {
	switch n := n.(type) {
	case *FunctionDecl:
		return true
	case *FunctionExpr:
		return !n.Arrow
	}
	return false
}

func isArguments(s *Symbol) bool { return s.Kind == SymUnbound && s.Name == "arguments" }

// Assigned returns the symbols that nodes assign to: by = and op=, ++ and --, as a loop's target or inside a
// destructuring assignment. A declaration with an initialiser does not count.
func Assigned(list ...Node) []*Symbol {
	var out symbolSet
	for _, n := range list {
		Walk(n, func(n Node) bool {
			switch n := n.(type) {
			case *Assign:
				addPattern(n.Target, &out)
			case *Update:
				if id, ok := n.X.(*Ident); ok {
					out.add(id.Sym)
				}
			}
			return true
		})
	}
	return out.list
}

// Declared returns the symbols that nodes declare, at any depth: variables, functions, classes, parameters and catch
// bindings, in source order.
func Declared(list ...Node) []*Symbol {
	var out symbolSet
	for _, n := range list {
		collectDeclared(n, &out)
	}
	return out.list
}

func collectDeclared(n Node, out *symbolSet) {
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *VarDecl:
			for _, d := range n.Decls {
				addPattern(d.Target, out)
			}
		case *FunctionDecl:
			declareFunc(n.Func, out)
		case *FunctionExpr:
			declareFunc(n.Func, out)
		case *ClassDecl:
			declareName(n.Name, out)
		case *ClassExpr:
			declareName(n.Name, out)
		case *Try:
			if n.Param != nil {
				addPattern(n.Param, out)
			}
		}
		return true
	})
}

func declareName(id *Ident, out *symbolSet) {
	if id != nil {
		out.add(id.Sym)
	}
}

func declareFunc(fn *Func, out *symbolSet) {
	declareName(fn.Name, out)
	for _, p := range fn.Params {
		addPattern(p.Target, out)
	}
}

// PatternSymbols returns the symbols that a pattern binds or assigns, in source order. Members and indexed elements
// bind no symbol.
func PatternSymbols(p Pattern) []*Symbol {
	var out symbolSet
	addPattern(p, &out)
	return out.list
}

func addPattern(p Pattern, out *symbolSet) {
	switch p := p.(type) {
	case *Ident:
		out.add(p.Sym)
	case *ArrayPattern:
		for _, e := range p.Elems {
			if e.Target != nil {
				addPattern(e.Target, out)
			}
		}
	case *ObjectPattern:
		for _, prop := range p.Props {
			addPattern(prop.Target, out)
		}
	}
}
