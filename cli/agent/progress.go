package agent

import (
	"fmt"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/serve"
)

// A client hears of a run at most this often, and at least this often: clients drop calls that keep silent.
const (
	progressEvery = 500 * time.Millisecond
	aliveEvery    = 10 * time.Second
)

// progress tells a client how many calls of its run are done.
type progress struct {
	client *serve.Client
	run    string
	quit   chan struct{}
	ended  sync.WaitGroup

	mu            sync.Mutex
	started, done int
	last          nodes.ToolID
}

// watchProgress starts telling a client about a run, if it wants to hear. The caller closes it.
func watchProgress(client *serve.Client, run string) *progress {
	p := &progress{client: client, run: run, quit: make(chan struct{})}
	if client.WantsProgress() {
		p.ended.Go(p.loop)
	}
	return p
}

func (p *progress) close() {
	close(p.quit)
	p.ended.Wait()
}

// loop tells what has changed; where nothing has, a fraction grows, since the numbers must (MCP 2025-11-25, progress).
func (p *progress) loop() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	told, quiet, beats := -1, time.Now(), 0
	for {
		select {
		case <-p.quit:
			return
		case <-tick.C:
		}
		done, message := p.state()
		switch {
		case done != told:
			told, beats = done, 0
		case time.Since(quiet) < aliveEvery:
			continue
		default:
			beats++
		}
		quiet = time.Now()
		p.client.Progress(transport.Progress{Progress: float64(done) + float64(beats)/float64(beats+1), Message: message})
	}
}

func (p *progress) state() (done int, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	message = fmt.Sprintf("%s: %d calls done, %d under way", p.run, p.done, p.started-p.done)
	if p.last != "" {
		message += ", last " + string(p.last)
	}
	return p.done, message
}

// Started implements engine.Observer.
func (p *progress) Started(e engine.Event) {
	if e.Tool == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started, p.last = p.started+1, e.Tool
}

// Finished implements engine.Observer.
func (p *progress) Finished(e engine.Event, _ []value.Value, _ error) {
	if e.Tool == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
}

// observers tells several observers.
type observers []engine.Observer

// Started implements engine.Observer.
func (o observers) Started(e engine.Event) {
	for _, x := range o {
		x.Started(e)
	}
}

// Finished implements engine.Observer.
func (o observers) Finished(e engine.Event, out []value.Value, err error) {
	for _, x := range o {
		x.Finished(e, out, err)
	}
}
