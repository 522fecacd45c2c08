package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// ParseRules reads the `permissions` of .pml.json:
//
//	{"allow": ["fs:*", {"tool": "shell:*", "when": "args.command startsWith 'ls'"}], "deny": [], "ask": []}
//
// The error names every mistake with its place.
func ParseRules(data []byte) (Rules, error) {
	var r Rules
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(data, &lists); err != nil || lists == nil {
		return r, fmt.Errorf("permissions: expected an object with allow, deny and ask, got %s", shortJSON(data))
	}
	var bad problems
	for _, name := range sortedKeys(lists) {
		switch name {
		case "allow":
			r.Allow = bad.rules("permissions.allow", lists[name])
		case "deny":
			r.Deny = bad.rules("permissions.deny", lists[name])
		case "ask":
			r.Ask = bad.rules("permissions.ask", lists[name])
		default:
			bad.add("permissions", fmt.Errorf("unknown key %q; there are allow, deny and ask", name))
		}
	}
	return r, bad.err()
}

// ParseEffects reads the `effects` of .pml.json:
//
//	[{"tool": "crm:*", "effect": "read", "scope": ["crm"], "idempotent": true},
//	 {"tool": "filesystem:write_file", "scope": ["workspace:{path}"]}]
//
// A scope may name an argument: see nodes.FillScopes.
func ParseEffects(data []byte) ([]EffectRule, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("effects: expected a list, got %s", shortJSON(data))
	}
	var bad problems
	var out []EffectRule
	for i, raw := range list {
		e, err := parseEffect(raw)
		if err != nil {
			bad.add(fmt.Sprintf("effects[%d]", i), err)
			continue
		}
		out = append(out, e)
	}
	return out, bad.err()
}

func parseEffect(raw json.RawMessage) (EffectRule, error) {
	var in struct {
		Tool, Effect string
		Scope        []string
		Idempotent   *bool
	}
	if err := strict(raw, &in); err != nil {
		return EffectRule{}, err
	}
	e := EffectRule{Tool: in.Tool, Scopes: in.Scope, Idempotent: in.Idempotent}
	if in.Effect != "" {
		effect, ok := effectNames[in.Effect]
		if !ok {
			return e, fmt.Errorf("unknown effect %q; there are pure, read and write", in.Effect)
		}
		e.Effect = &effect
	}
	return e, CheckPattern(in.Tool)
}

var effectNames = map[string]nodes.Effect{"pure": nodes.Pure, "read": nodes.Read, "write": nodes.Write}

// problems collects what is wrong.
type problems []string

func (p *problems) add(where string, err error) { *p = append(*p, where+": "+err.Error()) }

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(p, "\n"))
}

func (p *problems) rules(where string, raw json.RawMessage) []Rule {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		p.add(where, fmt.Errorf("expected a list of patterns, got %s", shortJSON(raw)))
		return nil
	}
	var out []Rule
	for i, item := range list {
		r, err := parseRule(item)
		if err != nil {
			p.add(fmt.Sprintf("%s[%d]", where, i), err)
			continue
		}
		out = append(out, r)
	}
	return out
}

func parseRule(raw json.RawMessage) (Rule, error) {
	var pattern string
	if json.Unmarshal(raw, &pattern) == nil {
		return NewRule(pattern, "")
	}
	if len(raw) == 0 || raw[0] != '{' {
		return Rule{}, fmt.Errorf("expected a pattern or {tool, when}, got %s", shortJSON(raw))
	}
	var in struct{ Tool, When string }
	if err := strict(raw, &in); err != nil {
		return Rule{}, err
	}
	return NewRule(in.Tool, in.When)
}

// strict decodes an object and refuses keys that it does not know.
func strict(raw json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%s in %s", strings.TrimPrefix(err.Error(), "json: "), shortJSON(raw))
	}
	return nil
}

func shortJSON(raw []byte) string {
	const most = 60
	s := strings.TrimSpace(string(raw))
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
