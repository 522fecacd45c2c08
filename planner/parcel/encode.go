package parcel

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// Version is the version of the bytes. Whoever gets another one refuses them, and the calls are sent one by one.
const Version = 1

// The bytes of a part: JSON.
type (
	partJSON struct {
		Version int `json:"version"`
		// Values are what goes along, as the caller has written it; Inputs is how many there are.
		Values []byte `json:"values"`
		Inputs int    `json:"inputs"`
		// Code is the code of all items: a program that returns the list of their functions.
		Code  string     `json:"code"`
		Items []itemJSON `json:"items"`
	}
	itemJSON struct {
		// ID and Key name a call: its node, and the call among all of its scope.
		ID     int             `json:"id,omitempty"`
		Key    string          `json:"key,omitempty"`
		Tool   nodes.ToolID    `json:"tool,omitempty"`
		Effect nodes.Effect    `json:"effect,omitempty"`
		Await  nodes.AwaitMode `json:"await,omitempty"`
		Async  bool            `json:"async,omitempty"`
		Gate   nodes.Gate      `json:"gate,omitempty"`
		In     []refJSON       `json:"in,omitempty"`
		Outs   int             `json:"outs"`
		After  []afterJSON     `json:"after,omitempty"`
		Func   *funcJSON       `json:"func,omitempty"`
	}
	// refJSON names output Out of an item, or value Out if Item is -1.
	refJSON struct {
		Item int `json:"item"`
		Out  int `json:"out"`
	}
	afterJSON struct {
		Item int        `json:"item"`
		Port nodes.Port `json:"port"`
	}
	// funcJSON says what the function of an item is.
	funcJSON struct {
		Result  bool   `json:"result,omitempty"`
		Owned   []bool `json:"owned,omitempty"`
		Touched []bool `json:"touched,omitempty"`
	}
)

// Encode writes a part. values are its Values, written in a way that whoever decodes it reads; key names each of its calls.
func (p *Part) Encode(values []byte, key func(n *nodes.Node) string) ([]byte, error) {
	out := partJSON{Version: Version, Values: values, Inputs: len(p.Values)}
	place := map[int]int{} // of an index in the block, the item
	code := []string{unpack(len(p.Values))}
	for k, i := range p.items {
		place[i] = k
		n := p.block.Nodes[i]
		item := itemJSON{Async: n.Async, Gate: n.Gate, Outs: len(n.Outs), Await: n.Await}
		c := n.Code
		if n.Kind == nodes.KindCall {
			item.ID, item.Key, item.Tool, item.Effect = n.ID, key(n), n.Call.Tool, n.Call.Effect
			c = p.args[i].code
			for _, s := range p.args[i].in {
				item.In = append(item.In, s.json(place))
			}
		} else {
			for _, r := range n.In {
				item.In = append(item.In, source{-1, r}.json(place))
			}
		}
		for _, a := range n.After {
			if to, ok := place[a.Node]; ok && a.Up == 0 && !a.Prev {
				item.After = append(item.After, afterJSON{to, a.Port})
			}
		}
		if c != nil {
			item.Func = &funcJSON{Result: c.Result != nil, Owned: c.Owned, Touched: c.Touched}
			code = append(code, function(c))
		}
		out.Items = append(out.Items, item)
	}
	out.Code = "return [\n" + strings.Join(code, ",\n") + "\n];\n"
	return json.Marshal(out)
}

// json names a value as an item sees it; place gives the items of nodes.
func (s source) json(place map[int]int) refJSON {
	if s.value >= 0 {
		return refJSON{-1, s.value}
	}
	return refJSON{place[s.ref.Node], s.ref.Out}
}

// function is a piece of code as a JavaScript function from its inputs to the list of its outputs.
func function(c *nodes.Code) string {
	var params, outputs []string
	for _, s := range c.Params {
		params = append(params, s.Unique)
	}
	var fresh strings.Builder
	for _, s := range c.Fresh() {
		fmt.Fprintf(&fresh, "let %s;\n", s.Unique)
	}
	if c.Result != nil {
		outputs = append(outputs, "("+ast.PrintExpr(c.Result)+")")
	}
	for _, s := range c.Vars {
		outputs = append(outputs, s.Unique)
	}
	return fmt.Sprintf("function (%s) {\n%s%sreturn [%s];\n}", strings.Join(params, ", "), fresh.String(),
		ast.PrintStmts(c.Body), strings.Join(outputs, ", "))
}

// unpack is the function that takes the list of inputs apart.
func unpack(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("$in[%d]", i))
	}
	if n == 0 {
		return "function ($in) {\nreturn [undefined];\n}"
	}
	var lets, outputs []string
	for i, text := range list {
		lets = append(lets, fmt.Sprintf("const $%d = %s;\n", i, text))
		outputs = append(outputs, fmt.Sprintf("$%d", i))
	}
	return fmt.Sprintf("function ($in) {\n%sreturn [%s];\n}", strings.Join(lets, ""), strings.Join(outputs, ", "))
}
