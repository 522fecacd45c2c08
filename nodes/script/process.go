package script

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/casys-ai/pml/nodes"
)

// process is one child, seen from the host.
type process struct {
	cmd    *exec.Cmd
	limits Limits
	out    *frameWriter // to the child
	stdin  io.Closer
	stderr *head
	// frames is what the child sends. It is closed when the child is gone; then dead says why.
	frames chan frame
	dead   error
	// over is closed by end; whoever reads frames no longer wants any.
	over    chan struct{}
	endOnce sync.Once
	// gone is closed when the process has been reaped and its reader has ended.
	gone chan struct{}
}

// launch starts a child. Its hello comes next.
func launch(o Options) (*process, error) {
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = []string{}, os.TempDir(), sysProcAttr()
	if o.TZ != "" {
		cmd.Env = append(cmd.Env, "TZ="+o.TZ)
	}
	p := &process{cmd: cmd, limits: o.Limits, stderr: &head{}, frames: make(chan frame, 64),
		over: make(chan struct{}), gone: make(chan struct{})}
	cmd.Stderr = p.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &Error{Code: nodes.WorkerTerminated, Message: "the script child did not start: " + err.Error()}
	}
	p.out, p.stdin = &frameWriter{w: stdin}, stdin
	go p.read(stdout)
	return p, nil
}

// hello tells the child its limits and waits until it is ready.
func (p *process) hello() error {
	err := p.out.write(header{Type: typeInit, Limits: &p.limits})
	if f, ok := <-p.frames; err == nil && ok && f.Type == typeReady {
		return nil
	}
	p.end()
	<-p.gone
	return &Error{Code: nodes.WorkerTerminated, Message: "the script child did not start: " + p.stderr.summary()}
}

// read delivers the child's frames until it is gone, and reaps it.
func (p *process) read(stdout io.Reader) {
	defer close(p.gone)
	defer close(p.frames)
	r := bufio.NewReaderSize(stdout, 64<<10)
	for {
		f, err := readFrame(r, p.limits.Output+1024)
		if err != nil {
			p.reap(err)
			return
		}
		select {
		case p.frames <- f:
		case <-p.over:
			p.reap(nil)
			return
		}
	}
}

// reap waits for the process and finds out why it died.
func (p *process) reap(err error) {
	if _, ok := err.(errTooLarge); ok {
		kill(p.cmd.Process)
		_ = p.cmd.Wait()
		p.dead = limitError(kindOutput, p.limits)
		return
	}
	kill(p.cmd.Process) // a child that closed its end is gone, or must go
	_ = p.cmd.Wait()
	p.dead = p.autopsy()
}

// autopsy says why the child died, in one line.
func (p *process) autopsy() *Error {
	signal, used := killedBy(p.cmd.ProcessState)
	reason := p.stderr.summary()
	switch {
	case reason == kindMemory+" limit", reason == kindCPU+" limit":
		return limitError(strings.TrimSuffix(reason, " limit"), p.limits)
	case strings.Contains(reason, "out of memory"), strings.Contains(reason, "cannot allocate"),
		strings.Contains(reason, "pthread_create failed"):
		return limitError(kindMemory, p.limits)
	case strings.Contains(reason, "stack exceeds"), strings.Contains(reason, "stack overflow"):
		return &Error{Code: nodes.WorkerTerminated, Message: "the script was ended: it nests too deeply"}
	case used >= p.limits.CPU:
		return limitError(kindCPU, p.limits)
	case reason != "":
		return &Error{Code: nodes.WorkerTerminated, Message: "the script child crashed: " + reason}
	case signal != "":
		return &Error{Code: nodes.WorkerTerminated, Message: "the script child was ended by the system: " + signal}
	}
	return &Error{Code: nodes.WorkerTerminated,
		Message: fmt.Sprintf("the script child ended by itself with code %d", p.cmd.ProcessState.ExitCode())}
}

// end ends the child at once. It may be called more than once and by anyone.
func (p *process) end() {
	p.endOnce.Do(func() {
		close(p.over)
		kill(p.cmd.Process)
		_ = p.stdin.Close()
	})
}

// alive reports whether the child has not died yet, as far as is known.
func (p *process) alive() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

// head keeps the beginning of what is written to it.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// maxStderr is how much of the child's stderr is kept.
const maxStderr = 8 << 10

// Write implements io.Writer.
func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Write(b[:min(len(b), maxStderr-h.buf.Len())])
	return len(b), nil
}

// summary is the line that says most: the child's own last word, or what Go's runtime says when it gives up.
func (h *head) summary() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	last, best := "", ""
	for line := range strings.Lines(h.buf.String()) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, deathPrefix); ok {
			return s
		}
		for _, p := range []string{"fatal error: ", "runtime/cgo: ", "runtime: ", "panic: ", "Error: "} {
			if s, ok := strings.CutPrefix(line, p); ok && (best == "" || p == "fatal error: " || p == "runtime/cgo: ") {
				best = s
			}
		}
		if line != "" {
			last = line
		}
	}
	if best == "" {
		best = last
	}
	return best[:min(len(best), 200)]
}
