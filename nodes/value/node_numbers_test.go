package value

import (
	"math"
	"strings"
)

func numberCases(d *differential) {
	for range d.many(20_000) {
		f := d.double()
		d.check("string", String(NumberToString(f)), nil, Number(f))
		d.check("int32", Number(ToInt32(f)), nil, Number(f))
		d.check(">>>", Number(ToUint32(f)), nil, Number(f), Number(0))
	}
	formattingCases(d)
	readingCases(d)
	powCases(d)
}

func formattingCases(d *differential) {
	call := func(op string, f float64, n int, format func(float64, int) (string, error)) {
		s, err := format(f, n)
		d.check(op, String(s), err, Number(f), Number(n))
	}
	for i := range d.many(20_000) {
		f, n := d.double(), d.rand.IntN(24)
		if i%50 == 0 {
			n = d.rand.IntN(104) - 1
		}
		call("toFixed", f, n, ToFixed)
		call("toPrecision", f, n, ToPrecision)
		call("toExponential", f, n, ToExponential)
		call("radix", f, d.rand.IntN(38)+1, NumberToRadix)
		s, err := ToExponential(f, AnyDigits)
		d.check("toExponential", String(s), err, Number(f), Undefined{})
	}
	// Ties: a few binary digits after the point, cut one decimal digit earlier.
	for range d.many(5000) {
		k := d.rand.IntN(12)
		f := math.Ldexp(float64(d.rand.IntN(1<<20)-1<<19), -k)
		call("toFixed", f, max(k-1, 0), ToFixed)
		call("toPrecision", f, d.rand.IntN(12)+1, ToPrecision)
		call("toExponential", f, d.rand.IntN(12), ToExponential)
	}
}

func readingCases(d *differential) {
	read := func(s string) {
		d.check("number", Number(StringToNumber(s)), nil, String(s))
		d.check("parseFloat", Number(ParseFloat(s)), nil, String(s))
		d.check("parseInt", Number(ParseInt(s, 0)), nil, String(s), Undefined{})
		radix := d.rand.IntN(40) - 1
		d.check("parseInt", Number(ParseInt(s, int32(radix))), nil, String(s), Number(radix))
	}
	for _, s := range []string{"", " ", "1_000", "0x1F", "0X1f", "0b101", "0o17", "0b2", "0x", "-0x10", "+0x10", "Infinity",
		"-Infinity", "+Infinity", "infinity", "inf", "nan", "NaN", "1e", "1e+", ".5", "5.", ".", "+.5", "-.5e-3",
		"1e1000",
		"-1e1000", "1e-1000", "-0", "-", "+", "0", "00", "010", "1 2", "\u00a0 12 \ufeff", "\u180e1", "12px",
		"0x1g", "e5",
		"0x1p3", "1__0", "9007199254740993", "0x20000000000001", "0x20000000000003", "179769313486231580793e289",
		"0b" + strings.Repeat("1", 60), "0x" + strings.Repeat("f", 300), strings.Repeat("9", 400), "0." +
			strings.Repeat("0", 400) + "1",
		"1" + strings.Repeat("0", 30), "\u20281\u2029", "１２", "0x0000000000000000000001", "--1", "+-1", "1.5.5",
		"Infinityx",
		"0e99999999999999999999", "1e99999999999999999999", "2.2250738585072011e-308", "0.1e-6",
		"000000000000000000000000001"} {
		read(s)
	}
	for range d.many(10_000) {
		s := NumberToString(d.double())
		if d.rand.IntN(3) == 0 {
			alphabet := "0123456789abcdefxzXZ.+-eE nI"
			var b strings.Builder
			for range d.rand.IntN(30) {
				b.WriteByte(alphabet[d.rand.IntN(len(alphabet))])
			}
			s = b.String()
		}
		read(s)
		if whole, err := NumberToRadix(math.Trunc(d.double()), d.rand.IntN(35)+2); err == nil {
			read(whole)
		}
	}
}

func powCases(d *differential) {
	pow := func(x, y float64) { d.check("**", Number(Pow(x, y)), nil, Number(x), Number(y)) }
	for x := -20; x <= 20; x++ {
		for y := -60; y <= 60; y++ {
			pow(float64(x), float64(y))
			pow(float64(x)/10, float64(y))
			pow(float64(x), float64(y)/4)
		}
	}
	for range d.many(60_000) {
		x, y := d.double(), d.double()
		switch d.rand.IntN(5) {
		case 0:
			y = float64(d.rand.IntN(64) - 32)
		case 1:
			x, y = math.Abs(x), d.rand.NormFloat64()*10
		case 2:
			x = 1 + d.rand.NormFloat64()*math.Pow10(-d.rand.IntN(18))
		case 3:
			x, y = 10, float64(d.rand.IntN(640)-325)
		}
		pow(x, y)
	}
}
