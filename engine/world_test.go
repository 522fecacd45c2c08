package engine

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// world is what the tasks of a random program act on. What a task does depends on its node, its inputs and the state of
// the one resource that it touches: any wrong order shows in a value or in the final state.
type world struct {
	g     *generator
	state map[string]uint64
}

func newWorld(g *generator) *world { return &world{g: g, state: map[string]uint64{}} }

func mix(parts ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, parts...)
	return h.Sum64()
}

// resource is what a call touches: for "n7" something that belongs to the item of map 7 that path names.
func resource(n *nodes.Node, path string) string {
	s := n.Call.Scopes[0]
	if s[0] == 'g' {
		return s
	}
	at := strings.Index("."+path, "."+s+"[")
	return path[:at+strings.IndexByte(path[at:], ']')+1]
}

// run does what the task is there for.
func (w *world) run(n *nodes.Node, path string, in []value.Value) ([]value.Value, error) {
	seen := mix(n.ID, texts(in))
	if w.fails(n, path, seen) {
		return nil, &value.Throw{Value: value.NewError("ToolError", path+" failed")}
	}
	if n.Kind == nodes.KindScript {
		if n.Code.Returns && seen%3 == 0 {
			return nil, &Return{Value: num(seen)}
		}
		return []value.Value{num(seen)}, nil
	}
	key := resource(n, path)
	now := mix(w.state[key], seen)
	if n.Call.Effect == nodes.Write {
		w.state[key] = now
	}
	return []value.Value{num(now)}, nil
}

// fails says whether a task fails; in a map only in one item.
func (w *world) fails(n *nodes.Node, path string, seen uint64) bool {
	if !w.g.mayFail[n] || seen%uint64(w.g.faulty) != 0 {
		return false
	}
	return w.chosen(n, path)
}

func (w *world) chosen(n *nodes.Node, path string) bool {
	for _, m := range w.g.maps[n] {
		if !m.Map.Settled && !strings.Contains("."+path, fmt.Sprintf(".n%d[%d]", m.ID, m.ID%3)) {
			return false
		}
	}
	return true
}

// eval computes an expr node; it does not know its path, so only exprs outside of maps fail.
func (w *world) Eval(id int, in []value.Value) ([]value.Value, error) {
	return w.eval(w.g.byID[id], in)
}

func (w *world) eval(n *nodes.Node, in []value.Value) ([]value.Value, error) {
	seen := mix(n.ID, texts(in))
	switch n.Label {
	case "zero":
		return []value.Value{value.Number(0)}, nil
	case "inc":
		return []value.Value{in[0].(value.Number) + 1}, nil
	case "enough":
		return []value.Value{value.Bool(in[0].(value.Number) > 4)}, nil
	case "array":
		elems := make([]value.Value, seen%5)
		for i := range elems {
			elems[i] = num(seen + uint64(i))
		}
		return []value.Value{value.NewArray(elems...)}, nil
	}
	if w.g.mayFail[n] && len(w.g.maps[n]) == 0 && seen%uint64(w.g.faulty) == 0 {
		return nil, &value.Throw{Value: value.NewError("TypeError", fmt.Sprint("n", n.ID, " threw"))}
	}
	return []value.Value{num(seen)}, nil
}

func num(x uint64) value.Value { return value.Number(x % 7) }

func texts(in []value.Value) string {
	var s strings.Builder
	for _, v := range in {
		s.WriteString(text(v) + ",")
	}
	return s.String()
}

// text is a value as the tests compare it.
func text(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case *value.Error:
		return v.Name + ":" + v.Message
	case *value.Array:
		return "[" + texts(v.Elems) + "]"
	case *value.Object:
		s := "{"
		for k, x := range v.All() {
			s += k + ":" + text(x) + ","
		}
		return s + "}"
	}
	s, _ := value.ToString(v)
	return s
}
