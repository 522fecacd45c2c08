package script

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

// Options say how a Pool runs its children.
type Options struct {
	// Command starts a child: the binary and its hidden command, which calls Serve.
	Command []string
	Limits  Limits
	// Warm is how many children wait ready.
	Warm int
	// TZ is the name of the time zone that programs see; empty means the system's.
	TZ string
}

// Pool starts children ahead of time and hands them out. A child serves one run and is never used again.
type Pool struct {
	options Options
	// want asks the starter for a child.
	want  chan chan started
	close chan struct{}
	once  sync.Once
	done  sync.WaitGroup

	mu     sync.Mutex
	warm   []*process
	coming int // children being started for the warm stock
}

// started is what came of starting a child.
type started struct {
	p   *process
	err error
}

// ErrClosed is the error of a Pool or Realm that was closed.
var ErrClosed = errors.New("script: closed")

// NewPool makes a pool, which starts to warm children at once. Close it.
func NewPool(o Options) *Pool {
	o.Limits = o.Limits.withDefaults()
	p := &Pool{options: o, want: make(chan chan started), close: make(chan struct{})}
	p.done.Add(1)
	go p.starter()
	p.mu.Lock()
	p.refill()
	p.mu.Unlock()
	return p
}

// starter launches the children, all from one thread that outlives them: on Linux a child dies with the thread that
// started it.
func (p *Pool) starter() {
	defer p.done.Done()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case answer := <-p.want:
			c, err := launch(p.options)
			answer <- started{c, err}
		case <-p.close:
			return
		}
	}
}

// start has a child started; nil if the pool is closed meanwhile.
func (p *Pool) start(ctx context.Context) (*process, error) {
	answer := make(chan started, 1)
	select {
	case p.want <- answer:
		s := <-answer
		if s.err != nil {
			return nil, s.err
		}
		return s.p, s.p.hello()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-p.close:
		return nil, ErrClosed
	}
}

// refill starts what is missing from the warm stock; p.mu is held.
func (p *Pool) refill() {
	for ; len(p.warm)+p.coming < p.options.Warm; p.coming++ {
		p.done.Add(1)
		go p.warmUp()
	}
}

func (p *Pool) warmUp() {
	defer p.done.Done()
	c, err := p.start(context.Background())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.coming--
	switch {
	case err != nil: // the next Acquire will see it
	case p.closed():
		c.end()
		<-c.gone
	default:
		p.warm = append(p.warm, c)
	}
}

func (p *Pool) closed() bool {
	select {
	case <-p.close:
		return true
	default:
		return false
	}
}

// Acquire gives a fresh child for one run. The caller closes the Realm.
func (p *Pool) Acquire(ctx context.Context) (*Realm, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	c := p.takeWarm()
	if c == nil {
		var err error
		if c, err = p.start(ctx); err != nil {
			return nil, err
		}
	}
	return newHostRealm(c), nil
}

// takeWarm takes a waiting child that is alive, if there is one, and has it replaced.
func (p *Pool) takeWarm() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed() {
		return nil
	}
	defer p.refill()
	for len(p.warm) > 0 {
		c := p.warm[0]
		p.warm = p.warm[1:]
		if c.alive() {
			return c
		}
	}
	return nil
}

// Close ends the waiting children and returns when all that the pool started for itself has ended. Realms that were
// handed out are closed by those who hold them, before this.
func (p *Pool) Close() {
	p.once.Do(func() { close(p.close) })
	p.done.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.warm {
		c.end()
		<-c.gone
	}
	p.warm = nil
}
