package expr_test

import (
	"fmt"
	"testing"
)

// cross writes every call of every receiver.
func cross(receivers, calls []string) (out []snippet) {
	for _, r := range receivers {
		for _, c := range calls {
			out = append(out, snippet{source: fmt.Sprintf("return %s%s", r, c)})
		}
	}
	return out
}

func TestArrayMethods(t *testing.T) {
	calls := []string{
		".at(0)", ".at(-1)", ".at(99)", ".at(NaN)", ".at('1')", ".concat([1], 2, [[3]])", ".includes(NaN)", ".includes(3)",
		".includes('10')", ".includes(2, -2)", ".indexOf(3)", ".indexOf(NaN)", ".indexOf(3, -1)", ".lastIndexOf(3)",
		".lastIndexOf(3, -3)", ".lastIndexOf('fig', undefined)", ".join()", ".join('')", ".join(null)", ".join(' - ')",
		".slice()", ".slice(1)", ".slice(-2)", ".slice(1, -1)", ".slice(NaN, Infinity)", ".slice(3, 1)", ".slice('1', '3')",
		".splice(1, 2)", ".splice(-1)", ".splice(1, 0, 'x', 'y')", ".splice()", ".splice(0, Infinity)", ".splice(1, -5, 'z')",
		".flat()", ".flat(Infinity)", ".flat(0)", ".flat(-1)", ".push(1, 2)", ".pop()", ".shift()", ".unshift(0, 1)",
		".sort()", ".sort((a, b) => a - b)", ".sort((a, b) => b > a)", ".sort(undefined)", ".sort(null)", ".reverse()",
		".fill(0)", ".fill(9, 1, -1)", ".fill()", ".toSorted()", ".toReversed()", ".toSpliced(1, 1, 'n')", ".with(0, 'w')",
		".with(-1, 'w')", ".with(99, 'w')", ".copyWithin(0, 2)", ".copyWithin(-2, 0, 1)", ".length", ".toString()",
		".map(x => x)", ".map((x, i, a) => i + a.length)", ".map(String)", ".map(Number)", ".map(Boolean)", ".map(parseInt)",
		".filter(Boolean)", ".filter((x, i) => i % 2)", ".forEach(x => x)", ".reduce((a, b) => a + b)",
		".reduce((a, b) => a + b, '')", ".reduceRight((a, b) => a + '|' + b)", ".find(x => x > 2)", ".findIndex(x => x > 2)",
		".findLast(x => x > 2)", ".findLastIndex(x => x === 'q')", ".some(x => x == 3)", ".every(x => x)", ".some(Number)",
		".flatMap(x => [x, x])", ".flatMap((x, i) => i)", ".map(null)", ".map()", ".filter({})", ".reduce()", ".find('x')",
		"[0]", "[-1]", "['0']", "[1.5]", "['length']", "[99]", ".foo", ".foo()", ".foo.bar", ".at.length", "?.[0]?.x?.y.z",
		".hasOwnProperty(0)", ".keys().next()", ".length = 2", "[0] = 'set'", ".map((x) => [x]).flat().length",
	}
	list := cross([]string{"nums", "mixed", "empty", "words", "nested"}, calls)
	list = append(list, cross([]string{"[...nums.keys()", "[...words.entries()", "[...nested.values()"}, []string{"]"})...)
	compare(t, list)
}

