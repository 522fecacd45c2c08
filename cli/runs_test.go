package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// office is a server whose log tells what it was asked to do.
const office = `{"servers": {"office": {"tools": [
  {"name": "file", "effect": "write", "scopes": ["file"], "latencyMs": 5, "responses": [{"result": "filed {{n}}"}]},
  {"name": "sign", "effect": "write", "scopes": ["sign"], "responses": [{"result": "signed {{n}}"}]},
  {"name": "seal", "effect": "write", "scopes": ["sign"], "responses": [{"result": "sealed {{n}}"}]},
  {"name": "look", "effect": "read", "scopes": ["look"], "responses": [{"result": "seen {{n}}"}]}]}}}`

// done lists what the servers have done, as "tool n", sorted.
func (w *workspace) done() (list []string) {
	data, _ := os.ReadFile(w.path("office.jsonl"))
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var e struct {
			Event, Tool string
			Args        struct{ N int }
		}
		if json.Unmarshal(s.Bytes(), &e) == nil && e.Event == "start" {
			list = append(list, e.Tool+" "+string(rune('0'+e.Args.N)))
		}
	}
	slices.Sort(list)
	return list
}

const officeRules = `"effects": [{"tool": "office:file", "scope": ["file"]}, {"tool": "office:look", "scope": ["look"]},
  {"tool": "office:s*", "scope": ["sign"]}],
  "permissions": {"allow": ["office:file", "office:seal", "office:look"]}`

const fourAsks = `const before = [];
for (let n = 0; n < 5; n++) before.push(await mcp.office.file({ n }));
const [asked, beside, reads] = await Promise.all([
  Promise.allSettled([1, 2, 3, 4].map((n) => mcp.office.sign({ n }))),
  Promise.all([5, 6, 7, 8, 9].map((n) => mcp.office.file({ n }))),
  Promise.all([1, 2, 3].map((n) => mcp.office.look({ n }))),
]);
const sealed = await mcp.office.seal({ n: 1 });
const after = await mcp.office.look({ n: 9 });
return [before.length, beside.length, reads.length, sealed, after, ...asked.map((a) => a.value ?? a.reason.code)].join(", ");`

// TestFourAsks: one question for four calls; while it is open ten writes and the reads are done, and what comes after the
// calls is not begun. When it is answered the run goes on from there: nothing is done again.
func TestFourAsks(t *testing.T) {
	for _, mode := range []string{"native", "script"} {
		t.Run(mode, func(t *testing.T) {
			is := is.New(t)
			w := newWorkspace(t, office, officeRules)
			got := w.pml("", "run", "--json", "--mode", mode, "-e", fourAsks)
			is.Equal(got.code, 3)
			var waiting struct {
				WorkflowID string `json:"workflow_id"`
				Approvals  []struct{ ID, Tool, Kind string }
			}
			w.decode(got, &waiting)
			is.Equal(len(waiting.Approvals), 4)
			done := w.done()
			for n := range 10 {
				is.True(slices.Contains(done, "file "+string(rune('0'+n))))
			}
			for _, read := range []string{"look 1", "look 2", "look 3"} {
				is.True(slices.Contains(done, read))
			}
			is.True(!slices.Contains(done, "seal 1"))
			is.True(!slices.ContainsFunc(done, func(s string) bool { return strings.HasPrefix(s, "sign") }))

			got = w.pml("", "runs", "resume", waiting.WorkflowID, "--approve", waiting.Approvals[0].ID,
				"--deny", waiting.Approvals[1].ID, "--approve", waiting.Approvals[2].ID[:12])
			is.Equal(got.code, 3) // one is still open
			got = w.pml("", "runs", "resume", waiting.WorkflowID, "--approve", "all")
			is.Equal(got.stdout, "5, 5, 3, sealed 1, seen 9, signed 1, APPROVAL_DENIED, signed 3, signed 4\n")
			again := w.pml("", "runs", "resume", waiting.WorkflowID, "--deny", "all")
			is.Equal(again.stdout, got.stdout) // a second resume does no harm
			counts := map[string]int{}
			for _, d := range w.done() {
				counts[d]++
			}
			for what, n := range counts {
				if n != 1 {
					t.Errorf("%s was done %d times", what, n)
				}
			}
		})
	}
}

