package gateway

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// mostTraces is how many traces may be in one request.
const mostTraces = 1000

// traceHead is what the gateway reads of a trace; the rest it keeps as it came.
type traceHead struct {
	RunID      string `json:"run_id"`
	WorkflowID string `json:"workflow_id"`
	Status     string `json:"status"`
}

// putTraces keeps what runs of the caller's scope came to.
func (g *Gateway) putTraces(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Traces []json.RawMessage `json:"traces"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Traces) > mostTraces {
		refuse(w, http.StatusBadRequest, nodes.InvalidArguments, fmt.Sprintf("not {traces: […]} with %d of them at most", mostTraces), "")
		return
	}
	scope := callerOf(r.Context()).Scope
	for i, text := range in.Traces {
		var h traceHead
		if err := json.Unmarshal(text, &h); err != nil || h.RunID == "" || h.Status == "" {
			refuse(w, http.StatusBadRequest, nodes.InvalidArguments, fmt.Sprintf("trace %d has no run_id or no status", i), "")
			return
		}
		if err := g.store.keepTrace(r.Context(), scope, h, text); err != nil {
			g.broke(w, err)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]int{"accepted": len(in.Traces)})
}

// getTrace serves what a run of the caller's scope came to, by its id or by that of its workflow.
func (g *Gateway) getTrace(w http.ResponseWriter, r *http.Request) {
	scope, id := callerOf(r.Context()).Scope, r.PathValue("id")
	text, err := g.store.trace(r.Context(), scope, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		refuse(w, http.StatusNotFound, "NOT_FOUND", fmt.Sprintf("%s has no trace %q", scope, id), "a run is told of when it has ended")
	case err != nil:
		g.broke(w, err)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
	}
}

// Workflow notes that a program was handed back to be executed by its caller, who tells what came of it under this id.
func (s *Store) Workflow(ctx context.Context, scope, id string) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO workflows (scope, id, at) VALUES (?, ?, ?)", scope, id, time.Now().Unix())
	return err
}

// keepTrace keeps a trace; told once more, the last counts. A workflow that the scope does not have is not believed.
func (s *Store) keepTrace(ctx context.Context, scope string, h traceHead, text []byte) error {
	_, err := s.db.ExecContext(ctx, "INSERT OR REPLACE INTO traces (scope, run, workflow, status, trace, at) VALUES (?, ?, "+
		"(SELECT id FROM workflows WHERE scope = ? AND id = ?), ?, ?, ?)", scope, h.RunID, scope, h.WorkflowID, h.Status, text,
		time.Now().Unix())
	return err
}

func (s *Store) trace(ctx context.Context, scope, id string) (text []byte, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT trace FROM traces WHERE scope = ? AND (run = ? OR workflow = ?) ORDER BY at DESC LIMIT 1",
		scope, id, id).Scan(&text)
	return text, err
}
