package value

import (
	"math"
)

// ToBoolean is §7.1.2.
func ToBoolean(v Value) bool {
	switch v := v.(type) {
	case Bool:
		return bool(v)
	case Number:
		return v == v && v != 0
	case String:
		return v != ""
	case nil, Undefined, Null:
		return false
	case *Lazy:
		return ToBoolean(v.Force())
	}
	return true
}

// ToNumber is §7.1.4.
func ToNumber(v Value) (float64, error) {
	switch v := Force(v).(type) {
	case Number:
		return float64(v), nil
	case String:
		return StringToNumber(string(v)), nil
	case Bool:
		return float64(b2i(bool(v))), nil
	case Null:
		return 0, nil
	case Undefined:
		return math.NaN(), nil
	default:
		primitive, err := ToPrimitive(v, HintNumber)
		if err != nil {
			return 0, err
		}
		return ToNumber(primitive)
	}
}

// ToString is §7.1.17.
func ToString(v Value) (string, error) {
	switch v := Force(v).(type) {
	case String:
		return string(v), nil
	case Number:
		return NumberToString(float64(v)), nil
	case Bool:
		if v {
			return "true", nil
		}
		return "false", nil
	case Null:
		return "null", nil
	case Undefined:
		return "undefined", nil
	default:
		primitive, err := ToPrimitive(v, HintString)
		if err != nil {
			return "", err
		}
		return ToString(primitive)
	}
}

// Hint is what ToPrimitive would like to have.
type Hint uint8

// The hints of §7.1.1.
const (
	HintDefault Hint = iota
	HintNumber
	HintString
)

// ToPrimitive is §7.1.1. An own property toString holds data, never a function: it hides the inherited method, and as
// Object.prototype.valueOf gives no primitive, whatever the hint, a TypeError follows. valueOf makes no difference.
func ToPrimitive(v Value, _ Hint) (Value, error) {
	switch v := Force(v).(type) {
	case *Object:
		if _, hidden := v.Get("toString"); hidden {
			return nil, typeError("Cannot convert object to primitive value")
		}
		return String("[object Object]"), nil
	case *Error:
		if v.Props != nil {
			if _, hidden := v.Props.Get("toString"); hidden {
				return nil, typeError("Cannot convert object to primitive value")
			}
		}
		s, err := errorToString(v)
		return String(s), err
	case *Array:
		s, err := Join(v, ",")
		return String(s), err
	default:
		return v, nil
	}
}

// Join is Array.prototype.join (§23.1.3.18) with a separator that is a string already. An array met inside itself
// reads as empty, as in V8.
func Join(a *Array, separator string) (string, error) {
	j := joiner{}
	if err := j.array(a, separator); err != nil {
		return "", err
	}
	return j.out.String(), nil
}

type joiner struct {
	out   joined
	above []*Array // the arrays being joined
}

// joined is a string under construction.
type joined struct{ buf []byte }

func (b *joined) write(s string) { b.buf = appendWTF8(b.buf, s) }
func (b *joined) String() string { return bytesAsString(b.buf) }

func (j *joiner) array(a *Array, separator string) error {
	if len(j.above) >= maxDepth/10 {
		return errStackOverflow()
	}
	for _, open := range j.above {
		if open == a {
			return nil
		}
	}
	j.above = append(j.above, a)
	defer func() { j.above = j.above[:len(j.above)-1] }()
	for i, elem := range a.Elems {
		if i > 0 {
			j.out.write(separator)
		}
		if err := j.element(Force(elem)); err != nil {
			return err
		}
		if len(j.out.buf) > maxStringLength && Length(j.out.String()) > maxStringLength {
			return errStringLength()
		}
	}
	return nil
}

func (j *joiner) element(v Value) error {
	switch v := v.(type) {
	case Undefined, Null:
		return nil
	case *Array:
		return j.array(v, ",")
	}
	s, err := ToString(v)
	if err == nil {
		j.out.write(s)
	}
	return err
}

// ToPropertyKey is §7.1.19.
func ToPropertyKey(v Value) (string, error) { return ToString(v) }

// ToIntegerOrInfinity is §7.1.5, of a Number.
func ToIntegerOrInfinity(f float64) float64 {
	if f != f {
		return 0
	}
	return math.Trunc(f) + 0 // + 0 turns -0 into 0
}

// ToInt32 is §7.1.6, of a Number.
func ToInt32(f float64) int32 { return int32(ToUint32(f)) }

// ToUint32 is §7.1.7, of a Number.
func ToUint32(f float64) uint32 {
	if n := int64(f); float64(n) == f && n < 1<<62 && n > -1<<62 {
		return uint32(n)
	}
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	return uint32(int64(math.Mod(math.Trunc(f), 1<<32)))
}

// ToLength is §7.1.20, of a Number.
func ToLength(f float64) float64 {
	return min(max(ToIntegerOrInfinity(f), 0), 1<<53-1)
}

// TypeOf is the typeof operator (§13.5.3).
func TypeOf(v Value) string {
	switch Force(v).Kind() {
	case KindUndefined:
		return "undefined"
	case KindBool:
		return "boolean"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	}
	return "object"
}

// tooLong reports whether parts together are longer than V8 lets a string be.
func tooLong(parts ...string) bool {
	bytes := 0
	for _, p := range parts {
		bytes += len(p)
	}
	if bytes <= maxStringLength {
		return false
	}
	units := 0
	for _, p := range parts {
		units += Length(p)
	}
	return units > maxStringLength
}

// JoinStrings is Concat with V8's limit on the length of a string: a RangeError beyond it.
func JoinStrings(parts ...string) (string, error) {
	if tooLong(parts...) {
		return "", errStringLength()
	}
	return Concat(parts...), nil
}
