// Package nodes is the typed task graph that the planner makes of a program and the engine executes: plain data, no I/O,
// no goroutines, no clocks. Whoever reads this file knows what pml can do.
//
// # Blocks and nodes
//
// A Block is a list of nodes in program order. A leaf node (call, expr, script, host, await, exit) is one task; a control
// node (branch, map, loop, scope, try) owns blocks. The engine makes a frame of a block each time it is entered: once for
// a branch's arm, once per item for a map, once per iteration for a loop.
//
// Program order is what ECMAScript would do, one statement at a time. The engine may run a node as soon as
//
//   - every value in In is there (data edges),
//   - every After is fulfilled (order edges), and
//   - its Gate is open (failure and control edges).
//
// Nothing else holds a node back: there are no layers, and a control node is no barrier. A node inside a branch waits for
// exactly the outer values it reads, and a node behind a branch for exactly the outputs it reads.
//
// # How a node ends
//
// As in ECMAScript §6.2.4 a node ends in a completion: normal, with its outputs, or abrupt: throw, return, break or
// continue. In a frame the first abrupt node in program order decides: the frame completes with it once every node before
// it has completed normally. What stands behind it is cancelled and its results dropped. An abrupt completion goes up
// from frame to owner until a node catches it: try catches throw; loop catches break and continue that name it; scope,
// map item and program catch the return that names them. An Async node never completes abruptly: see Node.Async.
package nodes

import (
	"strconv"

	"github.com/casys-ai/pml/nodes/ast"
)

// FormatVersion is the version of the graph's JSON form.
const FormatVersion = 1

// Graph is one planned program.
type Graph struct {
	// Root is the program's body. Its one param is `args`; a return that targets 0 ends it with its value, falling off
	// its end with undefined.
	Root *Block
	// Source is the program as the user wrote it.
	Source string
	// Unlifted says why each script node, or the whole program, was not lifted; in program order.
	Unlifted []Unlifted
	// Count is the number of nodes; ids run from 1 to Count in program order.
	Count int
}

// Unlifted is the reason that a piece of the program runs as a script.
type Unlifted struct {
	// Node is the id of the script node.
	Node int
	// Pos is the construct that could not be lifted, Reason what is the matter with it.
	Pos    ast.Pos
	Reason string
}

// Block is a list of nodes in program order.
type Block struct {
	// Params names the values that the owner passes when it enters the block.
	Params []string
	Nodes  []*Node
	// Results are the values that the block hands to its owner when it ends normally, as seen from inside the block.
	Results []Ref
}

// Ref names a value, seen from a block.
type Ref struct {
	// Up says how many blocks outwards: 0 is this block, 1 the block that holds its owner, and so on.
	Up int
	// Node is the index in that block's Nodes; -1 means a param of the block.
	Node int
	// Out is which output of the node, or which param.
	Out int
}

// Param refers to a param of the block at hand.
func Param(i int) Ref { return Ref{Node: -1, Out: i} }

// Kind says what a node does.
type Kind uint8

// The kinds.
const (
	KindCall   Kind = iota + 1 // call one tool
	KindExpr                   // compute lifted pure code in this process
	KindScript                 // run a piece of JavaScript in the fallback
	KindHost                   // observe or change the program's surroundings: clock, randomness, console, timer
	KindAwait                  // wait for Async nodes
	KindBranch                 // one of two blocks
	KindMap                    // one block per item, all at once
	KindLoop                   // one block per iteration, with carried state
	KindScope                  // a block that a return can leave: an inlined function, a labelled block
	KindTry                    // a block and its handler
	KindExit                   // return, throw, break, continue
)

var kindNames = [...]string{"", "call", "expr", "script", "host", "await", "branch", "map", "loop", "scope", "try", "exit"}

// String returns the kind's lower-case name.
func (k Kind) String() string { return kindNames[k] }

// Gate says what must be known about everything earlier in program order before a node may start. Earlier means: the
// nodes before it in its frame, everything before the owner of its frame, and so on outwards; in a loop also all earlier
// iterations; not the other items of a map, and not what an Async node leaves running.
type Gate uint8

// The gates (ARCHITECTURE.md, rule 3).
const (
	// GateNone: it may run ahead of everything. Cheap pure code.
	GateNone Gate = iota
	// GatePassed: no earlier construct that could have skipped it (return, break, continue, throw, on any path) can do so
	// any more. It may still run ahead of an earlier failure. Reads.
	GatePassed
	// GateSafe: everything earlier has completed normally. Writes, questions, scripts, what must keep its place.
	GateSafe
)

// String returns "none", "passed" or "safe".
func (g Gate) String() string { return [...]string{"none", "passed", "safe"}[g] }

// Port is a moment in the life of a node that others can wait for.
type Port uint8

