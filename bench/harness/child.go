package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// Serve is the child's part: it reads one job, measures it with the engine of its name, and writes the result.
func Serve(in io.Reader, out io.Writer, engines map[string]Engine) error {
	var j Job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return fmt.Errorf("harness: no job: %w", err)
	}
	r := Result{Job: j}
	if e := engines[j.Engine]; e == nil {
		r.Err = fmt.Sprintf("there is no engine %q, but %s", j.Engine, slices.Sorted(maps.Keys(engines)))
	} else if measured, err := measured(j, e); err != nil {
		r.Err = err.Error()
	} else {
		r = measured
	}
	return json.NewEncoder(out).Encode(r)
}

// Spawn measures j in a new process, started with argv. What goes wrong there is in the result; the error is that of
// ctx or of the start.
func Spawn(ctx context.Context, argv []string, j Job) (Result, error) {
	job, err := json.Marshal(j)
	if err != nil {
		return Result{}, err
	}
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(job), &out, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return Result{Job: j, Err: fmt.Sprintf("%v: %s", err, firstLine(stderr.String()))}, nil
		}
		return Result{}, fmt.Errorf("harness: %s: %w", j, err)
	}
	var r Result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return Result{}, fmt.Errorf("harness: %s: the child wrote %q", j, out.String())
	}
	return r, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
