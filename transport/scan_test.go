package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/matryer/is"
)

func TestUnquote(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`""`, ""}, {`"plain ünï"`, "plain ünï"}, {`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u00e9\u0041"`, "éA"}, {`"\ud83d\ude00"`, "😀"}, {`"\ud83dx"`, "\xed\xa0\xbdx"},
		{`"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd"}, {`"\ud83d\u0041"`, "\xed\xa0\xbdA"},
		{"\"a\xffb\"", "a\uFFFDb"}, {`"\u0000"`, "\x00"},
	} {
		got, ok := unquote([]byte(c.raw))
		if !ok || got != c.want {
			t.Errorf("unquote(%s) = %q, %t; want %q", c.raw, got, ok, c.want)
		}
	}
	for _, bad := range []string{``, `"`, `a`, `"\"`, `"\x"`, `"\u12"`, `"\u12zz"`} {
		if got, ok := unquote([]byte(bad)); ok {
			t.Errorf("unquote(%s) = %q", bad, got)
		}
	}
}

// FuzzScan checks the scanner against encoding/json on everything that is valid, and that it ends on everything else.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,"\\\"]",{"b":null}],"c":"x"}`, ` [ ] `, `"\\"`, `{"a" : 1 , "a":2}`, `{"a"`,
		`{"content":[{"type":"text","text":"\ud800"}],"isError":true}`, `-1e9`, `{"a":}`, `[,]`, `{"a":1,}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		end := skipValue(raw, skipSpace(raw, 0))
		whole := end > 0 && skipSpace(raw, end) == len(raw)
		_, _ = ParseResult(raw)
		parseLine(raw, func(message) {})
		if !json.Valid(raw) {
			return
		}
		if !whole {
			t.Fatalf("valid JSON not scanned to its end: %q", raw)
		}
		var m map[string]json.RawMessage
		object := json.Unmarshal(raw, &m) == nil && m != nil
		if object != isObject(raw) {
			t.Fatalf("isObject(%q) = %t", raw, !object)
		}
		for k, v := range m {
			if got := field(raw, k); simple(k) && strings.Contains(string(raw), `"`+k+`"`) && got != nil &&
				!bytes.Equal(got, v) {
				t.Fatalf("field(%q, %q) = %q, want %q", raw, k, got, v)
			}
		}
		var s string
		if json.Unmarshal(raw, &s) == nil && bytes.TrimSpace(raw)[0] == '"' {
			got, ok := unquote(bytes.TrimSpace(raw))
			if !ok || strings.ToValidUTF8(got, "") != strings.ReplaceAll(s, "\uFFFD", "") && !strings.Contains(got, "\uFFFD") {
				t.Fatalf("unquote(%q) = %q, want %q", raw, got, s)
			}
		}
	})
}

// simple says that no escape can write the key in another way.
func simple(key string) bool { return key != "" && !strings.ContainsAny(key, "\\\"\uFFFD") }

func TestParseResultRefuses(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{``, `null`, `[]`, `{"content":[1]}`, `{"content":[{"type":"text"}]}`, `{}x`,
		`{"content":[{"type":"text","text":7}]}`} {
		_, err := ParseResult([]byte(bad))
		is.True(err != nil) // accepted
	}
	r, err := ParseResult([]byte(`{"structuredContent":null,"_meta":null,"isError":false}`))
	is.NoErr(err)
	is.Equal(*r, Result{})
}

func TestBatch(t *testing.T) {
	is := is.New(t)
	var ids []string
	is.True(parseLine([]byte(` [{"id":1,"result":{}}, {"id":"2","error":{"code":-1,"message":"m"}}] `), func(m message) {
		n, ok := m.number()
		is.True(ok)
		ids = append(ids, string(m.id))
		is.Equal(n, int64(len(ids)))
	}))
	is.Equal(ids, []string{"1", `"2"`})
	is.True(!parseLine([]byte(`[{"id":1}`), func(message) { t.Error("handled") }))
}

func TestLineReader(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("y", 300_000)
	text := "a\n\nbc\n" + long + "\nlast"
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		l := newLineReader(in, 300_000)
		for _, want := range []string{"a", "", "bc", long} {
			line, err := l.next()
			is.NoErr(err)
			is.Equal(string(line), want)
		}
		line, err := l.next()
		is.Equal(string(line), "last")
		is.Equal(err, io.EOF)
	}
	l := newLineReader(strings.NewReader(text), 299_999)
	for range 3 {
		_, err := l.next()
		is.NoErr(err)
	}
	_, err := l.next()
	is.True(errors.Is(err, errTooLong))
}