// The ports. A control node's is reached when it is reached for everything inside it, or nothing inside can run any more.
const (
	// PortDone: it has completed; for a control node, everything in it has.
	PortDone Port = iota
	// PortWrites: what is in it that is no read and not pure has completed.
	PortWrites
	// PortSent: its request has left (for an Async control node: that of its first call).
	PortSent
)

// String returns "done", "writes" or "sent".
func (p Port) String() string { return [...]string{"done", "writes", "sent"}[p] }

// After is an order edge: wait until a node that stands earlier in program order has reached Port.
type After struct {
	// Up and Node say which node, as in Ref. Node -1 with Prev means: all earlier iterations of the loop whose body the
	// block Up levels outwards is.
	Up, Node int
	Prev     bool
	Port     Port
	// Reason is what people read: "order write→read workspace (line 4 → 6)".
	Reason string
}

// Node is one task.
type Node struct {
	// ID is unique in the graph; nodes are numbered from 1 in program order. Paths are made of ids.
	ID   int
	Kind Kind
	Pos  ast.Pos
	// Label is what people read: "files", "return".
	Label string
	// In are the values it reads; what each is for depends on the kind. A Ref to an Async node stands for its promise and
	// may only be read by an await node.
	In []Ref
	// Outs names its outputs.
	Outs []string
	// After are its order edges, Gate its failure and control edge; Why says why the gate is what it is.
	After []After
	Gate  Gate
	Why   string
	// Async says that the program does not await it where it stands (a promise was made and kept). Its place in program
	// order is passed once it has been sent; its outcome, value or exception, is kept for the await nodes that read it.
	// The run ends only when it has ended. Only call, map, scope and script nodes can be Async.
	Async bool

	// Exactly the one that Kind names is set; expr, script and exit-less kinds share Code.
	Call   *Call
	Code   *Code
	Host   HostOp
	Await  AwaitMode
	Branch *Branch
	Map    *Map
	Loop   *Loop
	Scope  *Scope
	Try    *Try
	Exit   *Exit
}

// Path names the node inside the frame that parent names: "n4", "n7[12].n9".
func (n *Node) Path(parent string) string {
	if parent == "" {
		return "n" + strconv.Itoa(n.ID)
	}
	return parent + ".n" + strconv.Itoa(n.ID)
}

// Call is one tool call. In[i] is bound to Args.Params[i].
type Call struct {
	Tool ToolID
	// Args computes the argument value; its Result is the argument expression as written. A nil Args means no argument.
	// Arguments are what JSON.parse(JSON.stringify(args)) gives at the moment of the call (ARCHITECTURE.md, rule 7).
	Args *Code
	// Effect, Route, Scopes and Permission are what the catalogue said when the program was planned.
	Effect     Effect
	Route      Route
	Scopes     []string
	Permission Permission
}

// Code is a piece of the program with its values: for expr nodes computed by nodes/expr, for script nodes run by
// nodes/script.
type Code struct {
	// Params are the variables that hold the node's In.
	Params []*ast.Symbol
	// Owned[i] says that nobody else ever looks at In[i]: it may be changed in place.
	Owned []bool
	// Touched[i] says that the code may change an object that In[i] leads to, by whatever name; nil if it changes nothing.
	// Such inputs are copied as one: what they share stays shared.
	Touched []bool
	// Rich says that its outputs may hold Map, Set and Date objects. Lifted code alone can take those, even where its
	// data leads it into a script; what of them gets to tools, script nodes, the console or the caller is data.
	Rich bool
	// Body runs first. Then Result, if not nil, is evaluated to the first output, and the values of Vars are the next.
	Body   []ast.Stmt
	Result ast.Expr
	Vars   []*ast.Symbol
	// The rest is for script nodes. Tools are the tools it is seen to call; Dynamic says that it may call others too.
	Tools   []ToolID
	Dynamic bool
	// Calls is the number of places in it that call tools, as far as can be seen.
	Calls int
	// Effect is the strongest effect of those calls.
	Effect Effect
	// Host says that it reads the clock or randomness, writes to the console or waits for a timer.
	Host bool
	// Program says that this is the whole program as one script; Body is then empty and the graph's Source is run.
	Program bool
	// Returns says that the piece holds a return statement of the surrounding function: it may end in a return
	// completion that targets Target.
	Returns bool
	Target  int
}

// Text is the code as JavaScript.
func (c *Code) Text() string {
	s := ast.PrintStmts(c.Body)
	if c.Result != nil {
		s += ast.PrintExpr(c.Result)
	}
	return s
}

// Fresh are the variables that the piece hands on and neither takes nor declares: they start as undefined.
func (c *Code) Fresh() []*ast.Symbol {
	known := map[*ast.Symbol]bool{}
	for _, s := range c.Params {
		known[s] = true
	}
	for _, stmt := range c.Body {
		for _, s := range ast.Declared(stmt) {
			known[s] = true
		}
	}
	var out []*ast.Symbol
	for _, s := range c.Vars {
		if !known[s] {
			out = append(out, s)
			known[s] = true
		}
	}
	return out
}

