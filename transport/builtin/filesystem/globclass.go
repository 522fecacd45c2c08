package filesystem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// scanClass reads a [class] at the start of text and gives its width, or 0 when it is not complete.
func scanClass(text []rune) (func(rune) bool, int) {
	i, negate := 1, false
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i, negate = i+1, true
	}
	var parts []func(rune) bool
	for start := i; i < len(text); {
		if text[i] == ']' && i > start {
			return func(r rune) bool {
				in := slices.ContainsFunc(parts, func(p func(rune) bool) bool { return p(r) })
				return in != negate
			}, i + 1
		}
		part, width := classPart(text[i:])
		parts = append(parts, part)
		i += width
	}
	return nil, 0
}

// classPart reads a named class, a range or one character.
func classPart(text []rune) (func(rune) bool, int) {
	if strings.HasPrefix(string(text), "[:") {
		name, _, closed := strings.Cut(string(text[2:]), ":]")
		if in, known := posix[name]; known && closed {
			return in, len([]rune(name)) + 4
		}
	}
	low, width := classRune(text)
	if len(text) > width+1 && text[width] == '-' && text[width+1] != ']' {
		high, more := classRune(text[width+1:])
		return func(r rune) bool { return low <= r && r <= high }, width + 1 + more
	}
	return func(r rune) bool { return r == low }, width
}

func classRune(text []rune) (rune, int) {
	if text[0] == '\\' && len(text) > 1 {
		return text[1], 2
	}
	return text[0], 1
}

// maxBraces bounds what one pattern may expand to.
const maxBraces = 10_000

// expandBraces expands {a,b} and {1..3}, also nested; a brace without comma or range is literal.
func expandBraces(pattern string) []string {
	for open := 0; open < len(pattern); open++ {
		if pattern[open] == '\\' {
			open++
			continue
		}
		if pattern[open] != '{' || (open > 0 && pattern[open-1] == '$') {
			continue
		}
		shut, commas := braceEnd(pattern, open)
		if shut < 0 {
			continue
		}
		choices := braceChoices(pattern[open+1:shut], open+1, commas, pattern)
		if choices == nil {
			continue
		}
		return product(pattern[:open], choices, expandBraces(pattern[shut+1:]))
	}
	return []string{pattern}
}

// braceEnd finds the closing brace and the commas at its level.
func braceEnd(pattern string, open int) (shut int, commas []int) {
	depth := 0
	for i := open + 1; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			depth++
		case ',':
			if depth == 0 {
				commas = append(commas, i)
			}
		case '}':
			if depth == 0 {
				return i, commas
			}
			depth--
		}
	}
	return -1, nil
}

func braceChoices(body string, start int, commas []int, pattern string) []string {
	if len(commas) == 0 {
		return braceRange(body)
	}
	var choices []string
	for _, comma := range append(commas, start+len(body)) {
		choices = append(choices, expandBraces(pattern[start:comma])...)
		start = comma + 1
	}
	return choices
}

// braceRange expands 1..3 and a..e, with an optional step as a third part.
func braceRange(body string) []string {
	parts := strings.Split(body, "..")
	if len(parts) < 2 || len(parts) > 3 {
		return nil
	}
	from, errFrom := strconv.Atoi(parts[0])
	to, errTo := strconv.Atoi(parts[1])
	format := "%0" + strconv.Itoa(zeros(parts[0], parts[1])) + "d"
	if errFrom != nil || errTo != nil {
		if len(parts[0]) != 1 || len(parts[1]) != 1 {
			return nil
		}
		from, to, format = int(parts[0][0]), int(parts[1][0]), "%c"
	}
	step := 1
	if len(parts) == 3 {
		given, err := strconv.Atoi(parts[2])
		if err != nil {
			return nil
		}
		step = max(1, max(given, -given))
	}
	return count(from, to, step, format)
}

func count(from, to, step int, format string) []string {
	var choices []string
	for i := from; len(choices) < maxBraces; i += step {
		choices = append(choices, fmt.Sprintf(format, i))
		if from <= to && i > to-step || from > to && i-to < step {
			break
		}
		if from > to {
			i -= 2 * step
		}
	}
	return choices
}

// zeros is the width to pad to when an end of a range is written with leading zeros.
func zeros(ends ...string) int {
	width := 0
	for _, end := range ends {
		digits := strings.TrimPrefix(end, "-")
		if len(digits) > 1 && digits[0] == '0' {
			width = max(width, len(end))
		}
	}
	return width
}

func product(before string, choices, tails []string) []string {
	var all []string
	for _, choice := range choices {
		for _, tail := range tails {
			if len(all) >= maxBraces {
				return all
			}
			all = append(all, before+choice+tail)
		}
	}
	return all
}
