package value

import "math"

// Pow is Number::exponentiate (§6.1.6.1.3), bit for bit as V8 computes it: not always the nearest double.
//
// The method is that of fdlibm's e_pow.c ("Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved. Permission
// to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved."), with
// the one difference V8 has: the correction in the last quotient stands inside its divisor. Every product is converted
// to float64 before it is added to, so that no compiler fuses the two.
func Pow(x, y float64) float64 {
	if z, ok := powSpecial(x, y); ok {
		return z
	}
	sign := 1.0
	if x < 0 {
		switch parityOf(y) {
		case notInteger:
			return math.NaN()
		case odd:
			sign = -1
		}
	}
	ax, ay := math.Abs(x), math.Abs(y)
	var t1, t2 float64
	if highWord(ay) > 0x41e00000 { // |y| > 2**31
		hx := highWord(ax)
		if highWord(ay) > 0x43f00000 || hx < 0x3fefffff || hx > 0x3ff00000 {
			return sign * powOut((ax < 1) == (y < 0))
		}
		t1, t2 = log2NearOne(ax)
	} else {
		t1, t2 = log2Split(ax)
	}
	y1 := headOf(y)
	low := float64((y-y1)*t1) + float64(y*t2)
	high := y1 * t1
	switch sum := low + high; {
	case sum > 1024 || (sum == 1024 && low+8.0085662595372944372e-17 > sum-high):
		return sign * powOut(true)
	case sum < -1075 || (sum == -1075 && low <= sum-high):
		return sign * powOut(false)
	default:
		return sign * exp2Split(sum, high, low)
	}
}

// powOut is what lies beyond the doubles, or beneath.
func powOut(over bool) float64 {
	if over {
		return math.Inf(1)
	}
	return 0
}

// powSpecial is the cases that need no logarithm.
func powSpecial(x, y float64) (float64, bool) {
	ax := math.Abs(x)
	switch {
	case y == 0:
		return 1, true
	case x != x || y != y:
		return math.NaN(), true
	case math.IsInf(y, 0):
		if ax == 1 {
			return math.NaN(), true
		}
		return powOut((ax > 1) == (y > 0)), true
	case y == 1:
		return x, true
	case y == -1:
		return 1 / x, true
	case y == 2:
		return x * x, true
	case y == 0.5 && !math.Signbit(x):
		return math.Sqrt(x), true
	case math.IsInf(x, 0) || x == 0 || ax == 1:
		return powPole(x, y), true
	}
	return 0, false
}

// powPole is x**y for x one of ±0, ±1, ±Infinity.
func powPole(x, y float64) float64 {
	z := math.Abs(x)
	if y < 0 {
		z = 1 / z
	}
	if !math.Signbit(x) {
		return z
	}
	switch parity := parityOf(y); {
	case parity == notInteger && z == 1:
		return math.NaN()
	case parity == odd:
		return -z
	}
	return z
}

type parity uint8

const (
	notInteger parity = iota
	odd
	even
)

func parityOf(y float64) parity {
	switch ay := math.Abs(y); {
	case ay != math.Trunc(ay):
		return notInteger
	case ay < 1<<53 && int64(ay)&1 == 1:
		return odd
	}
	return even
}

func highWord(f float64) uint32 { return uint32(math.Float64bits(f) >> 32) }

// headOf clears the low half of f's bits.
func headOf(f float64) float64 { return math.Float64frombits(math.Float64bits(f) &^ math.MaxUint32) }

func fromHighWord(h uint32) float64 { return math.Float64frombits(uint64(h) << 32) }

func withHighWord(f float64, h uint32) float64 {
	return math.Float64frombits(math.Float64bits(f)&math.MaxUint32 | uint64(h)<<32)
}

// log2NearOne is log2(x) as a head and a tail, for |1-x| <= 2**-20: the series x - x²/2 + x³/3 - x⁴/4.
func log2NearOne(x float64) (head, tail float64) {
	const (
		perLn2     = 1.44269504088896338700e+00
		perLn2Head = 1.44269502162933349609e+00
		perLn2Tail = 1.92596299112661746887e-08
	)
	t := x - 1
	w := float64(t*t) * (0.5 - float64(t*(0.3333333333333333333333-float64(t*0.25))))
	u := perLn2Head * t
	v := float64(t*perLn2Tail) - float64(w*perLn2)
	head = headOf(u + v)
	return head, v - (head - u)
}

