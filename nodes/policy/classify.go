package policy

import "github.com/casys-ai/pml/nodes"

// EffectRule is what the user says about the effects of the tools that a pattern covers.
type EffectRule struct {
	// Tool is the pattern; see Rule.
	Tool string
	// Effect is nil where the rule is only about scopes.
	Effect *nodes.Effect
	// Scopes are the named resources that the tools touch; nil leaves them as they are.
	Scopes []string
	// Idempotent is nil where the rule says nothing about it.
	Idempotent *bool
}

// ToolFacts is what is known about a tool, from whoever says it.
type ToolFacts struct {
	ID                 nodes.ToolID
	Title, Description string
	// InputSchema and OutputSchema are JSON Schema texts as the server sent them.
	InputSchema, OutputSchema []byte
	// Hints are the annotations of the server.
	Hints Hints
	// Server is what the configuration says about the server.
	Server ServerFacts
	// Changed is what nodes.Tool.Changed says.
	Changed string
	// Registry is the effect that the registry gives; nil if it gives none.
	Registry *nodes.Effect
	// Routes are the user's routes; see Route.
	Routes map[string]string
}

// Hints are the annotations of a tool (MCP 2025-06-18, ToolAnnotations) that matter here; nil where there is none.
type Hints struct {
	ReadOnly, Idempotent *bool
}

// ServerFacts is what the configuration says about a server.
type ServerFacts struct {
	// Untrusted says that the server's annotations are not believed (`trust: false`).
	Untrusted bool
	// BuiltIn says that the server is part of the pml binary.
	BuiltIn bool
	// Text names the tools whose texts are handed over as they are (`result: "text"`), with `*`.
	Text []string
	// Origin is "built-in", "custom" or "registry".
	Origin string
}

// textServers are the built-in servers whose texts are never read as JSON: a JSON file's content is its text.
var textServers = map[string]bool{"filesystem": true, "shell": true}

// Classify makes the Tool that planner, policy and agent see. Effect: user's rule, then registry, then the server's
// annotation, else write to the whole world (ARCHITECTURE.md, rule 2).
func Classify(f ToolFacts, r Rules) nodes.Tool {
	t := nodes.Tool{
		ID: f.ID, Title: f.Title, Description: f.Description, InputSchema: f.InputSchema, OutputSchema: f.OutputSchema,
		Route: Route(f.ID.Server(), f.ID.Name(), f.Routes), Origin: f.Server.Origin,
		TextResult: f.textResult(), Changed: f.Changed,
	}
	rule := r.effectRule(f.ID)
	effect, known := f.effect(rule)
	t.Effect = effect
	t.Idempotent = f.idempotent(rule, effect)
	t.Scopes = scopes(rule, t.Route, known)
	t.Permission = r.Static(&t).Permission
	return t
}

func (f *ToolFacts) textResult() bool {
	for _, p := range f.Server.Text {
		if glob(p, f.ID.Name()) {
			return true
		}
	}
	return f.Server.BuiltIn && textServers[f.ID.Server()]
}

// effectRule is the first rule that covers the tool; an empty one if none does.
func (r Rules) effectRule(id nodes.ToolID) EffectRule {
	for _, e := range r.Effects {
		if Matches(e.Tool, id) {
			return e
		}
	}
	return EffectRule{}
}

// effect is what the tool does, and whether anybody said so.
func (f *ToolFacts) effect(rule EffectRule) (effect nodes.Effect, known bool) {
	switch {
	case rule.Effect != nil:
		return *rule.Effect, true
	case f.Registry != nil:
		return *f.Registry, true
	case f.Server.Untrusted || f.Hints.ReadOnly == nil:
		return nodes.Write, false
	case *f.Hints.ReadOnly:
		return nodes.Read, true
	}
	return nodes.Write, true
}

func (f *ToolFacts) idempotent(rule EffectRule, effect nodes.Effect) bool {
	if rule.Idempotent != nil {
		return *rule.Idempotent
	}
	hinted := !f.Server.Untrusted && f.Hints.Idempotent != nil && *f.Hints.Idempotent
	return effect != nodes.Write || hinted
}

// scopes are the resources that the tool touches: all local servers share the workspace. What is in the cloud, or
// unknown, may touch anything.
func scopes(rule EffectRule, route nodes.Route, known bool) []string {
	switch {
	case rule.Scopes != nil:
		return rule.Scopes
	case known && route == nodes.Client:
		return []string{nodes.Workspace}
	}
	return []string{nodes.World}
}
