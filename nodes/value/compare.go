package value

// StrictEqual is the === operator (§7.2.15).
func StrictEqual(a, b Value) bool {
	a, b = Force(a), Force(b)
	if x, ok := a.(Number); ok {
		y, isNumber := b.(Number)
		return isNumber && x == y
	}
	return SameValueZero(a, b)
}

// SameValueZero is §7.2.11: like StrictEqual, but NaN is the same as NaN.
func SameValueZero(a, b Value) bool {
	a, b = Force(a), Force(b)
	if x, ok := a.(Number); ok {
		y, isNumber := b.(Number)
		return isNumber && (x == y || (x != x && y != y))
	}
	return a == b // pointers by identity, strings and the rest by content
}

// SameValue is §7.2.10, Object.is: NaN is the same as NaN, and 0 is not the same as -0.
func SameValue(a, b Value) bool {
	a, b = Force(a), Force(b)
	if x, ok := a.(Number); ok && x == 0 {
		y, isNumber := b.(Number)
		return isNumber && y == 0 && 1/x == 1/y
	}
	return SameValueZero(a, b)
}

// LooseEqual is the == operator (§7.2.14).
func LooseEqual(a, b Value) (bool, error) {
	a, b = Force(a), Force(b)
	ka, kb := a.Kind(), b.Kind()
	switch {
	case isNullish(ka) || isNullish(kb):
		return isNullish(ka) && isNullish(kb), nil
	case ka == kb || (isObject(ka) && isObject(kb)):
		return StrictEqual(a, b), nil
	case isObject(ka):
		primitive, err := ToPrimitive(a, HintDefault)
		if err != nil {
			return false, err
		}
		return LooseEqual(primitive, b)
	case isObject(kb):
		return LooseEqual(b, a)
	}
	// Two primitives of different types, neither nullish, compare as numbers.
	x, err := ToNumber(a)
	if err != nil {
		return false, err
	}
	y, err := ToNumber(b)
	return x == y, err
}

func isNullish(k Kind) bool { return k == KindUndefined || k == KindNull }

func isObject(k Kind) bool { return k == KindObject || k == KindArray || k == KindError }

// Less is a < b, the operands evaluated left to right.
func Less(a, b Value) (bool, error) { return Compare("<", a, b) }

// Compare is one of the operators < > <= >= (§13.10.1, §7.2.13).
func Compare(op string, a, b Value) (bool, error) {
	a, err := ToPrimitive(a, HintNumber)
	if err != nil {
		return false, err
	}
	b, err = ToPrimitive(b, HintNumber)
	if err != nil {
		return false, err
	}
	if x, ok := a.(String); ok {
		if y, ok := b.(String); ok {
			return ordered(op, CompareUTF16(string(x), string(y)), 0)
		}
	}
	x, err := ToNumber(a)
	if err != nil {
		return false, err
	}
	y, err := ToNumber(b)
	if err != nil {
		return false, err
	}
	return ordered(op, x, y)
}

func ordered[T int | float64](op string, x, y T) (bool, error) {
	switch op {
	case "<":
		return x < y, nil
	case ">":
		return x > y, nil
	case "<=":
		return x <= y, nil
	case ">=":
		return x >= y, nil
	}
	return false, syntaxError("unknown comparison operator " + op)
}
