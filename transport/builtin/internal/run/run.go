// Package run starts programs for the built-in servers: with their own process group (a job on Windows), so that
// everything a program started ends with it, and with a limit on what is kept of its output.
package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// grace is how long output may still arrive after the program itself has ended.
const grace = 500 * time.Millisecond

// Spec is a program to run. Limit is how many bytes of each output are kept.
type Spec struct {
	Command string
	Args    []string
	Shell   bool // Command is a line for the system's shell; Args are not used
	Dir     string
	Env     []string
	Stdin   string
	Limit   int
}

// Outcome is how a program ended. Code is its exit code, or 128 and the signal's number as shells have it.
type Outcome struct {
	Stdout, Stderr string
	Code           int
}

// Run runs a program to its end. The error is set when it could not be started, or is the context's cause when the
// context ended first; the outcome then holds what had been written.
func Run(ctx context.Context, spec Spec) (Outcome, error) {
	cmd := command(spec)
	stdout, stderr := &capped{limit: spec.Limit}, &capped{limit: spec.Limit}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = spec.Dir, spec.Env, stdout, stderr
	cmd.Stdin = nil
	if spec.Stdin != "" {
		cmd.Stdin = strings.NewReader(spec.Stdin)
	}
	cmd.WaitDelay = grace
	if err := ctx.Err(); err != nil {
		return Outcome{}, context.Cause(ctx)
	}
	group := newGroup(cmd)
	if err := cmd.Start(); err != nil {
		return Outcome{}, fmt.Errorf("cannot start '%s': %w", spec.Command, cause(err))
	}
	group.started(cmd)
	err := wait(ctx, cmd, group)
	outcome := Outcome{stdout.String(), stderr.String(), exitCode(cmd)}
	return outcome, err
}

// wait waits for the program and ends whatever it left behind.
func wait(ctx context.Context, cmd *exec.Cmd, group *group) error {
	ended := make(chan struct{})
	killed := make(chan bool, 1)
	go func() {
		select {
		case <-ctx.Done():
			group.kill()
			killed <- true
		case <-ended:
			killed <- false
		}
	}()
	err := cmd.Wait()
	close(ended)
	wasKilled := <-killed
	group.kill()
	group.close()
	var exit *exec.ExitError
	switch {
	case wasKilled:
		return context.Cause(ctx)
	case err == nil, errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return nil
	}
	return ignoreBrokenPipe(err)
}

// cause drops the wrapping that repeats the program's name.
func cause(err error) error {
	var lookup *exec.Error
	if errors.As(err, &lookup) {
		return lookup.Err
	}
	return err
}

// capped keeps the first bytes written and counts the others.
type capped struct {
	kept  bytes.Buffer
	limit int
	more  int
}

func (c *capped) Write(data []byte) (int, error) {
	room := max(0, min(len(data), c.limit-c.kept.Len()))
	c.kept.Write(data[:room])
	c.more += len(data) - room
	return len(data), nil
}

// String is the output as text, with a mark where it was cut.
func (c *capped) String() string {
	if c.more == 0 {
		return tool.Decode(c.kept.Bytes())
	}
	whole, rest := wholeRunes(c.kept.Bytes())
	return fmt.Sprintf("%s\n[… cut: %d bytes more]", tool.Decode(whole), c.more+rest)
}

// wholeRunes drops a character that the limit cut in two; rest is how many bytes it had.
func wholeRunes(data []byte) (whole []byte, rest int) {
	for back := 1; back <= 3 && back <= len(data); back++ {
		lead := data[len(data)-back]
		if lead < 0x80 {
			break
		}
		if lead >= 0xC0 {
			need := 2
			if lead >= 0xE0 {
				need = 3
			}
			if lead >= 0xF0 {
				need = 4
			}
			if back < need {
				return data[:len(data)-back], back
			}
			break
		}
	}
	return data, 0
}
