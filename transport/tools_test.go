package transport

import (
	"testing"

	"github.com/matryer/is"
)

func TestTools(t *testing.T) {
	is := is.New(t)
	b := newBench(t, manyTools, nil)
	tools, err := b.Tools(t.Context(), "s")
	is.NoErr(err)
	is.Equal(len(tools), 9) // five pages
	is.Equal(tools[0].Name, "echo")
	is.Equal(tools[0].Title, "Echo")
	is.Equal(string(tools[0].InputSchema), `{"type":"object"}`)
	is.Equal(tools[0].OutputSchema, nil)
	is.Equal(*tools[0].Annotations.ReadOnlyHint, true)
	is.Equal(string(tools[0].Meta), `{"k":1}`)
	is.Equal(string(tools[8].OutputSchema), `{"type":"object"}`)
	is.Equal(b.Status("s").Info, ServerInfo{Name: "test", Version: "1.0.0", ProtocolVersion: "2025-06-18"})
}

func TestBadToolsAreQuarantined(t *testing.T) {
	is := is.New(t)
	b := newBench(t, `{"tools":[{"name":"good"},{"name":"good"}],"rawTools":[
		{"inputSchema":{"type":"object"}}, {"name":"a","inputSchema":true}, {"name":"b"}, 7,
		{"name":"c","inputSchema":{"type":"string"}}, {"name":"d","inputSchema":{"type":"object"},"outputSchema":[]}]}`, nil)
	tools, err := b.Tools(t.Context(), "s")
	is.NoErr(err)
	is.Equal(len(tools), 2)
	is.Equal(tools[0].Name, "d")
	is.Equal(tools[0].OutputSchema, nil)
	is.Equal(tools[1].Name, "good")
	is.Equal(b.Quarantined("s"), []Quarantine{
		{"", "it has no name"},
		{"a", `inputSchema is no object: "true"`},
		{"b", `inputSchema is no object: ""`},
		{"", "not a tool: json: cannot unmarshal number into Go value of type transport.listedTool"},
		{"c", `inputSchema must have type "object", not "string"`},
		{"good", "listed twice"},
	})
}

func TestProtocolVersions(t *testing.T) {
	for _, c := range []struct{ takes, got string }{
		{`"2025-11-25"`, "2025-11-25"},
		{`"2024-11-05"`, "2024-11-05"},
		{`"2025-03-26"`, "2025-03-26"},
		{`"2026-07-28","2024-11-05","2025-03-26"`, "2025-03-26"},
	} {
		t.Run(c.takes, func(t *testing.T) {
			is := is.New(t)
			b := newBench(t, `{"versions":[`+c.takes+`],"tools":[]}`, nil)
			_, err := b.Tools(t.Context(), "s")
			is.NoErr(err)
			is.Equal(b.Status("s").Info.ProtocolVersion, c.got)
			is.Equal(b.servers["s"].versions()[0], c.got) // remembered
		})
	}
	is := is.New(t)
	b := newBench(t, `{"versions":["2031-01-01"],"tools":[]}`, nil)
	_, err := b.Tools(t.Context(), "s")
	is.Equal(describe(nil, err),
		`SERVER_ERROR -32602 server "s" refused initialize: Unsupported protocol version (-32602) `+
			`{"requested":"2024-11-05","supported":["2031-01-01"]}`)
}
