package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"

	"github.com/casys-ai/pml/nodes"
)

// process is a server process with its pipes and everything it starts.
type process struct {
	cmd    *exec.Cmd
	pid    int
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	tail   *tail
	exited chan struct{}
	status string // "exit status 1", "signal: killed"; set when exited is closed

	mu     sync.Mutex // guards reaped: the pid is ours only until then
	reaped bool
	job    job //lint:ignore U1000 what Windows needs
}

// startProcess starts the command of a server with three pipes and a minimal environment.
func (p *Pool) startProcess(c ServerConfig) (*process, error) {
	env := environment(p.opts.Environ, c.Env)
	path, err := lookPath(c.Command, c.Dir, env)
	if err != nil {
		return nil, cannotStart(c, err)
	}
	if env, err = p.install(c, path, env); err != nil {
		return nil, cannotStart(c, err)
	}
	if c.Check != nil {
		if err := c.Check(path); err != nil {
			return nil, err
		}
	}
	cmd := &exec.Cmd{Path: path, Args: append([]string{c.Command}, c.Args...), Env: env, Dir: c.Dir}
	x := &process{cmd: cmd, tail: &tail{}, exited: make(chan struct{})}
	theirs, err := x.pipes()
	defer closeAll(theirs)
	if err == nil {
		setAttributes(cmd, c.Tidies)
		err = p.launch(x, c, env)
	}
	if err == nil {
		x.pid = cmd.Process.Pid
		err = x.adopt()
	}
	if err != nil {
		closeAll([]*os.File{x.stdin, x.stdout, x.stderr})
		return nil, cannotStart(c, err)
	}
	return x, nil
}

// launch starts the command of a process.
func (p *Pool) launch(x *process, c ServerConfig, env []string) (err error) {
	if c.Confine != nil {
		return p.startConfined(x, c, env)
	}
	p.spawner.do(func() { err = x.cmd.Start() })
	return err
}

// pipes connects stdin, stdout and stderr and returns the child's ends.
func (x *process) pipes() (theirs []*os.File, err error) {
	open := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	var in, out, diag *os.File
	in, x.stdin = open()
	x.stdout, out = open()
	x.stderr, diag = open()
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = in, out, diag
	return []*os.File{in, out, diag}, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// wait waits for the process, kills what it left behind and keeps its exit status.
func (x *process) wait() {
	var err error
	if awaitExit(x.pid) {
		x.mu.Lock()
		x.hardKill()
		err = x.cmd.Wait()
	} else {
		err = x.cmd.Wait()
		x.mu.Lock()
		x.hardKill()
	}
	x.reaped = true
	x.mu.Unlock()
	x.release()
	x.status = "exit status 0"
	if err != nil {
		x.status = err.Error()
	}
	close(x.exited)
}

// whileOurs calls f unless the process has been reaped and its pid may be another's.
func (x *process) whileOurs(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.reaped {
		f()
	}
}

// terminate asks the process and its descendants to end.
func (x *process) terminate() { x.whileOurs(x.softKill) }

// kill ends the process and its descendants.
func (x *process) kill() { x.whileOurs(x.hardKill) }

func cannotStart(c ServerConfig, err error) *Error {
	e := &Error{
		Code: nodes.ServerError, Server: c.Name,
		Message: fmt.Sprintf("server %q cannot be started: %s: %v", c.Name, c.Command, err),
		Hint:    fmt.Sprintf("run %q by hand to see what is wrong", c.Command),
		cause:   err,
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		e.Hint = fmt.Sprintf("is %q installed and in PATH? check \"command\" (and \"cwd\") of %q in the configuration",
			c.Command, c.Name)
	}
	return e
}
