package expr_test

import (
	"fmt"
	"testing"

	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/value"
)

func bench(b *testing.B, source string, in ...value.Value) {
	c, _ := snippet{source: source}.code(b)
	p, err := expr.Compile(c)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Run(in); err != nil {
			b.Fatal(err)
		}
	}
}

func thousand() value.Value {
	a := value.NewArray()
	for i := range 1000 {
		o := value.NewObject(3)
		o.Set("n", value.Number(i%7))
		o.Set("name", value.String(fmt.Sprintf("name %d", i)))
		o.Set("cat", value.String(fmt.Sprintf("c%d", i%10)))
		a.Elems = append(a.Elems, o)
	}
	return a
}

func BenchmarkFilterMap1000(b *testing.B) {
	bench(b, "return items.filter(x => x.n > 3).map(x => x.name)", thousand())
}

func BenchmarkGroup1000(b *testing.B) {
	bench(b, "const g = {}; for (const i of items) (g[i.cat] ??= []).push(i); return g", thousand())
}

func BenchmarkLoop1000(b *testing.B) {
	bench(b, "let s = 0; for (let i = 0; i < 1000; i++) s += i % 7; return s")
}

func BenchmarkSort1000(b *testing.B) {
	bench(b, "return [...items].sort((a, b) => a.n - b.n)", thousand())
}

func BenchmarkTemplate(b *testing.B) {
	bench(b, "return `${text} has ${num} items`", value.String("list"), value.Number(5))
}

func BenchmarkField(b *testing.B) { bench(b, "return obj.a", thousand()) }

func BenchmarkConcat1000(b *testing.B) {
	bench(b, "let s = ''; for (let i = 0; i < 1000; i++) s += 'line ' + i + '\\n'; return s")
}

func BenchmarkRegex(b *testing.B) {
	log := ""
	for i := range 100 {
		log += fmt.Sprintf("2024-05-01T12:00:%02dZ ERROR [db] connection lost (code=%d)\n", i%60, i)
	}
	bench(b, "return [...text.matchAll(/^(\\S+) (\\w+) \\[(\\w+)\\] (.*)$/gm)].map(m => m[4])", value.String(log))
}

func BenchmarkCompile(b *testing.B) {
	c, _ := snippet{source: "const g = {}; for (const i of items) (g[i.cat] ??= []).push(i); return g"}.code(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := expr.Compile(c); err != nil {
			b.Fatal(err)
		}
	}
}
