package filesystem

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func (f *files) edit(ctx context.Context, args tool.Args) (*tool.Result, error) {
	access := root.Write
	if args.Bool("dryRun") {
		access = root.Read
	}
	place, err := f.roots.Resolve(args.String("path"), access)
	if err != nil {
		return nil, err
	}
	before, err := editable(place)
	if err != nil {
		return nil, err
	}
	after := before
	for _, edit := range args.Objects("edits") {
		if after, err = apply(after, edit.String("oldText"), edit.String("newText")); err != nil {
			return nil, err
		}
	}
	if !args.Bool("dryRun") {
		if err := replace(ctx, place, after); err != nil {
			return nil, err
		}
	}
	return say(fence(unified(tool.Decode([]byte(place.Abs)), before, unixLines(after)))), nil
}

// editable reads a file to be edited, with CRLF made LF. Files that are not UTF-8 are refused: writing them back
// would destroy what could not be read.
func editable(place root.Place) (string, error) {
	file, size, err := open(place)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := readAll(file, size, place)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		return "", fmt.Errorf("EINVAL: not UTF-8 text, edit '%s' (use write_file to replace it whole)", place.Abs)
	}
	return unixLines(string(data)), nil
}

// apply makes one edit: the first exact match, else the first lines that match with whitespace around them ignored.
func apply(text, wantedText, newText string) (string, error) {
	oldText, newText := unixLines(wantedText), unixLines(newText)
	if strings.Contains(text, oldText) {
		return strings.Replace(text, oldText, newText, 1), nil
	}
	lines, wanted := strings.Split(text, "\n"), strings.Split(oldText, "\n")
	for at := 0; at+len(wanted) <= len(lines); at++ {
		if sameLines(lines[at:at+len(wanted)], wanted) {
			fitted := fit(lines[at], wanted, strings.Split(newText, "\n"))
			all := append(append(append([]string{}, lines[:at]...), fitted...), lines[at+len(wanted):]...)
			return strings.Join(all, "\n"), nil
		}
	}
	return "", errors.New("Could not find exact match for edit:\n" + wantedText)
}

func sameLines(lines, wanted []string) bool {
	for i := range wanted {
		if trim(lines[i]) != trim(wanted[i]) {
			return false
		}
	}
	return true
}

// fit gives the new lines the indentation of the place they come to: the first line takes that of the first
// replaced line, and a later one keeps how much deeper it is than the old line beside it.
func fit(first string, wanted, lines []string) []string {
	indent := indentOf(first)
	fitted := make([]string, len(lines))
	for i, line := range lines {
		fitted[i] = line
		if i == 0 {
			fitted[i] = indent + trimLeft(line)
			continue
		}
		if i >= len(wanted) {
			continue
		}
		old, now := len(indentOf(wanted[i])), len(indentOf(line))
		if old > 0 && now > 0 {
			fitted[i] = indent + strings.Repeat(" ", max(0, now-old)) + trimLeft(line)
		}
	}
	return fitted
}

func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func trim(line string) string { return strings.TrimFunc(line, isSpace) }

func trimLeft(line string) string { return strings.TrimLeftFunc(line, isSpace) }

func indentOf(line string) string { return line[:len(line)-len(trimLeft(line))] }

// isSpace is JavaScript's white space (ECMAScript WhiteSpace and LineTerminator), as trim and \s know it.
func isSpace(r rune) bool {
	return r >= '\t' && r <= '\r' || r == 0xFEFF || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Zs, r)
}

// fence wraps a diff in a Markdown fence that is longer than any in it.
func fence(diff string) string {
	marks := "```"
	for strings.Contains(diff, marks) {
		marks += "`"
	}
	return marks + "diff\n" + diff + marks + "\n\n"
}
