package transport

import ("testing";"time";"log/slog";"os")

func TestRealServers(t *testing.T) {
	p := NewPool([]ServerConfig{
		{Name:"every",Command:"node",Args:[]string{"/tmp/npm/node_modules/@modelcontextprotocol/server-everything/dist/index.js","stdio"}},
		{Name:"npx",Command:"npx",Args:[]string{"--prefix","/tmp/npm","mcp-server-filesystem","/tmp/npm"}},
	}, PoolOptions{Environ: os.Environ(), Client: Client{Root:"/tmp/npm"}, Logger: slog.New(slog.NewTextHandler(os.Stderr,nil))})
	defer func(){ st:=time.Now(); p.Close(); t.Log("close", time.Since(st)) }()
	for _, s := range p.Servers() {
		st := time.Now()
		tools, err := p.Tools(t.Context(), s)
		t.Log(s, len(tools), err, time.Since(st), p.Status(s), p.Quarantined(s))
		for _, x := range tools { t.Log("  ", x.Name, len(x.InputSchema), len(x.OutputSchema)) }
	}
	for _, c := range [][3]string{{"every","echo",`{"message":"hé"}`},{"every","get-sum",`{"a":1,"b":2}`},{"every","get-sum",`{"a":"x"}`},{"every","nope",`{}`},{"every","get-roots-list",`{}`},{"every","get-tiny-image",`{}`},{"npx","read_text_file",`{"path":"/tmp/npm/package.json"}`},{"npx","read_text_file",`{"path":"/etc/passwd"}`},{"npx","list_allowed_directories",``}} {
		r, err := p.Call(t.Context(), c[0], c[1], []byte(c[2]), nil)
		s := describe2(r, err); if len(s)>300 {s=s[:300]}
		t.Log(c, s)
	}
	n:=0
	r, err := p.Do(t.Context(), "every", Request{Tool:"trigger-long-running-operation", Args: []byte(`{"duration":1,"steps":5}`), Progress: func(Progress){n++}})
	t.Log(describe2(r, err), "progress", n)
}
func describe2(r *Result, err error) string { if err==nil && r==nil {return "nil"}; return describe(r,err) }
