package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli"
)

// terminal is a person at a terminal: for each prompt that appears on standard error, the next answer is typed.
type terminal struct {
	mu      sync.Mutex
	shown   bytes.Buffer
	answers []string
	typed   *io.PipeWriter
}

// Write implements io.Writer: it is standard error.
func (p *terminal) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Write(text)
	if !bytes.HasSuffix(text, []byte("[y/n/a/p/q] ")) {
		return len(text), nil
	}
	if len(p.answers) == 0 {
		go p.typed.Close()
		return len(text), nil
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	go io.WriteString(p.typed, answer+"\n")
	return len(text), nil
}

// atTerminal runs pml in this process as if at a terminal, and gives the exit code, standard output and what was shown.
func (w *workspace) atTerminal(answers []string, args ...string) (code int, stdout, shown string) {
	w.tb.Helper()
	in, typed := io.Pipe()
	person := &terminal{answers: answers, typed: typed}
	var out bytes.Buffer
	app := &cli.App{In: in, Out: &out, Err: person, Dir: w.dir, Self: binary, Environ: os.Environ(), InTerminal: true,
		ErrTerminal: true, Width: 100}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	code = app.Run(ctx, args)
	return code, out.String(), person.shown.String()
}

const twoRefunds = `const r = await Promise.all([1, 2].map(async (id) => {
  try { return await mcp.audit.refund({ id }); } catch (e) { return e.code; }
}));
return r.join(" ");`

// TestPrompt: the questions that are open at a time are put together, with the real arguments.
func TestPrompt(t *testing.T) {
	w := newWorkspace(t, shop, allowShop)
	for _, c := range []struct {
		name    string
		answers []string
		exit    int
		stdout  string
	}{
		{"yes and no", []string{"y", "n"}, 0, "refunded APPROVAL_DENIED\n"},
		{"words, and nonsense", []string{"YES", "maybe", "no"}, 0, "refunded APPROVAL_DENIED\n"},
		{"always", []string{"a"}, 0, "refunded refunded\n"},
		{"cancel", []string{"q"}, 130, ""},
		{"end of input", nil, 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			code, out, shown := w.atTerminal(c.answers, "run", "--mode", "script", "-e", twoRefunds)
			is.Equal(code, c.exit)
			is.Equal(out, c.stdout)
			is.True(strings.Contains(shown, "Approval needed for 2 calls:"))
			is.True(strings.Contains(shown, "1. audit:refund: no rule allows audit:refund (write)"))
			is.True(strings.Contains(shown, `"id": 1`) && strings.Contains(shown, `"id": 2`))
		})
	}
}

// TestPromptDenied: an answer that the program does not handle ends it with its own exit code.
func TestPromptDenied(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	code, _, shown := w.atTerminal([]string{"n"}, "run", "-e", "await mcp.audit.refund({})")
	is.Equal(code, 4)
	is.True(strings.Contains(shown, "APPROVAL_DENIED 1:7"))
}

// TestNoPrompt: neither --yes nor --no-input asks, even at a terminal.
func TestNoPrompt(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	code, out, _ := w.atTerminal(nil, "run", "--yes", "-e", "return await mcp.audit.refund({})")
	is.Equal(code, 0)
	is.Equal(out, "refunded\n")
	code, _, shown := w.atTerminal(nil, "run", "--no-input", "-e", "return await mcp.audit.refund({})")
	is.Equal(code, 3)
	is.True(!strings.Contains(shown, "[y/n/a/q]"))
}

// TestLiveProgress: the live region names what runs, and is gone at the end.
func TestLiveProgress(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	code, out, shown := w.atTerminal(nil, "run", "-e", `console.log("before\u001b[2Jit");
await mcp.shop.wait({ ms: 500 }); return "done"`)
	is.Equal(code, 0)
	is.Equal(out, "done\n")
	is.True(strings.Contains(shown, "0/1 calls done"))
	is.True(strings.Contains(shown, "shop:wait (n"))
	is.True(strings.Contains(shown, "before\ufffd[2Jit")) // what is printed cannot steer the terminal
	is.True(strings.HasSuffix(shown, "\x1b[J"))           // cleared
}
