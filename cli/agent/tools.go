package agent

import (
	"regexp"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/declare"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport/serve"
)

// instructions are what a model is told about pml before anything else. Clients cut them at 2 KB.
const instructions = `pml runs programs that call tools. Instead of one tool call after the other, write ONE short TypeScript program for
"execute" that makes all the calls, computes on the results and returns only what you need.

- A program is the body of an async function: top-level await and return, no imports. args holds the parameters.
- Call tools as await mcp.server.tool({ ... }); names that are no identifiers as mcp["my-server"]["a-tool"]({ ... }).
- Calls that do not depend on each other run at the same time by themselves; effects keep their order.
- A tool that fails throws err.message, err.code, err.tool. Text that is a JSON object or array arrives parsed.
- Return a small object, no raw dumps. Images in it are shown.
- "execute" does not declare every tool: "discover" finds others by what they do. "plan" shows what a program would do.
- approval_required: ask the user, then "resume" with the decisions; never run the program again.
- Errors name line and column, and what had been done: mend the program, do not repeat writes.`

const executeText = `Run a TypeScript program that calls tools: the body of an async function, with await and return. There are:`

const (
	executeInput = `{"type":"object","properties":{"code":{"type":"string"},` +
		`"args":{"type":"object"}},"required":["code"]}`
	planInput     = `{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}`
	discoverInput = `{"type":"object","properties":{"query":{"type":"string"},` +
		`"limit":{"type":"integer","default":10}},"required":["query"]}`
	resumeInput = `{"type":"object","properties":{"workflow_id":{"type":"string"},"decisions":{"type":"array","items":` +
		`{"type":"object","properties":{"id":{"type":"string"},` +
		`"decision":{"enum":["approve","deny","retry","succeeded","failed"]},` +
		`"result":{"type":["object","array","string","number","boolean","null"]},"remember":{"enum":["run","project"]}},` +
		`"required":["id","decision"]}}},"required":["workflow_id"]}`
	cancelInput = `{"type":"object","properties":{"workflow_id":{"type":"string"}},"required":["workflow_id"]}`
)

// executeDescription says what execute does and what programs can call.
func (a *Agent) executeDescription() string {
	tools := a.catalog.all()
	if len(tools) == 0 {
		return executeText + " none yet."
	}
	return executeText + "\n" + declare.Fit(tools, a.config.Shapes.Of, a.config.Settings.DeclarationTokens)
}

// own are the tools of pml itself.
func (a *Agent) own() []serve.Tool {
	yes, no := true, false
	reads := serve.Annotations{ReadOnlyHint: &yes, DestructiveHint: &no, OpenWorldHint: &no}
	return []serve.Tool{
		{Name: "execute", Title: "Run a program", Description: a.executeDescription(), InputSchema: []byte(executeInput),
			Meta: map[string]any{"anthropic/alwaysLoad": true}}, // Claude Code hides tools until it looks for them
		{Name: "plan", Title: "Plan a program", InputSchema: []byte(planInput), Annotations: reads,
			Description: "Show what a program would do; nothing is called."},
		{Name: "discover", Title: "Find tools", InputSchema: []byte(discoverInput), Annotations: reads,
			Description: "Find tools by what they do; returns their TypeScript declarations."},
		{Name: "resume", Title: "Go on with a run", InputSchema: []byte(resumeInput),
			Description: "Go on with a run that answered approval_required, with the user's decisions by approval id."},
		{Name: "cancel", Title: "Cancel a run", InputSchema: []byte(cancelInput),
			Description: "Cancel a run by its run_id or workflow_id."},
	}
}

// Tools implements serve.Handler: pml's own tools, and every tool of the project under its id.
func (a *Agent) Tools() []serve.Tool {
	list := a.own()
	taken := map[string]bool{}
	for i, t := range list {
		for _, prefix := range []string{"pml:", "pml_", "pml__", "mcp__pml__"} {
			list[i].Aliases = append(list[i].Aliases, prefix+t.Name)
			taken[prefix+t.Name] = true
		}
		taken[t.Name] = true
	}
	for _, t := range a.catalog.all() {
		shown := direct(t)
		if name := a.exposedAs(t.ID); name != "" && !taken[name] {
			taken[name] = true
			shown.Name, shown.Aliases, shown.Hidden = name, []string{string(t.ID)}, false
		} else if name != "" {
			a.log.Warn("the tool " + string(t.ID) + " cannot be exposed as " + name + ": that name is taken")
		}
		list = append(list, shown)
	}
	return list
}

// direct is a tool of the project that is called by its id.
func direct(t *nodes.Tool) serve.Tool {
	reads := t.Effect != nodes.Write
	return serve.Tool{Name: string(t.ID), Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
		OutputSchema: t.OutputSchema, Hidden: true,
		Annotations: serve.Annotations{ReadOnlyHint: &reads, IdempotentHint: &t.Idempotent}}
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// longestName is the longest name of a tool that clients take.
const longestName = 64

// exposedAs is the name under which a tool is listed; "" if it is not.
func (a *Agent) exposedAs(id nodes.ToolID) string {
	for _, e := range a.config.Settings.Expose {
		if !policy.Matches(e.Tool, id) {
			continue
		}
		name := id.Server() + "_" + id.Name()
		if e.Bare {
			name = id.Name()
		}
		name = notInName.ReplaceAllString(name, "_")
		return name[:min(len(name), longestName)]
	}
	return ""
}
