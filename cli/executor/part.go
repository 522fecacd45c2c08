package executor

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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

	mu    sync.Mutex
	list  []transport.PartOutcome
	calls int
	bytes int
}

// mostBytes is how much what the calls of a part came to may be. The sender makes the others one by one.
const mostBytes = 8 << 20

// way is the way of the call at a path.
func (p *partCalls) way(path string) call.Transport {
	at := p.parcel.Path(path)
	if !p.may() {
		return refusing{}
	}
	return way{executor: p.executor, caller: p.caller, key: p.parcel.Key(at),
		going: func() { p.came(transport.PartOutcome{Path: at, Sent: true}) },
		came:  func(args []byte, r *transport.Result, err error) { p.note(at, args, r, err) }}
}

// may counts a call, and reports whether it may be made.
func (p *partCalls) may() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	return (p.parcel.Calls == 0 || p.calls <= p.parcel.Calls) && p.bytes <= mostBytes
}

// refusing makes no call.
type refusing struct{}

// Call implements call.Transport.
func (refusing) Call(context.Context, string, string, []byte, func()) (call.Reply, error) {
	return call.Reply{}, &transport.Error{Code: nodes.LimitExceeded, Message: "the part has made as many calls as it may"}
}

// note keeps what a call came to, unless it was called off: then that is not known.
func (p *partCalls) note(path string, args []byte, r *transport.Result, err error) {
	o := transport.PartOutcome{Path: path, Digest: transport.ArgsDigest(args)}
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
	p.bytes += len(o.Result)
	p.mu.Unlock()
	p.came(o)
}

func (p *partCalls) outcomes() []transport.PartOutcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}
