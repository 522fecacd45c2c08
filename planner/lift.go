package planner

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// lifter turns the tree into blocks. It walks in evaluation order and appends a node for everything that must happen; the
// environment says which node holds the current version of each variable (static single assignment).
type lifter struct {
	src     string
	catalog Catalog
	an      *analysis
	calls   map[*ast.Call]nodes.ToolID
	aliases map[*ast.Symbol]*alias
	// inlining is the inlining stack: the functions whose bodies are being lifted.
	inlining []*ast.Func
	// unlifted remembers, by script node, why it is one.
	unlifted map[*nodes.Node]refusal
	// exits maps exit nodes to the node that catches them; nil for the program.
	exits map[*nodes.Node]*nodes.Node
	temps int
	// spent is what lifting has taken so far: see spend.
	spent int
	// own are the names of the planner's own making, in order.
	own []*ast.Symbol
	// tryDepth counts the enclosing try statements; loops holds where the enclosing loops start and end.
	tryDepth int
	// guarded is the innermost try whose handler must see what its body has changed.
	guarded guarded
	// apart counts the enclosing blocks that run beside the program: it may go on when they fail.
	apart int
	// following are the statements behind the one at hand, in the same list.
	following []ast.Stmt
	loops     []span
	body      []ast.Stmt
	// impurity and impureFuncs remember what impure found.
	impurity    map[ast.Node]bool
	impureFuncs map[*ast.Func]bool
	// impureBodies are the functions of impureBody; nil until it is asked.
	impureBodies map[*ast.Func]bool
	// inside remembers what functions declare.
	inside map[*ast.Func]map[*ast.Symbol]bool
	// declared are the functions bound to constants whose declaration has been passed.
	declared map[*ast.Symbol]bool
	// copied are the functions that specialise has made: what stands in them stands elsewhere in the program's text.
	copied map[*ast.Func]bool
	// plained are the declarations that plainMatch has rewritten.
	plained map[*ast.Declarator]bool
	// turned are the calls of map that takeTurns has made, with what their callbacks changed.
	turned map[*ast.Call][]*ast.Symbol
	// placeless are the variables of takeTurns: where they are mentioned says nothing about when.
	placeless map[*ast.Symbol]bool
	// outlasts are the statements that halfway has made.
	outlasts map[ast.Stmt]bool
	// remade are the declarations of constants that every piece makes for itself.
	remade map[*ast.Symbol]ast.Stmt
	// targets are the enclosing constructs that an exit can name, innermost last.
	targets []*target
	args    *ast.Symbol
	// known are the constants whose value is known wherever they are used.
	known map[*ast.Symbol]ast.Expr
}

// guarded is the body of a try, and the variables that must not be half changed when it fails.
type guarded struct {
	block *block
	vars  []*ast.Symbol
}

// span is a part of the source, in bytes.
type span struct{ start, end int }

// val is a value: an output of a node or a param of a block.
type val struct {
	b        *block
	idx, out int // idx -1: param
}

type bindKind uint8

const (
	isValue   bindKind = iota
	isPromise          // v is an Async node
)

type binding struct {
	kind bindKind
	v    val
	// yields, of a promise, is the variable that holds what it has yielded; nil if none does.
	yields *ast.Symbol
}

// block is a nodes.Block under construction.
type block struct {
	*nodes.Block
	parent *block
	env    map[*ast.Symbol]binding
	// trail is what env held before each change, so that it can be undone.
	trail []undo
	// ended says that the last node is an exit: nothing after it can run.
	ended bool
	// binds are the new versions that variables got here, in order; kids are the blocks that were begun here.
	binds []bound
	kids  []*block
}

// bound says that a variable got a new version when its block had so many nodes.
type bound struct {
	s  *ast.Symbol
	v  val
	at int
}

// refusal is why a construct cannot be lifted. It is thrown and caught by the statement around it, which then tries to
// become a script node.
type refusal struct {
	pos    ast.Pos
	reason string
}

func refuse(at ast.Node, format string, a ...any) {
	panic(refusal{at.Position(), fmt.Sprintf(format, a...)})
}

