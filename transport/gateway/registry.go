package gateway

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// recordAge is how long clients keep a record: what has a hash in its name never changes.
const (
	recordAge = "private, max-age=60"
	foreverIn = "private, max-age=31536000, immutable"
)

// getRecord serves a record by its FQDN, with or without the hash, or by its short name in the caller's scope.
func (g *Gateway) getRecord(w http.ResponseWriter, r *http.Request) {
	scope, name := callerOf(r.Context()).Scope, r.PathValue("name")
	record, err := g.store.Record(r.Context(), scope, name)
	switch {
	case errors.Is(err, ErrNoRecord):
		names, _ := g.store.names(r.Context(), scope)
		hint := "pml capability publish puts one there"
		if near := nodes.Nearest(name, names); near != "" {
			hint = "did you mean " + near + "?"
		}
		refuse(w, http.StatusNotFound, "NOT_FOUND", fmt.Sprintf("%s has no record %q", scope, name), hint)
	case err != nil:
		g.broke(w, err)
	default:
		text, _ := json.Marshal(record)
		control := recordAge
		if transport.IsFQDN(name) {
			control = foreverIn
		}
		serveCached(w, r, text, control)
	}
}

// putRecord publishes a record in the caller's scope.
func (g *Gateway) putRecord(w http.ResponseWriter, r *http.Request) {
	var record transport.Record
	if err := json.NewDecoder(r.Body).Decode(&record); err != nil {
		refuse(w, http.StatusBadRequest, nodes.InvalidArguments, "the record is no JSON: "+err.Error(), "")
		return
	}
	record.Name = r.PathValue("name")
	if err := g.complete(r.Context(), &record); err != nil {
		refuse(w, http.StatusBadRequest, nodes.InvalidArguments, err.Error(), "see the README, about the registry")
		return
	}
	record.Seal(callerOf(r.Context()).Scope)
	switch err := g.store.publish(r.Context(), callerOf(r.Context()).Scope, &record); {
	case errors.Is(err, errTaken):
		refuse(w, http.StatusConflict, nodes.InvalidArguments, record.FQDN+" is another version already, whose hash begins alike",
			"change a word of its description")
		return
	case err != nil:
		g.broke(w, err)
		return
	}
	g.mcp.Changed()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(record)
}

// mostCode is how long the code of a capability may be.
const mostCode = 1 << 20

// fetchCode gets the code of a capability from where its record says, once: what is published never changes.
func (g *Gateway) fetchCode(ctx context.Context, r *transport.Record) error {
	if r.Type != transport.RecordCapability || r.Code != "" || r.CodeURL == "" {
		return nil
	}
	bad := func(format string, a ...any) error {
		return &transport.Error{Message: "the code at " + r.CodeURL + " " + fmt.Sprintf(format, a...)}
	}
	ctx, cancel := context.WithTimeout(ctx, g.limits.Arrive)
	defer cancel()
	rq, err := http.NewRequestWithContext(ctx, http.MethodGet, r.CodeURL, nil)
	if err != nil || rq.URL.Scheme != "http" && rq.URL.Scheme != "https" {
		return bad("cannot be fetched: codeUrl must be an address of HTTP")
	}
	answer, err := g.upstream.Do(rq)
	if err != nil {
		return bad("cannot be fetched: %v", errors.Unwrap(err))
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostCode+1))
	switch {
	case err != nil:
		return bad("cannot be read: %v", err)
	case answer.StatusCode != http.StatusOK:
		return bad("cannot be fetched: %s", answer.Status)
	case len(text) > mostCode:
		return bad("is longer than %d bytes", mostCode)
	}
	r.Code = string(text)
	return nil
}

// complete checks a record, and adds the tools that its server has. The names of the gateway's own servers are taken.
func (g *Gateway) complete(ctx context.Context, r *transport.Record) error {
	if err := g.fetchCode(ctx, r); err != nil {
		return err
	}
	if err := r.Check(); err != nil || r.Type != transport.RecordHTTP {
		return err
	}
	if slices.ContainsFunc(g.tools, func(t transport.CloudTool) bool { return t.ID.Server() == r.Name }) {
		return &transport.Error{Message: fmt.Sprintf("the gateway has a server %s of its own: choose another name", r.Name)}
	}
	if len(r.Tools) > 0 {
		return nil
	}
	var err error
	if r.Tools, err = g.listUpstream(ctx, r); err != nil {
		return err
	}
	return r.Check()
}

