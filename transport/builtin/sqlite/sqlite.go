// Package sqlite is the built-in server for SQLite databases in the workspace.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

type databases struct{ roots *root.Roots }

// Tools lists the tools of the server over the given roots.
func Tools(roots *root.Roots) []tool.Tool {
	d := &databases{roots}
	database := tool.Req("database", tool.String("Path of the database file in the workspace"))
	params := tool.Opt("params", tool.Array("Values for the ? marks: null, number, string, boolean, or "+
		`{"$blob": base64}; a whole number beyond 2^53 as a string`, tool.Schema{}))
	return []tool.Tool{
		{Name: "query", Title: "Query Database", Hints: tool.Reads, Run: d.query, Output: queryOutput(),
			Description: "Run one reading SQL statement. At most 10,000 rows are answered; whole numbers beyond 2^53 " +
				`are strings, blobs are {"$blob": base64}.`,
			Input: tool.Object(database, tool.Req("sql", tool.String("One SQL statement that only reads")), params)},
		{Name: "execute", Title: "Change Database", Hints: tool.Hints{Destructive: true}, Run: d.execute,
			Output: executeOutput(),
			Description: "Run SQL statements that change a database; the file is created if it is missing. Each " +
				"statement takes effect by itself unless they are between BEGIN and COMMIT.",
			Input: tool.Object(database, tool.Req("sql", tool.String("One or more SQL statements")), params)},
		{Name: "schema", Title: "Database Schema", Hints: tool.Reads, Run: d.schema, Output: schemaOutput(),
			Description: "List the tables and views of a database with their columns, indexes and SQL.",
			Input:       tool.Object(database, tool.Opt("table", tool.String("Only this table or view")))},
	}
}

func queryOutput() *tool.Schema {
	schema := tool.Closed(
		tool.Req("columns", tool.Array("Column names in order", tool.Schema{Type: "string"})),
		tool.Req("rows", tool.Array("One object a row, by column name", tool.Schema{Type: "object"})),
		tool.Req("row_count", tool.Schema{Type: "integer", Description: "How many rows are here"}),
		tool.Opt("truncated", tool.Boolean("True when there were more rows than are answered")))
	return &schema
}

func executeOutput() *tool.Schema {
	schema := tool.Closed(
		tool.Req("rows_affected", tool.Schema{Type: "integer", Description: "Rows the last change touched"}),
		tool.Req("last_insert_id", tool.Schema{Description: "Row id of the last insert, 0 when there was none; " +
			"a string beyond 2^53"}))
	return &schema
}

// open opens a database and hands a connection to use. Reading opens the file read-only.
func (d *databases) open(ctx context.Context, path string, access root.Access,
	use func(*sql.Conn) (*tool.Result, error)) (*tool.Result, error) {
	place, err := d.roots.Resolve(path, access)
	if err != nil {
		return nil, err
	}
	if err := check(place, access); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dataSource(place.Abs, access))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot open database '%s': %w", place.Abs, err)
	}
	defer conn.Close()
	if _, err := driver.Limit(conn, lib.SQLITE_LIMIT_ATTACHED, 0); err != nil {
		return nil, err
	}
	stop, err := interruptible(ctx, conn)
	if err != nil {
		return nil, err
	}
	defer stop()
	return use(conn)
}

// check refuses what is not a plain file, a missing one when reading, and side files that are links: SQLite would
// follow them out of the workspace.
func check(place root.Place, access root.Access) error {
	info, err := place.Dir.Stat(place.Rel)
	switch {
	case errors.Is(err, fs.ErrNotExist) && access == root.Write:
		if _, err := place.Dir.Stat(filepath.Dir(place.Rel)); err != nil {
			return root.Explain("open", err, place.Abs)
		}
	case err != nil:
		return root.Explain("open", err, place.Abs)
	case info.IsDir():
		return &root.NodeError{Code: "EISDIR", Message: "illegal operation on a directory", Op: "open",
			Paths: []string{place.Abs}}
	case !info.Mode().IsRegular():
		return fmt.Errorf("EINVAL: not a regular file, open '%s'", place.Abs)
	}
	for _, suffix := range []string{"-journal", "-wal", "-shm"} {
		info, err := place.Dir.Lstat(place.Rel + suffix)
		if err == nil && !info.Mode().IsRegular() {
			return &root.OutsideError{Path: place.Abs + suffix, Roots: []string{"a plain file"}, Link: true}
		}
	}
	return nil
}

// dataSource is the URI of a database: busy for at most 5 s, temporary data in memory, never beside the workspace.
func dataSource(path string, access root.Access) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	query := url.Values{"mode": {"rwc"}, "_pragma": {"busy_timeout(5000)", "temp_store(2)"}}
	if access == root.Read {
		query.Set("mode", "ro")
		query.Add("_pragma", "query_only(1)")
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: query.Encode()}).String()
}

func (d *databases) execute(ctx context.Context, args tool.Args) (*tool.Result, error) {
	text := args.String("sql")
	statements := split(text)
	if err := allowed(statements); err != nil {
		return nil, err
	}
	params, err := bind(args)
	if err != nil {
		return nil, err
	}
	return d.open(ctx, args.String("database"), root.Write, func(conn *sql.Conn) (*tool.Result, error) {
		vacuum := len(statements) == 1 && statements[0].is("VACUUM")
		if vacuum { // it attaches a database of its own
			if _, err := driver.Limit(conn, lib.SQLITE_LIMIT_ATTACHED, 1); err != nil {
				return nil, err
			}
		}
		done, err := conn.ExecContext(ctx, text, params...)
		if err != nil {
			return nil, sqlError(err)
		}
		affected, errRows := done.RowsAffected()
		last, errLast := done.LastInsertId()
		if err := errors.Join(errRows, errLast); err != nil {
			return nil, err
		}
		if vacuum { // its own inserts are not the caller's
			affected, last = 0, 0
		}
		return tool.Data(map[string]any{"rows_affected": affected, "last_insert_id": integer(last)})
	})
}

// sqlError names the source of an error, so that a program can tell it from others.
func sqlError(err error) error { return fmt.Errorf("SQLITE_ERROR: %w", err) }
