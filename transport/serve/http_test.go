package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"
)

// TestLocalOnly: this machine's own names and pages get through, others do not.
func TestLocalOnly(t *testing.T) {
	h := LocalOnly(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "box.lan")
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"localhost:3003", "", 200},
		{"127.0.0.1:3003", "http://localhost:8080", 200},
		{"[::1]:3003", "http://[::1]:3003", 200},
		{"BOX.lan", "https://box.lan", 200},
		{"evil.example:3003", "", 403},
		{"localhost:3003", "https://evil.example", 403},
		{"localhost:3003", "null", 403},
		{"localhost:3003", "http://localhost.evil.example", 403},
		{"10.0.0.7:3003", "", 403},
	} {
		r := httptest.NewRequest("POST", "/mcp", nil)
		if r.Host = c.host; c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("host %s, origin %s: %d, want %d", c.host, c.origin, w.Code, c.want)
		}
	}
}

// TestReplay: what came after an event on its stream is given again; what is old or another's is not.
func TestReplay(t *testing.T) {
	is := is.New(t)
	r, ctx := newReplay(), t.Context()
	store := func(session, stream, text string) string {
		id, err := r.StoreEvent(ctx, session, stream, json.RawMessage(text))
		is.NoErr(err)
		return id
	}
	after := func(session, id string) (string, error) {
		var got []string
		_, err := r.ReplayEventsAfter(ctx, session, id, func(_ string, m json.RawMessage) error {
			got = append(got, string(m))
			return nil
		})
		return strings.Join(got, " "), err
	}
	first := store("a", "x", "1")
	store("a", "y", "2")
	store("b", "x", "3")
	store("a", "x", "4")
	got, err := after("a", first)
	is.NoErr(err)
	is.Equal(got, "4")
	_, err = after("b", first)
	is.True(errors.Is(err, server.ErrUnknownEventID))
	big := strings.Repeat("x", mostReplay/2)
	for range 3 {
		store("a", "x", big)
	}
	_, err = after("a", first)
	is.True(errors.Is(err, server.ErrUnknownEventID)) // forgotten
	is.True(r.sessions["a"].bytes <= mostReplay)
	is.NoErr(r.PurgeSession(ctx, "a"))
	is.Equal(len(r.sessions), 1)
}
