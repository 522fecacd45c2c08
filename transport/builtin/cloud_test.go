package builtin_test

import (
	"io"
	"strings"
	"testing"

	"github.com/casys-ai/pml/transport/builtin"
	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
)

// TestCloudServers: what the gateway's own servers answer, errors included.
func TestCloudServers(t *testing.T) {
	type m = map[string]any
	for _, c := range []struct {
		server, tool string
		args         m
		want         string // the text begins with it
	}{
		{"json", "parse", m{"data": ` {"b": 1, "a": 10000000000000000000001} `}, `{"b":1,"a":10000000000000000000001}`},
		{"json", "parse", m{"data": `{"a":}`}, "not valid JSON at byte 6"},
		{"json", "format", m{"data": `{"b":[1]}`, "indent": 0}, `{"b":[1]}`},
		{"json", "format", m{"data": `{"b":[1]}`}, "{\n  \"b\": ["},
		{"json", "query", m{"data": `{"x":[{"n":1},{"n":2}]}`, "query": ".x[].n"}, "[1,2]"},
		{"json", "query", m{"data": `{}`, "query": ".x["}, "the query is no jq"},
		{"json", "query", m{"data": `{}`, "query": "error(\"no\")"}, "the query failed"},
		{"math", "evaluate", m{"expression": "(a + 2) * sqrt(16)", "variables": m{"a": 1}}, "{\n  \"value\": 12"},
		{"math", "evaluate", m{"expression": "1 / 4"}, "{\n  \"value\": 0.25"},
		{"math", "evaluate", m{"expression": "1 +"}, "the expression cannot be read"},
		{"math", "evaluate", m{"expression": "1 / 0"}, "the result is +Inf"},
		{"math", "sum", m{"numbers": []any{1e16, 1, -1e16}}, "{\n  \"value\": 1"},
		{"math", "round", m{"number": -2.5}, "{\n  \"value\": -3"},
		{"math", "statistics", m{"numbers": []any{4, 1, 3, 2}}, "{\n  \"count\": 4"},
		{"math", "statistics", m{"numbers": []any{}}, "the list is empty"},
		{"crypto", "hash", m{"text": "abc"}, "ba7816bf"},
		{"crypto", "hmac", m{"text": "what do ya want for nothing?", "key": "Jefe"}, "5bdcc146"}, // RFC 4231, case 2
		{"crypto", "encode", m{"text": "é"}, "w6k="},
		{"crypto", "decode", m{"text": "w6k="}, "é"},
		{"crypto", "decode", m{"text": "/w=="}, "its 1 bytes are no text"},
		{"crypto", "random", m{"bytes": 2000}, "at most 1024"},
		{"datetime", "convert", m{"time": "2026-01-31T08:30:00Z", "timezone": "Europe/Paris"}, "{\n  \"day\": 31,\n  \"hour\": 9"},
		{"datetime", "add", m{"time": "2026-01-31", "days": 1}, "{\n  \"day\": 1"},
		{"datetime", "format", m{"time": "2026-01-31", "pattern": "%d.%m.%Y"}, "31.01.2026"},
		{"datetime", "difference", m{"from": "2026-01-01", "to": "2026-01-02"}, "{\n  \"days\": 1"},
		{"datetime", "convert", m{"time": "soon"}, `"soon" is no time`},
		{"datetime", "now", m{"timezone": "Mars"}, `there is no time zone "Mars"`},
	} {
		t.Run(c.server+":"+c.tool, func(t *testing.T) {
			client := pipetest.Serve(t, func(in io.Reader, out io.Writer) error {
				return builtin.Serve(t.Context(), c.server, builtin.Options{}, in, out)
			})
			if got := client.Call(c.tool, c.args); !strings.HasPrefix(got.Text+got.Error, c.want) {
				t.Errorf("%v: got %q, want %q", c.args, got.Text+got.Error, c.want)
			}
		})
	}
}