// attempt runs f and returns the refusal it ends in, nil if it succeeds. After a refusal the lifter stands where it stood
// before.
func (l *lifter) attempt(f func()) (r *refusal) {
	targets, loops, inlining, tryDepth, apart, guarded := l.targets, l.loops, l.inlining, l.tryDepth, l.apart, l.guarded
	defer func() {
		switch x := recover().(type) {
		case nil:
		case refusal:
			r = &x
			l.targets, l.loops, l.inlining, l.tryDepth, l.apart, l.guarded = targets, loops, inlining, tryDepth, apart, guarded
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

func newBlock(parent *block, params ...string) *block {
	b := &block{Block: &nodes.Block{Params: params}, parent: parent, env: map[*ast.Symbol]binding{}}
	if parent != nil {
		parent.kids = append(parent.kids, b)
	}
	return b
}

func (b *block) param(i int) val { return val{b, -1, i} }

// lookup finds the current version of a variable.
func (b *block) lookup(s *ast.Symbol) (binding, bool) {
	for ; b != nil; b = b.parent {
		if x, ok := b.env[s]; ok {
			return x, true
		}
	}
	return binding{}, false
}

// bind makes v the current version of s.
func (b *block) bind(s *ast.Symbol, v val) {
	b.set(s, binding{v: v})
	b.binds = append(b.binds, bound{s, v, len(b.Nodes)})
}

// ref expresses v as seen from b.
func (b *block) ref(v val) nodes.Ref {
	up := 0
	for x := b; x != nil; x = x.parent {
		if x == v.b {
			return nodes.Ref{Up: up, Node: v.idx, Out: v.out}
		}
		up++
	}
	panic("planner: value from a block that does not enclose its use")
}

func (b *block) refs(vs []val) []nodes.Ref {
	out := make([]nodes.Ref, len(vs))
	for i, v := range vs {
		out[i] = b.ref(v)
	}
	return out
}

// add appends n and returns its first output.
func (b *block) add(n *nodes.Node) val {
	b.Nodes = append(b.Nodes, n)
	return val{b, len(b.Nodes) - 1, 0}
}

// output is another output of the node that holds v.
func (v val) output(i int) val { v.out = i; return v }

func (v val) node() *nodes.Node {
	if v.idx < 0 {
		return nil
	}
	return v.b.Nodes[v.idx]
}

// snapshot allows to undo what was lifted since.
type snapshot struct {
	nodes, trail, binds int
	ended               bool
}

// undo is what a variable was bound to before a change; bound is false if to nothing.
type undo struct {
	s     *ast.Symbol
	old   binding
	bound bool
}

// set binds s in this block.
func (b *block) set(s *ast.Symbol, x binding) {
	old, bound := b.env[s]
	b.trail = append(b.trail, undo{s, old, bound})
	b.env[s] = x
}

// drop forgets s in this block.
func (b *block) drop(s *ast.Symbol) {
	if old, bound := b.env[s]; bound {
		b.trail = append(b.trail, undo{s, old, bound})
		delete(b.env, s)
	}
}

func (b *block) save() snapshot { return snapshot{len(b.Nodes), len(b.trail), len(b.binds), b.ended} }

func (b *block) restore(s snapshot) {
	for i := len(b.trail) - 1; i >= s.trail; i-- {
		if u := b.trail[i]; u.bound {
			b.env[u.s] = u.old
		} else {
			delete(b.env, u.s)
		}
	}
	b.Nodes, b.trail, b.binds, b.ended = b.Nodes[:s.nodes], b.trail[:s.trail], b.binds[:s.binds], s.ended
}

// temp makes a variable of the planner's own.
func (l *lifter) temp(hint string) *ast.Symbol {
	l.temps++
	s := &ast.Symbol{Name: hint, Unique: fmt.Sprintf("%s$%d", hint, l.temps), Kind: ast.SymConst}
	l.own = append(l.own, s)
	return s
}

// use makes v available to expressions under a name.
func (l *lifter) use(b *block, v val, hint string, pos ast.Pos) *ast.Ident {
	s := l.temp(hint)
	b.set(s, binding{v: v})
	return &ast.Ident{Pos: pos, Sym: s}
}

// program lifts the whole body.
func (l *lifter) program(body []ast.Stmt) *nodes.Block {
	root := newBlock(nil, "args")
	l.remade = l.constants(body)
	if l.args != nil {
		root.env[l.args] = binding{v: root.param(0)}
	}
	l.targets = []*target{{kind: targetReturn}}
	l.stmts(root, body)
	return root.Block
}

// stmts lifts a statement list. Statements that share something that cannot travel on an edge stay together.
func (l *lifter) stmts(b *block, list []ast.Stmt) {
	list = l.prepare(list)
	defer func(outer []ast.Stmt) { l.following = outer }(l.following)
	for i := 0; i < len(list); {
		if b.ended {
			return
		}
		n, holds := l.group(list[i:])
		l.following = list[i+n:]
		l.together(b, list[i:i+n], holds)
		i += n
	}
}

// together lifts statements one by one if there is one, else as one piece: what holds has keeps them together.
func (l *lifter) together(b *block, list []ast.Stmt, holds *ast.Symbol) {
	before := b.save()
	temps := len(l.own)
	defer func() {
		for _, s := range l.own[temps:] {
			b.drop(s)
		}
	}()
	var r *refusal
	if len(list) == 1 {
		r = l.attempt(func() { l.stmt(b, list[0]) })
	} else {
		r = l.attempt(func() { l.pieceOf(b, list) })
	}
	if r == nil {
		return
	}
	if holds != nil && r.reason == callsInside {
		r.reason = fmt.Sprintf("%s may hold %s: the code up to its last mention stays together, and calls tools",
			holds.Name, l.an.exotic(holds))
	}
	b.restore(before)
	l.script(b, list, *r)
}

// pieceOf lifts statements as one piece of pure code; the last may return.
func (l *lifter) pieceOf(b *block, list []ast.Stmt) {
	last := len(list) - 1
	ret, ok := list[last].(*ast.Return)
	if ok && ret.X != nil && !l.impure(ret.X) {
		list = list[:last]
	}
	for _, s := range list {
		if leaves(s) {
			refuse(s, "code that cannot be taken apart holds a return, break or continue")
		}
	}
	if len(list) > last {
		l.piece(b, list[0].Position(), list, nil, "")
		return
	}
	t := l.returnTarget()
	v := l.piece(b, list[0].Position(), list, l.programResult(ret.X, t), "result")
	l.exit(b, ret.Pos, nodes.ExitReturn, t, append([]val{v}, l.versions(b, t.vars)...))
}

// stmt lifts one statement.
func (l *lifter) stmt(b *block, s ast.Stmt) {
	if l.simple(s) {
		l.piece(b, s.Position(), []ast.Stmt{s}, nil, "")
		return
	}
	switch s := s.(type) {
	case *ast.Empty, *ast.FunctionDecl:
	case *ast.VarDecl:
		l.varDecl(b, s)
	case *ast.ExprStmt:
		l.exprStmt(b, s)
	case *ast.Block:
		l.stmts(b, s.Body)
	case *ast.If:
		l.ifStmt(b, s)
	case *ast.ForOf:
		l.forOf(b, s, "")
	case *ast.For:
		l.forStmt(b, s, "")
	case *ast.While:
		l.loop(b, s, s.Test, nil, s.Body, true, "")
	case *ast.DoWhile:
		l.loop(b, s, s.Test, nil, s.Body, false, "")
	case *ast.Labeled:
		l.labeled(b, s)
	case *ast.Return:
		l.returnStmt(b, s)
	case *ast.Throw:
		l.refuseRich(s.X)
		v := l.value(b, s.X, "error")
		l.exit(b, s.Pos, nodes.ExitThrow, nil, []val{v})
	case *ast.Break:
		l.jump(b, s, s.Label, nodes.ExitBreak)
	case *ast.Continue:
		l.jump(b, s, s.Label, nodes.ExitContinue)
	case *ast.Try:
		l.tryStmt(b, s)
	case *ast.Switch:
		l.switchStmt(b, s)
	default:
		refuse(s, "%s cannot be lifted", describe(s))
	}
}

// simple reports whether s is pure code that one piece can hold: no tool call, no wait, no way out of the statement.
func (l *lifter) simple(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.If, *ast.For, *ast.ForOf, *ast.ForIn, *ast.While, *ast.DoWhile, *ast.Switch, *ast.Try, *ast.Labeled:
		return !l.impure(s) && !leaves(s)
	case *ast.Block:
		return len(s.Body) > 1 && !l.impure(s) && !leaves(s)
	case *ast.ExprStmt:
		return !l.impure(s) && !isAssignment(s.X)
	}
	return false
}

func isAssignment(e ast.Expr) bool {
	as, ok := e.(*ast.Assign)
	if !ok {
		return false
	}
	_, ident := as.Target.(*ast.Ident)
	return ident
}

func describe(n ast.Node) string {
	switch n := n.(type) {
	case *ast.ForIn:
		return "for…in with tool calls"
	case *ast.ClassDecl, *ast.ClassExpr:
		return "a class"
	case *ast.Yield:
		return "yield"
	case *ast.Call:
		return "this call"
	case ast.Stmt:
		return fmt.Sprintf("a %T", n)[len("a *ast."):] + " statement"
	}
	return "this expression"
}
