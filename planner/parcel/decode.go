package parcel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/planner/syntax"
)

// Parcel is a part as it arrived: a graph of its own, whose args are the list of the values that go along.
type Parcel struct {
	Graph *nodes.Graph
	// Values are what goes along, as the sender has written it.
	Values []byte
	// Calls is how many calls may be made; 0 for any number.
	Calls int

	key string
	ids []int // of a node, its id in the sender's graph
}

// Path is where the sender has the node at a path of Graph, in the part's block; Key names the call there.
func (p *Parcel) Path(path string) string {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		name, index, inList := strings.Cut(step, "[")
		id, err := strconv.Atoi(strings.TrimPrefix(name, "n"))
		if err != nil || id < 0 || id >= len(p.ids) {
			continue
		}
		steps[i] = "n" + strconv.Itoa(p.ids[id])
		if inList {
			steps[i] += "[" + index
		}
	}
	return strings.Join(steps, ".")
}

// Key is the key of the call whose Path this is.
func (p *Parcel) Key(path string) string { return p.key + path }

// Decode reads a part. Everything in it is checked: it comes from outside.
func Decode(body []byte) (*Parcel, error) {
	var in partJSON
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("no part: %w", err)
	}
	if in.Version != Version {
		return nil, fmt.Errorf("the part has version %d, and %d is understood", in.Version, Version)
	}
	functions, err := functionsOf(in.Code)
	if err != nil {
		return nil, err
	}
	d := &decoder{in: &in, functions: functions, out: &Parcel{Values: in.Values, Calls: in.Calls, key: in.Key, ids: []int{0}},
		outs: len(body)}
	if err := d.graph(); err != nil {
		return nil, err
	}
	return d.out, nil
}

type decoder struct {
	in        *partJSON
	functions []*ast.FunctionExpr
	out       *Parcel
	// outs is how many outputs items may still have: no more than the part has bytes.
	outs int
	// around are the control nodes that enclose the item at hand.
	around []*nodes.Node
}

// mostDeep is how deep blocks may stand in each other.
const mostDeep = 64

// graph makes the graph: the values are taken apart first, then come the items.
func (d *decoder) graph() error {
	root := &nodes.Block{Params: []string{"args"}}
	code, err := d.next(&funcJSON{})
	if err != nil {
		return err
	}
	first := &nodes.Node{ID: d.id(0), Kind: nodes.KindExpr, In: []nodes.Ref{nodes.Param(0)}, Code: code,
		Outs: make([]string, len(code.Vars))}
	root.Nodes = append(root.Nodes, first)
	if err := d.items(root, d.in.Items); err != nil {
		return err
	}
	g := &nodes.Graph{Root: root, Count: len(d.out.ids) - 1}
	if err := nodes.Check(g); err != nil {
		return fmt.Errorf("the part is not sound: %w", err)
	}
	d.out.Graph = g
	return nil
}

// id gives the next node its id, and notes the sender's.
func (d *decoder) id(theirs int) int {
	d.out.ids = append(d.out.ids, theirs)
	return len(d.out.ids) - 1
}

func (d *decoder) items(b *nodes.Block, items []itemJSON) error {
	for k := range items {
		n, err := d.node(&items[k])
		if err != nil {
			return fmt.Errorf("item %d: %w", k, err)
		}
		b.Nodes = append(b.Nodes, n)
	}
	return nil
}

// node makes the node of an item.
func (d *decoder) node(item *itemJSON) (*nodes.Node, error) {
	if item.Outs < 0 || item.Outs > d.outs {
		return nil, fmt.Errorf("it has %d outputs", item.Outs)
	}
	d.outs -= item.Outs
	n := &nodes.Node{ID: d.id(item.ID), Kind: item.Kind, Async: item.Async, Gate: item.Gate, Outs: make([]string, item.Outs)}
	for _, r := range item.In {
		n.In = append(n.In, d.ref(r))
	}
	for _, a := range item.After {
		to := d.ref(refJSON{Up: a.Up, Item: a.Item})
		if a.Prev {
			to.Node = -1
		}
		n.After = append(n.After, nodes.After{Up: a.Up, Node: to.Node, Prev: a.Prev, Port: a.Port, Reason: "order"})
	}
	var code *nodes.Code
	if item.Func != nil {
		var err error
		if code, err = d.next(item.Func); err != nil {
			return nil, err
		}
	}
	return n, d.kind(n, item, code)
}

