package syntax

import (
	"regexp"
	"sort"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/ije/esbuild-internal/logger"
)

// topLevelReturn is esbuild's complaint about `return` in a file that is a module; a program is a function's body.
const topLevelReturn = "Top-level return cannot be used inside an ECMAScript module"

const (
	moduleHint = "programs cannot import modules; call tools as mcp.server.tool(args)"
	emptyHint  = "pass TypeScript that calls tools, e.g. return await mcp.server.tool({ … })"
)

// diagnostics turns esbuild's messages into ours: every error, and assignment to a constant, which it only warns about.
func diagnostics(source string, at *positions, msgs []logger.Msg) []nodes.Diagnostic {
	if len(msgs) == 0 {
		return nil
	}
	lines := esbuildLines(source)
	var out []nodes.Diagnostic
	for _, msg := range msgs {
		constant := msg.ID == logger.MsgID_JS_AssignToConstant
		if (msg.Kind != logger.Error && !constant) || msg.Data.Text == topLevelReturn {
			continue
		}
		d := nodes.Diagnostic{Code: nodes.ParseError, Message: message(msg, constant)}
		if loc := msg.Data.Location; loc != nil && loc.Line >= 1 && loc.Line <= len(lines) {
			offset := min(len(source), lines[loc.Line-1]+loc.Column)
			d.Pos = at.at(offset)
			d.Length = at.units(offset, min(len(source), offset+loc.Length))
		}
		d.Hint = hint(msg, source, d.Pos.Offset)
		out = append(out, d)
	}
	return out
}

// byPlace orders diagnostics as the program reads and drops repetitions.
func byPlace(ds []nodes.Diagnostic) []nodes.Diagnostic {
	sort.SliceStable(ds, func(i, j int) bool { return ds[i].Pos.Offset < ds[j].Pos.Offset })
	kept := ds[:0]
	for i, d := range ds {
		if i == 0 || d != kept[len(kept)-1] {
			kept = append(kept, d)
		}
	}
	return kept
}

// esbuildLines returns where esbuild lets each line start: it also breaks lines at CR, U+2028 and U+2029.
func esbuildLines(source string) []int {
	starts := []int{0}
	for i, r := range source {
		switch r {
		case '\r':
			if i+1 < len(source) && source[i+1] == '\n' {
				continue
			}
			starts = append(starts, i+1)
		case '\n':
			starts = append(starts, i+1)
		case '\u2028', '\u2029':
			starts = append(starts, i+3)
		}
	}
	return starts
}

var constName = regexp.MustCompile(`"([^"]+)" is a constant`)

func message(msg logger.Msg, constant bool) string {
	text := strings.TrimSuffix(msg.Data.Text, ":")
	if !constant {
		return text
	}
	if m := constName.FindStringSubmatch(text); m != nil {
		return "cannot assign to " + m[1] + ": it is a constant"
	}
	return "cannot assign to a constant"
}

// hints are for messages whose cure an agent may not see at once.
var hints = []struct{ text, hint string }{
	{"JSX syntax extension", "programs are TypeScript without JSX"},
	{"Unterminated regular expression", "close it with /; a closing tag is no JavaScript, for JSX is not supported"},
	{"Unexpected \"“\"", "use plain quotes"},
	{"Unexpected \"”\"", "use plain quotes"},
	{"Unexpected \"‘\"", "use plain quotes"},
	{"Unexpected \"’\"", "use plain quotes"},
	{`"await" can only be used inside an "async" function`, "make the enclosing function async"},
	{"is a constant", "declare it with let"},
	{"has already been declared", "use another name, or assign without declaring it again"},
	{"Unterminated template literal", "close the template with a backtick"},
	{"Unterminated string literal", "close the string on its line, or use a template literal"},
	{"Unexpected end of file", "a bracket or quote is not closed"},
	{"Unexpected \"import\"", moduleHint},
	{"Unexpected \"export\"", "programs have no exports; return the result"},
	{"Parameter decorators", "decorators on parameters are not supported"},
}

func hint(msg logger.Msg, source string, offset int) string {
	for _, h := range hints {
		if strings.Contains(msg.Data.Text, h.text) {
			return h.hint
		}
	}
	switch {
	case strings.HasSuffix(source[:offset], "#"):
		return "comments start with //"
	case strings.Contains(source, "\n```"):
		return "pass only the code, without text around the code fence"
	}
	if loc := msg.Data.Location; loc != nil && loc.Suggestion != "" {
		return "write " + loc.Suggestion
	}
	return ""
}

// moduleSyntax is the diagnostic for an import or export declaration.
func moduleSyntax(pos ast.Pos, word string) nodes.Diagnostic {
	d := nodes.Diagnostic{Code: nodes.ParseError, Pos: pos, Length: len(word), Hint: moduleHint}
	d.Message = word + " declarations are not allowed in a program"
	if word == "export" {
		d.Hint = "programs have no exports; return the result"
	}
	return d
}
