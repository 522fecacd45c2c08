package engine

import (
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes/value"
)

// room is where the small things come from that a Runner or a trace may hold on to when the task has ended: cut from
// larger pieces, which costs a fraction of an allocation each, and given back to nobody.
type room struct {
	contexts []taskContext
	values   []value.Value
	paths    strings.Builder
}

// How much a piece holds. What is held on to keeps the rest of its piece, so pieces are small.
const (
	roomContexts = 16
	roomValues   = 64
	roomPaths    = 1024
)

func (r *room) context() *taskContext {
	if len(r.contexts) == 0 {
		r.contexts = make([]taskContext, roomContexts)
	}
	c := &r.contexts[0]
	r.contexts = r.contexts[1:]
	return c
}

// list gives an empty list with room for n values.
func (r *room) list(n int) []value.Value {
	if n > roomValues/4 {
		return make([]value.Value, 0, n)
	}
	if n > len(r.values) {
		r.values = make([]value.Value, roomValues)
	}
	l := r.values[:0:n]
	r.values = r.values[n:]
	return l
}

// path is the path of node i of f, as nodes.Node.Path makes it. What a Builder has written once stays as it is.
func (r *room) path(f *frame, i int32) string {
	parent := f.pathOf()
	if need := len(parent) + len(".n") + 10; r.paths.Cap()-r.paths.Len() < need {
		r.paths = strings.Builder{}
		r.paths.Grow(max(need, roomPaths))
	}
	from := r.paths.Len()
	if parent != "" {
		r.paths.WriteString(parent)
		r.paths.WriteByte('.')
	}
	r.paths.WriteByte('n')
	var digits [10]byte
	r.paths.Write(strconv.AppendInt(digits[:0], int64(f.b.info[i].id), 10))
	return r.paths.String()[from:]
}
