package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
)

// checkGit looks for the program that the git server uses.
func (a *App) checkGit(ctx context.Context) check {
	cmd := exec.CommandContext(ctx, "git", "--version")
	cmd.Env = a.Environ
	out, err := cmd.Output()
	if err != nil {
		return check{"git", checkWarning, "git does not start: " + err.Error(), "install git, or leave the git server out"}
	}
	return check{"git", checkOK, strings.TrimSpace(string(out)), ""}
}

// checkState tries to write where pml keeps its state: .pml, or the workspace if that is not there yet.
func checkState(workspace string) check {
	dir := filepath.Join(workspace, config.StateDir)
	text := dir + " is writable"
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		dir, text = workspace, dir+" can be made"
	}
	f, err := os.CreateTemp(dir, ".pml-doctor-*")
	if err != nil {
		return check{"state", checkFailed, "cannot write in " + dir + ": " + err.Error(), "make the folder writable"}
	}
	f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return check{"state", checkWarning, err.Error(), "remove the file by hand"}
	}
	return check{"state", checkOK, text, ""}
}

// checkScript starts a script child, lets it compute something, and looks at its limits.
func (a *App) checkScript(ctx context.Context) check {
	began := time.Now()
	pool := script.NewPool(script.Options{Command: []string{a.Self, "script-child"}})
	defer pool.Close()
	realm, err := pool.Acquire(ctx)
	if err != nil {
		return check{"script sandbox", checkFailed, "does not start: " + err.Error(), "start it by hand: pml script-child"}
	}
	defer realm.Close()
	done, err := realm.Execute(ctx, script.Fragment{JS: "return [1, 2, 3].map((x) => x * 2).join()"})
	if err != nil || !value.StrictEqual(done.Value, value.String("2,4,6")) {
		return check{"script sandbox", checkFailed, fmt.Sprintf("does not compute: %v", err), ""}
	}
	took := time.Since(began).Round(time.Millisecond)
	if lacking := unlimited(realm.Pid()); lacking != "" {
		return check{"script sandbox", checkWarning, fmt.Sprintf("starts (%s), but %s", took, lacking),
			"run only programs that you trust"}
	}
	return check{"script sandbox", checkOK, fmt.Sprintf("starts (%s); memory, CPU time and files are limited", took), ""}
}

// unlimited says what does not restrain the process; "" if nothing is lacking.
func unlimited(pid int) string {
	if runtime.GOOS != "linux" {
		return "this system cannot enforce all limits on it"
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		return "its limits cannot be read"
	}
	for _, name := range []string{"Max address space", "Max cpu time"} {
		if soft := limitOf(string(limits), name); soft == "" || soft == "unlimited" {
			return "nothing limits its " + strings.ToLower(strings.TrimPrefix(name, "Max "))
		}
	}
	if limitOf(string(limits), "Max open files") != "0" {
		return "it may open files"
	}
	return ""
}

// limitOf is the soft limit in the text of /proc/PID/limits.
func limitOf(text, name string) string {
	fields := strings.Fields(strings.TrimPrefix(lineWith(text, name), name))
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// lineWith is the first line of text that starts with prefix.
func lineWith(text, prefix string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// serverPool is a pool of the project's servers, as the runtime would start them.
func (a *App) serverPool(p *project) *transport.Pool {
	var configs []transport.ServerConfig
	for _, e := range p.servers() {
		c := e.ServerConfig
		if e.BuiltIn {
			c.Command, c.Args = a.Self, append([]string{"builtin", c.Name}, c.Args...)
		}
		if c.Dir == "" {
			c.Dir = p.Path
		}
		configs = append(configs, c)
	}
	return transport.NewPool(configs, transport.PoolOptions{
		Client: transport.Client{Name: "pml", Version: version(), Root: p.Path}, Environ: a.Environ})
}

// checkServer starts a server and lists its tools.
func checkServer(ctx context.Context, pool *transport.Pool, name string) check {
	began := time.Now()
	tools, err := pool.Tools(ctx, name)
	took := time.Since(began).Round(time.Millisecond)
	title := "server " + name
	var failure *transport.Error
	if errors.As(err, &failure) {
		message := failure.Message
		if said := lastLines(failure.Stderr, 1); len(said) > 0 && !strings.Contains(message, said[0]) {
			message += ": " + said[0]
		}
		hint := failure.Hint
		if hint == "" {
			hint = "start its command by hand; it is in mcpServers"
		}
		return check{title, checkFailed, message, hint}
	}
	if err != nil {
		return check{title, checkFailed, err.Error(), ""}
	}
	bad := pool.Quarantined(name)
	switch {
	case len(bad) > 0:
		text := fmt.Sprintf("%s (%s), %d left out", plural(len(tools), "tool"), took, len(bad))
		for _, q := range bad {
			text += fmt.Sprintf("; %s: %s", q.Name, q.Reason)
		}
		return check{title, checkWarning, text, "report it to whoever makes the server"}
	case len(tools) == 0:
		return check{title, checkWarning, fmt.Sprintf("starts (%s) but has no tools", took), ""}
	}
	return check{title, checkOK, fmt.Sprintf("%s (%s)", plural(len(tools), "tool"), took), ""}
}
