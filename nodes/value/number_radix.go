package value

import "math"

const radixDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// NumberToRadix is Number.prototype.toString with a radix (§21.1.3.6), rounded as V8 rounds: the specification leaves
// the digits of a fraction to the implementation.
func NumberToRadix(f float64, radix int) (string, error) {
	if radix < 2 || radix > 36 {
		return "", rangeError("toString() radix argument must be between 2 and 36")
	}
	if radix == 10 || f != f || math.IsInf(f, 0) || f == 0 {
		return NumberToString(f), nil
	}
	abs := math.Abs(f)
	whole := math.Floor(abs)
	fraction, carry := radixFraction(abs, abs-whole, radix)
	if carry {
		whole++
	}
	text := radixWhole(whole, radix)
	if len(fraction) > 0 {
		text = append(append(text, '.'), fraction...)
	}
	return signed(f, string(text)), nil
}

// radixFraction writes digits until they tell f from its neighbours. carry says that rounding reached the whole part.
func radixFraction(f, fraction float64, radix int) (digits []byte, carry bool) {
	base := float64(radix)
	delta := 0.5 * (math.Nextafter(f, math.Inf(1)) - f)
	delta = max(math.SmallestNonzeroFloat64, delta)
	for fraction >= delta {
		fraction *= base
		delta *= base
		digit := int(fraction)
		digits = append(digits, radixDigits[digit])
		fraction -= float64(digit)
		if (fraction > 0.5 || (fraction == 0.5 && digit&1 == 1)) && fraction+delta > 1 {
			return roundUpRadix(digits, radix)
		}
	}
	return digits, false
}

// roundUpRadix adds one in the last place and drops the zeros that makes.
func roundUpRadix(digits []byte, radix int) (rounded []byte, carry bool) {
	for n := len(digits) - 1; n >= 0; n-- {
		if d := int(hexLike(digits[n])) + 1; d < radix {
			digits[n] = radixDigits[d]
			return digits[:n+1], false
		}
	}
	return nil, true
}

// hexLike is the worth of a digit of radix 36.
func hexLike(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// radixWhole writes an integer; digits a double does not hold are zeros.
func radixWhole(whole float64, radix int) []byte {
	base, reversed := float64(radix), []byte(nil)
	for whole/base >= 1<<53 {
		whole /= base
		reversed = append(reversed, '0')
	}
	for {
		digit := math.Mod(whole, base)
		reversed = append(reversed, radixDigits[int(digit)])
		if whole = (whole - digit) / base; whole <= 0 {
			break
		}
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return reversed
}
