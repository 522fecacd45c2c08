package expr

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// undefined is the value undefined.
var undefined value.Value = value.Undefined{}

// smallInts are the boxed integers -1..1023: making an interface of a float64 costs an allocation.
var smallInts = func() (t [1025]value.Value) {
	for i := range t {
		t[i] = value.Number(i - 1)
	}
	return t
}()

// number boxes f.
func number(f float64) value.Value {
	if i := int(f); i >= 0 && i < 1024 && float64(i) == f && (i != 0 || !math.Signbit(f)) {
		return smallInts[i+1]
	}
	return value.Number(f)
}

func integer(i int) value.Value { return number(float64(i)) }

func boolean(b bool) value.Value { return value.Bool(b) }

func str(s string) value.Value { return value.String(s) }

// force gives v itself, decoded if it is a *Lazy; nil (a hole) is undefined.
func force(v value.Value) value.Value {
	switch l := v.(type) {
	case nil:
		return undefined
	case *value.Lazy:
		return l.Force()
	}
	return v
}

func isNullish(v value.Value) bool {
	switch force(v).(type) {
	case value.Undefined, value.Null:
		return true
	}
	return false
}

func isUndefined(v value.Value) bool {
	_, ok := force(v).(value.Undefined)
	return ok
}

// truthy is ToBoolean (ECMAScript §7.1.2).
func truthy(v value.Value) bool {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.String:
		return v != ""
	case value.Number:
		return v != 0 && v == v
	case value.Undefined, value.Null, nil:
		return false
	case *value.Lazy:
		return truthy(v.Force())
	}
	return true
}

// typeOf is the typeof operator.
func typeOf(v value.Value) string {
	switch v := force(v).(type) {
	case value.Undefined:
		return "undefined"
	case value.Bool:
		return "boolean"
	case value.Number:
		return "number"
	case value.String:
		return "string"
	case *function:
		if v.class == "Math" || v.class == "JSON" {
			return "object"
		}
		return "function"
	}
	return "object"
}

// strictEqual is === (§7.2.14): pointers, numbers and strings compare as JavaScript's do.
func (m *machine) strictEqual(a, b value.Value) bool {
	a, b = force(a), force(b)
	return a == b || m.identical(a, b)
}

// sameValueZero is §7.2.12.
func (m *machine) sameValueZero(a, b value.Value) bool {
	a, b = force(a), force(b)
	if x, ok := a.(value.Number); ok && x != x {
		y, ok := b.(value.Number)
		return ok && y != y
	}
	return a == b || m.identical(a, b)
}

func isObject(v value.Value) bool {
	switch v.(type) {
	case value.Undefined, value.Null, value.Bool, value.Number, value.String:
		return false
	}
	return true
}

// looseEqual is == (§7.2.13).
func (m *machine) looseEqual(a, b value.Value) bool {
	a, b = force(a), force(b)
	if a == b {
		return true
	}
	an, bn := isNullish(a), isNullish(b)
	if an || bn {
		return an && bn
	}
	ao, bo := isObject(a), isObject(b)
	switch {
	case ao && bo:
		return m.identical(a, b)
	case ao:
		return m.looseEqual(m.toPrimitive(a, "default"), b)
	case bo:
		return m.looseEqual(a, m.toPrimitive(b, "default"))
	}
	if typeOf(a) == typeOf(b) {
		return false
	}
	return m.toNumber(a) == m.toNumber(b)
}

// toPrimitive is §7.1.1; hint is "default", "number" or "string".
func (m *machine) toPrimitive(v value.Value, hint string) value.Value {
	switch v := force(v).(type) {
	case *value.Array:
		return str(m.join(v, ","))
	case *value.Object:
		return m.objectToPrimitive(v, hint)
	case *value.Error:
		return str(v.String())
	case *date:
		if hint == "number" {
			return value.Number(v.t)
		}
		m.unsupported("a Date as local time text")
	case *collection:
		return str(tagOf(v))
	case *iterator:
		return str("[object " + v.what + "]")
	case *regExp:
		return str("/" + v.source + "/" + v.flags)
	case *function:
		m.unsupported("a function as text")
	default:
		return v
	}
	return undefined
}

// objectToPrimitive tries own toString and valueOf; the inherited ones give "[object Object]" and the object itself.
func (m *machine) objectToPrimitive(o *value.Object, hint string) value.Value {
	order := [2]string{"valueOf", "toString"}
	if hint == "string" {
		order = [2]string{"toString", "valueOf"}
	}
	for _, name := range order {
		own, ok := o.Get(name)
		if !ok {
			if name == "toString" {
				return str("[object Object]")
			}
			continue
		}
		if f, ok := force(own).(*function); ok {
			if r := force(m.call(f, o, nil)); !isObject(r) {
				return r
			}
		}
	}
	m.typeError("Cannot convert object to primitive value")
	return nil
}

// toNumber is §7.1.4.
func (m *machine) toNumber(v value.Value) float64 {
	switch v := force(v).(type) {
	case value.Number:
		return float64(v)
	case value.String:
		return value.StringToNumber(string(v))
	case value.Bool:
		if v {
			return 1
		}
		return 0
	case value.Null:
		return 0
	case value.Undefined:
		return math.NaN()
	default:
		return m.toNumber(m.toPrimitive(v, "number"))
	}
}

// toInteger is ToIntegerOrInfinity (§7.1.5).
func (m *machine) toInteger(v value.Value) float64 {
	f := m.toNumber(v)
	if f != f || f == 0 {
		return 0
	}
	return math.Trunc(f)
}

// toIndex clamps a relative index argument (negative counts from the end) to 0..n; undefined gives def.
func (m *machine) toIndex(v value.Value, n, def int) int {
	if isUndefined(v) {
		return def
	}
	f := m.toInteger(v)
	if f < 0 {
		return int(max(f+float64(n), 0))
	}
	return int(min(f, float64(n)))
}

// toString is §7.1.17.
func (m *machine) toString(v value.Value) string {
	switch v := v.(type) {
	case value.String:
		return string(v)
	case value.Number:
		return numberText(float64(v))
	case value.Bool:
		if v {
			return "true"
		}
		return "false"
	case value.Null:
		return "null"
	case value.Undefined, nil:
		return "undefined"
	case *value.Lazy:
		return m.toString(v.Force())
	default:
		return m.toString(m.toPrimitive(v, "string"))
	}
}

// numberText is Number::toString with a short way for small integers.
func numberText(f float64) string {
	if i := int(f); float64(i) == f && i >= 0 && i < len(smallTexts) {
		return smallTexts[i]
	}
	return value.NumberToString(f)
}

var smallTexts = func() (t [1000]string) {
	for i := range t {
		t[i] = value.NumberToString(float64(i))
	}
	return t
}()

// toKey is ToPropertyKey (§7.1.19); symbols do not exist here.
func (m *machine) toKey(v value.Value) string { return m.toString(v) }

// toUint32 is §7.1.7.
func toUint32(f float64) uint32 {
	if i := int64(f); float64(i) == f {
		return uint32(i)
	}
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	f = math.Mod(math.Trunc(f), 1<<32)
	if f < 0 {
		f += 1 << 32
	}
	return uint32(f)
}

func toInt32(f float64) int32 { return int32(toUint32(f)) }

// arg gives argument i, or undefined.
func arg(args []value.Value, i int) value.Value {
	if i < len(args) {
		return force(args[i])
	}
	return undefined
}
