package runtime

import (
	"errors"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/planner/parcel"
	"github.com/casys-ai/pml/planner/syntax"
)

// compiled is a graph made ready to run: what its nodes need, by node id. It is shared by all runs of the graph.
type compiled struct {
	// run is the graph as the engine wants it.
	run   *engine.Program
	nodes []*nodes.Node
	// programs are those of expr nodes, and of the arguments of call nodes.
	programs []*expr.Program
	tools    []*nodes.Tool
	// parts are those that call nodes belong to.
	parts map[int]*part
	// scripts says that some node is a script.
	scripts bool
	err     *engine.Failure

	mu        sync.Mutex
	fragments map[*nodes.Code]*fragment
}

// compile makes the graph ready, once; cloud says that parts of it may be sent there.
func (p *Planned) compile(cloud bool) (*compiled, *engine.Failure) {
	p.once.Do(func() {
		count := p.Graph.Count + 1
		p.code = &compiled{nodes: make([]*nodes.Node, count), programs: make([]*expr.Program, count),
			tools: make([]*nodes.Tool, count), fragments: map[*nodes.Code]*fragment{}}
		graph := p.Graph
		if cloud {
			graph = parcel.Join(graph, p.code.addParts(parcel.Find(graph)))
		}
		run, err := engine.PrepareWith(graph, p.estimate)
		if p.code.run = run; err != nil {
			errors.As(err, &p.code.err)
			return
		}
		p.Graph.Root.Walk(func(n *nodes.Node) {
			p.code.nodes[n.ID] = n
			if err := p.code.add(n, p.Catalog); err != nil && p.code.err == nil {
				p.code.err = err
			}
		})
	})
	return p.code, p.code.err
}

// addParts makes parts ready, and gives those that can be sent.
func (c *compiled) addParts(found []*parcel.Part) (parts []*parcel.Part) {
	c.parts = map[int]*part{}
	for _, p := range found {
		ready := readyPart(p)
		if ready == nil {
			continue
		}
		parts = append(parts, p)
		for _, n := range p.Calls {
			c.parts[n.ID] = ready
		}
	}
	return parts
}

func (c *compiled) add(n *nodes.Node, catalog *Catalog) *engine.Failure {
	code := n.Code
	switch n.Kind {
	case nodes.KindCall:
		if c.tools[n.ID] = catalog.Tool(n.Call.Tool); c.tools[n.ID] == nil {
			return &engine.Failure{Code: nodes.UnknownTool, Message: catalog.unknown(n.Call.Tool), Node: n, Pos: n.Pos,
				Tool: n.Call.Tool}
		}
		code = n.Call.Args
	case nodes.KindExpr:
	case nodes.KindScript:
		c.scripts = true
		return nil
	default:
		return nil
	}
	if code == nil {
		return nil
	}
	program, err := expr.Compile(code)
	if err != nil {
		message := "the plan holds code that cannot be evaluated: " + err.Error()
		return &engine.Failure{Code: nodes.InternalError, Message: message, Hint: scriptHint, Node: n, Pos: n.Pos, Err: err}
	}
	c.programs[n.ID] = program
	return nil
}

// fragment is the JavaScript of a script node, with the way back to the source.
type fragment struct {
	js      string
	params  []string
	program bool
	// returns says that the result is a pair: whether the piece returned from its surroundings, and what.
	returns bool
	mapping ast.Mapping
}

// fragment composes the JavaScript of a piece, once.
func (c *compiled) fragment(g *nodes.Graph, code *nodes.Code) (*fragment, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.fragments[code]; f != nil {
		return f, nil
	}
	f, err := compose(g.Source, code)
	if err != nil {
		return nil, err
	}
	c.fragments[code] = f
	return f, nil
}

// compose makes the body of an async function that returns the list of the piece's outputs.
func compose(source string, code *nodes.Code) (*fragment, error) {
	f := &fragment{program: code.Program, returns: code.Returns}
	for _, p := range code.Params {
		f.params = append(f.params, p.Unique)
	}
	if code.Program {
		js, mapping, diags := syntax.Lower(source)
		f.js, f.mapping = js, mapping
		return f, firstError(diags)
	}
	js, mapping, err := syntax.LowerStmts(body(code))
	if err != nil {
		return nil, err
	}
	f.js, f.mapping = js, mapping
	if f.returns {
		f.js = returnsBefore + js + returnsAfter
		f.mapping = mapping.Shift(returnsLines)
	}
	return f, nil
}

func firstError(diags []nodes.Diagnostic) error {
	for _, d := range diags {
		if d.Severity == nodes.SeverityError {
			return &engine.Failure{Code: d.Code, Message: d.Message, Hint: d.Hint, Pos: d.Pos}
		}
	}
	return nil
}

// A piece that may return from its surroundings runs in a function of its own: if it comes to its end, outputs is set.
const (
	outputsName   = "$outputs"
	returnsBefore = "let $outputs;\nconst $returned = await (async () => {\n"
	returnsLines  = 2
	returnsAfter  = "\n})();\nreturn $outputs ? [false, $outputs] : [true, $returned];"
)

// body is the statements of a piece, with those around them that declare what is free and hand the outputs on.
func body(code *nodes.Code) []ast.Stmt {
	var list []ast.Stmt
	if fresh := code.Fresh(); len(fresh) > 0 {
		decl := &ast.VarDecl{Kind: ast.DeclLet}
		for _, s := range fresh {
			decl.Decls = append(decl.Decls, ast.Declarator{Target: &ast.Ident{Sym: s}})
		}
		list = append(list, decl)
	}
	list = append(list, code.Body...)
	outputs := &ast.Array{}
	if code.Result != nil {
		outputs.Elems = append(outputs.Elems, code.Result)
	}
	for _, s := range code.Vars {
		outputs.Elems = append(outputs.Elems, &ast.Ident{Sym: s})
	}
	if !code.Returns {
		return append(list, &ast.Return{X: outputs})
	}
	target := &ast.Ident{Sym: &ast.Symbol{Name: outputsName, Unique: outputsName}}
	return append(list, &ast.ExprStmt{X: &ast.Assign{Op: "=", Target: target, Value: outputs}})
}
