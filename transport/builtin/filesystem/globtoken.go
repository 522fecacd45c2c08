package filesystem

import (
	"slices"
	"strings"
	"unicode"
)

// token matches a part of a name.
type token struct {
	kind    byte // 'c' a literal, '?' any character, '*' any run, '[' a class, '(' a group
	literal rune
	class   func(rune) bool
	repeat  byte // of a group: one of ? * + @ !
	choices [][]token
}

// scan cuts one path part of a pattern into tokens. What looks like syntax but is not complete is literal.
func scan(text []rune) []token {
	var tokens []token
	for i := 0; i < len(text); {
		one, width := scanOne(text[i:])
		i += width
		last := len(tokens) - 1
		if one.kind == '*' && last >= 0 && tokens[last].kind == '*' {
			continue
		}
		tokens = append(tokens, one)
	}
	return tokens
}

func scanOne(text []rune) (token, int) {
	if strings.ContainsRune("?*+@!", text[0]) && len(text) > 1 && text[1] == '(' {
		if end := groupEnd(text[2:]); end >= 0 {
			return token{kind: '(', repeat: byte(text[0]), choices: splitChoices(text[2 : 2+end])}, end + 3
		}
	}
	switch text[0] {
	case '*', '?':
		return token{kind: byte(text[0])}, 1
	case '\\':
		if len(text) > 1 {
			return token{kind: 'c', literal: text[1]}, 2
		}
	case '[':
		if class, width := scanClass(text); width > 0 {
			return token{kind: '[', class: class}, width
		}
	}
	return token{kind: 'c', literal: text[0]}, 1
}

// groupEnd finds the parenthesis that closes a group, or -1.
func groupEnd(text []rune) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

func splitChoices(text []rune) [][]token {
	var choices [][]token
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				choices = append(choices, scan(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(choices, scan(text[start:]))
}

// run matches tokens at the start of text and hands what is left to next.
func run(tokens []token, text []rune, next func([]rune) bool) bool {
	if len(tokens) == 0 {
		return next(text)
	}
	first, rest := tokens[0], tokens[1:]
	after := func(left []rune) bool { return run(rest, left, next) }
	switch first.kind {
	case '*':
		for i := 0; i <= len(text); i++ {
			if after(text[i:]) {
				return true
			}
		}
		return false
	case '(':
		return first.group(text, after)
	}
	return len(text) > 0 && first.one(text[0]) && after(text[1:])
}

func (t token) one(r rune) bool {
	switch t.kind {
	case '?':
		return true
	case '[':
		return t.class(r)
	}
	return t.literal == r
}

func (t token) group(text []rune, next func([]rune) bool) bool {
	switch t.repeat {
	case '!':
		return t.without(text, next)
	case '@', '+':
	default:
		if next(text) {
			return true
		}
	}
	for _, choice := range t.choices {
		more := next
		if t.repeat == '*' || t.repeat == '+' {
			more = func(left []rune) bool {
				if len(left) == len(text) {
					return false
				}
				return next(left) || token{kind: '(', repeat: '*', choices: t.choices}.group(left, next)
			}
		}
		if run(choice, text, more) {
			return true
		}
	}
	return false
}

// without matches any run of characters, unless one of the choices in its place would make the rest match.
func (t token) without(text []rune, next func([]rune) bool) bool {
	if slices.ContainsFunc(t.choices, func(choice []token) bool { return run(choice, text, next) }) {
		return false
	}
	for end := range len(text) + 1 {
		if next(text[end:]) {
			return true
		}
	}
	return false
}

// posix are the named classes: [[:alpha:]].
var posix = map[string]func(rune) bool{
	"alpha": unicode.IsLetter, "digit": unicode.IsDigit, "lower": unicode.IsLower, "upper": unicode.IsUpper,
	"space": unicode.IsSpace, "punct": unicode.IsPunct, "cntrl": unicode.IsControl, "print": unicode.IsPrint,
	"alnum":  func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) },
	"word":   func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) },
	"xdigit": func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) },
	"blank":  func(r rune) bool { return r == ' ' || r == '\t' },
	"graph":  unicode.IsGraphic, "ascii": func(r rune) bool { return r < 128 },
}
