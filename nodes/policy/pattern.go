package policy

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// CheckPattern says what is wrong with a pattern of tools; nil if nothing is.
func CheckPattern(p string) error {
	server, tool, both := strings.Cut(p, ":")
	switch {
	case strings.TrimSpace(p) == "":
		return fmt.Errorf("the pattern is empty; write `server:tool`, `server:*` or `*`")
	case strings.ContainsAny(p, " \t\r\n"):
		return fmt.Errorf("pattern %q has a space in it", p)
	case server == "" || both && tool == "":
		return fmt.Errorf("pattern %q names no %s; write `server:tool`, `server:*` or `*`", p, missingPart(server))
	}
	return nil
}

func missingPart(server string) string {
	if server == "" {
		return "server"
	}
	return "tool"
}

// Matches reports whether a pattern covers a tool. A pattern without a colon covers all tools of the servers it names.
func Matches(pattern string, id nodes.ToolID) bool {
	server, tool, both := strings.Cut(pattern, ":")
	return glob(server, id.Server()) && (!both || glob(tool, id.Name()))
}

// glob matches s against a pattern in which * stands for any text, the empty one included.
func glob(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], next
	}
}
