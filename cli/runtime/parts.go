package runtime

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/planner/parcel"
	"github.com/casys-ai/pml/transport"
)

// part is a part with the programs of what goes along with it.
type part struct {
	*parcel.Part
	values []*expr.Program
}

// compute computes what goes along, from the inputs of the part.
func (p *part) compute(ctx context.Context, in []value.Value) ([]value.Value, error) {
	out := make([]value.Value, len(p.values))
	for k, program := range p.values {
		var own []value.Value
		for _, i := range p.Values[k].In {
			own = append(own, in[i])
		}
		v, err := program.RunContext(ctx, own)
		if err != nil {
			return nil, err
		}
		out[k] = v[0]
	}
	return out, nil
}

// parts are the parts of a run that were sent to the cloud, by the path of their leaders.
type parts struct {
	mu   sync.Mutex
	sent map[string]*shipment
	stop []context.CancelFunc
	all  sync.WaitGroup
}

// close calls off what is under way, and waits for it.
func (p *parts) close() {
	p.mu.Lock()
	for _, stop := range p.stop {
		stop()
	}
	p.mu.Unlock()
	p.all.Wait()
}

// shipment is one part on its way. Each of its calls is settled once: when the cloud tells what it came to, or has said
// all that it will.
type shipment struct {
	mu    sync.Mutex
	calls map[int]*shipped
}

type shipped struct {
	done chan struct{}
	// came is what the call came to; nil if it was not made, or err is set.
	came *transport.PartOutcome
	err  error
}

func newShipment(p *parcel.Part) *shipment {
	s := &shipment{calls: map[int]*shipped{}}
	for _, n := range p.Calls {
		s.calls[n.ID] = &shipped{done: make(chan struct{})}
	}
	return s
}

// settle says what a call came to; only the first time counts.
func (s *shipment) settle(id int, came *transport.PartOutcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil || isDone(c.done) {
		return
	}
	c.came, c.err = came, err
	close(c.done)
}

func isDone(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// ended settles what is left.
func (s *shipment) ended(list []transport.PartOutcome, err error) {
	for i := range list {
		s.settle(list[i].ID, &list[i], nil)
	}
	var refused *transport.Error
	if errors.As(err, &refused) && (refused.Code == nodes.InvalidArguments || refused.Code == nodes.LimitExceeded) {
		err = nil // the part was not taken: its calls are sent one by one
	}
	for id := range s.calls {
		s.settle(id, nil, err)
	}
}

// partWay is the way of a call that belongs to a part. Its leader sends the part; the others find what they came to. A
// call that was not made, or with other arguments than the program turns out to give, is sent by itself.
type partWay struct {
	cloudWay
	part *part
	task engine.Task
}

// Call implements call.Transport.
func (w partWay) Call(ctx context.Context, server, tool string, args []byte, sent func()) (call.Reply, error) {
	s := w.shipment(sent)
	if s == nil {
		return w.cloudWay.Call(ctx, server, tool, args, sent)
	}
	c := s.calls[w.task.Node.ID]
	select {
	case <-c.done:
	case <-ctx.Done():
		return call.Reply{}, ctx.Err()
	}
	switch {
	case c.err != nil:
		return w.run.session.secrets.answer(ReplyOf(nil, c.err))
	case c.came == nil || c.came.Digest != transport.ArgsDigest(args):
		return w.cloudWay.Call(ctx, server, tool, args, sent)
	}
	sent()
	return w.run.session.secrets.answer(ReplyOf(c.came.Outcome(w.request.Tool.ID)))
}

// shipment is the part on its way: the leader sends it. nil if it was not sent.
func (w partWay) shipment(sent func()) *shipment {
	p := &w.run.parts
	leader := w.part.Leader.Path(frameOf(w.task.Path))
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.task.Node.ID != w.part.Leader.ID || p.sent[leader] != nil {
		return p.sent[leader]
	}
	body, keys, ok := w.pack()
	if !ok {
		return nil
	}
	if p.sent == nil {
		p.sent = map[string]*shipment{}
	}
	s := newShipment(w.part.Part)
	p.sent[leader] = s
	ctx, stop := context.WithCancel(w.run.ctx)
	p.stop = append(p.stop, stop)
	p.all.Go(func() {
		s.ended(w.run.session.config.Cloud.Part(ctx, transport.Part{Key: w.run.id + "/" + leader + "#part", Body: body, Keys: keys,
			Sent: sent, Came: func(o transport.PartOutcome) { s.settle(o.ID, &o, nil) }}))
	})
	return s
}

// pack writes the part, with the user's own keys for its tools. false: it cannot be sent as a whole.
func (w partWay) pack() (body []byte, keys map[string]string, ok bool) {
	keys = map[string]string{}
	for _, n := range w.part.Calls {
		own, fault := w.run.session.keysOf(w.run.code.tools[n.ID])
		if fault != nil {
			return nil, nil, false
		}
		for name, key := range own {
			keys[name] = key
		}
	}
	frame := frameOf(w.task.Path)
	values, err := w.part.compute(w.run.ctx, w.task.In[len(w.part.Leader.In):])
	if err != nil {
		return nil, nil, false // the call that it belongs to will say what is wrong
	}
	body, err = w.part.Encode(journal.Encode(values), func(n *nodes.Node) string { return w.run.id + "/" + n.Path(frame) })
	return body, keys, err == nil
}

// frameOf is the path of the frame that a task stands in.
func frameOf(path string) string {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)]
}
