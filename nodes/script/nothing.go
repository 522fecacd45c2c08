package script

import (
	"regexp/syntax"
	"strings"
)

// mayMatchNothing reports whether a regular expression with the g flag can match the empty string besides others.
func mayMatchNothing(pattern, flags string) bool {
	if !strings.Contains(flags, "g") || !strings.ContainsAny(pattern, "|*?{") {
		return false
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	return err != nil || minLength(re) == 0
}

// minLength is the length of the shortest match.
func minLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return minLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, s := range re.Sub {
			n += minLength(s)
		}
		return n
	case syntax.OpAlternate:
		n := minLength(re.Sub[0])
		for _, s := range re.Sub[1:] {
			n = min(n, minLength(s))
		}
		return n
	}
	return 0
}
