package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

const (
	redrawEvery = 100 * time.Millisecond
	// quietFor is how long a run may take before anything is drawn.
	quietFor = 200 * time.Millisecond
	// mostShown is how many running tasks are named.
	mostShown = 4
)

// progress shows how a run gets on. It is the run's observer.
type progress struct {
	screen *screen
	plain  bool

	mu       sync.Mutex
	began    time.Time
	done     int
	unmet    map[int]bool // call nodes that will be reached, and have not been yet
	running  []running    // in the order in which they started
	finished chan struct{}
	drawing  sync.WaitGroup
}

// running is one task under way.
type running struct {
	path, name string
	call       bool
	since      time.Time
}

// progress starts showing progress as the flags and the terminal allow; program is nil if it is not known yet.
func (a *App) progress(f *runFlags, program *nodes.Block) *progress {
	g := &progress{screen: a.screen, plain: f.progress == "plain", began: time.Now(),
		unmet: map[int]bool{}, finished: make(chan struct{})}
	if program != nil {
		expect(program, g.unmet)
	}
	if f.progress == "auto" && a.ErrTerminal && a.getenv("TERM") != "dumb" {
		g.drawing.Go(g.redraw)
	}
	return g
}

// expect notes the calls of a block that are made whatever happens, but for failures.
func expect(b *nodes.Block, unmet map[int]bool) {
	for _, n := range b.Nodes {
		switch n.Kind {
		case nodes.KindCall:
			unmet[n.ID] = true
		case nodes.KindScope:
			expect(n.Scope.Body, unmet)
		case nodes.KindTry:
			expect(n.Try.Body, unmet)
		}
	}
}

// console shows what the program writes to its console.
func (p *progress) console(_, text string) { p.screen.write(value.ToWellFormed(text) + "\n") }

// close takes the live region away.
func (p *progress) close() {
	close(p.finished)
	p.drawing.Wait()
	p.screen.draw(nil)
}

// Started implements engine.Observer.
func (p *progress) Started(e engine.Event) {
	name := string(e.Tool)
	if name == "" {
		name = e.Node.Kind.String()
	}
	p.mu.Lock()
	delete(p.unmet, e.Node.ID)
	p.running = append(p.running, running{e.Path, name, e.Tool != "", time.Now()})
	p.mu.Unlock()
}

// Finished implements engine.Observer.
func (p *progress) Finished(e engine.Event, _ []value.Value, err error) {
	if t, ok := p.take(e.Path); ok && t.call && p.plain {
		outcome := "ok"
		switch {
		case err == engine.ErrSuspended:
			outcome = "waits for an answer"
		case err != nil:
			outcome = "failed: " + clip(err.Error(), 100)
		}
		p.screen.write(fmt.Sprintf("%-10s %-36s %8s  %s\n", t.path, t.name, milliseconds(time.Since(t.since)), outcome))
	}
}

// take removes a task from those under way.
func (p *progress) take(path string) (running, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, t := range p.running {
		if t.path == path {
			p.running = append(p.running[:i], p.running[i+1:]...)
			if t.call {
				p.done++
			}
			return t, true
		}
	}
	return running{}, false
}

func (p *progress) redraw() {
	ticker := time.NewTicker(redrawEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.finished:
			return
		case now := <-ticker.C:
			if now.Sub(p.began) >= quietFor {
				p.screen.draw(p.lines(now))
			}
		}
	}
}

// lines is what the region shows: the numbers, and what takes longest.
func (p *progress) lines(now time.Time) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.done + len(p.unmet)
	for _, t := range p.running {
		if t.call {
			calls++
		}
	}
	out := []string{fmt.Sprintf("%d/%d calls done · %s", p.done, calls, seconds(now.Sub(p.began)))}
	for i, t := range p.running {
		if i == mostShown {
			out = append(out, fmt.Sprintf("  and %d more", len(p.running)-i))
			break
		}
		out = append(out, fmt.Sprintf("  %s  %s (%s)", seconds(now.Sub(t.since)), t.name, t.path))
	}
	return out
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
}
