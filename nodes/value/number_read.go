package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// StringToNumber is §7.1.4.1.1: NaN if s is not a numeric literal between whitespace, 0 if there is nothing else.
func StringToNumber(s string) float64 {
	s = Trim(s)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			return wholeLiteral(s[2:], 16)
		case 'o':
			return wholeLiteral(s[2:], 8)
		case 'b':
			return wholeLiteral(s[2:], 2)
		}
	}
	if f, length := decimalPrefix(s); length == len(s) {
		return f
	}
	return math.NaN()
}

// wholeLiteral reads digits only.
func wholeLiteral(digits string, radix int) float64 {
	for i := 0; i < len(digits); i++ {
		if int(hexLike(digits[i])) >= radix {
			return math.NaN()
		}
	}
	return wholeNumber(digits, radix)
}

// wholeNumber rounds an integer to the nearest double, ties to even. The digits are valid in the radix.
func wholeNumber(digits string, radix int) float64 {
	if len(digits) <= 10 {
		n, _ := strconv.ParseUint(digits, radix, 64)
		return float64(n)
	}
	if digits = strings.TrimLeft(digits, "0"); float64(len(digits))*math.Log2(float64(radix)) > 1100 {
		return math.Inf(1)
	}
	n, ok := new(big.Int).SetString(digits, radix)
	if !ok {
		return 0 // zeros only
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}

// decimalPrefix reads the longest StrDecimalLiteral at the start of s and gives its length, NaN and 0 if there is none.
func decimalPrefix(s string) (f float64, length int) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if strings.HasPrefix(s[i:], "Infinity") {
		if s[0] == '-' {
			return math.Inf(-1), i + 8
		}
		return math.Inf(1), i + 8
	}
	whole := countDigits(s[i:])
	i += whole
	fraction := 0
	if i < len(s) && s[i] == '.' {
		if fraction = countDigits(s[i+1:]); whole+fraction > 0 {
			i += 1 + fraction
		}
	}
	if whole+fraction == 0 {
		return math.NaN(), 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		e := i + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if n := countDigits(s[e:]); n > 0 {
			i = e + n
		}
	}
	f, _ = strconv.ParseFloat(s[:i], 64)
	return f, i
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// ParseFloat is the global parseFloat (§19.2.4).
func ParseFloat(s string) float64 {
	f, _ := decimalPrefix(TrimStart(s))
	return f
}

// ParseInt is the global parseInt (§19.2.5); radix 0 stands for an undefined one.
func ParseInt(s string, radix int32) float64 {
	s = TrimStart(s)
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	hex := radix == 0 || radix == 16
	if radix == 0 {
		radix = 10
	}
	if radix < 2 || radix > 36 {
		return math.NaN()
	}
	if hex && len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s, radix = s[2:], 16
	}
	n := 0
	for n < len(s) && int32(hexLike(s[n])) < radix {
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	f := 0.0
	switch {
	case radix == 10:
		f, _ = strconv.ParseFloat(s[:n], 64)
	case radix&(radix-1) == 0:
		f = wholeNumber(s[:n], int(radix))
	default:
		f = byParts(s[:n], uint32(radix))
	}
	if negative {
		return -f
	}
	return f
}

// byParts reads digits as V8 does for a radix that is no power of two: in parts that fit 32 bits, rounding after each.
// The specification allows it.
func byParts(digits string, radix uint32) float64 {
	const maxMultiplier = math.MaxUint32 / 36
	f, digits := 0.0, strings.TrimLeft(digits, "0")
	for i := 0; i < len(digits); {
		part, multiplier := uint32(0), uint32(1)
		for i < len(digits) && multiplier*radix <= maxMultiplier {
			part = part*radix + uint32(hexLike(digits[i]))
			multiplier *= radix
			i++
		}
		f = float64(f*float64(multiplier)) + float64(part)
	}
	return f
}