func TestStringMethods(t *testing.T) {
	calls := []string{
		".length", ".at(0)", ".at(-1)", ".at(2)", ".charAt(1)", ".charAt(-1)", ".charAt(99)", ".charCodeAt(1)",
		".charCodeAt(99)", ".codePointAt(1)", ".codePointAt(2)", ".codePointAt(99)", "[1]", "[-1]", "['1']", ".concat(1, null)",
		".endsWith('g')", ".endsWith('c')", ".endsWith('')", ".endsWith('The', 3)", ".includes('o')", ".includes('')",
		".includes('\\uDE00')", ".includes(undefined)", ".indexOf('o')", ".indexOf('o', 15)", ".indexOf('')",
		".indexOf('', 99)", ".indexOf('b')", ".lastIndexOf('o')", ".lastIndexOf('o', 5)", ".lastIndexOf('')",
		".padStart(12, '😀')", ".padStart(50, 'ab')", ".padEnd(50)", ".padEnd(13, 'xyz')", ".padStart(5)", ".repeat(2)",
		".repeat(0)", ".repeat(-1)", ".repeat(Infinity)", ".repeat(2 ** 30)", ".repeat('2')", ".slice(1, 3)", ".slice(-3)",
		".slice(2)", ".slice(3, 1)", ".substring(3, 1)", ".substring(-1, 2)", ".substring(NaN)", ".substr(-3, 2)",
		".substr(1)", ".startsWith('T')", ".startsWith('a')", ".startsWith('q', 4)", ".startsWith(/x/)", ".toLowerCase()",
		".toUpperCase()", ".trim()", ".trimStart()", ".trimEnd()", ".split('')", ".split(' ')", ".split()", ".split('o', 2)",
		".split(/\\s+/)", ".split(/([aeiou])/)", ".split(/(?:)/)", ".split(',', -1)", ".split('o', 0)", ".replace('o', '0')",
		".replace('o', '[$&$`$\\'$$$1]')", ".replace(/o/g, '0')", ".replace(/(\\w)(\\w*)/g, '$2$1')",
		".replace(/(?<first>\\w)/, '<$<first>>')", ".replaceAll('o', '00')", ".replaceAll('', '-')", ".replaceAll(/o/, 'x')",
		".replace(/[a-z]/gi, c => c.toUpperCase())", ".replace(/(q)(u)?/, (m, a, b, i, s) => [m, a, b, i, s.length].join())",
		".match(/o/g)", ".match(/zzz/)", ".match(/zzz/g)", ".search(/[bq]/)", ".search('zz')", ".match(/(\\w)(x)?/)[2]",
		".normalize('NFD')", ".normalize('X')", ".isWellFormed()", ".toWellFormed()", ".foo", ".foo()", ".length.foo.bar",
		" + 1", " - 1", " * 2", " < 'm'", " == 0", " || 'none'", " ?? 'none'", ".split('\\n').length", ".hasOwnProperty(0)",
		".localeCompare('b')", ".x = 1", ".toString()", ".replace('o', () => '$&')",
	}
	list := cross([]string{"text", "astral", "lone", "padded", "blank", "lines"}, calls)
	list = append(list, cross([]string{"[...astral", "[...lone", "Array.from(astral"}, []string{".toUpperCase()"})[:0]...)
	list = append(list, snippet{source: "return [...astral]"}, snippet{source: "return [...lone]"},
		snippet{source: "return Array.from(astral, c => c.length)"}, snippet{source: "return [...text.matchAll(/o./g)].map(m => m.index)"},
		snippet{source: "return String.raw`a\\n${text.length}`"}, snippet{source: "return String.fromCharCode(0xD83D, 0xDE00, 65)"},
		snippet{source: "return String.fromCodePoint(128512, 65)"}, snippet{source: "return String.fromCodePoint(-1)"})
	compare(t, list)
}

func TestNumberMethods(t *testing.T) {
	calls := []string{
		".toFixed(2)", ".toFixed()", ".toFixed(101)", ".toPrecision(3)", ".toPrecision(0)", ".toPrecision()", ".toString()",
		".toString(2)", ".toString(36)", ".toString(1)", ".toExponential(2)", ".toExponential()", ".valueOf()", ".foo()",
		" + 1", " + '1'", " + null", " + undefined", " + [1]", " + {}", " - '2'", " * '3'", " / 0", " % 7", " % -3", " ** 2",
		" ** -1", " & 255", " | 0", " ^ 1", " << 3", " >> 1", " >>> 0", " > 5", " <= '10'", " == '1234.5678'", " === NaN",
		" != null", " > 'a'", " in [1]", " instanceof Object", ".x.y", ".x = 1", "[0]", "?.y", ".toLocaleString()",
	}
	list := cross([]string{"num", "big", "neg", "nan", "(0.1)", "(1e21)", "(-7)", "(255)"}, calls)
	for _, f := range []string{"abs", "ceil", "floor", "round", "sign", "sqrt", "trunc", "fround", "clz32", "Math.max", "sin"} {
		for _, x := range []string{"num", "neg", "nan", "-2.5", "2.5", "0.49999999999999994", "'7'", "null", "undefined", "[]"} {
			list = append(list, snippet{source: "return Math." + f + "(" + x + ")"})
		}
	}
	for _, f := range []string{"Number", "parseInt", "parseFloat", "isNaN", "isFinite", "Number.isInteger",
		"Number.isSafeInteger", "Number.isNaN", "String", "Boolean", "typeof ", "void ", "+", "-", "!", "~", "Array.isArray"} {
		for _, x := range []string{"num", "big", "neg", "nan", "nul", "un", "yes", "text", "blank", "empty", "nums", "obj",
			"'0x1F'", "' 12px '", "'-0'", "'1e3'", "'Infinity'", "[7]", "'12_3'"} {
			list = append(list, snippet{source: "return " + f + "(" + x + ")"})
		}
	}
	list = append(list, snippet{source: "return [Math.max(), Math.min(), Math.max(...nums), Math.min(1, 'x'), Math.max(-0, 0)]"},
		snippet{source: "return Math.max.apply(null, nums)"}, snippet{source: "return Math.pow(2, 0.5)"},
		snippet{source: "return [parseInt('101', 2), parseInt('z', 36), parseInt('9', 8)]"})
	compare(t, list)
}

