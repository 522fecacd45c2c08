package runtime

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/call"
)

// readKeys reads the keys again, and starts servers anew on their next use whose keys have changed.
func (s *Session) readKeys() {
	vars := map[string]string{}
	if s.config.Keys != nil {
		vars = s.config.Keys()
	}
	s.mu.Lock()
	old := s.vars
	s.vars = vars
	s.mu.Unlock()
	var list []journal.Secret
	for _, name := range s.names {
		e := s.servers[name].entry
		list = append(list, e.secrets(vars)...)
		changed := slices.ContainsFunc(e.keyNames(), func(key string) bool { return old[key] != vars[key] })
		if changed && s.pool != nil && e.URL == "" {
			s.pool.Renew(name, s.serverConfig(e).Env)
		}
	}
	s.secrets.set(append(list, journal.Secret{Name: "PML_API_KEY", Value: vars["PML_API_KEY"]}))
}

// key is the value of a key; "" if it is not set.
func (s *Session) key(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vars[name]
}

// keyNames are the keys that any tool of the server needs.
func (e *ServerEntry) keyNames() (list []string) {
	for _, tool := range slices.Sorted(maps.Keys(e.Keys)) {
		list = append(list, e.Keys[tool]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// secrets are the values of the server's keys, and of what looks like one in its own variables and headers.
func (e *ServerEntry) secrets(vars map[string]string) (list []journal.Secret) {
	for _, name := range e.keyNames() {
		list = append(list, journal.Secret{Name: name, Value: vars[name]})
	}
	for name, v := range e.Env {
		if secretName.MatchString(name) {
			list = append(list, journal.Secret{Name: name, Value: v})
		}
	}
	for name, v := range e.Headers {
		if secretName.MatchString(name) {
			token := v[strings.LastIndexByte(v, ' ')+1:]
			list = append(list, journal.Secret{Name: name, Value: v}, journal.Secret{Name: name, Value: token})
		}
	}
	return list
}

// needs are the keys that a tool needs: those of the whole server, and its own.
func (e *ServerEntry) needs(tool string) []string {
	return append(slices.Clone(e.Keys["*"]), e.Keys[tool]...)
}

// missing are the keys that a tool needs and that are not set.
func (s *Session) missing(t *nodes.Tool) (list []string) {
	for _, name := range t.Keys {
		if s.key(name) == "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// missingKeys warns of the keys that the calls of a graph need and that are not set.
func (s *Session) missingKeys(p *Planned) (list []nodes.Diagnostic) {
	if p.Graph == nil {
		return nil
	}
	for _, t := range p.used() {
		if missing := s.missing(t); len(missing) > 0 {
			list = append(list, nodes.Diagnostic{Code: nodes.MissingAPIKey, Severity: nodes.SeverityWarning,
				Pos: p.firstCall(t.ID), Message: needs(t.ID, missing), Hint: "put it into .env, or into pml's environment",
				Tool: t.ID})
		}
	}
	return list
}

// firstCall is where the program first calls a tool.
func (p *Planned) firstCall(id nodes.ToolID) (at ast.Pos) {
	p.Graph.Root.Walk(func(n *nodes.Node) {
		calls := n.Kind == nodes.KindCall && n.Call.Tool == id || n.Kind == nodes.KindScript && slices.Contains(n.Code.Tools, id)
		if calls && !at.IsValid() {
			at = n.Pos
		}
	})
	return at
}

func needs(tool nodes.ToolID, missing []string) string {
	verb := "is"
	if len(missing) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s needs %s, which %s not set", tool, strings.Join(missing, " and "), verb)
}

// needKeys pauses a call whose keys are not all set, until they are.
func (r *runner) needKeys(ctx context.Context, q call.Request) error {
	missing := r.session.missing(q.Tool)
	if len(missing) == 0 {
		return nil
	}
	text, err := call.ArgumentText(q.Tool, q.Args)
	if err != nil {
		return err
	}
	why := needs(q.Tool.ID, missing) + ": put it into .env, or into pml's environment"
	a, err := q.Asker.Ask(ctx, call.NewQuestion(call.NeedKey, q.Path, q.Tool.ID, text, why))
	if err != nil {
		return err
	}
	if r.session.readKeys(); len(r.session.missing(q.Tool)) == 0 {
		return nil
	}
	if a.Verdict == call.Approve {
		why = "still: " + why
	}
	return call.Throw(q.Tool.ID, nodes.MissingAPIKey, why)
}
