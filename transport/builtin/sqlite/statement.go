package sqlite

import (
	"errors"
	"strings"
)

// statement is one SQL statement: its words (upper case; comments, strings and numbers left out), and its text.
type statement struct {
	words []string
	text  string
}

func (s statement) is(word string) bool { return len(s.words) > 0 && s.words[0] == word }

func (s statement) has(words ...string) bool {
	for _, word := range s.words {
		for _, wanted := range words {
			if word == wanted {
				return true
			}
		}
	}
	return false
}

// split cuts SQL at its semicolons, as SQLite's tokenizer sees them. The body of a trigger is cut too, which does no
// harm: the statements are only looked at, never run one by one.
func split(sql string) []statement {
	var all []statement
	current, start := statement{}, 0
	flush := func(end int) {
		if current.text = sql[start:end]; len(current.words) > 0 {
			all = append(all, current)
		}
		current, start = statement{}, end+1
	}
	for i := 0; i < len(sql); {
		word, width := scan(sql[i:])
		if word == ";" {
			flush(i)
		} else if word != "" {
			current.words = append(current.words, strings.ToUpper(word))
		}
		i += width
	}
	flush(len(sql))
	return all
}

// scan reads one token: its width, and its text when it is a word, a quoted name, a string or a semicolon.
func scan(sql string) (word string, width int) {
	switch c := sql[0]; {
	case strings.HasPrefix(sql, "--"):
		return "", through(sql, "\n", 2)
	case strings.HasPrefix(sql, "/*"):
		return "", through(sql, "*/", 2)
	case c == '\'' || c == '"' || c == '`':
		return quoted(sql, c)
	case c == '[':
		width = through(sql, "]", 1)
		return strings.Trim(sql[:width], "[]"), width
	case c == ';':
		return ";", 1
	case isWord(c):
		for width < len(sql) && isWord(sql[width]) {
			width++
		}
		return sql[:width], width
	}
	return "", 1
}

func through(sql, end string, from int) int {
	if at := strings.Index(sql[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(sql)
}

// quoted reads a text in quotes, where a doubled quote stands for one.
func quoted(sql string, quote byte) (string, int) {
	for i := 1; i < len(sql); i++ {
		if sql[i] != quote {
			continue
		}
		if i+1 < len(sql) && sql[i+1] == quote {
			i++
			continue
		}
		return " " + sql[1:i], i + 1 // the space keeps it from being taken for a keyword
	}
	return " " + sql[1:], len(sql)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// allowed refuses statements that reach other files. SQLite itself is told to attach nothing, so this only makes
// the message clear; the pragmas that move temporary files are refused here alone.
func allowed(statements []statement) error {
	if len(statements) == 0 {
		return errors.New("sql has no statement")
	}
	for _, s := range statements {
		switch {
		case s.is("ATTACH") || s.is("DETACH"):
			return errors.New("PATH_OUTSIDE_WORKSPACE: ATTACH is not allowed; a call works on one database file")
		case s.is("VACUUM") && s.has("INTO"):
			return errors.New("PATH_OUTSIDE_WORKSPACE: VACUUM INTO is not allowed; a call works on one database file")
		case s.has("PRAGMA") && s.has("TEMP_STORE_DIRECTORY", "DATA_STORE_DIRECTORY", " TEMP_STORE_DIRECTORY",
			" DATA_STORE_DIRECTORY"):
			return errors.New("PATH_OUTSIDE_WORKSPACE: this PRAGMA is not allowed")
		}
	}
	return nil
}