// log2Split is log2(x) as a head and a tail, for a finite x > 0.
func log2Split(x float64) (head, tail float64) {
	const (
		l1 = 5.99999999999994648725e-01
		l2 = 4.28571428578550184252e-01
		l3 = 3.33333329818377432918e-01
		l4 = 2.72728123808534006489e-01
		l5 = 2.30660745775561754067e-01
		l6 = 2.06975017800338417784e-01

		cp     = 9.61796693925975554329e-01 // 2/(3 ln 2)
		cpHead = 9.61796700954437255859e-01
		cpTail = -7.02846165095275826516e-09
	)
	n := 0
	if x < 0x1p-1022 {
		x *= 1 << 53
		n = -53
	}
	ix := highWord(x)
	n += int(ix>>20) - 0x3ff
	mantissa := ix & 0x000fffff
	ix = mantissa | 0x3ff00000
	base, logHead, logTail, half := 1.0, 0.0, 0.0, uint32(0)
	switch {
	case mantissa <= 0x3988e: // x < sqrt(3/2)
	case mantissa < 0xbb67a: // x < sqrt(3)
		base, logHead, logTail, half = 1.5, 5.84962487220764160156e-01, 1.35003920212974897128e-08, 1<<18
	default:
		n++
		ix -= 0x00100000
	}
	x = withHighWord(x, ix)

	// s = (x-1)/(x+1) or (x-1.5)/(x+1.5), as a head and a tail
	u := x - base
	v := 1 / (x + base)
	s := u * v
	sHead := headOf(s)
	tHead := fromHighWord((ix>>1 | 0x20000000) + 0x00080000 + half)
	tTail := x - (tHead - base)
	sTail := v * ((u - float64(sHead*tHead)) - float64(sHead*tTail))

	// ln(x) by a polynomial in s²
	s2 := s * s
	r := l5 + float64(s2*l6)
	r = l4 + float64(s2*r)
	r = l3 + float64(s2*r)
	r = l2 + float64(s2*r)
	r = l1 + float64(s2*r)
	r = float64(float64(s2*s2)*r) + float64(sTail*(sHead+s))
	s2 = sHead * sHead
	tHead = headOf(3 + s2 + r)
	tTail = r - ((tHead - 3) - s2)
	u = sHead * tHead
	v = float64(sTail*tHead) + float64(tTail*s)
	pHead := headOf(u + v)
	pTail := v - (pHead - u)
	zHead := cpHead * pHead
	zTail := float64(cpTail*pHead) + float64(pTail*cp) + logTail
	t := float64(n)
	head = headOf(((zHead + zTail) + logHead) + t)
	return head, zTail - (((head - t) - logHead) - zHead)
}

// exp2Split is 2**(high+low), sum being high+low rounded.
func exp2Split(sum, high, low float64) float64 {
	const (
		p1 = 1.66666666666666019037e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08

		ln2     = 6.93147180559945286227e-01
		ln2Head = 6.93147182464599609375e-01
		ln2Tail = -1.90465429995776804525e-09
	)
	n := 0
	if j := highWord(sum); j&0x7fffffff > 0x3fe00000 { // |sum| > 0.5: take off the nearest integer
		k := j&0x7fffffff>>20 - 0x3ff
		rounded := j + 0x00100000>>(k+1)
		k = rounded&0x7fffffff>>20 - 0x3ff
		whole := fromHighWord(rounded &^ (0x000fffff >> k))
		n = int(whole)
		high -= whole
	}
	t := headOf(low + high)
	u := t * ln2Head
	v := float64((low-(t-high))*ln2) + float64(t*ln2Tail)
	z := u + v
	w := v - (z - u)
	t = z * z
	r := p4 + float64(t*p5)
	r = p3 + float64(t*r)
	r = p2 + float64(t*r)
	r = p1 + float64(t*r)
	t1 := z - float64(t*r)
	r = float64(z*t1) / ((t1 - 2) - (w + float64(z*w)))
	z = 1 - (r - z)
	if j := int32(highWord(z)) + int32(n)<<20; j>>20 <= 0 {
		return math.Ldexp(z, n)
	}
	return withHighWord(z, uint32(int32(highWord(z))+int32(n)<<20))
}
