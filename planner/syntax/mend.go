package syntax

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
)

// mend rewrites valid syntax that goja refuses, or runs wrongly, into the same in other words; body stays as it is.
//
//	const { a: [b = 1] = [] } = x          →  const [{ a: [b = 1] = [] }] = [x]
//	(n, { a: [b = 1] = [] } = x, c) => …   →  (n, ...[{ a: [b = 1] = [] } = x, c]) => …
//	for (const { a: [b = 1] = [] } of x) … →  for (const t of x) { const [{ a: [b = 1] = [] }] = [t]; … }
//	catch ({ a: [b = 1] = [] }) { … }      →  catch (t) { let [{ a: [b = 1] = [] }] = [t]; … }
//	set x({ a: [b = 1] = [] }) { … }       →  set x(t) { var [{ a: [b = 1] = [] }] = [t]; … }
//	(f = async () => await x) => …         →  (f = async () => { return await x; }) => …
//	function ({ a }) { var a; … }          →  function ({ a }) { var t = a; … }, with t for a
//	function () { () => arguments }        →  function () { const t = arguments; () => t }
//	class { get = 1; #set = 2 }            →  class { ["get"] = 1; #set$ = 2 }
//	#x in y && z                           →  (#x in y) && z
//	try { } catch (e) { } finally { }      →  try { try { } catch (e) { } } finally { }
//	if (false) { break; }                  →  if ((0, false)) { break; }
//	x ??= await y                          →  x ?? (x = await y)
//
// A wrapped pattern is evaluated at the time and in the order of the original. What a program could still notice: a
// function's length counts only the parameters before the first wrapped one, and an iterator that was put in place of
// Array.prototype's own sees the wrapping arrays.
func mend(body []ast.Stmt) []ast.Stmt {
	if !needsMending(body) {
		return body
	}
	body = ast.Rewrite{Expr: mendExpr}.Stmts(body)
	m := newMender(body)
	ast.WalkAll(body, func(n ast.Node) bool { m.node(n); return true })
	return body
}

// needsMending reports that mend would change something, or might.
func needsMending(body []ast.Stmt) bool {
	found := false
	ast.WalkAll(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayPattern, *ast.ObjectPattern:
			found = found || refused(n.(ast.Pattern), true)
		case *ast.FunctionDecl:
			found = found || oddFunction(n.Func)
		case *ast.FunctionExpr:
			found = found || oddFunction(n.Func)
		case *ast.ClassDecl:
			found = found || len(oddFields(n.ClassBody)) > 0
		case *ast.ClassExpr:
			found = found || len(oddFields(n.ClassBody)) > 0
		case *ast.PrivateIn:
			found = true
		case *ast.Assign:
			found = found || waitsToAssign(n)
		case *ast.Try:
			found = found || n.Handler != nil && n.Finally != nil
		case *ast.If:
			found = found || deadJump(n)
		}
		return !found
	})
	return found
}

func oddFunction(fn *ast.Func) bool {
	return len(conciseInParams(fn)) > 0 || len(redeclared(fn)) > 0 || lentArguments(fn) != nil
}

// mender changes a tree in place, each node before what is inside it.
type mender struct {
	// taken are the names that the tree has.
	taken map[string]bool
	// private leads from private names that goja refuses to what they are called instead.
	private map[string]string
}

func newMender(body []ast.Stmt) *mender {
	m := &mender{taken: map[string]bool{}, private: map[string]string{}}
	ast.WalkAll(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			m.taken[n.Sym.Unique] = true
		case *ast.ClassDecl:
			m.notePrivate(n.ClassBody)
		case *ast.ClassExpr:
			m.notePrivate(n.ClassBody)
		}
		return true
	})
	return m
}

func (m *mender) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.VarDecl:
		mendDeclarators(n)
	case *ast.ForOf:
		m.loop(n.Left, &n.Body)
	case *ast.ForIn:
		m.loop(n.Left, &n.Body)
	case *ast.Try:
		m.catch(n)
		splitFinally(n)
	case *ast.If:
		hideConstant(n)
	case *ast.FunctionDecl:
		m.function(n.Func)
	case *ast.FunctionExpr:
		m.function(n.Func)
	case *ast.Object:
		m.setters(n.Props)
	case *ast.ClassDecl:
		m.class(n.ClassBody)
	case *ast.ClassExpr:
		m.class(n.ClassBody)
	case *ast.Member:
		if name, ok := m.private[n.Name]; ok && n.Private {
			n.Name = name
		}
	case *ast.PrivateIn:
		if name, ok := m.private[n.Name]; ok {
			n.Name = name
		}
	}
}

// function mends parameters first, because that may make a var redeclare what a pattern binds.
func (m *mender) function(fn *ast.Func) {
	mendParams(fn)
	m.separateVars(fn)
	m.keepArguments(fn)
}

// temporary makes a name that the program does not have.
func (m *mender) temporary(pos ast.Pos) *ast.Ident {
	for n := 1; ; n++ {
		name := "bound$" + strconv.Itoa(n)
		if !m.taken[name] {
			m.taken[name] = true
			return &ast.Ident{Pos: pos, Sym: &ast.Symbol{Name: name, Unique: name, Kind: ast.SymConst, Decl: pos}}
		}
	}
}
