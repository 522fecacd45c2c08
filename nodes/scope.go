package nodes

import (
	"path"
	"strings"
)

// A scope is the name of a resource, "workspace", or a part of one, "workspace:notes/a.md": the name covers all its parts,
// and a part all that lies below it. In a rule a part may name an argument, "workspace:{path}".

// FillScopes puts arguments into scopes that name them; arg gives the text of one, if it is known before the program
// runs. Where it is not, the whole resource is meant.
func FillScopes(scopes []string, arg func(name string) (string, bool)) []string {
	var out []string
	for i, s := range scopes {
		name, part, _ := strings.Cut(s, ":")
		if !strings.Contains(part, "{") {
			continue
		}
		if out == nil {
			out = append(out, scopes...)
		}
		out[i] = name
		if filled, ok := fill(part, arg); ok {
			out[i] = name + ":" + filled
		}
	}
	if out == nil {
		return scopes
	}
	return out
}

func fill(part string, arg func(string) (string, bool)) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(part, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, after, closed := strings.Cut(rest, "}")
		text, known := arg(name)
		if !closed || !known || text == "" {
			return "", false
		}
		b.WriteString(text)
		part = after
	}
}

func shareScope(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if x == World || y == World || overlap(x, y) {
				return true
			}
		}
	}
	return false
}

// overlap reports whether two scopes are of one resource and may be about the same part of it. Parts are compared as
// paths, whatever their case; one that leads outwards, or a relative beside an absolute one, may be anything.
func overlap(x, y string) bool {
	x, p, partX := strings.Cut(x, ":")
	y, q, partY := strings.Cut(y, ":")
	if x != y || !partX || !partY || strings.Contains(p+q, "{") {
		return x == y
	}
	p, q = cleanPart(p), cleanPart(q)
	if strings.HasPrefix(p, "..") || strings.HasPrefix(q, "..") || path.IsAbs(p) != path.IsAbs(q) {
		return true
	}
	return below(p, q) || below(q, p)
}

func cleanPart(p string) string { return path.Clean(strings.ToLower(strings.ReplaceAll(p, `\`, "/"))) }

// below reports whether p is q or lies below it.
func below(p, q string) bool {
	return p == q || q == "." || q == "/" || strings.HasPrefix(p, strings.TrimSuffix(q, "/")+"/")
}
