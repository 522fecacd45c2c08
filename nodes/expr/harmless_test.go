package expr_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/casys-ai/pml/nodes/expr"
)

// TestHarmless: what is harmless at a glance is harmless to the analysis, too, which is spared.
func TestHarmless(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	harmless := 0
	for range 20000 {
		g := &grammar{pick: r.IntN}
		source := "return " + g.expr(3)
		if g.pick(2) == 0 {
			source = fmt.Sprintf("let k = %s; if (%s) { k = %s; } return k", g.expr(2), g.expr(1), g.expr(2))
		}
		c, _ := snippet{source: source}.code(t)
		if !expr.Harmless(c) {
			continue
		}
		harmless++
		if changes, internal := expr.Found(c); changes > 0 || len(internal) > 0 {
			t.Fatalf("%s\nis harmless, and changes %d objects and gives %v", source, changes, internal)
		}
	}
	if harmless < 2000 {
		t.Errorf("only %d of the programs are harmless", harmless)
	}
}

// TestNotHarmless: calls that change what they are called on, or call back, are looked at.
func TestNotHarmless(t *testing.T) {
	for _, source := range []string{"return nums.push(1)", "return nums.sort()", "return obj.keys()", "return nums.map((x) => x)",
		"return Object.assign(obj, { a: 1 })", "return text.match(/a/)", "return new Map(nums)", "return Array.from(nums, (x) => x)",
		"return nums.slice(nums.reverse())", "return Object.freeze(obj)", "return text.replace(/a/, 'b')", "return structuredClone(obj)",
		"return obj.nested.x.splice(0, 1).join()", "obj.a = 2; return 1", "let k = nums.pop(); return k", "if (num) { obj.a++; } return 1"} {
		c, _ := snippet{source: source}.code(t)
		if expr.Harmless(c) {
			t.Errorf("%s is not looked at", source)
		}
	}
}
