package value

import (
	"strings"
)

// inspectMax is about how long Inspect's text may be, in bytes.
const inspectMax = 200

// Inspect renders v for people on one line, like Node's util.inspect, cut to about 200 bytes.
func Inspect(v Value) string {
	in := inspector{}
	in.value(v, 0)
	return in.out.String()
}

type inspector struct{ out strings.Builder }

// full reports that the text is long enough.
func (in *inspector) full() bool { return in.out.Len() >= inspectMax }

func (in *inspector) value(v Value, depth int) {
	switch v := Force(v).(type) {
	case String:
		if depth == 0 && len(v) <= inspectMax || len(v) <= inspectMax/2 {
			in.out.WriteString(quoteSingle(string(v)))
			return
		}
		in.out.WriteString(quoteSingle(Substring(string(v), 0, inspectMax/2)) + "…")
	case Number:
		if v == 0 && 1/v < 0 {
			in.out.WriteByte('-')
		}
		in.out.WriteString(NumberToString(float64(v)))
	case *Array:
		if depth > 4 {
			in.out.WriteString("[Array]")
			return
		}
		in.array(v, depth)
	case *Object:
		if depth > 4 {
			in.out.WriteString("[Object]")
			return
		}
		in.object(v, "", depth)
	case *Error:
		text := "[" + v.String() + "]"
		if v.Props == nil || v.Props.Len() == 0 {
			in.out.WriteString(text)
			return
		}
		in.object(v.Props, text+" ", depth)
	default:
		s, _ := ToString(v)
		in.out.WriteString(s)
	}
}

func (in *inspector) array(a *Array, depth int) {
	in.out.WriteByte('[')
	for i, elem := range a.Elems {
		in.comma(i)
		if in.full() {
			in.out.WriteString("…")
			break
		}
		in.value(elem, depth+1)
	}
	in.end(len(a.Elems), ']')
}

func (in *inspector) object(o *Object, prefix string, depth int) {
	in.out.WriteString(prefix + "{")
	i := 0
	for key, v := range o.All() {
		in.comma(i)
		i++
		if in.full() {
			in.out.WriteString("…")
			break
		}
		if isIdentifier(key) {
			in.out.WriteString(key)
		} else {
			in.out.WriteString(quoteSingle(key))
		}
		in.out.WriteString(": ")
		in.value(v, depth+1)
	}
	in.end(i, '}')
}

func (in *inspector) comma(i int) {
	if i > 0 {
		in.out.WriteByte(',')
	}
	in.out.WriteByte(' ')
}

func (in *inspector) end(count int, bracket byte) {
	if count > 0 {
		in.out.WriteByte(' ')
	}
	in.out.WriteByte(bracket)
}

// isIdentifier reports whether key needs no quotes, as util.inspect decides.
func isIdentifier(key string) bool {
	for i := 0; i < len(key); i++ {
		c := key[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

// quoteSingle quotes as util.inspect does: with the first of ' " ` that the text does not have.
func quoteSingle(s string) string {
	quote := "'"
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			quote = `"`
		} else if !strings.ContainsAny(s, "`") && !strings.Contains(s, "${") {
			quote = "`"
		}
	}
	escaped := bytesAsString(appendQuoted(nil, s))
	escaped = strings.ReplaceAll(escaped[1:len(escaped)-1], `\"`, `"`)
	if quote == "'" {
		escaped = strings.ReplaceAll(escaped, "'", `\'`)
	}
	return quote + escaped + quote
}
