package filesystem

import "strings"

// glob is a compiled pattern in minimatch's language with its "dot" option: *, ?, **, [classes], {a,b} and {1..3},
// @(a|b) ?(a) *(a) +(a) !(a), a leading ! that negates and a leading # that makes a comment.
type glob struct {
	negate bool
	paths  [][]segment
}

// segment is one path part of a pattern: "**", or tokens that match one name.
type segment struct {
	any    bool
	tokens []token
}

func compileGlob(pattern string) glob {
	if strings.HasPrefix(pattern, "#") {
		return glob{}
	}
	var g glob
	for strings.HasPrefix(pattern, "!") {
		g.negate = !g.negate
		pattern = pattern[1:]
	}
	if pattern == "" {
		return g
	}
	for _, one := range expandBraces(pattern) {
		g.paths = append(g.paths, compilePath(one))
	}
	return g
}

// match says whether a relative path with forward slashes matches.
func (g glob) match(path string) bool {
	names := strings.Split(path, "/")
	for _, parts := range g.paths {
		if matchPath(parts, names) {
			return !g.negate
		}
	}
	return g.negate
}

func compilePath(pattern string) []segment {
	var names []string
	for i, name := range strings.Split(pattern, "/") {
		last := len(names) - 1
		switch {
		case name == "" && i > 0:
			continue
		case name == ".." && last >= 0 && !strings.Contains(".. ** ", names[last]+" "):
			names = names[:last]
		case name == "**" && last >= 0 && names[last] == "**":
		default:
			names = append(names, name)
		}
	}
	if strings.HasSuffix(pattern, "/") {
		names = append(names, "") // a trailing slash matches only a path that has one
	}
	parts := make([]segment, len(names))
	for i, name := range names {
		if parts[i].any = name == "**"; !parts[i].any {
			parts[i].tokens = scan([]rune(name))
		}
	}
	return parts
}

func matchPath(parts []segment, names []string) bool {
	for len(parts) > 0 {
		if parts[0].any {
			return matchAnywhere(parts[1:], names)
		}
		if len(names) == 0 || !parts[0].matches(names[0]) {
			return false
		}
		parts, names = parts[1:], names[1:]
	}
	return len(names) == 0
}

// matchAnywhere matches what follows "**": at the end it needs at least one name, elsewhere it may stand for none.
func matchAnywhere(rest []segment, names []string) bool {
	if len(rest) == 0 {
		return len(names) > 0
	}
	for skip := 0; skip <= len(names); skip++ {
		if matchPath(rest, names[skip:]) {
			return true
		}
	}
	return false
}

func (s segment) matches(name string) bool {
	if name == "" {
		return len(s.tokens) == 0
	}
	text := []rune(name)
	return run(s.tokens, text, func(rest []rune) bool { return len(rest) == 0 })
}
