// Package shell is the built-in server that runs commands in the workspace.
package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/run"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

const (
	defaultTimeout = 25 * time.Second // below the 30 s that a tool call may take
	maxTimeout     = 10 * time.Minute
	outputLimit    = 1 << 20 // of stdout and of stderr, in bytes
)

// errTimeout is the cause with which a command's context ends when its time is up.
var errTimeout = errors.New("the command took too long")

type commands struct{ roots *root.Roots }

// result is the structured content of exec.
type result struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exit_code"`
	TimedOut bool   `json:"timed_out,omitempty"`
}

// Tools lists the tools of the server over the given roots.
func Tools(roots *root.Roots) []tool.Tool {
	plain := tool.Schema{Type: "string"}
	output := tool.Closed(
		tool.Req("stdout", tool.String("What the command wrote to standard output, at most 1 MB")),
		tool.Req("stderr", tool.String("What the command wrote to standard error, at most 1 MB")),
		tool.Req("exit_code", tool.Schema{Type: "integer", Description: "Exit code; 128 + N when signal N ended it"}),
		tool.Opt("timed_out", tool.Boolean("True when the command was ended because its time was up")))
	return []tool.Tool{{
		Name: "exec", Title: "Run Command", Output: &output,
		Description: "Run a command in the workspace. With 'args' the program 'command' is started directly; without, " +
			"'command' is a line for the shell (sh -c, cmd /c on Windows). A non-zero exit code is not an error of " +
			"the tool. When the command ends, processes it left in the background are ended too.",
		Input: tool.Object(
			tool.Req("command", tool.String("A shell line, or with 'args' the program to start")),
			tool.Opt("args", tool.Array("Arguments; they are passed as they are, no shell reads them", plain)),
			tool.Opt("cwd", tool.String("Working directory inside the workspace (default: the workspace)")),
			tool.Opt("env", tool.MapOf("Environment variables to add", plain)),
			tool.Opt("stdin", tool.String("Text for standard input (default: none)")),
			tool.Opt("timeout_ms", tool.Integer("Time limit in milliseconds, at most 600000", 1).Or(25000))),
		Hints: tool.Hints{Destructive: true, OpenWorld: true},
		Run:   (&commands{roots}).exec,
	}}
}

func (c *commands) exec(ctx context.Context, args tool.Args) (*tool.Result, error) {
	dir, err := c.folder(args.String("cwd"))
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(args.String("command")) == "" {
		return nil, errors.New("command is empty")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout(args), errTimeout)
	defer cancel()
	outcome, err := run.Run(ctx, run.Spec{
		Command: args.String("command"), Args: args.Strings("args"), Shell: !args.Has("args"),
		Dir: dir, Env: environment(args), Stdin: args.String("stdin"), Limit: outputLimit,
	})
	timedOut := errors.Is(err, errTimeout)
	if err != nil && !timedOut {
		return nil, err
	}
	r := result{outcome.Stdout, outcome.Stderr, outcome.Code, timedOut}
	return tool.Structured(r, r.text(timeout(args))), nil
}

func (c *commands) folder(path string) (string, error) {
	place, err := c.roots.Resolve(path, root.Read)
	if err != nil {
		return "", err
	}
	info, err := place.Dir.Stat(place.Rel)
	if err != nil {
		return "", root.Explain("chdir", err, place.Abs)
	}
	if !info.IsDir() {
		return "", &root.NodeError{Code: "ENOTDIR", Message: "not a directory", Op: "chdir", Paths: []string{place.Abs}}
	}
	return place.Abs, nil
}

func timeout(args tool.Args) time.Duration {
	wanted := args.Number("timeout_ms", float64(defaultTimeout.Milliseconds()))
	return time.Duration(min(wanted, float64(maxTimeout.Milliseconds()))) * time.Millisecond
}

// environment is this process's environment with the call's variables after it, so that they win.
func environment(args tool.Args) []string {
	added, _ := args["env"].(map[string]any)
	env := os.Environ()
	names := make([]string, 0, len(added))
	for name := range added {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		env = append(env, fmt.Sprintf("%s=%s", name, added[name]))
	}
	return env
}

// text says the same as the structured result, for people.
func (r result) text(limit time.Duration) string {
	var out strings.Builder
	fmt.Fprintf(&out, "exit code: %d\n", r.ExitCode)
	if r.TimedOut {
		fmt.Fprintf(&out, "timed out after %s\n", limit)
	}
	section(&out, "stdout", r.Stdout)
	section(&out, "stderr", r.Stderr)
	return out.String()
}

func section(out *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(out, "--- %s ---\n%s", name, text)
	if !strings.HasSuffix(text, "\n") {
		out.WriteByte('\n')
	}
}
