package declare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
)

// perToken is how many characters a token has, as is usual for English and code.
const perToken = 4

// Tokens is about how many tokens a model makes of text.
func Tokens(text string) int { return (len(text) + perToken - 1) / perToken }

// section is what is said of one server.
type section struct {
	name       string
	tools      []*nodes.Tool
	signatures []string
	named      []string // tools of which only the name is told
	silent     int      // tools of which nothing is told
}

// Fit declares the tools in about so many tokens. Every server has its turn: first the names of its tools, then one
// signature after the other. What does not fit is counted, so that it can be asked for.
func Fit(tools []*nodes.Tool, shapes Shapes, tokens int) string {
	list := sections(tools)
	room := tokens*perToken - len(render(list))
	if room < 0 {
		return overview(list, tokens*perToken)
	}
	become := func(s *section, next section) {
		if more := len(next.text()) - len(s.text()); more <= room {
			room -= more
			*s = next
		}
	}
	deal(list, func(s *section, t *nodes.Tool) {
		next := *s
		next.named, next.silent = append(slices.Clone(s.named), t.ID.Name()), s.silent-1
		become(s, next)
	})
	deal(list, func(s *section, t *nodes.Tool) {
		if at := slices.Index(s.named, t.ID.Name()); at >= 0 {
			next := *s
			next.named = slices.Delete(slices.Clone(s.named), at, at+1)
			next.signatures = append(slices.Clone(s.signatures), Signature(t, shapes.of(t.ID)))
			become(s, next)
		}
	})
	return render(list)
}

// overview names as many servers as fit, where there is no room for more.
func overview(list []*section, room int) string {
	names := "servers:"
	for i, s := range list {
		rest := fmt.Sprintf(" and %d more\n", len(list)-i)
		if len(names)+len(" "+s.name+",")+len(rest) > room {
			return strings.TrimSuffix(names, ",") + rest
		}
		names += " " + s.name + ","
	}
	return strings.TrimSuffix(names, ",") + "\n"
}

// deal goes round the servers, one tool of each at a time.
func deal(list []*section, turn func(*section, *nodes.Tool)) {
	for round, open := 0, true; open; round++ {
		open = false
		for _, s := range list {
			if round < len(s.tools) {
				open = true
				turn(s, s.tools[round])
			}
		}
	}
}

// sections sorts the tools by server, in their order.
func sections(tools []*nodes.Tool) (list []*section) {
	for _, t := range tools {
		name := t.ID.Server()
		if len(list) == 0 || list[len(list)-1].name != name {
			list = append(list, &section{name: name})
		}
		s := list[len(list)-1]
		s.tools = append(s.tools, t)
		s.silent++
	}
	return list
}

func render(list []*section) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s.text())
	}
	return b.String()
}

func (s *section) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mcp%s\n", member(s.name))
	for _, line := range s.signatures {
		b.WriteString("  " + line + "\n")
	}
	names := strings.Join(s.named, ", ")
	switch {
	case len(s.named) > 0 && s.silent > 0:
		fmt.Fprintf(&b, "  also %s and %d more\n", names, s.silent)
	case len(s.named) > 0:
		fmt.Fprintf(&b, "  also %s\n", names)
	case s.silent > 0:
		fmt.Fprintf(&b, "  %d tools\n", s.silent)
	}
	return b.String()
}
