package script

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/casys-ai/pml/nodes/value"
)

// BenchmarkStart is the time from nothing to a child that has executed a fragment.
func BenchmarkStart(b *testing.B) {
	for _, warm := range []int{0, 2} {
		b.Run(fmt.Sprintf("warm=%d", warm), func(b *testing.B) {
			p := newPool(b, Limits{}, warm)
			for b.Loop() {
				r, err := p.Acquire(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Execute(context.Background(), Fragment{JS: "return 1"}); err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

// BenchmarkRealm is the making of a realm inside a child.
func BenchmarkRealm(b *testing.B) {
	for b.Loop() {
		if _, err := newRealm(&child{limits: Limits{}.withDefaults(), out: &frameWriter{}}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkFragment(b *testing.B, f func(i int) Fragment) {
	p := newPool(b, Limits{}, 0)
	r := acquire(b, p)
	i := 0
	for b.Loop() {
		i++
		if _, err := r.Execute(context.Background(), f(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFragment is one fragment after another in one realm.
func BenchmarkFragment(b *testing.B) {
	in := []value.Value{value.Number(1), value.NewArray(value.String("a"), value.Number(2))}
	const js = "try { const m = xs.map((x) => x + n); return { m, n } } catch (e) { return e.message }"
	b.Run("same text", func(b *testing.B) {
		benchmarkFragment(b, func(int) Fragment { return Fragment{JS: js, Params: []string{"n", "xs"}, In: in} })
	})
	b.Run("new text", func(b *testing.B) {
		benchmarkFragment(b, func(i int) Fragment {
			return Fragment{JS: fmt.Sprintf("%s // %d", js, i), Params: []string{"n", "xs"}, In: in}
		})
	})
	b.Run("one call", func(b *testing.B) {
		benchmarkFragment(b, func(int) Fragment { return Fragment{JS: "return await mcp.a.b({ x: 1 })", Call: echo} })
	})
	b.Run("100 calls", func(b *testing.B) {
		benchmarkFragment(b, func(int) Fragment {
			const js = "await Promise.all(Array.from({ length: 100 }, (_, x) => mcp.a.b({ x })))"
			return Fragment{JS: js, Call: echo}
		})
	})
}

// BenchmarkLarge passes a megabyte of JSON in and out, and parses it.
func BenchmarkLarge(b *testing.B) {
	row := `{"id":12345,"name":"some name here","tags":["a","b"],"ok":true,"score":1.25}`
	text := "[" + strings.TrimSuffix(strings.Repeat(row+",", 1<<20/len(row)), ",") + "]"
	lazy := []value.Value{value.NewLazy([]byte(text))}
	for name, js := range map[string]string{"in": "return x.length", "in and out": "return x",
		"parse": "return JSON.parse(x).length", "nothing": "return x.length + 0"} {
		in := lazy
		if name == "parse" || name == "nothing" {
			in = []value.Value{value.String(text)}
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			benchmarkFragment(b, func(int) Fragment { return Fragment{JS: js, Params: []string{"x"}, In: in} })
		})
	}
}

// BenchmarkCalls is a program that does little but call; with a catch in it, its functions look after the stack.
func BenchmarkCalls(b *testing.B) {
	const js = "const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); return fib(22)"
	for name, text := range map[string]string{"plain": js, "guarded": js + " // catch"} {
		b.Run(name, func(b *testing.B) { benchmarkFragment(b, func(int) Fragment { return Fragment{JS: text} }) })
	}
}
