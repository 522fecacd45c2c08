package sqlite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// maxSafe is the largest whole number that JavaScript holds exactly.
const maxSafe = 1 << 53

// row is one row of a result: an object that keeps the order of the columns.
type row struct {
	columns []string
	values  []any
}

// MarshalJSON writes the row as an object.
func (r row) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, column := range r.columns {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(column)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(r.values[i])
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// show turns a value from SQLite into one that JSON holds without loss.
func show(value any) any {
	switch v := value.(type) {
	case int64:
		return integer(v)
	case float64:
		return float(v)
	case []byte:
		return map[string]string{"$blob": base64.StdEncoding.EncodeToString(v)}
	case string:
		return tool.Decode([]byte(v))
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return value
}

func integer(v int64) any {
	if v > maxSafe || v < -maxSafe {
		return strconv.FormatInt(v, 10)
	}
	return v
}

// float writes infinities as the text SQLite shows for them, since JSON has none.
func float(v float64) any {
	switch {
	case math.IsInf(v, 1):
		return "Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	}
	return v
}

// bind turns the params argument into values for SQLite.
func bind(args tool.Args) ([]any, error) {
	list, _ := args["params"].([]any)
	values := make([]any, len(list))
	for i, param := range list {
		value, err := bindOne(param)
		if err != nil {
			return nil, fmt.Errorf("params[%d]: %w", i, err)
		}
		values[i] = value
	}
	return values, nil
}

func bindOne(param any) (any, error) {
	switch v := param.(type) {
	case nil, string:
		return v, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= maxSafe {
			return int64(v), nil
		}
		return v, nil
	case map[string]any:
		text, ok := v["$blob"].(string)
		if ok && len(v) == 1 {
			return base64.StdEncoding.DecodeString(text)
		}
	}
	return nil, fmt.Errorf(`must be null, a number, a string, a boolean or {"$blob": base64}`)
}
