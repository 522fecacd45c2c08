package value

import (
	"strconv"
	"strings"
	"testing"
)

// megabyte is a list of records such as a server sends, about 1 MB.
var megabyte = func() string {
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; b.Len() < 1<<20; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		n := strconv.Itoa(i)
		b.WriteString(`{"id":` + n + `,"name":"user ` + n + `","email":"user` + n + `@example.com","score":` + n +
			`.5,"active":true,"tags":["alpha","beta",null],"note":"first line\nsecond \"line\" — naïve",` +
			`"address":{"street":"Main Street ` + n + `","zip":"7500` + n + `","lat":48.8566,"lon":-2.3522}}`)
	}
	b.WriteByte(']')
	return b.String()
}()

func BenchmarkParseJSON(b *testing.B) {
	b.SetBytes(int64(len(megabyte)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON(megabyte); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStringify(b *testing.B) {
	v, err := ParseJSON(megabyte)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(megabyte)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Stringify(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	raw := []byte(megabyte)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if !Canonical(raw) {
			b.Fatal("not canonical")
		}
	}
}
