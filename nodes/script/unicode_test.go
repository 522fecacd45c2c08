package script

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnicodeProperties asks Node and ourselves what properties match. Which of the characters are assigned depends on
// the Unicode version, so the sample has old characters only.
func TestUnicodeProperties(t *testing.T) {
	const sample = `
		const text = [...'#*09aZÀßǅʰ́٣Ⅳ_-–«»(]$€+^©°\u200d\ufe0f\u20e3ΑωАяאبकไ한漢あア々☕⌚ℹ™✂❤🚀😀👍🏽🇫🇷👩ﬁÅ\u3000\u00ad\t\n',
			String.fromCodePoint(0x10ffff), String.fromCodePoint(0xe000), String.fromCodePoint(0x1f9ff)]
		const bits = (p) => text.map((c) => (new RegExp('^\\p{' + p + '}$', 'u').test(c) ? '1' : '0')).join('')
			+ '/' + text.map((c) => (new RegExp('^[^\\p{' + p + '}]$', 'u').test(c) ? '1' : '0')).join('')
			+ '/' + text.map((c) => (new RegExp('^\\P{' + p + '}$', 'u').test(c) ? '1' : '0')).join('')
		const ask = (p) => { try { return bits(p) } catch (e) { return e.name + ': ' + e.message } }
		`
	names := map[string]bool{}
	for key := range unicodeTables() {
		kind, name, _ := strings.Cut(key, ":")
		switch {
		case kind == "gc":
			names[name], names["gc="+name], names["General_Category="+name] = true, true, true
		case kind == "bin":
			names[name] = true
		case len(name) != 4:
			names[kind+"="+name] = true
		}
	}
	for _, bad := range []string{"Other_Math", "Latin", "Script=Lu", "RGI_Emoji", "gc=Emoji", "Emoji=Yes", "x", "",
		"Hyphen", "sc=latin", "Prepended_Concatenation_Mark", "InGreek", "IsGreek", "sc=Grek", "scx=Deva"} {
		names[bad] = true
	}
	var programs []string
	var list []string
	for n := range names {
		list = append(list, n)
	}
	for i := 0; i < len(list); i += 60 {
		part := list[i:min(i+60, len(list))]
		programs = append(programs, fmt.Sprintf("%s\nreturn %q.split(' ').map((p) => p + ' ' + ask(p))", sample,
			strings.Join(part, " ")))
	}
	want := runNode(t, programs)
	p := newPool(t, Limits{}, 2)
	for i, js := range programs {
		got := runOurs(t, p, js)
		ours, theirs := strings.Split(got.Result+got.Error, ","), strings.Split(want[i].Result, ",")
		for k := range theirs {
			if k >= len(ours) || ours[k] != theirs[k] {
				t.Errorf("want %s\n got %s", theirs[k], ours[min(k, len(ours)-1)])
			}
		}
	}
}