// listUpstream asks an http server for its tools. One that wants a key for that must be published with its tools.
func (g *Gateway) listUpstream(ctx context.Context, r *transport.Record) ([]transport.CloudTool, error) {
	if len(r.Keys()) > 0 {
		return nil, &transport.Error{Message: "the record has no tools, and its server wants a key to list them: write them into it"}
	}
	remote := transport.NewRemote(transport.RemoteConfig{Name: r.Name, URL: r.ProxyTo, Headers: r.Headers, HTTP: g.upstream},
		transport.PoolOptions{})
	defer remote.Close()
	infos, _, err := remote.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var tools []transport.CloudTool
	for _, i := range infos {
		t := transport.CloudTool{ID: nodes.ToolID(r.Name + ":" + i.Name), Title: i.Title, Description: i.Description,
			InputSchema: i.InputSchema, OutputSchema: i.OutputSchema}
		if h := i.Annotations; h.ReadOnlyHint != nil && *h.ReadOnlyHint {
			t.Effect = nodes.Read.String()
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// ErrNoRecord says that a scope has no such record.
var ErrNoRecord = errors.New("no such record")

// PlatformScope is the scope of the platform: its records are there for everybody, behind those of a scope's own.
const PlatformScope = "pml.mcp"

// Record finds a record that a scope can use: by FQDN, FQDN without hash, or short name; of a short name its own latest, else
// the platform's.
func (s *Store) Record(ctx context.Context, scope, name string) (*transport.Record, error) {
	query, arg := "name = ?", name
	switch {
	case transport.IsFQDN(name):
		query = "fqdn = ?"
	case transport.IsFQDN(name + "."):
		query, arg = "substr(fqdn, 1, length(fqdn) - 5) = ?", name
	}
	var text []byte
	err := s.db.QueryRowContext(ctx, "SELECT record FROM records WHERE scope IN (?, ?) AND "+query+
		" ORDER BY scope = ? DESC, at DESC, rowid DESC LIMIT 1", scope, PlatformScope, arg, scope).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoRecord
	}
	if err != nil {
		return nil, err
	}
	var r transport.Record
	return &r, json.Unmarshal(text, &r)
}

// Proxied are the http records that a scope can use, the latest of each name, its own before the platform's.
func (s *Store) Proxied(ctx context.Context, scope string) ([]*transport.Record, error) {
	return s.usable(ctx, scope, transport.RecordHTTP)
}

// usable are the records of a type that a scope can use.
func (s *Store) usable(ctx context.Context, scope, kind string) ([]*transport.Record, error) {
	own, err := s.latest(ctx, kind, "WHERE scope = ?", scope)
	if err != nil || scope == PlatformScope {
		return own, err
	}
	list, err := s.latest(ctx, kind, "WHERE scope = ?", PlatformScope)
	for _, r := range list {
		if !slices.ContainsFunc(own, func(o *transport.Record) bool { return o.Name == r.Name }) {
			own = append(own, r)
		}
	}
	return own, err
}

// latest reads the records of a type that a condition selects, of each scope the latest of each name. What was published
// before a rule of Check was made, and breaks it, is left out.
func (s *Store) latest(ctx context.Context, kind, where string, args ...any) ([]*transport.Record, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT scope, record FROM records "+where+" ORDER BY at DESC, rowid DESC", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*transport.Record
	type name struct{ scope, name string }
	seen := map[name]bool{}
	for rows.Next() {
		var scope string
		var text []byte
		var r transport.Record
		if err := rows.Scan(&scope, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, err
		}
		if !seen[name{scope, r.Name}] && r.Type == kind && r.Check() == nil {
			list = append(list, &r)
		}
		seen[name{scope, r.Name}] = true
	}
	return list, rows.Err()
}

func (s *Store) names(ctx context.Context, scope string) (list []string, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT DISTINCT name FROM records WHERE scope IN (?, ?) ORDER BY name", scope, PlatformScope)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, rows.Err()
}

// errTaken says that an FQDN is that of another content.
var errTaken = errors.New("the FQDN is taken")

// publish adds a record; the same content once more only makes it the latest.
func (s *Store) publish(ctx context.Context, scope string, r *transport.Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if was, err := s.Record(ctx, scope, r.FQDN); err == nil && was.Integrity != r.Integrity {
		return errTaken
	}
	_, err = s.db.ExecContext(ctx, "INSERT OR REPLACE INTO records (scope, name, fqdn, record, at) VALUES (?, ?, ?, ?, ?)", scope, r.Name,
		r.FQDN, text, time.Now().UnixMilli())
	return err
}