// ref reads a ref: before the items of the part stands the node that takes the values apart.
func (d *decoder) ref(r refJSON) nodes.Ref {
	if r.Up == len(d.around) {
		r.Item++
	}
	return nodes.Ref{Up: r.Up, Node: r.Item, Out: r.Out}
}

// kind fills in what a node of its kind has.
func (d *decoder) kind(n *nodes.Node, item *itemJSON, code *nodes.Code) error {
	want := map[nodes.Kind]int{nodes.KindBranch: 2, nodes.KindMap: 1, nodes.KindLoop: 1, nodes.KindScope: 1}
	if len(item.Blocks) != want[n.Kind] || want[n.Kind] > 0 && n.Async {
		return fmt.Errorf("a %d node with %d blocks", n.Kind, len(item.Blocks))
	}
	blocks, err := d.blocks(n, item.Blocks)
	if err != nil {
		return err
	}
	switch n.Kind {
	case nodes.KindCall:
		n.Call = &nodes.Call{Tool: item.Tool, Args: code, Effect: item.Effect, Route: nodes.Server, Permission: nodes.Allow}
	case nodes.KindExpr:
		n.Code = code
	case nodes.KindAwait:
		n.Await = item.Await
	case nodes.KindBranch:
		n.Branch = &nodes.Branch{Then: blocks[0], Else: blocks[1]}
	case nodes.KindMap:
		n.Map = &nodes.Map{Body: blocks[0], Settled: item.Settled}
	case nodes.KindLoop:
		n.Loop = &nodes.Loop{Each: item.Each, Body: blocks[0]}
		if len(n.In) != carriedAt(n)+len(n.Outs) {
			return fmt.Errorf("a loop that carries %d values and begins with %d", len(n.Outs), len(n.In))
		}
	case nodes.KindScope:
		n.Scope = &nodes.Scope{Body: blocks[0]}
	case nodes.KindExit:
		return d.exit(n, item)
	default:
		return fmt.Errorf("a node of kind %d", n.Kind)
	}
	return nil
}

