package value

import (
	"fmt"
	"strings"
)

func jsonCases(d *differential) {
	for _, text := range badJSON {
		reparse(d, text)
		reparse(d, "["+strings.Repeat(" ", 12)+text)
		reparse(d, text+strings.Repeat(" ", 12)+"]")
	}
	for range d.many(4000) {
		text := d.json(4)
		reparse(d, text)
		reparse(d, d.damage(text))
		indentCases(d, text)
	}
	for range d.many(3000) {
		s := d.text(10)
		text, ok, err := Stringify(String(s))
		if !ok {
			panic("a string must have a text")
		}
		d.check("stringify", String(text), err, String(s))
		raw := make([]byte, d.rand.IntN(8))
		for i := range raw {
			raw[i] = []byte{0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xA0, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0xFF, 0xC0,
				0xEF, 0xBB}[d.rand.IntN(16)]
		}
		var latin1 strings.Builder
		for _, b := range raw {
			latin1.WriteRune(rune(b))
		}
		d.check("utf8", String(DecodeUTF8(raw)), nil, String(latin1.String()))
	}
	errorCases(d)
}

// badJSON are texts with an error of every kind, and some without.
var badJSON = strings.Split(`|[1|{"a"|{"a":1|{"a":1,}|[1,]|{a|{|[|"abc|"\x"|"\u12"|-|-a|1e|1.|01|nul|nulx|abc|undefined|`+
	`[1 2]|{"a" 1}|{"a":1 "b"|{,}|1 2|tru|tru]|tru1|tru"|é|😀|[object Object]|NaN|Infinity|{"a":|[1,|1.e5|-01|1e+|1e5x|`+
	`{"a":1,b|{"a":1,|"\|"\u|"\ud800|"\ud8"|{"a":]|[:]|[}|]|}|,|:|'a'|+1|.5|-Infinity|"\ud83d\ude00"|"\ud83d"|"\ude00\ud83d"|`+
	`[1.0,1e3,1E-7,-0,0.1e1]|{"b":1,"a":2,"1":3,"0":4}|{"a":1,"b":2,"a":3}|{"__proto__":1}|  [ ]  |{"":0}|[{}]|nullx|null,|`+
	`"\/"|"\u2028"|123456789012345678901234567890|1e400|-1e400|{"4294967294":1,"4294967295":2,"x":3,"01":4}|tr ue|falsey|[fals`,
	"|")

func reparse(d *differential, text string) {
	v, err := ParseJSON(text)
	if err != nil {
		d.check("reparse", nil, err, String(text))
		return
	}
	out, ok, err := Stringify(v)
	if !ok {
		panic("a document must have a text")
	}
	d.check("reparse", String(out), err, String(text))
	if IsWellFormed(text) && Canonical([]byte(text)) && out != text {
		panic("Canonical was wrong about " + text)
	}
}

func indentCases(d *differential, text string) {
	v, err := ParseJSON(text)
	if err != nil {
		panic(err)
	}
	gap := []string{"", "  ", "\t", "0123456789ab", "😀😀😀😀😀😀"}[d.rand.IntN(5)]
	var allow []string
	list := Value(Null{})
	if d.rand.IntN(2) == 0 {
		allow = []string{"b", "a", "key", "1", "a", "__proto__"}[:d.rand.IntN(7)]
		elems := &Array{}
		for _, a := range allow {
			elems.Elems = append(elems.Elems, String(a))
		}
		list = elems
	}
	s, _, err := StringifyIndent(v, gap, allow)
	d.check("indent", String(s), err, v, String(gap), list)
}

// json is a random document.
func (d *differential) json(depth int) string {
	space := []string{"", "", "", " ", "\n\t"}[d.rand.IntN(5)]
	kind := d.rand.IntN(8)
	if depth == 0 {
		kind = d.rand.IntN(5)
	}
	switch kind {
	case 0:
		return space + []string{"true", "false", "null", "1.0", "-0", "1e5", "1E+3", "0.10",
			"100000000000000000000000"}[d.rand.IntN(9)]
	case 1:
		if s, _, _ := Stringify(Number(d.double())); s != "" {
			return s + space
		}
		return "0"
	case 2, 3:
		s, _, _ := Stringify(String(d.text(6)))
		return s
	case 4:
		return fmt.Sprintf(`"\u%04X\u%04x\/"`, d.rand.IntN(0x100), 0xD700+d.rand.IntN(0x900))
	}
	var parts []string
	for range d.rand.IntN(5) {
		part := d.json(depth - 1)
		if kind >= 6 {
			keys := []string{`"a"`, `"b"`, `"key"`, `"1"`, `"0"`, `"10"`, `"01"`, `"é"`, `"\u0061"`, `"__proto__"`,
				`"toJSON"`}
			part = space + keys[d.rand.IntN(len(keys))] + space + ":" + part
		}
		parts = append(parts, part)
	}
	if kind >= 6 {
		return "{" + space + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, space+",") + space + "]"
}

// damage changes one place of a text.
func (d *differential) damage(text string) string {
	units := ToUTF16(text)
	at := d.rand.IntN(len(units))
	switch d.rand.IntN(3) {
	case 0:
		units = units[:at]
	case 1:
		units = append(units[:at:at], units[at+1:]...)
	default:
		alphabet := "{}[]:,\"\\1-.eEtfnx \n\x01u"
		units[at] = uint16(alphabet[d.rand.IntN(len(alphabet))])
	}
	return FromUTF16(units)
}

func errorCases(d *differential) {
	props, _ := ParseJSON(`{"code":-32000,"tool":"x","nested":{"message":1}}`)
	for _, e := range []*Error{NewError("ToolError", "it failed"), NewError("", "m"), NewError("TypeError", ""), NewError("", "")} {
		d.check("errorString", String(e.String()), nil, String(e.Name), String(e.Message))
		for _, allow := range [][]string{nil, {"name", "message", "code"}, {"nested", "message"}} {
			list := Value(Null{})
			if allow != nil {
				list = &Array{}
				for _, a := range allow {
					list.(*Array).Elems = append(list.(*Array).Elems, String(a))
				}
			}
			with := &Error{Name: e.Name, Message: e.Message, Props: props.(*Object)}
			s, _, err := StringifyIndent(with, "", allow)
			d.check("errorJSON", String(s), err, String(e.Name), String(e.Message), props, list)
		}
	}
}
