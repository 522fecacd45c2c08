package script

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// mend gives an error that goja raised the wording of V8; anything else stays as it is.
func (r *realm) mend(v goja.Value) goja.Value {
	e, ok := v.(*goja.Object)
	if !ok || e.ClassName() != "Error" {
		return v
	}
	message, ok := e.Get("message").(goja.String)
	if !ok {
		return v
	}
	text := message.String()
	if text == "" && textProp(e, "name", "") == "AggregateError" { // goja's Promise.any gives it no text
		text = "No error text"
	}
	if better := r.wording(e, text); better != text {
		_ = e.DefineDataProperty("message", r.rt.ToValue(better), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return v
}

// simple are the texts that are replaced as they stand.
var simple = map[string]string{
	"No error text":    "All promises were rejected",
	"No initial value": "Reduce of empty array with no initial value",
	"Malformed URI":    "URI malformed",
	"RegExp doesn't have global flag set": "String.prototype.matchAll called with a non-global RegExp " +
		"argument",
	"toFixed() precision must be between 0 and 100":       "toFixed() digits argument must be between 0 and 100",
	"toExponential() precision must be between 0 and 100": "toExponential() argument must be between 0 and 100",
	"toPrecision() precision must be between 1 and 100":   "toPrecision() argument must be between 1 and 100",
	"Constructor Promise requires 'new'":                  "Promise constructor cannot be invoked without 'new'",
	"Must call super constructor in derived class before accessing 'this'": "Must call super constructor in " +
		"derived class before accessing 'this' or returning from derived constructor",
	"Must call super constructor in derived class before returning from derived constructor": "Must call super " +
		"constructor in derived class before accessing 'this' or returning from derived constructor",
	"The normalization form should be one of NFC, NFD, NFKC, NFKD": "The normalization form should be one of " +
		"NFC, NFD, NFKC, NFKD.",
	"Promise self-resolution": "Chaining cycle detected for promise #<Promise>",
}

var (
	cannotRead = regexp.MustCompile(`^Cannot read property '(.*)' of undefined(?: or null)?$`)
	noMember   = regexp.MustCompile(`^Object has no member '(.*)'$`)
	notObject  = regexp.MustCompile(`^Value is not an object: (.*)$`)
	noReceiver = regexp.MustCompile(`(?s)^Receiver is not an object: (.*)$`)
	readOnly   = regexp.MustCompile(`^Cannot assign to read only property '(.*)'$`)
	noDelete   = regexp.MustCompile(`^Cannot delete property '(.*)' of \[object (.*)\]$`)
	badIndex   = regexp.MustCompile(`^Invalid index (-\d+)$`)
)

// wording is V8's text for a text of goja's.
func (r *realm) wording(e *goja.Object, text string) string {
	if better, ok := simple[text]; ok {
		return better
	}
	if m := cannotRead.FindStringSubmatch(text); m != nil {
		return "Cannot read properties of undefined (reading '" + m[1] + "')"
	}
	if m := readOnly.FindStringSubmatch(text); m != nil {
		return text + " of object '#<Object>'"
	}
	if m := noDelete.FindStringSubmatch(text); m != nil {
		return "Cannot delete property '" + m[1] + "' of #<" + m[2] + ">"
	}
	if m := badIndex.FindStringSubmatch(text); m != nil {
		return "Invalid typed array length: " + m[1]
	}
	switch {
	case noMember.MatchString(text), notObject.MatchString(text), noReceiver.MatchString(text),
		text == "Value is not a constructor",
		text == "Cannot convert undefined or null to object", text == "Value is not object coercible",
		text == "object is not iterable", text == "Cannot access a variable before initialization",
		text == "Class constructor cannot be invoked without 'new'":
		return r.wordingAt(e, text)
	}
	return text
}

// wordingAt finds V8's text with the help of the source at the place where e was raised.
func (r *realm) wordingAt(e *goja.Object, text string) string {
	frame, native, offset := r.raisedAt(e)
	if frame == nil {
		return text
	}
	if native != "" {
		return nativeWording(native, text)
	}
	return frame.explain(offset, text)
}

// iterates are the built-in functions that iterate over their argument.
var iterates = map[string]bool{"all": true, "allSettled": true, "any": true, "race": true, "fromEntries": true}

// nativeWording words an error that a built-in function raised.
func nativeWording(native, text string) string {
	m := notObject.FindStringSubmatch(text)
	switch {
	case text == "object is not iterable":
		return "object" + noIterator
	case text == "Cannot convert undefined or null to object" && iterates[native]:
		return "undefined" + noIterator
	case m == nil:
		return text
	case native == "fromEntries":
		return "Iterator value " + m[1] + " is not an entry object"
	case strings.HasSuffix("map forEach filter find findIndex findLast findLastIndex some every reduce reduceRight "+
		"flatMap sort toSorted from replace then", native):
		return m[1] + " is not a function"
	}
	for _, name := range strings.Fields("map forEach filter find findIndex findLast findLastIndex some every reduce " +
		"reduceRight flatMap from") {
		if name == native {
			return m[1] + " is not a function"
		}
	}
	return text
}

// at is a frame of a stack text: "name (program-1.js:2:5(12))", "program-1.js:2:5(12)" or "map (native)".
var at = regexp.MustCompile(`^\tat (?:.* \()?(program-\d+\.js):(\d+):(\d+)\(\d+\)\)?$`)

// raisedAt gives the place where e was made: the built-in function, if it was one, and the nearest frame of a fragment
// with the byte offset there. Reading the stack fixes its text, so this is for errors of the engine.
func (r *realm) raisedAt(e *goja.Object) (u *unit, native string, offset int) {
	stack := textProp(e, "stack", "")
	lines := strings.Split(stack, "\n")
	first := true
	for _, l := range lines {
		if !strings.HasPrefix(l, "\tat ") {
			continue
		}
		if m := at.FindStringSubmatch(l); m != nil {
			u = r.files[m[1]]
			if u == nil {
				return nil, "", 0
			}
			return u, native, u.offset(atoi(m[2]), atoi(m[3]))
		}
		if first {
			native = strings.TrimSuffix(strings.TrimPrefix(l, "\tat "), " (native)")
			first = false
		}
	}
	return nil, "", 0
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// offset turns goja's line and column into a byte offset in the unit's text.
func (u *unit) offset(line, column int) int {
	at := 0
	for range line - 1 {
		i := strings.IndexByte(u.text[at:], '\n')
		if i < 0 {
			return at
		}
		at += i + 1
	}
	return at + column - 1
}

// nativeBadPattern words a SyntaxError of the RegExp constructor.
func (r *realm) nativeBadPattern(c goja.FunctionCall) goja.Value {
	e, ok := c.Argument(0).(*goja.Object)
	if !ok || e.ClassName() != "Error" {
		return c.Argument(0)
	}
	text := textProp(e, "message", "")
	if strings.HasPrefix(text, "Invalid flags") || strings.HasPrefix(text, "Invalid regular expression: /") {
		return e
	}
	_ = e.Set("message", r.rt.ToValue("Invalid regular expression: /"+argText(c, 1)+"/"+argText(c, 2)+": "+
		patternFault(text)))
	return e
}

// patternFault is V8's name for what is wrong with a pattern.
func patternFault(text string) string {
	switch {
	case strings.Contains(text, "invalid character class range"):
		return "Range out of order in character class"
	case strings.Contains(text, "missing argument to repetition"):
		return "Nothing to repeat"
	case strings.Contains(text, "missing closing ]"):
		return "Unterminated character class"
	case strings.Contains(text, "unexpected )"), text == "Unmatched ')'":
		return "Unmatched ')'"
	}
	return text
}
