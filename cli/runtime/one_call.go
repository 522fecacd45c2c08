package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
)

// OneCall is a program that makes one call with its own args.
func OneCall(id nodes.ToolID) string {
	server, _ := json.Marshal(id.Server())
	name, _ := json.Marshal(id.Name())
	return fmt.Sprintf("return await mcp[%s][%s](args)", server, name)
}

// CallTool calls a tool as a program of one call does, so that rules, routes, limits and traces are those of every call, and
// gives the text that it answered, or that it failed with. What would have to be asked about fails: nobody is asked.
func (s *Session) CallTool(ctx context.Context, id nodes.ToolID, args []byte) (text string, failed bool) {
	params, err := value.FromJSON(args)
	if err != nil {
		return "the arguments are not JSON: " + err.Error(), true
	}
	p, err := s.Plan(ctx, OneCall(id), PlanOptions{})
	if err != nil {
		return err.Error(), true
	}
	var mu sync.Mutex
	var answer *call.Reply
	out := s.Run(ctx, p, params, RunOptions{Received: func(_ nodes.ToolID, r call.Reply) {
		mu.Lock()
		defer mu.Unlock()
		answer = &r
	}})
	switch {
	case out.Err != nil && out.Err.Code == nodes.ApprovalRequired:
		_, _ = s.Cancel(out.RunID) // nobody will answer
		return fmt.Sprintf("%s needs a person's approval, and nobody can be asked now", id), true
	case answer == nil && out.Err != nil:
		return out.Err.Error(), true
	case answer == nil:
		return "it gave no answer", true
	}
	var parts []string
	for _, b := range answer.Content {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		} else {
			parts = append(parts, "("+b.Type+")")
		}
	}
	if len(parts) == 0 {
		parts = append(parts, string(answer.Structured))
	}
	return strings.Join(parts, "\n"), answer.IsError
}

// MaySample says whether a server may ask a language model with a key of the user's: unless a rule denies
// SERVER:sampling/createMessage, which is written to the audit log either way.
func (s *Session) MaySample(server, key string) error {
	id := nodes.ToolID(server + ":sampling/createMessage")
	d := s.config.Rules.Static(&nodes.Tool{ID: id})
	x := auditLine{tool: id, decision: nodes.Allow.String(), by: key}
	if d.Permission == nodes.Deny {
		x.decision, x.by = nodes.Deny.String(), d.Rule
	}
	if err := s.audit.write(x, true); err != nil {
		s.log.Warn("a decision could not be written to the audit log", "error", err)
	}
	if d.Permission == nodes.Deny {
		return fmt.Errorf("asking a language model is forbidden by the rule %q", d.Rule)
	}
	return nil
}

// Hide keeps quiet about the value of a key from now on.
func (s *Session) Hide(name, value string) { s.secrets.add(journal.Secret{Name: name, Value: value}) }
