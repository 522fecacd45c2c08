package expr

import (
	"math"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/casys-ai/pml/nodes/value"
)

type stringNative = func(m *machine, s value.String, args []value.Value) value.Value

// textMethod makes a method of a function on Go strings.
func textMethod(f func(string) string) stringNative {
	return func(m *machine, s value.String, _ []value.Value) value.Value {
		m.work(len(s) / 16)
		m.alloc(len(s))
		return str(f(string(s)))
	}
}

// stringNatives are the methods of String.prototype (ECMAScript §22.1.3).
var stringNatives = map[string]stringNative{
	"at": func(m *machine, s value.String, args []value.Value) value.Value {
		i := m.toInteger(arg(args, 0))
		if i < 0 {
			i += float64(m.length(string(s)))
		}
		return m.unitOr(string(s), i, undefined)
	},
	"charAt": func(m *machine, s value.String, args []value.Value) value.Value {
		return m.unitOr(string(s), m.toInteger(arg(args, 0)), str(""))
	},
	"charCodeAt": func(m *machine, s value.String, args []value.Value) value.Value {
		i := m.toInteger(arg(args, 0))
		if i >= 0 && i < maxLength {
			if u, ok := m.unitAt(string(s), int(i)); ok {
				return integer(int(u))
			}
		}
		return nan
	},
	"codePointAt": stringCodePointAt,
	"concat": func(m *machine, s value.String, args []value.Value) value.Value {
		out := string(s)
		for _, x := range args {
			out = m.concat(out, m.toString(x))
		}
		return str(out)
	},
	"endsWith":    stringEndsWith,
	"includes":    stringIncludes,
	"indexOf":     stringIndexOf,
	"lastIndexOf": stringLastIndexOf,
	"match":       stringMatch,
	"matchAll":    stringMatchAll,
	"normalize":   stringNormalize,
	"padEnd": func(m *machine, s value.String, args []value.Value) value.Value {
		return m.pad(string(s), args, false)
	},
	"padStart": func(m *machine, s value.String, args []value.Value) value.Value {
		return m.pad(string(s), args, true)
	},
	"repeat":     stringRepeat,
	"replace":    stringReplace,
	"replaceAll": stringReplaceAll,
	"search":     stringSearch,
	"slice":      stringSlice,
	"split":      stringSplit,
	"startsWith": stringStartsWith,
	"substr":     stringSubstr,
	"substring":  stringSubstring,

	"toLowerCase":  textMethod(value.ToLower),
	"toUpperCase":  textMethod(value.ToUpper),
	"trim":         textMethod(value.Trim),
	"trimStart":    textMethod(value.TrimStart),
	"trimLeft":     textMethod(value.TrimStart),
	"trimEnd":      textMethod(value.TrimEnd),
	"trimRight":    textMethod(value.TrimEnd),
	"toWellFormed": textMethod(value.ToWellFormed),
	"toString":     func(_ *machine, s value.String, _ []value.Value) value.Value { return s },
	"valueOf":      func(_ *machine, s value.String, _ []value.Value) value.Value { return s },
	"isWellFormed": func(m *machine, s value.String, _ []value.Value) value.Value {
		return boolean(value.IsWellFormed(string(s)))
	},
}

func (m *machine) unitOr(s string, i float64, def value.Value) value.Value {
	if i >= 0 && i < maxLength {
		if u, ok := m.unitAt(s, int(i)); ok {
			return unitText(u)
		}
	}
	return def
}

func stringCodePointAt(m *machine, s value.String, args []value.Value) value.Value {
	i := m.toInteger(arg(args, 0))
	if i < 0 || i >= maxLength {
		return undefined
	}
	u, ok := m.unitAt(string(s), int(i))
	if !ok {
		return undefined
	}
	if u >= 0xD800 && u < 0xDC00 {
		if v, ok := m.unitAt(string(s), int(i)+1); ok && v >= 0xDC00 && v < 0xE000 {
			return integer((int(u)-0xD800)<<10 + int(v) - 0xDC00 + 0x10000)
		}
	}
	return integer(int(u))
}

// notRegExp throws where a method takes text only.
func (m *machine) notRegExp(v value.Value, method string) {
	if _, ok := v.(*regExp); ok {
		m.typeError("First argument to String.prototype.%s must not be a regular expression", method)
	}
}

// position clamps argument v to 0..n.
func (m *machine) clamp(v value.Value, n int) int {
	return int(math.Max(0, math.Min(m.toInteger(v), float64(n))))
}

func stringStartsWith(m *machine, s value.String, args []value.Value) value.Value {
	m.notRegExp(arg(args, 0), "startsWith")
	find := m.toString(arg(args, 0))
	n := m.length(string(s))
	from := m.clamp(arg(args, 1), n)
	if from == 0 && wellJoined(find) {
		return boolean(strings.HasPrefix(string(s), find))
	}
	k := m.length(find)
	return boolean(from+k <= n && m.sub(string(s), from, from+k) == find)
}

func stringEndsWith(m *machine, s value.String, args []value.Value) value.Value {
	m.notRegExp(arg(args, 0), "endsWith")
	find := m.toString(arg(args, 0))
	n := m.length(string(s))
	to := n
	if !isUndefined(arg(args, 1)) {
		to = m.clamp(arg(args, 1), n)
	}
	if to == n && wellJoined(find) {
		return boolean(strings.HasSuffix(string(s), find))
	}
	k := m.length(find)
	return boolean(k <= to && m.sub(string(s), to-k, to) == find)
}