func TestObjectMethods(t *testing.T) {
	var list []snippet
	for _, f := range []string{"Object.keys", "Object.values", "Object.entries", "Object.fromEntries", "JSON.stringify",
		"structuredClone", "Object.assign", "Array.from", "Object.getOwnPropertyNames", "new Set", "new Map", "Object.freeze"} {
		for _, x := range []string{"obj", "nums", "text", "nul", "un", "num", "empty", "users", "mixed", "[[1, 2]]",
			"{length: 2}", "Object.entries(obj)"} {
			call := f + "(" + x + ")"
			switch f {
			case "new Set", "new Map":
				call = "[..." + call + "]"
			}
			list = append(list, snippet{source: "return " + call})
		}
	}
	for _, x := range []string{"obj", "mixed", "users", "text", "num", "nan", "un", "lone", "new Map([[1, 2]])", "[new Date(0)]",
		"{f: x => x, u: undefined}", "[() => 1]", "{toJSON: () => 'j'}"} {
		list = append(list, snippet{source: "return JSON.stringify(" + x + ", null, 2)"},
			snippet{source: "return JSON.stringify(" + x + ", ['a', 'name', 'b'], '--')"},
			snippet{source: "return JSON.stringify(" + x + ", (k, v) => typeof v === 'number' ? v + 1 : v)"})
	}
	for _, x := range []string{"json", "'[1,2'", "'{\"a\":1,}'", "''", "'nul'", "'\"x\"'", "nul", "un", "'{\"a\":1,\"a\":2}'", "'1 2'"} {
		list = append(list, snippet{source: "return JSON.parse(" + x + ")"})
	}
	for _, x := range []string{"nul", "un", "num", "text", "obj", "nums", "yes", "err"} {
		for _, c := range []string{".x", ".x.y", ".x()", ".x.y()", "?.x", "?.x.y", "?.[0]", "?.x()", "[0]", "['a b']", "()", ".length",
			"[obj]", ".message", ".a.b.c", "?.a?.b?.c", ".name", ".toString()"} {
			list = append(list, snippet{source: "return " + x + c})
		}
		list = append(list, snippet{source: "const {a, b} = " + x + "; return [a, b]"},
			snippet{source: "const [a, b] = " + x + "; return [a, b]"}, snippet{source: "return [..." + x + "]"},
			snippet{source: "return {..." + x + "}"}, snippet{source: "let n = 0; for (const y of " + x + ") n++; return n"},
			snippet{source: "const o = []; for (const y in " + x + ") o.push(y); return o"},
			snippet{source: "return 'a' in " + x}, snippet{source: "return " + x + " instanceof Error"},
			snippet{source: "return typeof " + x}, snippet{source: "return `${" + x + "}`"}, snippet{source: x + ".a = 1; return " + x},
			snippet{source: "delete " + x + ".a; return " + x}, snippet{source: "const {length: n = 3, ...rest} = " + x + "; return [n, rest]"},
			snippet{source: "try { throw " + x + " } catch (e) { return [e] }"}, snippet{source: "throw " + x})
	}
	compare(t, list)
}
