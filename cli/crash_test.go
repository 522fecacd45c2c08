//go:build linux

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// crashes is how often TestCrash kills; PML_CRASHES asks for more.
const crashes = 25

// crashTools: the bank writes down each effect when it happens, some time after the call came.
const crashTools = `{"servers": {
  "bank": {"tools": [
    {"name": "rate", "effect": "read", "latency": {"seed": 1, "minMs": 1, "maxMs": 9}, "responses": [{"result": {"of": "{{id}}", "rate": 2}}]},
    {"name": "pay", "effect": "write", "scopes": ["bank"], "latency": {"seed": 2, "minMs": 1, "maxMs": 9}, "responses": [{"result": {"paid": "{{id}}"}}]},
    {"name": "post", "effect": "write", "scopes": ["post"], "latency": {"seed": 3, "minMs": 1, "maxMs": 9}, "responses": [{"result": {"posted": "{{id}}"}}]},
    {"name": "put", "effect": "write", "scopes": ["put"], "annotations": {"idempotentHint": true}, "latencyMs": 3, "responses": [{"result": {"put": "{{id}}"}}]},
    {"name": "refund", "effect": "write", "scopes": ["refund"], "latencyMs": 3, "responses": [
      {"when": {"id": "refund 2"}, "error": "no refund of {{id}}"}, {"result": {"refunded": "{{id}}"}}]}]}}}`

const crashProgram = `
const r = String(Math.random()), at = Date.now();
const rates = await Promise.all([1, 2, 3].map((i) => mcp.bank.rate({ id: "rate " + i })));
let sum = 0;
for (const x of rates) {
  const p = await mcp.bank.pay({ id: "pay " + x.of });
  sum += p.paid.length;
}
const put = await mcp.bank.put({ id: "put " + sum });
const asked = await Promise.allSettled([1, 2, 3].map((i) => mcp.bank.refund({ id: "refund " + i })));
class Ledger {
  lines = [];
  async add(id) { this.lines.push((await mcp.bank.post({ id, r: Math.random(), at: Date.now() })).posted); }
}
const ledger = new Ledger();
await Promise.all([ledger.add("a"), ledger.add("b")]);
for (let i = 0; i < 3; i++) await ledger.add("post " + i);
const mine = await mcp.bank.pay({ id: "mine " + r + " " + at });
let tries = 0;
while (tries < 2) { await mcp.bank.pay({ id: "try " + tries }); tries++; }
return { sum, put, asked: asked.map((a) => a.value?.refunded ?? a.reason.message), lines: [...ledger.lines].sort(),
  same: mine.paid === "mine " + r + " " + at, tries };`

const crashResult = `{"sum":30,"put":{"put":"put 30"},"asked":["refund 1","no refund of refund 2","refund 3"],` +
	`"lines":["a","b","post 0","post 1","post 2"],"same":true,"tries":2}`

// onceOnly are the tools whose calls must happen exactly once.
var onceOnly = map[string]bool{"pay": true, "post": true, "refund": true}

// crashed is a project whose runs are killed.
type crashed struct {
	*workspace
	random  *rand.Rand
	kills   int
	attempt int
	id      string
}