// wellJoined reports whether s has no lone surrogates, so that bytes match where code units do.
func wellJoined(s string) bool { return value.IsWellFormed(s) }

func stringIncludes(m *machine, s value.String, args []value.Value) value.Value {
	m.notRegExp(arg(args, 0), "includes")
	return boolean(m.indexOf(string(s), m.toString(arg(args, 0)), arg(args, 1)) >= 0)
}

func stringIndexOf(m *machine, s value.String, args []value.Value) value.Value {
	return integer(m.indexOf(string(s), m.toString(arg(args, 0)), arg(args, 1)))
}

func (m *machine) indexOf(s, find string, from value.Value) int {
	m.work(len(s) / 32)
	return value.IndexOf(s, find, m.clamp(from, m.length(s)))
}

func stringLastIndexOf(m *machine, s value.String, args []value.Value) value.Value {
	find := m.toString(arg(args, 0))
	n := m.length(string(s))
	from := n
	if f := m.toNumber(arg(args, 1)); f == f {
		from = m.clamp(number(f), n)
	}
	m.work(len(s) / 32)
	return integer(value.LastIndexOf(string(s), find, from))
}

func stringNormalize(m *machine, s value.String, args []value.Value) value.Value {
	form := "NFC"
	if f := arg(args, 0); !isUndefined(f) {
		form = m.toString(f)
	}
	forms := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}
	f, ok := forms[form]
	if !ok {
		m.rangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.")
	}
	if isASCII(string(s)) {
		return s
	}
	if !value.IsWellFormed(string(s)) || hasNewPoints(string(s)) {
		m.unsupported("normalize of this text")
	}
	m.work(len(s) / 4)
	m.alloc(2 * len(s))
	return str(f.String(string(s)))
}

// hasNewPoints reports whether s has a code point that golang.org/x/text's tables (Unicode 15) may lack, or runs of
// combining marks so long that it would break them.
func hasNewPoints(s string) bool {
	marks := 0
	for _, r := range s {
		if r >= 0x1C80 && r < 0x1C90 || r >= 0xA7CB && r < 0xA7E0 || r > 0x10000 && r < 0x1F000 || r >= 0x2EBF0 {
			return true
		}
		if norm.NFC.PropertiesString(string(r)).CCC() != 0 {
			marks++
		} else {
			marks = 0
		}
		if marks > 20 {
			return true
		}
	}
	return false
}

func (m *machine) pad(s string, args []value.Value, start bool) value.Value {
	want := m.toInteger(arg(args, 0))
	n := m.length(s)
	if want <= float64(n) {
		return str(s)
	}
	fill := " "
	if f := arg(args, 1); !isUndefined(f) {
		fill = m.toString(f)
	}
	if fill == "" {
		return str(s)
	}
	if want > maxLength {
		m.rangeError("Invalid string length")
	}
	k := m.length(fill)
	missing := int(want) - n
	m.alloc(missing/k*len(fill) + len(s))
	m.work(missing / 64)
	pad := m.repeat(fill, missing/k)
	pad = value.Concat(pad, m.sub(fill, 0, missing%k))
	if start {
		return str(value.Concat(pad, s))
	}
	return str(value.Concat(s, pad))
}

// repeat is s n times, with surrogates joined at the seams.
func (m *machine) repeat(s string, n int) string {
	if value.IsWellFormed(s) {
		return strings.Repeat(s, n)
	}
	b := builder{m: m}
	units := value.ToUTF16(s)
	m.alloc(2 * len(units) * n)
	all := make([]uint16, 0, len(units)*n)
	for ; n > 0; n-- {
		m.step()
		all = append(all, units...)
	}
	b.write(value.FromUTF16(all))
	return b.String()
}

func stringRepeat(m *machine, s value.String, args []value.Value) value.Value {
	n := m.toInteger(arg(args, 0))
	if n < 0 || math.IsInf(n, 0) {
		m.rangeError("Invalid count value: %s", m.toString(arg(args, 0)))
	}
	if s == "" || n == 0 {
		return str("")
	}
	if n*float64(m.length(string(s))) > maxLength {
		m.rangeError("Invalid string length")
	}
	m.alloc(len(s) * int(n))
	m.work(len(s) * int(n) / 64)
	return str(m.repeat(string(s), int(n)))
}

func stringSlice(m *machine, s value.String, args []value.Value) value.Value {
	n := m.length(string(s))
	return str(m.sub(string(s), m.toIndex(arg(args, 0), n, 0), m.toIndex(arg(args, 1), n, n)))
}

func stringSubstring(m *machine, s value.String, args []value.Value) value.Value {
	n := m.length(string(s))
	from, to := m.clamp(arg(args, 0), n), n
	if !isUndefined(arg(args, 1)) {
		to = m.clamp(arg(args, 1), n)
	}
	return str(m.sub(string(s), min(from, to), max(from, to)))
}

func stringSubstr(m *machine, s value.String, args []value.Value) value.Value {
	n := m.length(string(s))
	from := m.toIndex(arg(args, 0), n, 0)
	count := float64(n - from)
	if !isUndefined(arg(args, 1)) {
		count = math.Min(m.toInteger(arg(args, 1)), count)
	}
	if count <= 0 {
		return str("")
	}
	return str(m.sub(string(s), from, from+int(count)))
}
