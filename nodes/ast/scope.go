package ast

import "slices"

// SymbolSet keeps symbols once each, in the order they were added.
type SymbolSet struct {
	list []*Symbol
	// seen is the list as a set, once it is long.
	seen map[*Symbol]bool
}

// long is from where on a list is searched by way of a map.
const long = 16

// Has reports whether sym is in the set.
func (s *SymbolSet) Has(sym *Symbol) bool {
	if s.seen != nil {
		return s.seen[sym]
	}
	return slices.Contains(s.list, sym)
}

// Add puts sym into the set, and reports whether it is new there.
func (s *SymbolSet) Add(sym *Symbol) bool {
	if s.Has(sym) {
		return false
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
	return true
}

// Names returns the symbols that nodes declare, as Declared does, and those that they mention without declaring them,
// unbound ones included, in the order of their first mention. The `arguments` of a function inside is that function's own.
func Names(list ...Node) (declared SymbolSet, free []*Symbol) {
	var used SymbolSet
	depth := 0
	var visit func(n Node)
	visit = func(n Node) {
		declare(n, &declared)
		own := ownArguments(n)
		if own {
			depth++
		}
		if id, ok := n.(*Ident); ok && (depth == 0 || !isArguments(id.Sym)) {
			used.Add(id.Sym)
		}
		eachChild(n, visit)
		if own {
			depth--
		}
	}
	for _, n := range list {
		visit(n)
	}
	free = used.list
	if len(declared.list) > 0 {
		free = slices.DeleteFunc(free, declared.Has)
	}
	return declared, free
}

// FreeSymbols returns the symbols that nodes mention without declaring them: see Names.
func FreeSymbols(list ...Node) []*Symbol {
	_, free := Names(list...)
	return free
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
	var out SymbolSet
	for _, n := range list {
		Walk(n, func(n Node) bool {
			switch n := n.(type) {
			case *Assign:
				addPattern(n.Target, &out)
			case *Update:
				if id, ok := n.X.(*Ident); ok {
					out.Add(id.Sym)
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
	var out SymbolSet
	for _, n := range list {
		collectDeclared(n, &out)
	}
	return out.list
}

func collectDeclared(n Node, out *SymbolSet) {
	Walk(n, func(n Node) bool { declare(n, out); return true })
}

// declare adds what n itself declares.
func declare(n Node, out *SymbolSet) {
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
}

func declareName(id *Ident, out *SymbolSet) {
	if id != nil {
		out.Add(id.Sym)
	}
}

func declareFunc(fn *Func, out *SymbolSet) {
	declareName(fn.Name, out)
	for _, p := range fn.Params {
		addPattern(p.Target, out)
	}
}

// PatternSymbols returns the symbols that a pattern binds or assigns, in source order. Members and indexed elements
// bind no symbol.
func PatternSymbols(p Pattern) []*Symbol {
	var out SymbolSet
	addPattern(p, &out)
	return out.list
}

func addPattern(p Pattern, out *SymbolSet) {
	switch p := p.(type) {
	case *Ident:
		out.Add(p.Sym)
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
