package executor

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/parcel"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/gateway"
)

// Part implements gateway.Executor: the part is a graph, and runs as one. What its calls came to is the answer; how the
// run as such ended is not, for the sender finds that out by itself.
func (e *Executor) Part(ctx context.Context, c gateway.Caller, body []byte, came func(transport.PartOutcome)) ([]transport.PartOutcome, error) {
	p, err := parcel.Decode(body)
	if err != nil {
		return nil, refused(err)
	}
	inputs, err := journal.Decode(p.Values, nil)
	if err != nil {
		return nil, refused(err)
	}
	calls := &partCalls{executor: e, caller: c, parcel: p, came: came}
	e.session.Run(ctx, &runtime.Planned{Graph: p.Graph, Catalog: e.catalog.With(e.offered(ctx, c))}, value.NewArray(inputs...),
		runtime.RunOptions{Cloud: calls.way})
	return calls.outcomes(), nil
}

// refused is the error of a part that is not understood: the sender calls one by one then.
func refused(err error) error {
	return &transport.Error{Code: nodes.InvalidArguments, Message: err.Error()}
}

// partCalls makes the calls of a part and notes what they came to.
type partCalls struct {
	executor *Executor
	caller   gateway.Caller
	parcel   *parcel.Parcel
	came     func(transport.PartOutcome)

	mu   sync.Mutex
	list []transport.PartOutcome
}

// way is the way of the call at a path: all stand in the root block.
func (p *partCalls) way(path string) call.Transport {
	id, _ := strconv.Atoi(strings.TrimPrefix(path, "n"))
	made := p.parcel.Calls[id]
	return way{executor: p.executor, caller: p.caller, key: made.Key,
		came: func(args []byte, r *transport.Result, err error) { p.note(made.ID, args, r, err) }}
}

// note keeps what a call came to, unless it was called off: then that is not known.
func (p *partCalls) note(id int, args []byte, r *transport.Result, err error) {
	o := transport.PartOutcome{ID: id, Digest: transport.ArgsDigest(args)}
	var e *transport.Error
	switch {
	case errors.Is(err, context.Canceled) || errors.As(err, &e) && e.Code == nodes.Cancelled:
		return
	case e != nil:
		o.Code, o.Error = e.Code, e.Message
	case err != nil:
		o.Code, o.Error = nodes.ServerError, err.Error()
	default:
		o.Result = json.RawMessage(r.JSON())
	}
	p.mu.Lock()
	p.list = append(p.list, o)
	p.mu.Unlock()
	p.came(o)
}

func (p *partCalls) outcomes() []transport.PartOutcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}
