package runtime_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
)

const unequalTools = `{"servers": {"t": {"tools": [
  {"name": "quick", "effect": "read", "latencyMs": 2, "responses": [{"result": {"id": 1}}]},
  {"name": "slow", "effect": "read", "latencyMs": 80, "responses": [{"result": {"id": 2}}]},
  {"name": "asked", "effect": "read", "responses": [{"result": {"id": 3}}]},
  {"name": "broken", "effect": "read", "responses": [{"error": "no"}]}]}}}`

const unequal = `const a = await mcp.t.quick({});
const b = await mcp.t.slow({});
const c = await mcp.t.quick({ after: a.id });
return [a.id, b.id, c.id];`

// TestWhatTookLongGoesFirst: by the number of calls the path of the two quick ones is the longer one; once it is known how
// long calls take, in this session or in a later one, it is not.
func TestWhatTookLongGoesFirst(t *testing.T) {
	is := is.New(t)
	state := t.TempDir()
	in := func(c *runtime.Config) {
		ask, err := policy.NewRule("t:asked", "")
		is.NoErr(err)
		c.State, c.Rules.Ask, c.Rules.Allow = state, []policy.Rule{ask}, nil
		for _, name := range []string{"t:quick", "t:slow", "t:broken"} {
			allow, err := policy.NewRule(name, "")
			is.NoErr(err)
			c.Rules.Allow = append(c.Rules.Allow, allow)
		}
	}
	first := func(s *runtime.Session) nodes.ToolID {
		p, err := s.Plan(t.Context(), unequal, runtime.PlanOptions{})
		is.NoErr(err)
		out := s.Run(t.Context(), p, nil, runtime.RunOptions{Concurrency: 1})
		is.True(out.Err == nil)
		is.Equal(len(out.Spans), 3)
		return out.Spans[0].Tool
	}
	s := open(t, unequalTools, in)
	is.Equal(first(s), nodes.ToolID("t:quick"))
	is.Equal(first(s), nodes.ToolID("t:slow"))
	_, out := execute(t, s, `try { await mcp.t.broken({}); } catch {} await mcp.t.asked({});`, "", runtime.PlanOptions{})
	is.True(out.Err != nil)
	s.Close()

	text, err := os.ReadFile(filepath.Join(state, runtime.LatenciesFile))
	is.NoErr(err)
	known := map[string]map[string]float64{}
	is.NoErr(json.Unmarshal(text, &known))
	is.Equal(len(known), 2) // what failed, and what a person was asked about, is not there
	is.True(known["t:slow"]["mean_ms"] >= 80 && known["t:quick"]["mean_ms"] >= 2)

	s = open(t, unequalTools, in)
	p, err := s.Plan(t.Context(), unequal+"\nawait mcp.t.broken({});", runtime.PlanOptions{})
	is.NoErr(err)
	took, unknown := p.CriticalPath()
	is.True(took >= 80*time.Millisecond)
	is.Equal(unknown, []nodes.ToolID{"t:broken"})
	is.Equal(first(s), nodes.ToolID("t:slow"))
}

// TestLatenciesThatMakeNoSense are learned again.
func TestLatenciesThatMakeNoSense(t *testing.T) {
	is := is.New(t)
	for _, text := range []string{"{", `{"t:slow": {"calls": -1, "mean_ms": 5}}`, `{"t:slow": {"calls": 2, "mean_ms": -5}}`,
		`{"t:slow": {"calls": 2, "mean_ms": 1e300}}`, `[]`, `{` + strings.Repeat(`"x": {}, `, 3) + `"t:slow": null}`} {
		state := t.TempDir()
		is.NoErr(os.WriteFile(filepath.Join(state, runtime.LatenciesFile), []byte(text), 0o600))
		s := open(t, unequalTools, func(c *runtime.Config) { c.State = state })
		p, err := s.Plan(t.Context(), unequal, runtime.PlanOptions{})
		is.NoErr(err)
		took, unknown := p.CriticalPath()
		is.Equal(took, time.Duration(0))
		is.Equal(len(unknown), 2)
		out := s.Run(t.Context(), p, nil, runtime.RunOptions{})
		is.True(out.Err == nil)
		s.Close()
	}
}

// TestLatenciesAreBounded: a project that has called ever so many tools keeps those that it called most.
func TestLatenciesAreBounded(t *testing.T) {
	is := is.New(t)
	state := t.TempDir()
	known := map[string]map[string]float64{}
	for i := range 1000 {
		known[fmt.Sprintf("old:tool%d", i)] = map[string]float64{"calls": float64(1 + i%10), "mean_ms": 1}
	}
	text, err := json.Marshal(known)
	is.NoErr(err)
	file := filepath.Join(state, runtime.LatenciesFile)
	is.NoErr(os.WriteFile(file, text, 0o600))
	s := open(t, unequalTools, func(c *runtime.Config) { c.State = state })
	_, out := execute(t, s, unequal, "", runtime.PlanOptions{})
	is.True(out.Err == nil)
	text, err = os.ReadFile(file)
	is.NoErr(err)
	clear(known)
	is.NoErr(json.Unmarshal(text, &known))
	is.Equal(len(known), 1000)
	is.True(known["t:slow"] != nil && known["old:tool999"] != nil && known["old:tool0"] == nil)
}
