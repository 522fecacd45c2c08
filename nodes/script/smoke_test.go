package script

import (
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes/value"
)

func TestSmoke(t *testing.T) {
	p := newPool(t, Limits{}, 0)
	began := time.Now()
	r := acquire(t, p)
	t.Log("start", time.Since(began))
	for _, js := range []string{"return 1+1", "return {a:[1,,3], b:undefined, c:-0, d:NaN}", "throw new TypeError('x')",
		"const r = await mcp.t.echo({x:1}); return r.x", "console.log('hi', {a:[1,{b:2}]}); return String(mcp)",
		"try { await mcp.t.fail() } catch (e) { return [e.name,e.message,e.code,e.tool,e instanceof ToolError, Object.keys(e)] }",
		"return new Map()", "let a; return a.b.c", "const u = new URL('https://a.b/c?d=1#e'); return u.href", "return fetch('x')"} {
		c, err := r.Execute(within(t, 5*time.Second), Fragment{JS: js, Call: echo, Log: func(l, s string) { t.Log(l, s) }})
		if err != nil {
			t.Logf("%s: %T %v %+v", js, err, err, err)
			if _, ok := err.(*Exception); !ok {
				r = acquire(t, p)
			}
			continue
		}
		t.Log(js, value.Inspect(c.Value))
	}
}
