package trace

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"Authorization: Bearer abc.def-123456":      "Authorization: Bearer [token]",
		"key sk-abcdefghijklmnop1234 used":          "key [key] used",
		`{"api_key": "1234567890", "n": 1}`:         `{"api_key": "[key]", "n": 1}`,
		"password=hunter22 and more":                "password=[key] and more",
		"write to ada.l@example.co.uk!":             "write to [mail]!",
		"call +49 30 1234567 or 030-123 4567":       "call [phone] or [phone]",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln": "[token]",
		"took 0.125 s for 1234567890 bytes":         "took 0.125 s for 1234567890 bytes",
		"2026-11-30T19:00:00 n7[12].n9":             "2026-11-30T19:00:00 n7[12].n9",
	} {
		is.New(t).Equal(Clean(text), want)
	}
	is := is.New(t)
	long := Clean(strings.Repeat("é", mostText))
	is.True(len(long) < mostText+40)
	is.True(strings.HasSuffix(long, "é… (10240 bytes more)"))
}
