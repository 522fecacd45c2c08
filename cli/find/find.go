// Package find finds tools by what they do: SQLite's full-text search over names, descriptions and schemas.
package find

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver

	"github.com/casys-ai/pml/nodes"
)

// Index holds tools to be found. It may be used by several goroutines. Close it.
type Index struct {
	db    *sql.DB
	tools []*nodes.Tool
}

// A word in a tool's name says more than one in its description, and that more than one somewhere in its schema.
const (
	schema = `create virtual table tool using fts5(name, description, schema, tokenize = "porter unicode61")`
	insert = `insert into tool(rowid, name, description, schema) values (?, ?, ?, ?)`
	search = `select rowid from tool where tool match ? order by bm25(tool, 8, 3, 1), rowid`
)

// shortest is the length from which a word may be the beginning of what is meant.
const shortest = 3

// empty are words that stand in every description.
var empty = map[string]bool{"a": true, "an": true, "and": true, "by": true, "for": true, "from": true, "in": true,
	"into": true, "is": true, "it": true, "my": true, "of": true, "on": true, "or": true, "the": true, "to": true, "with": true}

// New makes an Index of the tools.
func New(tools []*nodes.Tool) (*Index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	x := &Index{db: db, tools: tools}
	if err := x.fill(); err != nil {
		return nil, fmt.Errorf("find: %w", cmp.Or(err, db.Close()))
	}
	return x, nil
}

func (x *Index) fill() error {
	tx, err := x.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // it fails when all went well
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	for i, t := range x.tools {
		if _, err := tx.Exec(insert, i, words(string(t.ID)+" "+t.Title), words(t.Description), words(said(t.InputSchema))); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close frees the Index.
func (x *Index) Close() error { return x.db.Close() }

// Find gives the tools that have to do with a query, the best first. Without words in it, all.
func (x *Index) Find(query string) ([]*nodes.Tool, error) {
	var parts []string
	for _, w := range strings.Fields(strings.ToLower(words(query))) {
		switch {
		case empty[w]:
		case len(w) < shortest:
			parts = append(parts, `"`+w+`"`)
		default:
			parts = append(parts, `"`+w+`"*`) // and what begins with it
		}
	}
	if len(parts) == 0 {
		return x.tools, nil
	}
	rows, err := x.db.Query(search, strings.Join(parts, " OR "))
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	defer rows.Close()
	var found []*nodes.Tool
	for rows.Next() {
		var i int
		if err := rows.Scan(&i); err != nil {
			return nil, fmt.Errorf("find: %w", err)
		}
		found = append(found, x.tools[i])
	}
	return found, rows.Err()
}

var camel = regexp.MustCompile(`(\p{Ll}|\p{Nd})(\p{Lu})`)

// words takes text apart as people read it: readFile and read_file are two words.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(camel.ReplaceAllString(text, "$1 $2"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// said is the text in a schema: the names of properties, and what is said of them.
func said(schema []byte) string {
	var v any
	if json.Unmarshal(schema, &v) != nil {
		return ""
	}
	var b strings.Builder
	collect(&b, v, 0)
	return b.String()
}

func collect(b *strings.Builder, v any, depth int) {
	const deepest = 8
	o, _ := v.(map[string]any)
	if o == nil || depth > deepest {
		return
	}
	if text, ok := o["description"].(string); ok {
		b.WriteString(text + " ")
	}
	properties, _ := o["properties"].(map[string]any)
	for name, inner := range properties {
		b.WriteString(name + " ")
		collect(b, inner, depth+1)
	}
	collect(b, o["items"], depth+1)
}
