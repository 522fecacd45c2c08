package script

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Serve is the child side: it gives up the process's rights, builds a realm and executes what comes over in, until in
// ends. It must have the process for itself, and exits it when a limit is passed that nothing else can stop.
func Serve(in io.Reader, out io.Writer) error {
	runtime.GOMAXPROCS(2)
	debug.SetMaxStack(maxNativeStack)
	debug.SetTraceback("none")
	debug.SetGCPercent(400)
	c := &child{out: &frameWriter{w: out}, die: exit}
	first, err := readFrame(in, 0)
	if err != nil {
		return err
	}
	if first.Type != typeInit || first.Limits == nil {
		return fmt.Errorf("script child: expected init, got %q", first.Type)
	}
	c.limits = first.Limits.withDefaults()
	debug.SetMemoryLimit(c.limits.Memory - c.limits.Memory/10)
	_, _ = time.Now().Zone() // reads the time zone's file while there still are files
	if err := confine(c.limits); err != nil {
		return fmt.Errorf("script child: %w", err)
	}
	return c.serve(in)
}

// maxNativeStack bounds Go's stack: natives that recurse, such as JSON.stringify or the parser. Passing it ends the
// child.
const maxNativeStack = 128 << 20

// exit ends the process at once, leaving a line for the host.
func exit(reason string) {
	fmt.Fprintln(os.Stderr, deathPrefix+reason)
	os.Exit(3)
}

// deathPrefix begins the last line of a child that ended itself.
const deathPrefix = "pml script: "

// child is one child process.
type child struct {
	limits Limits
	out    *frameWriter
	sent   atomic.Int64 // bytes sent out, against limits.Output
	inbox  inbox
	realm  *realm
	die    func(reason string)
	// busy counts executions begun and ended: odd while one is under way.
	busy atomic.Int64
}

// serve builds the realm, reports ready and executes until in ends.
func (c *child) serve(in io.Reader) error {
	r, err := newRealm(c)
	if err != nil {
		return fmt.Errorf("script child: %w", err)
	}
	c.realm = r
	c.inbox.cond.L = &c.inbox.mu
	go c.read(in)
	stop := c.watch()
	defer stop()
	if err := c.out.write(header{Type: typeReady}); err != nil {
		return err
	}
	for {
		f, ok := c.inbox.next()
		if !ok {
			return nil
		}
		switch f.Type {
		case typeClock:
			r.again = f.body
		case typeTimer:
			r.firedThen = firings(f.body)
		case typeExecute:
			c.busy.Add(1)
			err := r.execute(f)
			c.busy.Add(1)
			if err != nil {
				return err
			}
		}
	}
}

// read fills the inbox. When the host is gone it ends the process, whatever the realm is doing.
func (c *child) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		f, err := readFrame(r, 0)
		if err != nil {
			c.inbox.close()
			if c.busy.Load()%2 == 1 {
				c.die("the host is gone")
			}
			return
		}
		c.inbox.put(f)
	}
}

// send sends a frame that counts against the output limit.
func (c *child) send(h header, body []byte) error {
	if c.sent.Add(int64(len(body)+64)) > int64(c.limits.Output) {
		return errOutput
	}
	return c.out.write(h, body)
}

// inbox is an unbounded queue of frames: the host must never wait for the child to read.
type inbox struct {
	mu     sync.Mutex
	cond   sync.Cond
	frames []frame
	closed bool
	wake   chan struct{} // made by the one goroutine that waits with a timeout
}

func (b *inbox) put(f frame) {
	b.mu.Lock()
	b.frames = append(b.frames, f)
	b.signal()
	b.mu.Unlock()
}

func (b *inbox) close() {
	b.mu.Lock()
	b.closed = true
	b.signal()
	b.mu.Unlock()
}

func (b *inbox) signal() {
	b.cond.Signal()
	if b.wake != nil {
		close(b.wake)
		b.wake = nil
	}
}

// next waits for a frame; false when the host is gone.
func (b *inbox) next() (frame, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.frames) == 0 && !b.closed {
		b.cond.Wait()
	}
	return b.pop()
}

func (b *inbox) pop() (frame, bool) {
	if len(b.frames) == 0 {
		return frame{}, false
	}
	f := b.frames[0]
	b.frames[0] = frame{}
	b.frames = b.frames[1:]
	return f, true
}

// try gives a frame if there is one, else a channel that is closed when that may have changed.
func (b *inbox) try() (f frame, ok bool, wake <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok = b.pop(); ok {
		return f, true, nil
	}
	if b.wake == nil {
		b.wake = make(chan struct{})
		if b.closed {
			close(b.wake)
			w := b.wake
			b.wake = nil
			return f, false, w
		}
	}
	return f, false, b.wake
}
