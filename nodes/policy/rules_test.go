package policy

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern string
		id      nodes.ToolID
		want    bool
	}{
		{"fs:read_file", "fs:read_file", true},
		{"fs:read_file", "fs:read_files", false},
		{"fs:*", "fs:read_file", true},
		{"fs:*", "fs2:read_file", false},
		{"fs", "fs:write", true},
		{"f*", "fs:write", true},
		{"*", "any:thing", true},
		{"*:read_*", "fs:read_file", true},
		{"*:read_*", "fs:write_file", false},
		{"fs:*_file", "fs:read_file", true},
		{"fs:*a*b", "fs:xaybzb", true},
		{"fs:*a*b", "fs:xaybz", false},
		{"fs:read*file", "fs:readfil", false},
		{"fs:a*a", "fs:a", false},
		{"fs:**", "fs:", true},
		{"fs:x:y", "fs:x:y", true},
	} {
		if got := Matches(c.pattern, c.id); got != c.want {
			t.Errorf("%s covers %s: %v", c.pattern, c.id, got)
		}
	}
}

const permissions = `{
  "deny":  ["shell:rm", {"tool": "shell:*", "when": "args.command contains 'sudo'"}],
  "allow": ["fs:*", {"tool": "shell:run", "when": "args.command startsWith 'ls'"}, {"tool": "db:*",
	"when": "effect == 'read'"}],
  "ask":   ["fs:delete", "git"]
}`

func TestDecide(t *testing.T) {
	rules, err := ParseRules([]byte(permissions))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool    nodes.ToolID
		command any
		want    nodes.Permission
		rule    string
		static  Decision
	}{
		{"shell:rm", "x", nodes.Deny, "deny shell:rm", Decision{Permission: nodes.Deny, Rule: "deny shell:rm"}},
		{"shell:run", "sudo ls", nodes.Deny, "deny shell:* when args.command contains 'sudo'",
			Decision{Rule: "deny shell:* when args.command contains 'sudo'", Depends: true}},
		{"shell:run", "ls -l", nodes.Allow, "allow shell:run when args.command startsWith 'ls'",
			Decision{Rule: "deny shell:* when args.command contains 'sudo'", Depends: true}},
		{"shell:run", "cat x", nodes.Ask, "", Decision{Rule: "deny shell:* when args.command contains 'sudo'",
			Depends: true}},
		{"fs:delete", nil, nodes.Allow, "allow fs:*", Decision{Permission: nodes.Allow, Rule: "allow fs:*"}},
		{"git:log", nil, nodes.Ask, "ask git", Decision{Rule: "ask git"}},
		{"web:get", nil, nodes.Ask, "", Decision{}},
		{"db:get", nil, nodes.Allow, "allow db:* when effect == 'read'",
			Decision{Rule: "allow db:* when effect == 'read'", Depends: true}},
	} {
		t.Run(string(c.tool), func(t *testing.T) {
			is := is.New(t)
			tool := &nodes.Tool{ID: c.tool, Effect: nodes.Read}
			got := rules.Decide(tool, map[string]any{"command": c.command})
			is.Equal(got, Decision{Permission: c.want, Rule: c.rule})
			is.Equal(rules.Static(tool), c.static)
		})
	}
}

// A condition that cannot be evaluated never permits a call unasked, and does not forbid it either.
func TestConditionThatFails(t *testing.T) {
	for _, c := range []struct{ rules, problem string }{
		{`{"deny": [{"tool": "*", "when": "args.n startsWith 'x'"}], "allow": ["*"]}`, `"deny * when`},
		{`{"ask": [{"tool": "*", "when": "args.n startsWith 'x'"}]}`, `"ask * when`},
		{`{"allow": [{"tool": "*", "when": "args.n startsWith 'x'"}]}`, `"allow * when`},
		{`{"allow": [{"tool": "*", "when": "len(map(1..100000, # * 2)) > 0"}]}`, "memory budget exceeded"},
	} {
		is := is.New(t)
		rules, err := ParseRules([]byte(c.rules))
		is.NoErr(err)
		got := rules.Decide(&nodes.Tool{ID: "a:b"}, map[string]any{"n": 1.0})
		is.Equal(got.Permission, nodes.Ask)
		is.True(strings.Contains(got.Problem, c.problem))
	}
}

func TestConditionSeesPlainDataOnly(t *testing.T) {
	is := is.New(t)
	rule, err := NewRule("*",
		`tool == "a:b" and route == "client" and effect == "write" and args.list[0].k == 1 and "x" in args`)
	is.NoErr(err)
	args := map[string]any{"list": []any{map[string]any{"k": 1.0}}, "x": nil}
	is.Equal(Rules{Allow: []Rule{rule}}.Decide(&nodes.Tool{ID: "a:b"}, args).Permission, nodes.Allow)
}

func TestRuleThatWasNotCompiledAsks(t *testing.T) {
	rules := Rules{Deny: []Rule{{Tool: "*", When: "true"}}, Allow: []Rule{{Tool: "*"}}}
	is.New(t).Equal(rules.Decide(&nodes.Tool{ID: "a:b"}, nil).Permission, nodes.Ask)
}

func TestParseRulesErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`[]`, "permissions: expected an object with allow, deny and ask, got []"},
		{`{"alow": []}`, `permissions: unknown key "alow"; there are allow, deny and ask`},
		{`{"allow": "fs:*"}`, `permissions.allow: expected a list of patterns, got "fs:*"`},
		{`{"allow": [""]}`, "permissions.allow[0]: the pattern is empty; write `server:tool`, `server:*` or `*`"},
		{`{"allow": ["fs :x"]}`, `permissions.allow[0]: pattern "fs :x" has a space in it`},
		{`{"deny": ["a:b", "fs:"]}`,
			"permissions.deny[1]: pattern \"fs:\" names no tool; write `server:tool`, `server:*` or `*`"},
		{`{"deny": [":x"]}`, "permissions.deny[0]: pattern \":x\" names no server; write `server:tool`, `server:*` or `*`"},
		{`{"ask": [{"tool": "fs:*", "if": "true"}]}`,
			`permissions.ask[0]: unknown field "if" in {"tool": "fs:*", "if": "true"}`},
		{`{"ask": [{"tool": "fs:*", "when": "argz.x"}]}`,
			"permissions.ask[0]: condition \"argz.x\": unknown name argz (1:1)\n | argz.x\n | ^"},
		{`{"ask": [{"tool": "fs:*", "when": "1 + 1"}]}`,
			"permissions.ask[0]: condition \"1 + 1\": expected bool, but got int"},
		{`{"ask": [7], "deny": [""]}`, "permissions.ask[0]: expected a pattern or {tool, when}, got 7\n" +
			"permissions.deny[0]: the pattern is empty; write `server:tool`, `server:*` or `*`"},
	} {
		_, err := ParseRules([]byte(c.in))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot:  %v\nwant: %s", c.in, err, c.want)
		}
	}
}
