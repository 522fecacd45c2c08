package policy

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

func TestRoute(t *testing.T) {
	user := map[string]string{"mine": "client", "github": "local", "remote": "cloud", "remote:here": "client", "odd": "x"}
	for _, c := range []struct {
		server, tool string
		want         nodes.Route
	}{
		{"filesystem", "read_file", nodes.Client}, {"shell", "run", nodes.Client}, {"git", "log", nodes.Client},
		{"sqlite", "query", nodes.Client}, {"docker", "ps", nodes.Client}, {"unheard_of", "x", nodes.Client},
		{"tavily", "search", nodes.Server}, {"exa", "search", nodes.Server}, {"brave_search", "web", nodes.Server},
		{"brave-search", "web", nodes.Server}, {"sequential-thinking", "think", nodes.Server}, {"slack", "post",
			nodes.Server},
		{"pml", "search", nodes.Server}, {"pml", "execute", nodes.Client}, {"pml", "resume", nodes.Client},
		{"mine", "x", nodes.Client}, {"github", "issues", nodes.Client},
		{"remote", "x", nodes.Server}, {"remote", "here", nodes.Client}, {"odd", "x", nodes.Client},
	} {
		if got := Route(c.server, c.tool, user); got != c.want {
			t.Errorf("%s:%s goes to %s", c.server, c.tool, got)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestClassify(t *testing.T) {
	rules := Rules{Effects: []EffectRule{
		{Tool: "crm:*", Effect: ptr(nodes.Read), Scopes: []string{"crm"}},
		{Tool: "math:*", Effect: ptr(nodes.Pure)},
		{Tool: "kv:set", Idempotent: ptr(true), Scopes: []string{"kv"}},
	}}
	world, workspace := []string{nodes.World}, []string{nodes.Workspace}
	for _, c := range []struct {
		name       string
		facts      ToolFacts
		effect     nodes.Effect
		idempotent bool
		scopes     []string
	}{
		{"nothing known", ToolFacts{ID: "a:b"}, nodes.Write, false, world},
		{"read-only", ToolFacts{ID: "a:b", Hints: Hints{ReadOnly: ptr(true)}}, nodes.Read, true, workspace},
		{"said to write", ToolFacts{ID: "a:b", Hints: Hints{ReadOnly: ptr(false)}}, nodes.Write, false, workspace},
		{"idempotent write", ToolFacts{ID: "a:b", Hints: Hints{ReadOnly: ptr(false), Idempotent: ptr(true)}}, nodes.Write,
			true, workspace},
		{"not believed", ToolFacts{ID: "a:b", Hints: Hints{ReadOnly: ptr(true), Idempotent: ptr(true)},
			Server: ServerFacts{Untrusted: true}}, nodes.Write, false, world},
		{"registry", ToolFacts{ID: "a:b", Registry: ptr(nodes.Read), Hints: Hints{ReadOnly: ptr(false)}}, nodes.Read,
			true, workspace},
		{"user's rule", ToolFacts{ID: "crm:get", Registry: ptr(nodes.Write)}, nodes.Read, true, []string{"crm"}},
		{"pure", ToolFacts{ID: "math:add", Routes: map[string]string{"math": "client"}}, nodes.Pure, true, workspace},
		{"rule about scopes", ToolFacts{ID: "kv:set"}, nodes.Write, true, []string{"kv"}},
		{"cloud", ToolFacts{ID: "tavily:search", Hints: Hints{ReadOnly: ptr(true)}}, nodes.Read, true, world},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			got := Classify(c.facts, rules)
			is.Equal(got.Effect, c.effect)
			is.Equal(got.Idempotent, c.idempotent)
			is.Equal(got.Scopes, c.scopes)
		})
	}
}

func TestTextResults(t *testing.T) {
	is := is.New(t)
	text := func(id nodes.ToolID, s ServerFacts) bool {
		return Classify(ToolFacts{ID: id, Server: s}, Rules{}).TextResult
	}
	is.True(text("filesystem:read_file", ServerFacts{BuiltIn: true}))
	is.True(!text("filesystem:read_file", ServerFacts{}))
	is.True(!text("sqlite:query", ServerFacts{BuiltIn: true}))
	is.True(text("x:read_text", ServerFacts{Text: []string{"read_*"}}))
	is.True(!text("x:list", ServerFacts{Text: []string{"read_*"}}))
}

func TestParseEffects(t *testing.T) {
	is := is.New(t)
	got, err := ParseEffects([]byte(`[{"tool": "crm:*", "effect": "read", "scope": ["crm"]}, {"tool": "x", "idempotent": true}]`))
	is.NoErr(err)
	is.Equal(got, []EffectRule{
		{Tool: "crm:*", Effect: ptr(nodes.Read), Scopes: []string{"crm"}},
		{Tool: "x", Idempotent: ptr(true)},
	})
	_, err = ParseEffects([]byte(`[{"tool": "a:b", "effect": "reads"}, {"effect": "read"}]`))
	is.Equal(err.Error(), "effects[0]: unknown effect \"reads\"; there are pure, read and write\n"+
		"effects[1]: the pattern is empty; write `server:tool`, `server:*` or `*`")
}
