package syntax

import (
	"regexp"
	"strings"

	"github.com/ije/esbuild-internal/js_ast"
)

// esbuild complains about each return at the top of a program, and for each complaint it reads on to the last await and
// back: in a program of many returns that takes the square of its length. Such a program is parsed as what it is, the body
// of an async function, where return is legal; what is said about a wrong one is found as for any other.

// manyReturns is from how many returns on that pays.
const manyReturns = 50

const bodyStart, bodyEnd = "async () => {", "\n}"

// otherAtTop are words of declarations that are made otherwise inside of a function.
var otherAtTop = regexp.MustCompile(`\b(enum|namespace|module)\b`)

// parseBody parses a program of many returns. It reports false for other programs, and for those that are better parsed as
// any other.
func parseBody(text string) (js_ast.AST, bool) {
	if strings.Count(text, "return") < manyReturns || strings.HasPrefix(text, "#!") || otherAtTop.MatchString(text) {
		return js_ast.AST{}, false
	}
	tree, msgs, ok := parseTree(bodyStart+text+bodyEnd, true)
	if !ok || len(msgs) > 0 || !functionsDiffer(bodyOf(tree), tree) {
		return js_ast.AST{}, false
	}
	return tree, true
}

// bodyOf is the body of the one function that the tree holds; nil if it holds anything else.
func bodyOf(tree js_ast.AST) []js_ast.Stmt {
	var all []js_ast.Stmt
	for _, part := range tree.Parts {
		all = append(all, part.Stmts...)
	}
	if len(all) != 1 {
		return nil
	}
	s, ok := all[0].Data.(*js_ast.SExpr)
	if !ok {
		return nil
	}
	fn, ok := s.Value.Data.(*js_ast.EArrow)
	if !ok || len(fn.Args) > 0 {
		return nil
	}
	return fn.Body.Block.Stmts
}

// functionsDiffer reports whether there is a list, and the functions that it declares have names of their own: a program
// may not declare one twice, a function may.
func functionsDiffer(list []js_ast.Stmt, tree js_ast.AST) bool {
	seen := map[string]bool{}
	for _, s := range list {
		if fn, ok := s.Data.(*js_ast.SFunction); ok && fn.Fn.Name != nil {
			name := tree.Symbols[fn.Fn.Name.Ref.InnerIndex].OriginalName
			if seen[name] {
				return false
			}
			seen[name] = true
		}
	}
	return list != nil
}
