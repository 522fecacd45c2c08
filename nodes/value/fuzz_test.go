package value

import (
	"errors"
	"testing"
	"unicode/utf8"
)

func seeds(f *testing.F) {
	for _, text := range badJSON {
		f.Add(text)
	}
	for _, text := range []string{`{"a":[1,2.5,{"b":null}],"c":"é\n"}`, `[1e21,1e+21,0.000001,1e-7,123456789012345680000]`,
		`{"a":1,"b":{"a":1,"a":2}}`, "\"\xed\xa0\x80\"", "\"\xff\"", `"\u001f\u0008\b"`} {
		f.Add(text)
	}
}

// FuzzParseJSON: parsing never panics and fails only with a Throw; what is parsed has a text that parses to itself.
func FuzzParseJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseJSON(text)
		if err != nil {
			var thrown *Throw
			if !errors.As(err, &thrown) {
				t.Fatalf("%T is no Throw", err)
			}
			return
		}
		first, ok, err := Stringify(v)
		if !ok || err != nil {
			t.Fatalf("no text of %q: %v", text, err)
		}
		again, err := ParseJSON(first)
		if err != nil {
			t.Fatalf("%q from %q: %v", first, text, err)
		}
		if utf8.ValidString(text) && !Equal(normal(v), normal(again)) {
			t.Fatalf("%q and %q differ", text, first)
		}
		if second, _, _ := Stringify(again); second != first {
			t.Fatalf("%q became %q, then %q", text, first, second)
		}
	})
}

// normal forgets what a JSON text cannot say: -0 and the infinities.
func normal(v Value) Value {
	text, _, _ := StringifyIndent(v, " ", nil)
	return String(text)
}

// FuzzCanonical: what Canonical accepts, parse and stringify give back.
func FuzzCanonical(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !Canonical([]byte(text)) {
			return
		}
		v, err := ParseJSON(text)
		if err != nil {
			t.Fatalf("%q is canonical, but: %v", text, err)
		}
		if again, _, _ := Stringify(v); again != text {
			t.Fatalf("%q is canonical, but becomes %q", text, again)
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
	})
}

// FuzzStrings: the operations over code units agree with the plain ones over []uint16.
func FuzzStrings(f *testing.F) {
	f.Add("a😀b", "😀", 1, 3)
	f.Add("\xed\xa0\xbd", "\xed\xb8\x80", 0, 1)
	f.Fuzz(func(t *testing.T, a, b string, from, to int) {
		a, b = FromUTF16(ToUTF16(a)), FromUTF16(ToUTF16(b))
		units := ToUTF16(a)
		n := len(units)
		if Length(a) != n {
			t.Fatalf("Length(%q) = %d, not %d", a, Length(a), n)
		}
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		if from > to {
			from, to = to, from
		}
		if got, want := Substring(a, from, to), FromUTF16(units[from:to]); got != want {
			t.Fatalf("Substring(%q, %d, %d) = %q, not %q", a, from, to, got, want)
		}
		if got, want := IndexOf(a, b, from), indexUnits(units, ToUTF16(b), from); got != want {
			t.Fatalf("IndexOf(%q, %q, %d) = %d, not %d", a, b, from, got, want)
		}
		if got, want := LastIndexOf(a, b, from), lastIndexUnits(units, ToUTF16(b), from); got != want {
			t.Fatalf("LastIndexOf(%q, %q, %d) = %d, not %d", a, b, from, got, want)
		}
		if got, want := Concat(Substring(a, 0, from), Substring(a, from, n)), a; got != want {
			t.Fatalf("cut and joined, %q is %q", want, got)
		}
	})
}
