package value

import (
	"math"
	"strconv"
)

// NumberToString is Number::toString with radix 10 (§6.1.6.1.20).
func NumberToString(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	var buf [32]byte
	return string(appendNumber(buf[:0], f))
}

// appendNumber appends Number::toString(f).
func appendNumber(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f != f:
		return append(dst, "NaN"...)
	case abs < 1e15 && f == math.Trunc(f): // -0 too
		return strconv.AppendInt(dst, int64(f), 10)
	case math.IsInf(f, 0):
		if f < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	default:
		return tidyExponent(strconv.AppendFloat(dst, f, 'e', -1, 64))
	}
}

// tidyExponent removes the zero with which Go pads an exponent of one digit: e-07 becomes e-7.
func tidyExponent(b []byte) []byte {
	if n := len(b); n >= 4 && b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') && b[n-4] == 'e' {
		b[n-2] = b[n-1]
		return b[:n-1]
	}
	return b
}

// exactDigits gives the decimal digits of a finite f, all of them, without zeros at the end, and the exponent of the
// first one.
func exactDigits(f float64) (digits []byte, exponent int) {
	text := strconv.AppendFloat(nil, math.Abs(f), 'e', 800, 64)
	digits = append(append(digits, text[0]), text[2:802]...)
	exponent, _ = strconv.Atoi(string(text[803:]))
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, exponent
}

// roundDigits gives f's first count decimal digits, a tie rounded away from zero: "let n be an integer … if there are
// two such n, pick the larger n" (§21.1.3). count <= 0 rounds at a place before the first digit; the result is then
// empty or a single 1. exponent is that of the first digit given.
func roundDigits(f float64, count func(exponent int) int) (digits []byte, exponent int) {
	digits, exponent = exactDigits(f)
	n := count(exponent)
	if n < 0 || f == 0 {
		return zeros(max(n, 0)), exponent
	}
	if n >= len(digits) {
		return append(digits, zeros(n-len(digits))...), exponent
	}
	up := digits[n] >= '5'
	digits = digits[:n]
	if !up {
		return digits, exponent
	}
	for i := n - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			return digits, exponent
		}
		digits[i] = '0'
	}
	digits = append([]byte{'1'}, digits...)
	return digits, exponent + 1
}

func zeros(n int) []byte {
	z := make([]byte, n)
	for i := range z {
		z[i] = '0'
	}
	return z
}

// ToFixed is Number.prototype.toFixed (§21.1.3.3), digits as an integer.
func ToFixed(f float64, digits int) (string, error) {
	if digits < 0 || digits > 100 {
		return "", rangeError("toFixed() digits argument must be between 0 and 100")
	}
	if f != f || math.Abs(f) >= 1e21 {
		return NumberToString(f), nil
	}
	if near := strconv.AppendFloat(nil, f, 'f', digits+1, 64); near[len(near)-1] != '5' && f != 0 {
		return strconv.FormatFloat(f, 'f', digits, 64), nil // no tie, so Go rounds alike
	}
	text, _ := roundDigits(f, func(exponent int) int { return exponent + 1 + digits })
	if missing := digits + 1 - len(text); missing > 0 {
		text = append(zeros(missing), text...)
	}
	out := make([]byte, 0, len(text)+2)
	if f < 0 {
		out = append(out, '-')
	}
	point := len(text) - digits
	out = append(out, text[:point]...)
	if digits > 0 {
		out = append(append(out, '.'), text[point:]...)
	}
	return string(out), nil
}

// ToExponential is Number.prototype.toExponential (§21.1.3.2). Negative digits stand for an undefined argument: as many
// as are needed; use AnyDigits.
func ToExponential(f float64, digits int) (string, error) {
	if f != f || math.IsInf(f, 0) {
		return NumberToString(f), nil
	}
	if digits == AnyDigits {
		if f == 0 {
			return "0e+0", nil
		}
		return string(tidyExponent(strconv.AppendFloat(nil, f, 'e', -1, 64))), nil
	}
	if digits < 0 || digits > 100 {
		return "", rangeError("toExponential() argument must be between 0 and 100")
	}
	text, exponent := roundDigits(f, func(int) int { return digits + 1 })
	text = text[:digits+1]
	if f == 0 {
		exponent = 0
	}
	return signed(f, exponential(text, exponent)), nil
}

// AnyDigits stands for toExponential's undefined argument.
const AnyDigits = math.MinInt

// ToPrecision is Number.prototype.toPrecision (§21.1.3.5) with a defined argument.
func ToPrecision(f float64, precision int) (string, error) {
	if f != f || math.IsInf(f, 0) {
		return NumberToString(f), nil
	}
	if precision < 1 || precision > 100 {
		return "", rangeError("toPrecision() argument must be between 1 and 100")
	}
	text, exponent := roundDigits(f, func(int) int { return precision })
	text = text[:precision]
	if f == 0 {
		exponent = 0
	}
	switch {
	case exponent < -6 || exponent >= precision:
		return signed(f, exponential(text, exponent)), nil
	case exponent == precision-1:
		return signed(f, string(text)), nil
	case exponent >= 0:
		return signed(f, string(text[:exponent+1])+"."+string(text[exponent+1:])), nil
	}
	return signed(f, "0."+string(zeros(-exponent-1))+string(text)), nil
}

func signed(f float64, text string) string {
	if f < 0 {
		return "-" + text
	}
	return text
}

// exponential writes d.ddde±x.
func exponential(digits []byte, exponent int) string {
	out := append([]byte(nil), digits[0])
	if len(digits) > 1 {
		out = append(append(out, '.'), digits[1:]...)
	}
	out = append(out, 'e')
	if exponent >= 0 {
		out = append(out, '+')
	}
	return string(strconv.AppendInt(out, int64(exponent), 10))
}