func (d *decoder) blocks(n *nodes.Node, list []blockJSON) (blocks []*nodes.Block, err error) {
	d.around = append(d.around, n)
	defer func() { d.around = d.around[:len(d.around)-1] }()
	if len(d.around) > mostDeep {
		return nil, fmt.Errorf("blocks stand deeper than %d", mostDeep)
	}
	for _, in := range list {
		if in.Params < 0 || in.Params > d.outs {
			return nil, fmt.Errorf("a block has %d params", in.Params)
		}
		d.outs -= in.Params
		b := &nodes.Block{Params: make([]string, in.Params)}
		if err := d.items(b, in.Items); err != nil {
			return nil, err
		}
		for _, r := range in.Results {
			b.Results = append(b.Results, d.ref(r))
		}
		if want, ok := map[nodes.Kind]int{nodes.KindMap: 2, nodes.KindBranch: 0, nodes.KindScope: 0}[n.Kind]; ok && in.Params != want {
			return nil, fmt.Errorf("a block has %d params, want %d", in.Params, want)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// exit reads where an exit goes to, and checks that it brings what is wanted there.
func (d *decoder) exit(n *nodes.Node, item *itemJSON) error {
	n.Exit = &nodes.Exit{Mode: item.Exit}
	want, loop := 1, false // a throw, and a return from the part, bring one value
	if item.Exit != nodes.ExitThrow && item.Target != 0 {
		at := slices.IndexFunc(d.around, func(o *nodes.Node) bool { return d.out.ids[o.ID] == item.Target })
		if at < 0 {
			return fmt.Errorf("an exit to what is not around it")
		}
		to := d.around[at]
		n.Exit.Target, want, loop = to.ID, len(to.Outs), to.Kind == nodes.KindLoop
		if to.Kind == nodes.KindBranch {
			return fmt.Errorf("an exit to a branch")
		}
	}
	leaves := item.Exit == nodes.ExitBreak || item.Exit == nodes.ExitContinue
	switch {
	case len(n.In) != want:
		return fmt.Errorf("an exit with %d values, want %d", len(n.In), want)
	case item.Exit == nodes.ExitContinue && !loop || item.Exit == nodes.ExitReturn && loop || leaves && n.Exit.Target == 0:
		return fmt.Errorf("a %s to what does not take it", item.Exit)
	case !leaves && item.Exit != nodes.ExitReturn && item.Exit != nodes.ExitThrow:
		return fmt.Errorf("an exit of mode %q", item.Exit)
	}
	return nil
}

// next takes the next function.
func (d *decoder) next(f *funcJSON) (*nodes.Code, error) {
	if len(d.functions) == 0 {
		return nil, fmt.Errorf("the part has too few functions")
	}
	fn := d.functions[0]
	d.functions = d.functions[1:]
	code := &nodes.Code{Owned: f.Owned, Touched: f.Touched}
	for _, p := range fn.Params {
		id, ok := p.Target.(*ast.Ident)
		if !ok || p.Default != nil || p.Rest {
			return nil, fmt.Errorf("a function of the part takes what is no plain name")
		}
		code.Params = append(code.Params, id.Sym)
	}
	last := len(fn.Body) - 1
	if last < 0 {
		return nil, fmt.Errorf("a function of the part is empty")
	}
	ret, _ := fn.Body[last].(*ast.Return)
	if ret == nil {
		return nil, fmt.Errorf("a function of the part returns nothing")
	}
	outputs, ok := ret.X.(*ast.Array)
	if !ok {
		return nil, fmt.Errorf("a function of the part returns no list")
	}
	code.Body = fn.Body[:last]
	return code, split(code, outputs.Elems, f.Result)
}

// split tells the result of a piece from the variables that it hands on.
func split(code *nodes.Code, outputs []ast.Expr, result bool) error {
	if result {
		if len(outputs) == 0 {
			return fmt.Errorf("a function of the part has no result")
		}
		code.Result, outputs = outputs[0], outputs[1:]
	}
	for _, x := range outputs {
		switch x := x.(type) {
		case *ast.Ident:
			code.Vars = append(code.Vars, x.Sym)
		case *ast.Undefined: // a part without inputs
		default:
			return fmt.Errorf("a function of the part hands on what is no variable")
		}
	}
	return nil
}

// functionsOf parses the code of a part.
func functionsOf(code string) ([]*ast.FunctionExpr, error) {
	program, diags := syntax.Parse(code)
	for _, d := range diags {
		if d.Severity == nodes.SeverityError {
			return nil, fmt.Errorf("the code of the part cannot be read: %s", d.Message)
		}
	}
	if len(program.Body) != 1 {
		return nil, fmt.Errorf("the code of the part is no list of functions")
	}
	ret, _ := program.Body[0].(*ast.Return)
	if ret == nil {
		return nil, fmt.Errorf("the code of the part is no list of functions")
	}
	list, ok := ret.X.(*ast.Array)
	if !ok {
		return nil, fmt.Errorf("the code of the part is no list of functions")
	}
	var out []*ast.FunctionExpr
	for _, x := range list.Elems {
		f, ok := x.(*ast.FunctionExpr)
		if !ok || f.Async || f.Generator {
			return nil, fmt.Errorf("the code of the part holds what is no plain function")
		}
		out = append(out, f)
	}
	return out, nil
}
