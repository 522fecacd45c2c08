package answer

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
)

// settle is how long nothing must have happened before the questions are all there.
const settle = 50 * time.Millisecond

// Collector is the Asker where nobody can be asked: it lets the run go on until it waits for nothing but answers, then
// ends it, so that all questions that are ready are reported together. It observes the run to know when that is.
type Collector struct {
	mu      sync.Mutex
	busy    map[string]bool // tasks under way that do not wait for an answer
	asked   []call.Question
	timer   *time.Timer
	settled chan struct{}
	once    sync.Once
}

// NewCollector makes one for one run.
func NewCollector() *Collector {
	return &Collector{busy: map[string]bool{}, settled: make(chan struct{})}
}

// Ask implements call.Asker.
func (c *Collector) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	c.change(func() {
		c.asked = append(c.asked, q)
		delete(c.busy, q.Path)
	})
	select {
	case <-c.settled:
		return call.Deny, &call.ApprovalRequired{Question: q}
	case <-ctx.Done():
		c.withdraw(q)
		return call.Deny, ctx.Err()
	}
}

// withdraw forgets a question whose call is no longer wanted. When the run ends because of the questions, they stay.
func (c *Collector) withdraw(q call.Question) {
	select {
	case <-c.settled:
	default:
		c.change(func() { c.asked = slices.DeleteFunc(c.asked, func(x call.Question) bool { return x.ID == q.ID }) })
	}
}

// Started implements engine.Observer. A script waits for its calls, so it does not count itself.
func (c *Collector) Started(e engine.Event) {
	if e.Tool == "" && e.Node.Kind == nodes.KindScript {
		c.change(func() {})
		return
	}
	c.change(func() { c.busy[e.Path] = true })
}

// Finished implements engine.Observer.
func (c *Collector) Finished(e engine.Event, _ []value.Value, _ error) {
	c.change(func() { delete(c.busy, e.Path) })
}

// change notes that something happened, and looks whether anything but questions is left when it has been quiet.
func (c *Collector) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if len(c.asked) > 0 && len(c.busy) == 0 {
		c.timer = time.AfterFunc(settle, func() { c.once.Do(func() { close(c.settled) }) })
	}
}

// Questions are those that were open at the end, in the order of their paths.
func (c *Collector) Questions() []call.Question {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.asked)
	slices.SortFunc(list, InOrder)
	return list
}

// InOrder compares questions by the place of their calls in the program.
func InOrder(x, y call.Question) int { return slices.Compare(numbers(x.Path), numbers(y.Path)) }

// numbers are the numbers in a path, by which paths are in program order.
func numbers(path string) (list []int) {
	for _, digits := range strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(digits)
		list = append(list, n)
	}
	return list
}
