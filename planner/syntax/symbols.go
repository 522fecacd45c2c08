package syntax

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
	esast "github.com/ije/esbuild-internal/ast"
)

// symbols resolves esbuild's references to our symbols, one pointer for each binding.
type symbols struct {
	table   []esast.Symbol
	made    []*ast.Symbol // by index into table, after links are followed
	ordered []*ast.Symbol // in order of first appearance
	unbound map[string]*ast.Symbol
}

func newSymbols(table []esast.Symbol) *symbols {
	return &symbols{table: table, made: make([]*ast.Symbol, len(table)), unbound: map[string]*ast.Symbol{}}
}

// follow returns the index of the symbol that ref finally means.
func (s *symbols) follow(ref esast.Ref) uint32 {
	i := ref.InnerIndex
	for s.table[i].Link != esast.InvalidRef {
		i = s.table[i].Link.InnerIndex
	}
	return i
}

// of returns the symbol of ref. Its Kind and Decl are final only once its declaration was converted.
func (s *symbols) of(ref esast.Ref) *ast.Symbol {
	i := s.follow(ref)
	if sym := s.made[i]; sym != nil {
		return sym
	}
	from := &s.table[i]
	var sym *ast.Symbol
	if from.Kind == esast.SymbolUnbound || from.Kind == esast.SymbolArguments {
		sym = s.free(from.OriginalName, from.Kind == esast.SymbolArguments)
	} else {
		sym = &ast.Symbol{Name: from.OriginalName, Unique: from.OriginalName, Kind: kindOf(from.Kind)}
		s.ordered = append(s.ordered, sym)
	}
	s.made[i] = sym
	return sym
}

// free returns the symbol of a name that the program does not declare. Each function's `arguments` is its own.
func (s *symbols) free(name string, own bool) *ast.Symbol {
	if sym := s.unbound[name]; sym != nil && !own {
		return sym
	}
	sym := &ast.Symbol{Name: name, Unique: name, Kind: ast.SymUnbound}
	if !own {
		s.unbound[name] = sym
	}
	return sym
}

// declare notes that ref is declared at pos as kind. The first declaration counts, except that a function wins over the
// var or parameter whose name it shares, as it does at run time.
func (s *symbols) declare(ref esast.Ref, kind ast.SymbolKind, pos ast.Pos) *ast.Symbol {
	sym := s.of(ref)
	if !sym.Decl.IsValid() || (kind == ast.SymFunction && sym.Kind <= ast.SymParam && sym.Kind != ast.SymFunction) {
		sym.Kind, sym.Decl = kind, pos
	}
	return sym
}

func kindOf(kind esast.SymbolKind) ast.SymbolKind {
	switch kind {
	case esast.SymbolHoistedFunction, esast.SymbolGeneratorOrAsyncFunction:
		return ast.SymFunction
	case esast.SymbolCatchIdentifier:
		return ast.SymCatch
	case esast.SymbolClass, esast.SymbolClassInComputedPropertyKey:
		return ast.SymClass
	case esast.SymbolConst:
		return ast.SymConst
	case esast.SymbolOther:
		return ast.SymLet
	default:
		return ast.SymVar
	}
}

// reserved are names that no declared symbol may be printed under: what a script node is given, and literals.
var reserved = []string{"mcp", "args", "arguments", "undefined", "NaN", "Infinity"}

// name assigns Unique. Functions and classes choose first, because a program can see their names.
func (s *symbols) name() {
	taken := make(map[string]bool, 2*len(s.ordered)+len(s.table)+len(reserved))
	for _, name := range reserved {
		taken[name] = true
	}
	for i := range s.table {
		if s.table[i].Kind == esast.SymbolUnbound {
			taken[s.table[i].OriginalName] = true
		}
	}
	var repeated []*ast.Symbol
	for _, first := range []bool{true, false} {
		for _, sym := range s.ordered {
			if first != (sym.Kind == ast.SymFunction || sym.Kind == ast.SymClass) {
				continue
			}
			if taken[sym.Name] {
				repeated = append(repeated, sym)
			}
			taken[sym.Name] = true
		}
	}
	next := map[string]int{}
	for _, sym := range repeated {
		n := max(2, next[sym.Name])
		for taken[sym.Name+"$"+strconv.Itoa(n)] {
			n++
		}
		next[sym.Name] = n + 1
		sym.Unique = sym.Name + "$" + strconv.Itoa(n)
		taken[sym.Unique] = true
	}
}

// drop forgets declared symbols that no node mentions any more.
func (s *symbols) drop(gone map[*ast.Symbol]string) {
	kept := s.ordered[:0]
	for _, sym := range s.ordered {
		if _, dropped := gone[sym]; !dropped {
			kept = append(kept, sym)
		}
	}
	s.ordered = kept
}
