package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// relation is a table or a view.
type relation struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	SQL     string   `json:"sql"`
	Columns []column `json:"columns"`
	Indexes []index  `json:"indexes"`
}

type column struct {
	Name       string  `json:"name"`
	Type       string  `json:"type"`
	NotNull    bool    `json:"not_null"`
	Default    *string `json:"default"`
	PrimaryKey int     `json:"primary_key"`
}

type index struct {
	Name    string   `json:"name"`
	Unique  bool     `json:"unique"`
	Columns []string `json:"columns"`
	SQL     string   `json:"sql,omitempty"`
}

func schemaOutput() *tool.Schema {
	text, flag := tool.Schema{Type: "string"}, tool.Schema{Type: "boolean"}
	columns := tool.Closed(tool.Req("name", text), tool.Req("type", text), tool.Req("not_null", flag),
		tool.Req("default", tool.Schema{Description: "SQL of the default value, or null"}),
		tool.Req("primary_key", tool.Schema{Type: "integer", Description: "Place in the primary key, 0 if not in it"}))
	indexes := tool.Closed(tool.Req("name", text), tool.Req("unique", flag),
		tool.Req("columns", tool.Array("Indexed columns; an expression is an empty name", text)),
		tool.Opt("sql", text))
	relations := tool.Closed(tool.Req("name", text), tool.Req("type", tool.String("table or view")),
		tool.Req("sql", text), tool.Req("columns", tool.Array("Columns in order", columns)),
		tool.Req("indexes", tool.Array("Indexes of the table", indexes)))
	schema := tool.Closed(tool.Req("tables", tool.Array("Tables and views by name", relations)))
	return &schema
}

func (d *databases) schema(ctx context.Context, args tool.Args) (*tool.Result, error) {
	return d.open(ctx, args.String("database"), root.Read, func(conn *sql.Conn) (*tool.Result, error) {
		found, err := relations(ctx, conn, args.String("table"))
		if err != nil {
			return nil, sqlError(err)
		}
		if args.String("table") != "" && len(found) == 0 {
			return nil, fmt.Errorf("there is no table or view '%s'", args.String("table"))
		}
		return tool.Data(map[string]any{"tables": found})
	})
}

func relations(ctx context.Context, conn *sql.Conn, only string) ([]relation, error) {
	found, err := list(ctx, conn, `SELECT name, type, coalesce(sql, '') FROM sqlite_schema
		WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND (?1 = '' OR name = ?1 COLLATE NOCASE) ORDER BY name`,
		func(r *relation) []any { return []any{&r.Name, &r.Type, &r.SQL} }, only)
	for i := range found {
		if err == nil {
			err = describe(ctx, conn, &found[i])
		}
	}
	return found, err
}

func describe(ctx context.Context, conn *sql.Conn, r *relation) (err error) {
	r.Columns, err = list(ctx, conn, `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)`,
		func(c *column) []any { return []any{&c.Name, &c.Type, &c.NotNull, &c.Default, &c.PrimaryKey} }, r.Name)
	if err != nil {
		return err
	}
	r.Indexes, err = list(ctx, conn, `SELECT l.name, l."unique", coalesce(s.sql, '') FROM pragma_index_list(?) l
		LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = l.name ORDER BY l.name`,
		func(x *index) []any { return []any{&x.Name, &x.Unique, &x.SQL} }, r.Name)
	for i := range r.Indexes {
		if err == nil {
			r.Indexes[i].Columns, err = list(ctx, conn, `SELECT coalesce(name, '') FROM pragma_index_info(?)`,
				func(name *string) []any { return []any{name} }, r.Indexes[i].Name)
		}
	}
	return err
}

// list reads all rows of a query, each into the targets that fields names.
func list[T any](ctx context.Context, conn *sql.Conn, query string, fields func(*T) []any, params ...any) ([]T, error) {
	rows, err := conn.QueryContext(ctx, query, params...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		var one T
		if err := rows.Scan(fields(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