// HostOp is what a host node does. Host nodes keep program order with everything (ARCHITECTURE.md, rule 8).
type HostOp string

// The host operations. In are the arguments.
const (
	HostNow    HostOp = "now"    // milliseconds since the epoch, as Date.now()
	HostRandom HostOp = "random" // as Math.random()
	HostSleep  HostOp = "sleep"  // a timer of In[0] milliseconds
	HostLog    HostOp = "log"    // console.log; likewise the next ones
	HostInfo   HostOp = "info"
	HostWarn   HostOp = "warn"
	HostError  HostOp = "error"
	HostDebug  HostOp = "debug"
	// HostTurn counts up: what takes its turn first, of things that run at the same time, gets the smaller number. The
	// engine's core gives it, so that a run that is taken up again gives the same.
	HostTurn HostOp = "turn"
)

// AwaitMode says how an await node joins In. Values that are no promises count as fulfilled.
type AwaitMode string

// The modes (ECMAScript §27.2.4). Which rejection wins is decided by the order in which things settle.
const (
	AwaitOne        AwaitMode = "await"      // await p; one In
	AwaitAll        AwaitMode = "all"        // await Promise.all([…]): an array
	AwaitAllSettled AwaitMode = "allSettled" // await Promise.allSettled([…]): an array of {status, value|reason}
	AwaitRace       AwaitMode = "race"
	AwaitAny        AwaitMode = "any"
)

// Branch runs Then if In[0] is truthy, else Else. Its outputs are the results of the block that ran.
type Branch struct {
	Then, Else *Block
}

// Map runs Body once per element of the array In[0], all at once, as Promise.all(xs.map(async (item, index) => …)) does.
// Body's params are item and index. An item ends with Body.Results[0] or with a return that targets the map. The output is
// the array of the items' values, or of {status, value|reason} if Settled. The first item to fail makes the map throw;
// the others go on, and the run waits for them at its end.
type Map struct {
	Body    *Block
	Settled bool
}

// Loop runs Body again and again. With Each, In[0] is an array (or string: its code points) and the body's first params
// are the element and its index; without, it runs until a break. The other In are the initial values of the carried
// variables, bound to the params that follow; Body.Results, or the values of a continue, are their next values. The
// outputs are the carried variables when the loop ends, or the values of the break that ended it.
//
// An iteration may start while earlier ones are still at work, as far as data, order and gates allow.
type Loop struct {
	Each bool
	Body *Block
}

// Scope runs Body once. Its outputs are Body.Results, or the values of an exit that targets it.
type Scope struct {
	Body *Block
}

// Try runs Body; if that throws, Handler, whose params are the exception and then one value per Saved. Its outputs are
// the results of the block that completed it. They are not handed on before that is decided.
type Try struct {
	Body    *Block
	Handler *Block
	// Saved[k] lists the versions of a variable that Body changes and Handler reads, in program order.
	Saved [][]Version
}

// Version says that from node index From of a try's body on, a variable has the value Ref (seen from the body). Which one
// the handler sees is decided by the node that threw: the last version with From <= that node's index.
type Version struct {
	From int
	Ref  Ref
}

// ExitMode is how an exit node leaves.
type ExitMode string

// The modes.
const (
	ExitReturn   ExitMode = "return"
	ExitThrow    ExitMode = "throw"
	ExitBreak    ExitMode = "break"
	ExitContinue ExitMode = "continue"
)

// Exit completes abruptly with the values In: for throw the exception; for return the value, then the scope's other
// outputs; for break the loop's or scope's outputs; for continue the carried variables.
type Exit struct {
	Mode ExitMode
	// Target is the id of the node that catches it; 0 is the program. It is not used for throw.
	Target int
}

// Effect is what running the node does to the world, apart from what the nodes of its blocks do.
func (n *Node) Effect() Effect {
	switch n.Kind {
	case KindCall:
		return n.Call.Effect
	case KindScript:
		switch {
		case n.Code.Host:
			return Write
		case len(n.Code.Tools) == 0 && !n.Code.Dynamic:
			return Pure
		}
		return n.Code.Effect
	case KindHost:
		if n.Host == HostNow || n.Host == HostSleep {
			return Write
		}
	}
	return Pure
}

// Blocks lists the blocks that n owns.
func (n *Node) Blocks() []*Block {
	switch n.Kind {
	case KindBranch:
		return []*Block{n.Branch.Then, n.Branch.Else}
	case KindMap:
		return []*Block{n.Map.Body}
	case KindLoop:
		return []*Block{n.Loop.Body}
	case KindScope:
		return []*Block{n.Scope.Body}
	case KindTry:
		return []*Block{n.Try.Body, n.Try.Handler}
	}
	return nil
}

// Walk visits every node below b in program order.
func (b *Block) Walk(visit func(*Node)) {
	for _, n := range b.Nodes {
		visit(n)
		for _, inner := range n.Blocks() {
			inner.Walk(visit)
		}
	}
}
