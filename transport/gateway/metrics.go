package gateway

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// metrics count what is served, in the text format of Prometheus.
type metrics struct {
	mu       sync.Mutex
	requests map[string]int // by path and status
	seconds  float64
	calls    map[string]int // tool calls by how they ended: done, repeated, failed
}

// count notes every request with its status and time.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(s, r)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.requests == nil {
			m.requests = map[string]int{}
		}
		m.requests[fmt.Sprintf("path=%q,status=\"%d\"", r.Pattern, s.status)]++
		m.seconds += time.Since(began).Seconds()
	})
}

// called notes how a tool call ended.
func (m *metrics) called(how string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == nil {
		m.calls = map[string]int{}
	}
	m.calls[how]++
}

// write serves /metrics.
func (m *metrics) write(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	for _, labels := range slices.Sorted(maps.Keys(m.requests)) {
		fmt.Fprintf(w, "pml_gateway_requests_total{%s} %d\n", labels, m.requests[labels])
	}
	fmt.Fprintf(w, "pml_gateway_request_seconds_total %g\n", m.seconds)
	for _, how := range slices.Sorted(maps.Keys(m.calls)) {
		fmt.Fprintf(w, "pml_gateway_tool_calls_total{outcome=%q} %d\n", how, m.calls[how])
	}
}

// health serves /health.
func (g *Gateway) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	state, status := "ok", http.StatusOK
	if err := g.store.Ping(r.Context()); err != nil {
		state, status = "no database", http.StatusServiceUnavailable
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"status": state, "tools": len(g.tools), "in_flight": len(g.seats),
		"uptime_seconds": int(time.Since(g.started).Seconds())})
}

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush implements http.Flusher, which streams of events need.
func (s *statusWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }
