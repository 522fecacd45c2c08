package sqlite_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
	"github.com/casys-ai/pml/transport/builtin/sqlite"
)

type o = map[string]any

const db = "dä ta%20?#.db"

func serve(t *testing.T) (*pipetest.Client, string) {
	t.Helper()
	is := is.New(t)
	parent, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	ws := filepath.Join(parent, "ws")
	is.NoErr(os.MkdirAll(ws, 0o755))
	is.NoErr(os.Symlink("..", filepath.Join(ws, "away")))
	roots, err := root.Open(ws, nil, nil)
	is.NoErr(err)
	t.Cleanup(func() { _ = roots.Close() })
	c := pipetest.Serve(t, func(in io.Reader, out io.Writer) error {
		return tool.Serve(context.Background(), "sqlite", sqlite.Tools(roots), in, out, io.Discard)
	})
	answer := c.Call("execute", o{"database": db, "sql": `
		CREATE TABLE "tä ble" (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', at DATETIME, data BLOB, n REAL);
		CREATE UNIQUE INDEX by_name ON "tä ble"(name, at); CREATE VIEW v AS SELECT id FROM "tä ble" -- the end;`})
	is.True(!answer.IsError) // answer.Text
	return c, ws
}

func TestWriteAndRead(t *testing.T) {
	is := is.New(t)
	c, ws := serve(t)
	_, err := os.Stat(filepath.Join(ws, db))
	is.NoErr(err)
	answer := c.Call("execute", o{"database": db,
		"sql":    `INSERT INTO "tä ble" VALUES (?,?,?,?,?),(2,'b','no date',NULL,2)`,
		"params": []any{1, "日本", "2026-01-02T03:04:05Z", o{"$blob": "AP8="}, 1.5}})
	is.Equal(answer.Structured, o{"rows_affected": 2.0, "last_insert_id": 2.0})
	answer = c.Call("query", o{"database": db,
		"sql": `SELECT *, 9007199254740993 AS big, id FROM "tä ble" ORDER BY id DESC; -- x`})
	is.Equal(answer.Structured["columns"], []any{"id", "name", "at", "data", "n", "big", "id_2"})
	is.Equal(answer.Structured["row_count"], 2.0)
	is.Equal(answer.Structured["rows"], []any{
		o{"id": 2.0, "name": "b", "at": "no date", "data": nil, "n": 2.0, "big": "9007199254740993", "id_2": 2.0},
		o{"id": 1.0, "name": "日本", "at": "2026-01-02T03:04:05Z", "data": o{"$blob": "AP8="}, "n": 1.5,
			"big": "9007199254740993", "id_2": 1.0}})
	var text any
	is.NoErr(json.Unmarshal([]byte(answer.Text), &text))
	is.Equal(text, any(answer.Structured))
	is.True(strings.Contains(string(answer.Raw), `{"id":2,"name":"b","at":"no date"`)) // order of columns
}

func TestNoRows(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	answer := c.Call("query", o{"database": db, "sql": "SELECT id FROM v WHERE id = ?", "params": []any{nil}})
	is.Equal(answer.Structured, o{"columns": []any{"id"}, "rows": []any{}, "row_count": 0.0})
	is.Equal(c.Call("query", o{"database": db, "sql": "SELECT 1e999 AS i, 'a;b' AS t, ? AS p", "params": []any{true}}).
		Structured["rows"], []any{o{"i": "Inf", "t": "a;b", "p": 1.0}})
}

func TestRowLimit(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	many := "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 10001) SELECT x FROM c"
	answer := c.Call("query", o{"database": db, "sql": many})
	is.Equal(answer.Structured["row_count"], 10000.0)
	is.Equal(answer.Structured["truncated"], true)
}

func TestRefusals(t *testing.T) {
	c, ws := serve(t)
	is.New(t).NoErr(os.MkdirAll(filepath.Join(ws, "dir"), 0o755))
	is.New(t).NoErr(os.WriteFile(filepath.Join(ws, "text"), []byte("this is not a database, is it? No."), 0o644))
	out := filepath.Join(filepath.Dir(ws), "out.db")
	for _, test := range []struct{ name, database, sql, text string }{
		{"query", db, "", "sql has no statement"},
		{"query", db, "-- nothing\n;", "sql has no statement"},
		{"query", db, "SELECT 1; SELECT 2", "query runs one statement"},
		{"query", db, "SELEC 1", "SQLITE_ERROR: "},
		{"query", db, `DELETE FROM "tä ble"`, "readonly"},
		{"query", db, "CREATE TABLE x(y)", "readonly"},
		{"query", "nope.db", "SELECT 1", "ENOENT: no such file or directory, open '" + ws},
		{"execute", "no/dir.db", "SELECT 1", "ENOENT: no such file or directory, open '" + ws},
		{"query", "dir", "SELECT 1", "EISDIR: "},
		{"query", "text", "SELECT * FROM sqlite_schema", "file is not a database"},
		{"query", "../x.db", "SELECT 1", "PATH_OUTSIDE_WORKSPACE: "},
		{"execute", "../x.db", "SELECT 1", "PATH_OUTSIDE_WORKSPACE: "},
		{"execute", out, "SELECT 1", "PATH_OUTSIDE_WORKSPACE: "},
		{"execute", "away/x.db", "SELECT 1", "PATH_OUTSIDE_WORKSPACE: "},
		{"schema", "away/x.db", "", "PATH_OUTSIDE_WORKSPACE: "},
		{"execute", db, "ATTACH '" + out + "' AS o", "ATTACH is not allowed"},
		{"query", db, "/* x */ aTTach '" + out + "' AS o", "ATTACH is not allowed"},
		{"execute", db, "EXPLAIN SELECT 1; SELECT ';'; -- ;\nATTACH '" + out + "' AS o", "ATTACH is not allowed"},
		{"execute", db, "VACUUM INTO '" + out + "'", "VACUUM INTO is not allowed"},
		{"execute", db, "VACUUM main /* */ INTO '" + out + "'", "VACUUM INTO is not allowed"},
		{"execute", db, "PRAGMA temp_store_directory = '/'", "this PRAGMA is not allowed"},
		{"execute", db, `PRAGMA "temp_store_directory" = '/'`, "this PRAGMA is not allowed"},
		{"execute", db, "SELECT load_extension('x')", "SQLITE_ERROR: "},
		{"execute", db, "INSERT INTO nope VALUES (1)", "no such table: nope"},
	} {
		t.Run(test.sql, func(t *testing.T) {
			is := is.New(t)
			answer := c.Call(test.name, o{"database": test.database, "sql": test.sql})
			is.True(answer.IsError)
			if !strings.Contains(answer.Text, test.text) {
				t.Errorf("got %s, want %s", answer.Text, test.text)
			}
			_, err := os.Stat(out)
			is.True(os.IsNotExist(err))
		})
	}
}

func TestSideFilesThatAreLinksAreRefused(t *testing.T) {
	is := is.New(t)
	c, ws := serve(t)
	is.NoErr(os.Symlink("../outside", filepath.Join(ws, db+"-wal")))
	answer := c.Call("execute", o{"database": db, "sql": "PRAGMA journal_mode=WAL"})
	is.True(answer.IsError && strings.HasPrefix(answer.Text, "PATH_OUTSIDE_WORKSPACE: "))
}

func TestVacuumAndTransactions(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	is.Equal(c.Call("execute", o{"database": db, "sql": "VACUUM;"}).Text,
		"{\n  \"last_insert_id\": 0,\n  \"rows_affected\": 0\n}")
	answer := c.Call("execute", o{"database": db, "sql": `BEGIN; INSERT INTO "tä ble"(name) VALUES ('a');
		INSERT INTO "tä ble"(name) VALUES (NULL); COMMIT`})
	is.True(answer.IsError)
	is.Equal(c.Call("query", o{"database": db, "sql": `SELECT count(*) AS n FROM "tä ble"`}).Structured["rows"],
		[]any{o{"n": 0.0}})
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	tables := c.Call("schema", o{"database": db}).Structured["tables"].([]any)
	is.Equal(len(tables), 2)
	first := tables[0].(o)
	is.Equal(first["name"], "tä ble")
	is.Equal(first["columns"].([]any)[1], o{"name": "name", "type": "TEXT", "not_null": true, "default": "'x'",
		"primary_key": 0.0})
	is.Equal(first["indexes"], []any{o{"name": "by_name", "unique": true, "columns": []any{"name", "at"},
		"sql": `CREATE UNIQUE INDEX by_name ON "tä ble"(name, at)`}})
	one := c.Call("schema", o{"database": db, "table": "V"}).Structured["tables"].([]any)
	is.Equal(one[0].(o)["type"], "view")
	is.True(c.Call("schema", o{"database": db, "table": "nope"}).IsError)
	is.True(c.Call("schema", o{}).IsError)
}

func TestParallelWrites(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	var ids []int
	for range 32 {
		ids = append(ids, c.Send("execute", o{"database": db, "sql": `INSERT INTO "tä ble"(n) VALUES (1)`}))
		ids = append(ids, c.Send("query", o{"database": db, "sql": `SELECT 1 AS one`}))
	}
	for _, id := range ids {
		answer := c.Wait(id)
		is.True(!answer.IsError) // answer.Text
	}
	is.Equal(c.Call("query", o{"database": db, "sql": `SELECT sum(n) AS s FROM "tä ble"`}).Structured["rows"],
		[]any{o{"s": 32.0}})
}

func TestCancelStopsAQuery(t *testing.T) {
	is := is.New(t)
	c, _ := serve(t)
	for _, endless := range []string{"SELECT count(*) FROM c", "SELECT x FROM c WHERE x = 1 OR x < 0"} { // before, after the first row
		endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) " + endless
		id := c.Send("query", o{"database": db, "sql": endless})
		is.True(!c.Call("query", o{"database": db, "sql": "SELECT 1"}).IsError)
		c.Cancel(id)
		is.True(c.Wait(id).IsError)
	}
}
