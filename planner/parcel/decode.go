package parcel

import (
	"encoding/json"
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/planner/syntax"
)

// Parcel is a part as it arrived: a graph of its own, whose args are the list of the values that go along.
type Parcel struct {
	Graph *nodes.Graph
	// Values are what goes along, as the sender has written it.
	Values []byte
	// Calls are its calls by the id of their node in Graph.
	Calls map[int]Call
}

// Call is a call of a Parcel.
type Call struct {
	// ID is the id of its node in the sender's graph, Key its name.
	ID  int
	Key string
}

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
	d := &decoder{in: &in, functions: functions, out: &Parcel{Values: in.Values, Calls: map[int]Call{}}, outs: len(body)}
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
}

// graph makes the graph: the values are taken apart first, then come the items.
func (d *decoder) graph() error {
	root := &nodes.Block{Params: []string{"args"}}
	g := &nodes.Graph{Root: root, Count: 1 + len(d.in.Items)}
	code, err := d.next(&funcJSON{})
	if err != nil {
		return err
	}
	first := &nodes.Node{ID: 1, Kind: nodes.KindExpr, In: []nodes.Ref{nodes.Param(0)}, Code: code,
		Outs: make([]string, len(code.Vars))}
	root.Nodes = append(root.Nodes, first)
	for k := range d.in.Items {
		n, err := d.node(k)
		if err != nil {
			return err
		}
		root.Nodes = append(root.Nodes, n)
	}
	if err := nodes.Check(g); err != nil {
		return fmt.Errorf("the part is not sound: %w", err)
	}
	d.out.Graph = g
	return nil
}

// node makes the node of item k.
func (d *decoder) node(k int) (*nodes.Node, error) {
	item := &d.in.Items[k]
	if item.Outs < 0 || item.Outs > d.outs {
		return nil, fmt.Errorf("item %d has %d outputs", k, item.Outs)
	}
	d.outs -= item.Outs
	n := &nodes.Node{ID: k + 2, Async: item.Async, Gate: item.Gate, Outs: make([]string, item.Outs), Await: item.Await}
	for _, r := range item.In {
		n.In = append(n.In, nodes.Ref{Node: r.Item + 1, Out: r.Out})
	}
	for _, a := range item.After {
		n.After = append(n.After, nodes.After{Node: a.Item + 1, Port: a.Port, Reason: "order"})
	}
	var code *nodes.Code
	if item.Func != nil {
		var err error
		if code, err = d.next(item.Func); err != nil {
			return nil, err
		}
	}
	switch {
	case item.Tool != "":
		n.Kind = nodes.KindCall
		n.Call = &nodes.Call{Tool: item.Tool, Args: code, Effect: item.Effect, Route: nodes.Server, Permission: nodes.Allow}
		d.out.Calls[n.ID] = Call{item.ID, item.Key}
	case item.Await != "":
		n.Kind = nodes.KindAwait
	default:
		n.Kind, n.Code = nodes.KindExpr, code
	}
	return n, nil
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
