package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

const (
	maxRows  = 10_000
	maxBytes = 32 << 20 // of all values of one answer, roughly
)

// table is the structured content of query.
type table struct {
	Columns   []string `json:"columns"`
	Rows      []row    `json:"rows"`
	RowCount  int      `json:"row_count"`
	Truncated bool     `json:"truncated,omitempty"`
}

func (d *databases) query(ctx context.Context, args tool.Args) (*tool.Result, error) {
	statements := split(args.String("sql"))
	if err := allowed(statements); err != nil {
		return nil, err
	}
	if len(statements) > 1 {
		return nil, errors.New("query runs one statement; use execute for several")
	}
	params, err := bind(args)
	if err != nil {
		return nil, err
	}
	return d.open(ctx, args.String("database"), root.Read, func(conn *sql.Conn) (*tool.Result, error) {
		result, err := read(ctx, conn, statements[0], params)
		if err != nil {
			return nil, sqlError(err)
		}
		return tool.Data(result)
	})
}

func read(ctx context.Context, conn *sql.Conn, s statement, params []any) (*table, error) {
	rows, err := conn.QueryContext(ctx, s.text, params...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	if plain, wrapped := plainDates(rows, s); wrapped {
		_ = rows.Close()
		if rows, err = conn.QueryContext(ctx, plain, params...); err != nil {
			return nil, err
		}
	}
	return collect(rows, unique(names))
}

// plainDates rewrites a statement whose columns are declared as dates: the driver would parse their text and lose
// how it was written. An expression has no declared type, and + leaves any value as it is.
func plainDates(rows *sql.Rows, s statement) (string, bool) {
	types, err := rows.ColumnTypes()
	if err != nil || !(s.is("SELECT") || s.is("WITH") || s.is("VALUES")) {
		return "", false
	}
	dates := false
	columns, picked := make([]string, len(types)), make([]string, len(types))
	for i, kind := range types {
		columns[i] = fmt.Sprintf("c%d", i)
		picked[i] = "+" + columns[i]
		name := kind.DatabaseTypeName()
		dates = dates || name == "DATE" || name == "DATETIME" || name == "TIMESTAMP"
	}
	return "WITH pml_result(" + strings.Join(columns, ",") + ") AS (" + s.text + "\n) SELECT " +
		strings.Join(picked, ",") + " FROM pml_result", dates
}

func collect(rows *sql.Rows, columns []string) (*table, error) {
	result := &table{Columns: columns, Rows: []row{}}
	size := 0
	for rows.Next() {
		if len(result.Rows) >= maxRows || size > maxBytes {
			result.Truncated = true
			break
		}
		values, err := scanRow(rows, len(columns))
		if err != nil {
			return nil, err
		}
		for i, value := range values {
			size += weight(value)
			values[i] = show(value)
		}
		result.Rows = append(result.Rows, row{columns, values})
	}
	result.RowCount = len(result.Rows)
	return result, rows.Err()
}

func scanRow(rows *sql.Rows, count int) ([]any, error) {
	values, targets := make([]any, count), make([]any, count)
	for i := range values {
		targets[i] = &values[i]
	}
	return values, rows.Scan(targets...)
}

func weight(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 8
}

// unique makes column names differ, since a row is an object: the second "id" becomes "id_2".
func unique(names []string) []string {
	seen := map[string]bool{}
	out := make([]string, len(names))
	for i, name := range names {
		candidate := name
		for n := 2; seen[candidate]; n++ {
			candidate = fmt.Sprintf("%s_%d", name, n)
		}
		seen[candidate] = true
		out[i] = candidate
	}
	return out
}
