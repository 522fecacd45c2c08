package script

import (
	"encoding/json"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes/value"
)

// indent gives what laying out the parsed value gives.
func TestIndent(t *testing.T) {
	is := is.New(t)
	for _, text := range []string{`1`, `"a,[{:\"\\"`, `[]`, `{}`, `[[],{},[1,{"a":[]}],"]"]`, `{"a":[],"b":{"c":1},"d":[{}]}`, `{"ä\"":"{"}`} {
		v, err := value.ParseJSON(text)
		is.NoErr(err)
		for _, gap := range []string{"  ", "\t", "--"} {
			want, _, err := value.StringifyIndent(v, gap, nil)
			is.NoErr(err)
			is.Equal(indent(text, gap), want)
			is.True(gap == "--" || json.Valid([]byte(want)))
		}
	}
}
