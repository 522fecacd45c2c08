package nodes

import "strings"

// Nearest is the name that is most like the one given, "" if none is like it.
func Nearest(name string, names []string) string {
	best, bestDistance := "", max(2, len(name)/3)+1
	wanted := []rune(fold(name))
	for _, n := range names {
		folded := []rune(fold(n))
		if tooLong := len(folded) - len(wanted); max(tooLong, -tooLong) >= bestDistance {
			continue
		}
		if d := distance(wanted, folded); d < bestDistance && d < len(name) {
			best, bestDistance = n, d
		}
	}
	if best == "" {
		return onlyBeginning(name, names)
	}
	return best
}

// onlyBeginning is the one name that begins with the one given, or is its beginning; "" if there are more, or none.
func onlyBeginning(name string, names []string) string {
	found := ""
	for _, n := range names {
		a, b := fold(name), fold(n)
		if min(len(a), len(b)) < 3 || !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}

func fold(s string) string { return separators.Replace(strings.ToLower(s)) }

var separators = strings.NewReplacer("-", "", "_", "")

// distance is the number of letters to insert, delete, replace or swap with a neighbour (optimal string alignment).
func distance(x, y []rune) int {
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(y)]
}
