package expr_test

import (
	"os"
	"strings"
	"testing"
)

// agents are pieces as AI agents write them, with all that may differ between Node and us.
func agents(t testing.TB) (list []snippet) {
	raw, err := os.ReadFile("testdata/agents.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range strings.Split(string(raw), "// ---\n") {
		list = append(list, snippet{source: source})
	}
	return list
}

func TestAgents(t *testing.T) { compare(t, agents(t)) }

func TestVars(t *testing.T) {
	compare(t, []snippet{
		{source: "nums.push(9); return nums.length", vars: []string{"nums"}},
		{source: "num += 2; text = text.slice(0, 3) + num; return 0", vars: []string{"num", "text"}},
		{source: "for (const u of users) { u.n = (u.n ?? 0) + 1; } return users[0].n", vars: []string{"users"}},
		{source: "const g = obj.nested; g.x.push(4); return g", vars: []string{"obj"}},
		{source: "({a: num, ...obj} = {a: 3, b: 4}); return obj", vars: []string{"num", "obj"}},
		{source: "[nums[0], obj.k] = [7, 8]; return [nums, obj]", vars: []string{"nums", "obj"}},
		{source: "const copy = items.slice(); copy[0].id = 99; copy.pop(); return copy.length", vars: []string{"items"}},
		{source: "const f = o => { o.z = 1 }; f(obj); f(obj.nested); return 1", vars: []string{"obj"}},
	})
}
