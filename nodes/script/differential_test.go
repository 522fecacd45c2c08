package script

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/evanw/esbuild/pkg/api"
)

// observed is how a program ended: its result as JSON, or its error; and what it logged.
type observed struct {
	Result string
	Error  string
	Log    []string
}

// nodeRunner runs programs in Node as pml does: an async function in strict mode, its result through JSON.
const nodeRunner = `
const util = require('node:util')
const { TextEncoder, TextDecoder } = util
const programs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
class ToolError extends Error { constructor(m, o) { super(m); this.code = o?.code; this.tool = o?.tool } }
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError' })
const AsyncFunction = (async () => {}).constructor
const tool = (server, name) => (args) => {
  const text = JSON.stringify(args)
  return new Promise((resolve, reject) => {
    const copy = text === undefined ? undefined : JSON.parse(text)
    const failure = () => new ToolError('it failed', { code: 'TOOL_ERROR', tool: server + ':' + name })
    if (name === 'fail') setTimeout(() => reject(failure()), 1)
    else setTimeout(() => resolve(copy), name === 'slow' ? copy.ms : 1)
  })
}
const mcp = new Proxy({}, { get: (_, s) => new Proxy({}, { get: (_, n) => n === 'then' ? undefined : tool(s, n) }) })
const shorten = (v) => v
process.on('unhandledRejection', () => {})
process.on('warning', () => {})
;(async () => {
  const out = []
  for (const js of programs) {
    const log = []
    const mkLog = (...a) => { log.push(util.format(...a.map((x) => x))) }
    const console = { log: mkLog, info: mkLog, warn: mkLog, error: mkLog, debug: mkLog }
    const o = { Log: log }
    try {
      const v = await new AsyncFunction('mcp', 'console', 'ToolError', '"use strict";\n' + js)(mcp, console, ToolError)
      o.Result = JSON.stringify(v) ?? 'undefined'
    } catch (e) {
      o.Error = e instanceof Error ? e.name + ': ' + e.message : 'threw ' + util.inspect(e)
    }
    await new Promise((r) => setTimeout(r, 8))
    out.push(o)
  }
  process.stdout.write(JSON.stringify(out))
})()
`

// runNode runs the programs in one Node, or skips the test.
func runNode(t *testing.T, programs []string) []observed {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("NODE IS NOT INSTALLED: the comparison with it is not made")
	}
	in, _ := json.Marshal(programs)
	file := filepath.Join(t.TempDir(), "run.cjs")
	if err := os.WriteFile(file, []byte(nodeRunner), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--no-warnings", file)
	cmd.Stdin, cmd.Env = strings.NewReader(string(in)), append(os.Environ(), "TZ=UTC")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var out []observed
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// runOurs runs a whole program in a child.
func runOurs(t *testing.T, p *Pool, js string) (o observed) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := p.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := r.Execute(ctx, Fragment{JS: js, Program: true, Call: echo,
		Log: func(_, text string) { o.Log = append(o.Log, text) }})
	var ex *Exception
	switch {
	case errors.As(err, &ex):
		o.Error = "threw " + value.Inspect(ex.Throw.Value)
		if e, ok := ex.Throw.Value.(*value.Error); ok {
			o.Error = e.Name + ": " + e.Message
		}
	case err != nil:
		o.Error = "FATAL " + err.Error()
	default:
		text, ok, _ := value.Stringify(c.Value)
		if !ok {
			text = "undefined"
		}
		o.Result = text
	}
	return o
}

// lower does what planner/syntax does before JavaScript comes here.
func lower(t *testing.T, js string) string {
	t.Helper()
	out := api.Transform("async function f() {"+js+"\n}", api.TransformOptions{Target: api.ESNext,
		Supported: map[string]bool{"async-generator": false, "for-await": false, "decorators": false, "using": false}})
	if len(out.Errors) > 0 {
		t.Fatal(out.Errors)
	}
	return string(out.Code) + "\nreturn await f()"
}

// TestLikeNode compares whole programs with Node.
func TestLikeNode(t *testing.T) {
	raw, err := os.ReadFile("testdata/programs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names, programs []string
	for _, block := range strings.Split("\n"+string(raw), "\n### ")[1:] {
		name, js, _ := strings.Cut(block, "\n")
		names, programs = append(names, name), append(programs, js)
	}
	want := runNode(t, programs)
	p := newPool(t, Limits{}, 2)
	for i, js := range programs {
		t.Run(names[i], func(t *testing.T) {
			if strings.HasPrefix(names[i], "lowered") {
				js = lower(t, js)
			}
			got, want := runOurs(t, p, js), want[i]
			if strings.HasPrefix(names[i], "differs") {
				t.Logf("known difference: node %+v, ours %+v", want, got)
				return
			}
			if got.Result != want.Result || got.Error != want.Error {
				t.Errorf("%s\n got %s%s\nwant %s%s", js, got.Result, got.Error, want.Result, want.Error)
			}
			if g, w := strings.Join(got.Log, "\n"), strings.Join(want.Log, "\n"); g != w {
				t.Errorf("%s\nlogged\n%s\nwant\n%s", js, g, w)
			}
		})
	}
	t.Logf("%d programs", len(programs))
}