// TestCrash kills pml at random moments of a run with reads, writes, idempotent calls, loops, a script and approvals, and
// takes it up again: what the bank has done is never done twice and never missing, what nobody can know is asked, and
// the result is that of a run that nobody killed.
func TestCrash(t *testing.T) {
	want := crashes
	if n, err := strconv.Atoi(os.Getenv("PML_CRASHES")); err == nil {
		want = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	kills, runs, uncertain := 0, 0, 0
	for kills < want {
		w := &crashed{workspace: newWorkspace(t, crashTools, ""), random: random, kills: min(4, want-kills)}
		killed, asked := w.survive()
		kills, runs, uncertain = kills+killed, runs+1, uncertain+asked
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills in %d runs, %d uncertain calls asked about", kills, runs, uncertain)
}

// survive brings one run to its end.
func (w *crashed) survive() (killed, uncertain int) {
	is := is.New(w.tb)
	w.write("program.ts", crashProgram)
	w.configure()
	args := []string{"run", "--json", "--no-input", "program.ts"}
	for {
		got, dead := w.attemptTo(args)
		if dead {
			killed++
		}
		if w.find(); w.id == "" {
			is.Equal(len(w.effects()), 0) // nothing is done before there is a journal
			continue
		}
		args = []string{"runs", "resume", "--json", "--no-input", w.id}
		var answer struct {
			Status    string
			Result    json.RawMessage
			Approvals []struct {
				ID, Tool, Kind string
				Args           struct{ ID string }
			}
		}
		if dead {
			continue
		}
		w.decode(got, &answer)
		switch answer.Status {
		case "success":
			is.Equal(string(answer.Result), crashResult)
			w.account()
			return killed, uncertain
		case "approval_required":
		default:
			w.tb.Fatalf("attempt %d: %s%s", w.attempt, got.stdout, got.stderr)
		}
		for _, q := range answer.Approvals {
			tool := strings.TrimPrefix(q.Tool, "bank:")
			switch {
			case q.Kind == "approve":
				args = append(args, "--approve", q.ID)
			case len(w.effectsOf(tool, q.Args.ID)) == 0:
				uncertain++
				args = append(args, "--retry", q.ID)
			case q.Args.ID == "refund 2":
				uncertain++
				args = append(args, "--failed", q.ID+"=no refund of refund 2")
			default:
				uncertain++
				args = append(args, "--succeeded", fmt.Sprintf(`%s={"%s":%q}`, q.ID, past[tool], q.Args.ID))
			}
		}
	}
}

var past = map[string]string{"pay": "paid", "post": "posted", "refund": "refunded"}

// configure gives the bank of this attempt a log of its own, and lets refunds be asked about.
func (w *crashed) configure() {
	w.write(".pml.json", fmt.Sprintf(`{"mcpServers": {"bank": {"command": %q, "args": ["testserver", "-config", %q,
		"-server", "bank", "-log", %q]}}, "builtin": false,
		"effects": [{"tool": "bank:post", "scope": ["post"]}, {"tool": "bank:put", "scope": ["put"]}],
		"permissions": {"deny": [], "allow": ["bank:rate", "bank:p*"]}}`,
		self(w.tb), w.path("tools.json"), w.path(fmt.Sprintf("log.%03d", w.attempt))))
}

// attemptTo runs pml, kills it if it is still to be killed, and waits until its servers are gone.
func (w *crashed) attemptTo(args []string) (got finished, dead bool) {
	w.attempt++
	w.configure()
	cmd := w.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		w.tb.Fatal(err)
	}
	var timer *time.Timer
	if w.kills > 0 {
		w.kills--
		// Between nothing and somewhat more than a run that nobody kills takes.
		after := 20*time.Millisecond + time.Duration(w.random.Int64N(int64(350*time.Millisecond)))
		timer = time.AfterFunc(after, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	}
	_ = cmd.Wait()
	if timer != nil {
		timer.Stop()
	}
	w.await()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return finished{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, status.Signaled()
}

// find looks for the run, once there is one.
func (w *crashed) find() {
	if w.id != "" {
		return
	}
	list, _ := filepath.Glob(w.path(".pml/runs/*"))
	for _, journal := range list {
		if text, err := os.ReadFile(journal); err == nil && len(text) > 20 && text[len("pml journal 2\n")] != 0 {
			w.id = filepath.Base(journal) // it has begun
		}
	}
}

// effect is something that the bank has done.
type effect struct{ tool, id string }

// effects reads what the bank has done in all attempts.
func (w *crashed) effects() (list []effect) {
	logs, _ := filepath.Glob(w.path("log.*"))
	for _, name := range logs {
		called := map[string]string{}
		for _, e := range w.events(name) {
			switch e.Event {
			case "start":
				called[string(e.ID)] = e.Args.ID
			case "end":
				list = append(list, effect{e.Tool, called[string(e.ID)]})
			}
		}
	}
	return list
}

type bankEvent struct {
	Event, Tool string
	ID          json.RawMessage
	Pid         int
	Args        struct{ ID string }
}

func (w *crashed) events(name string) (list []bankEvent) {
	data, _ := os.ReadFile(name)
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var e bankEvent
		if json.Unmarshal(s.Bytes(), &e) == nil {
			list = append(list, e)
		}
	}
	return list
}

func (w *crashed) effectsOf(tool, id string) (list []effect) {
	for _, e := range w.effects() {
		if e == (effect{tool, id}) {
			list = append(list, e)
		}
	}
	return list
}

// await waits until the bank of this attempt is gone: what it does last is in its log then.
func (w *crashed) await() {
	for _, e := range w.events(w.path(fmt.Sprintf("log.%03d", w.attempt))) {
		for e.Event == "process" && syscall.Kill(e.Pid, 0) == nil {
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// account checks that everything has happened, and what must happen once only once.
func (w *crashed) account() {
	count := map[effect]int{}
	byTool := map[string]int{}
	for _, e := range w.effects() {
		if count[e]++; count[e] == 1 {
			byTool[e.tool]++
		}
	}
	for e, n := range count {
		if onceOnly[e.tool] && n != 1 {
			w.tb.Errorf("%s %q happened %d times", e.tool, e.id, n)
		}
	}
	for tool, want := range map[string]int{"rate": 3, "pay": 6, "post": 5, "put": 1, "refund": 3} {
		if byTool[tool] != want {
			w.tb.Errorf("%d different calls of %s happened, not %d: %v", byTool[tool], tool, want, count)
		}
	}
}