// TestSameOutcomes: the terminal and resume lead to the same end, whatever is answered.
func TestSameOutcomes(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		flags   []string
		want    string
	}{
		{"approve", []string{"y", "y"}, []string{"--approve", "all"}, "refunded refunded\n"},
		{"deny", []string{"n", "n"}, []string{"--deny", "all"}, "APPROVAL_DENIED APPROVAL_DENIED\n"},
		{"always", []string{"a"}, []string{"--approve", "all", "--remember", "run"}, "refunded refunded\n"},
		{"project", []string{"p"}, []string{"--approve", "all", "--remember", "project"}, "refunded refunded\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			atTerminal := newWorkspace(t, shop, allowShop)
			code, out, _ := atTerminal.atTerminal(c.answers, "run", "-e", twoRefunds)
			is.Equal(code, 0)
			is.Equal(out, c.want)
			later := newWorkspace(t, shop, allowShop)
			is.Equal(later.pml("", "run", "-e", twoRefunds).code, 3)
			got := later.pml("", append([]string{"runs", "resume", later.newest()}, c.flags...)...)
			is.Equal(got.stdout, c.want)
			for _, w := range []*workspace{atTerminal, later} {
				text, err := os.ReadFile(w.path(".pml.json"))
				is.NoErr(err)
				is.Equal(strings.Contains(string(text), `"audit:refund"`), c.name == "project")
				audit, err := os.ReadFile(w.path(".pml/audit.jsonl"))
				is.NoErr(err)
				is.True(strings.Contains(string(audit), `"tool":"audit:refund"`))
			}
		})
	}
	is := is.New(t)
	gone := newWorkspace(t, shop, allowShop) // a terminal that goes away leaves the questions open
	code, _, shown := gone.atTerminal([]string{"y"}, "run", "-e", twoRefunds)
	is.Equal(code, 3)
	is.True(strings.Contains(shown, "pml runs resume "+gone.newest()))
	is.Equal(gone.pml("", "runs", "resume", gone.newest(), "--approve", "all").stdout, "refunded refunded\n")
}

// TestSleptOnce: what a script has slept it does not sleep again when its run is taken up.
func TestSleptOnce(t *testing.T) {
	for _, mode := range []string{"native", "script"} {
		t.Run(mode, func(t *testing.T) {
			is := is.New(t)
			w := newWorkspace(t, shop, allowShop)
			const sleep = 6 * time.Second
			is.Equal(w.pml("", "run", "--mode", mode, "-e", `class Nap { async take(ms) { await new Promise((f) => setTimeout(f, ms)); } }
await new Nap().take(6000);
return await mcp.audit.refund({ id: 1 })`).code, 3)
			began := time.Now()
			is.Equal(w.pml("", "runs", "resume", w.newest(), "--approve", "all").stdout, "refunded\n")
			is.True(time.Since(began) < sleep)
		})
	}
}

// TestRuns: list, show, cancel and prune.
func TestRuns(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	is.Equal(w.pml("", "runs", "list").stderr, "no runs yet\n")
	is.Equal(w.pml("", "run", "-e", twoRefunds).code, 3)
	id := w.newest()
	list := w.pml("", "runs", "list")
	is.True(strings.Contains(list.stdout, id+"  approval_required"))
	show := w.pml("", "runs", "show", id)
	for _, want := range []string{"audit:refund: no rule allows", `"id": 2`, "answers: [approve deny]"} {
		is.True(strings.Contains(show.stdout, want))
	}
	var shown struct {
		Status    string
		Approvals []struct{ ID string }
	}
	w.decode(w.pml("", "runs", "show", "--json", id), &shown)
	is.Equal(len(shown.Approvals), 2)
	for _, bad := range [][]string{{"--approve", "nope"}, {"--retry", shown.Approvals[0].ID}, {"--remember", "ever"}} {
		is.Equal(w.pml("", append([]string{"runs", "resume", id}, bad...)...).code, 2)
	}
	is.Equal(w.pml("", "runs", "cancel", id), finished{})
	is.Equal(w.pml("", "runs", "resume", id, "--approve", "all").code, 130)
	is.Equal(w.pml("", "runs", "prune", "--all").stdout, id+"\n")
	none := w.pml("", "runs", "show", "--json", id)
	is.Equal(none.code, 2)
	is.True(strings.Contains(none.stdout, "UNKNOWN_RUN"))
	is.True(strings.Contains(w.pml("", "runs", "prune", "x").stderr, "there is no run x"))
}

// TestTrace: a line for each task, in every format, without what a trace must not keep.
func TestTrace(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, allowShop)
	is.Equal(w.pml("", "run", "-e", `console.log("to ada@example.com"); await mcp.shop.buy({ item: "a" });
try { await mcp.shop.price({ item: "missing" }) } catch {}`).code, 0)
	id := w.newest()
	text := w.pml("", "trace", id).stdout
	is.True(strings.Contains(text, "shop:buy") && strings.Contains(text, "█") && strings.Contains(text, "no such item"))
	var spans struct {
		Spans []struct {
			Node, Tool, State string
			EndMs             float64 `json:"end_ms"`
		}
		Logs []string
	}
	w.decode(w.pml("", "trace", "--format", "json", id), &spans)
	is.Equal(spans.Logs, []string{"to [mail]"})
	is.Equal(spans.Spans[len(spans.Spans)-1].State, "failed")
	page := w.pml("", "trace", "--format", "html", id).stdout
	is.True(strings.HasPrefix(page, "<!doctype html>") && strings.Contains(page, "shop:price"))
	is.Equal(w.pml("", "trace", "--format", "pdf", id).code, 2)
}
