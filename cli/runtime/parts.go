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
	"github.com/casys-ai/pml/planner/parcel"
	"github.com/casys-ai/pml/transport"
)

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
// all that it will. Calls are known by their path in the part's block.
type shipment struct {
	mu    sync.Mutex
	calls map[string]*shipped
	over  bool
	err   error // that of calls of which nothing was told
}

type shipped struct {
	// sent is closed when the cloud has told that the call is under way, done when it has told what it came to.
	sent, done chan struct{}
	// came is what the call came to; nil if it was not made, or err is set.
	came *transport.PartOutcome
	err  error
}

func newShipment() *shipment { return &shipment{calls: map[string]*shipped{}} }

// call is the call at a path.
func (s *shipment) call(path string) *shipped {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(path)
}

func (s *shipment) at(path string) *shipped {
	c := s.calls[path]
	if c == nil {
		c = &shipped{sent: make(chan struct{}), done: make(chan struct{})}
		s.calls[path] = c
		if s.over {
			c.settle(nil, s.err)
		}
	}
	return c
}

// settle says what a call came to; only the first time counts.
func (c *shipped) settle(came *transport.PartOutcome, err error) {
	if isDone(c.done) {
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

// came notes what a call came to, or that it is under way.
func (s *shipment) came(o transport.PartOutcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.at(o.Path)
	switch {
	case !o.Sent:
		c.settle(&o, nil)
	case !isDone(c.sent):
		close(c.sent)
	}
}

// wait waits until it is known what a call came to, and tells when it is under way.
func (c *shipped) wait(ctx context.Context, sent func()) error {
	for going := c.sent; ; {
		select {
		case <-going:
			sent()
			going = nil
		case <-c.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ended settles what is left.
func (s *shipment) ended(list []transport.PartOutcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range list {
		s.at(list[i].Path).settle(&list[i], nil)
	}
	var refused *transport.Error
	if errors.As(err, &refused) && (refused.Code == nodes.InvalidArguments || refused.Code == nodes.LimitExceeded) {
		err = nil // the part was not taken: its calls are sent one by one
	}
	s.over, s.err = true, err
	for _, c := range s.calls {
		c.settle(nil, err)
	}
}

// partWay is the way of a call that belongs to a part. One sends the part; the others find what they came to. A call that
// was not made, or with other arguments than the program turns out to give, is sent by itself.
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
	c := s.call(strings.TrimPrefix(w.task.Path, w.frame()))
	if err := c.wait(ctx, sent); err != nil {
		return call.Reply{}, err
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

// frame is what the paths of the calls begin with: the frame of the part's block.
func (w partWay) frame() string { return partFrame(w.task.Path, w.part.Depth(w.node())) }

// node is the call as the plan has it.
func (w partWay) node() *nodes.Node { return w.run.code.nodes[w.task.Node.ID] }

// shipment is the part on its way, sent now if that has not been done and this call may do it. nil if it was not sent.
func (w partWay) shipment(sent func()) *shipment {
	p := &w.run.parts
	name := w.part.Leader.Path(strings.TrimSuffix(w.frame(), "."))
	p.mu.Lock()
	defer p.mu.Unlock()
	if !w.part.Sends(w.node()) || p.sent[name] != nil {
		return p.sent[name]
	}
	if p.sent == nil {
		p.sent = map[string]*shipment{}
	}
	s := newShipment()
	p.sent[name] = s
	body, keys, ok := w.pack()
	if !ok {
		s.ended(nil, nil)
		return s
	}
	ctx, stop := context.WithCancel(w.run.ctx)
	p.stop = append(p.stop, stop)
	p.all.Go(func() {
		s.ended(w.run.session.config.Cloud.Part(ctx, transport.Part{Key: w.run.id + "/" + name + "#part", Body: body, Keys: keys,
			Sent: sent, Came: s.came}))
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
	values, err := w.part.compute(w.run.ctx, w.task.In[len(w.node().In):])
	if err != nil {
		return nil, nil, false // the call that it belongs to will say what is wrong
	}
	left := int64(w.run.session.config.Limits.Calls) - w.run.calls.Load() + 1 // this one is counted
	body, err = w.part.Encode(parcel.Sending{Values: journal.Encode(values), Key: w.run.id + "/" + w.frame(), Calls: int(max(1, left))})
	return body, keys, err == nil
}
