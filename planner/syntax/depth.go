package syntax

import (
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// What a program may measure. esbuild's parser, the planner and goja recurse; a stack that overflows in Go ends the
// process, so depth is bounded before anything parses.
const (
	// maxSource bounds the text in bytes.
	maxSource = 1 << 20
	// maxBrackets bounds brackets inside brackets.
	maxBrackets = 500
	// maxChain bounds what nests without brackets on the way to one place: operators, calls, else-ifs, arrows.
	maxChain = 5000
)

// checkNesting reports whether text is shallow enough to parse, or where it is not. It reads tokens only; where it
// cannot know, as whether a slash divides, it guesses, and a wrong guess is off by one line.
func checkNesting(text string) (int, bool) {
	if len(text) > maxSource {
		return maxSource, false
	}
	n := nesting{text: text, frames: make([]frame, 1, 64)}
	for n.i < len(text) {
		n.token()
		if len(n.frames) > maxBrackets || n.total > maxChain {
			return min(n.i, len(text)-1), false
		}
	}
	return 0, true
}

func tooDeep(pos ast.Pos) nodes.Diagnostic {
	d := nodes.Diagnostic{Code: nodes.ParseError, Message: "the program is nested too deeply", Pos: pos,
		Hint: "split it into statements or functions"}
	if pos.Offset >= maxSource {
		d.Message, d.Hint = "the program is longer than 1 MB", "read large data through a tool"
	}
	return d
}

// last says what the token before was.
type last uint8

const (
	lastOperator  last = iota // an expression may follow
	lastOperand               // a name or literal: an operator or a new line follows
	lastHead                  // the ) of if (…), for (…), while (…): a statement follows as its body
	lastBrace                 // }
	lastSemicolon             // ; or ,
)

// frame is one open bracket. run counts what nests in it since the last separator, elses the elses since the last new
// statement. template and head say that it is ${ or follows the word if, for or while.
type frame struct {
	run, elses     int
	template, head bool
}

// nesting reads the tokens of a text; total is the sum of run and kept over all frames.
type nesting struct {
	text    string
	i       int
	frames  []frame
	total   int
	last    last
	newline bool
	head    bool // the last word was if, for or while
}

func (n *nesting) top() *frame { return &n.frames[len(n.frames)-1] }

func (n *nesting) grow() {
	n.top().run++
	n.total++
}

// reset ends what nested so far: a separator follows.
func (n *nesting) reset() {
	f := n.top()
	n.total -= f.run
	f.run = 0
}

// statement ends what nested so far, else-ifs too: a new statement begins.
func (n *nesting) statement() {
	n.reset()
	f := n.top()
	n.total -= f.elses
	f.elses = 0
}

func (n *nesting) token() {
	c := n.text[n.i]
	switch {
	case c == '\n':
		n.newline = true
		n.i++
		return
	case c == ' ' || c == '\t' || c == '\r':
		n.i++
		return
	case c == '/' && n.comment():
		return
	case c == '"' || c == '\'':
		n.quoted(c)
		n.last = lastOperand
	case c == '`':
		n.grow()
		n.i++
		n.template()
	case isWordByte(c):
		n.word()
	default:
		n.punctuation(c)
	}
	n.newline = false
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || c == '$' || c == '#' || c == '@' || c == '\\' ||
		(c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

func (n *nesting) punctuation(c byte) {
	n.i++
	switch c {
	case '(', '[', '{':
		n.frames = append(n.frames, frame{head: n.head && c == '('})
		n.last = lastOperator
	case ')', ']', '}':
		n.closing(c)
	case ';', ',':
		n.reset()
		n.last = lastSemicolon
	case '/':
		n.slash()
	default:
		n.grow()
		n.last = lastOperator
	}
	n.head = false
}

func (n *nesting) closing(c byte) {
	closed := *n.top()
	if len(n.frames) > 1 {
		n.total -= closed.run + closed.elses
		n.frames = n.frames[:len(n.frames)-1]
	}
	if closed.template {
		n.template()
		return
	}
	n.grow()
	n.last = lastOperand
	switch {
	case closed.head:
		n.last = lastHead
	case c == '}':
		n.last = lastBrace
	}
}

// comment skips a comment.
func (n *nesting) comment() bool {
	rest := n.text[n.i:]
	switch {
	case strings.HasPrefix(rest, "//"):
		n.i = n.after(n.i, "\n")
		n.newline = true
	case strings.HasPrefix(rest, "/*"):
		n.i = n.after(n.i+2, "*/")
	default:
		return false
	}
	return true
}

// after returns the offset behind the next mark.
func (n *nesting) after(from int, mark string) int {
	if i := strings.Index(n.text[min(from, len(n.text)):], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(n.text)
}

func (n *nesting) quoted(quote byte) {
	for n.i++; n.i < len(n.text); n.i++ {
		switch n.text[n.i] {
		case '\\':
			n.i++
		case quote:
			n.i++
			return
		case '\n':
			return
		}
	}
}

// template reads a template's text up to its end or the next ${.
func (n *nesting) template() {
	for ; n.i < len(n.text); n.i++ {
		switch n.text[n.i] {
		case '\\':
			n.i++
		case '`':
			n.i++
			n.last = lastOperand
			return
		case '$':
			if strings.HasPrefix(n.text[n.i:], "${") {
				n.i += 2
				n.frames = append(n.frames, frame{template: true})
				n.last = lastOperator
				return
			}
		}
	}
}

// slash reads a regular expression or a division.
func (n *nesting) slash() {
	if n.last == lastOperand || n.last == lastBrace {
		n.grow()
		n.last = lastOperator
		return
	}
	class := false
	for ; n.i < len(n.text) && n.text[n.i] != '\n'; n.i++ {
		switch c := n.text[n.i]; {
		case c == '\\':
			n.i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			n.i++
			n.last = lastOperand
			return
		}
	}
}

// nests are words that make the next statement or operand one level deeper.
var nests = map[string]bool{
	"if": true, "for": true, "while": true, "do": true, "with": true, "await": true, "typeof": true, "void": true,
	"delete": true, "new": true, "yield": true, "async": true, "extends": true, "in": true, "instanceof": true,
	"as": true, "satisfies": true, "keyof": true, "return": true, "throw": true, "case": true, "of": true,
	"infer": true, "readonly": true, "unique": true, "asserts": true, "is": true,
}

// continues are words that go on with the statement before, after } or a semicolon or a line break.
var continues = map[string]bool{
	"else": true, "while": true, "catch": true, "finally": true, "in": true, "instanceof": true, "of": true,
	"as": true, "satisfies": true, "extends": true, "is": true,
}

func (n *nesting) word() {
	from := n.i
	for n.i < len(n.text) && isWordByte(n.text[n.i]) {
		n.i++
	}
	w := n.text[from:n.i]
	ended := n.last == lastBrace || n.last == lastSemicolon || (n.newline && n.last == lastOperand)
	if ended && !continues[w] {
		n.statement()
	}
	n.head = w == "if" || w == "for" || w == "while" || w == "with" || (n.head && w == "await")
	switch {
	case w == "else":
		n.top().elses++
		n.total++
		n.last = lastOperator
	case nests[w]:
		n.grow()
		n.last = lastOperator
	default:
		n.last = lastOperand
	}
}
