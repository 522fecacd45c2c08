package script

import (
	_ "embed" // for unicode.txt
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:generate node unicode_gen.mjs

// unicodeText holds the tables of V8's Unicode properties; unicode_gen.mjs says how.
//
//go:embed unicode.txt
var unicodeText string

// unicodeTables finds a table's numbers by kind and name, such as "gc:Lu" or "scx:Greek".
var unicodeTables = sync.OnceValue(func() map[string]string {
	tables := map[string]string{}
	for line := range strings.Lines(unicodeText) {
		head, numbers, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind, names, _ := strings.Cut(head, ":")
		for name := range strings.SplitSeq(names, ",") {
			tables[kind+":"+name] = numbers
		}
	}
	for key, numbers := range tables {
		if name, ok := strings.CutPrefix(key, "sc:"); ok && tables["scx:"+name] == "" {
			tables["scx:"+name] = numbers
		}
	}
	return tables
})

// property finds the ranges of a property expression: L, Letter, Script=Greek, sc=Greek, gc=Lu, Alphabetic …
// (ECMAScript §22.2.2.9).
func property(name string) ([][2]rune, error) {
	kinds := []string{"gc", "bin"}
	key, val, pair := strings.Cut(name, "=")
	if pair {
		name = val
		switch key {
		case "Script", "sc":
			kinds = []string{"sc"}
		case "Script_Extensions", "scx":
			kinds = []string{"scx"}
		case "General_Category", "gc":
			kinds = []string{"gc"}
		default:
			kinds = nil
		}
	}
	for _, kind := range kinds {
		if numbers, ok := unicodeTables()[kind+":"+name]; ok {
			return ranges(numbers), nil
		}
	}
	return nil, fmt.Errorf("unknown property %s", name)
}

// ranges decodes a table: by turns how many code points are out and how many in.
func ranges(numbers string) [][2]rune {
	var list [][2]rune
	at, inside := rune(0), false
	for text := range strings.FieldsSeq(numbers) {
		n, err := strconv.ParseInt(text, 36, 32)
		if err != nil {
			panic("unicode.txt: " + err.Error())
		}
		if inside {
			list = append(list, [2]rune{at, at + rune(n) - 1})
		}
		at += rune(n)
		inside = !inside
	}
	return list
}
