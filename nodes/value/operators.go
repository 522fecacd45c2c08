package value

import "math"

// Add is the + operator (§13.15.3).
func Add(a, b Value) (Value, error) {
	if x, ok := a.(Number); ok {
		if y, ok := b.(Number); ok {
			return x + y, nil
		}
	}
	a, err := ToPrimitive(a, HintDefault)
	if err != nil {
		return nil, err
	}
	b, err = ToPrimitive(b, HintDefault)
	if err != nil {
		return nil, err
	}
	if a.Kind() == KindString || b.Kind() == KindString {
		return addStrings(a, b)
	}
	return arith(a, b, func(x, y float64) float64 { return x + y })
}

func addStrings(a, b Value) (Value, error) {
	x, err := ToString(a)
	if err != nil {
		return nil, err
	}
	y, err := ToString(b)
	if err != nil {
		return nil, err
	}
	s, err := JoinStrings(x, y)
	if err != nil {
		return nil, err
	}
	return String(s), nil
}

// Arith is one of the operators - * / % ** & | ^ << >> >>> (§13.15.3).
func Arith(op string, a, b Value) (Value, error) {
	f, ok := arithmetic[op]
	if !ok {
		return nil, syntaxError("unknown arithmetic operator " + op)
	}
	return arith(a, b, f)
}

// arith makes numbers of the operands, left to right, and applies f.
func arith(a, b Value, f func(x, y float64) float64) (Value, error) {
	x, err := ToNumber(a)
	if err != nil {
		return nil, err
	}
	y, err := ToNumber(b)
	if err != nil {
		return nil, err
	}
	return Number(f(x, y)), nil
}

// arithmetic holds the Number operations of §6.1.6.1.
var arithmetic = map[string]func(x, y float64) float64{
	"-":   func(x, y float64) float64 { return x - y },
	"*":   func(x, y float64) float64 { return x * y },
	"/":   func(x, y float64) float64 { return x / y },
	"%":   Remainder,
	"**":  Pow,
	"&":   func(x, y float64) float64 { return float64(ToInt32(x) & ToInt32(y)) },
	"|":   func(x, y float64) float64 { return float64(ToInt32(x) | ToInt32(y)) },
	"^":   func(x, y float64) float64 { return float64(ToInt32(x) ^ ToInt32(y)) },
	"<<":  func(x, y float64) float64 { return float64(ToInt32(x) << (ToUint32(y) & 31)) },
	">>":  func(x, y float64) float64 { return float64(ToInt32(x) >> (ToUint32(y) & 31)) },
	">>>": func(x, y float64) float64 { return float64(ToUint32(x) >> (ToUint32(y) & 31)) },
}

// Remainder is Number::remainder (§6.1.6.1.6): the result has the dividend's sign, -0 included.
func Remainder(x, y float64) float64 {
	if x == math.Trunc(x) && y == math.Trunc(y) && math.Abs(x) < 1<<53 && math.Abs(y) < 1<<53 && y != 0 {
		return math.Copysign(float64(int64(x)%int64(y)), x)
	}
	return math.Mod(x, y)
}

// Negate is the unary - operator (§13.5.5).
func Negate(v Value) (Value, error) {
	f, err := ToNumber(v)
	if err != nil {
		return nil, err
	}
	return Number(-f), nil
}

// BitNot is the ~ operator (§13.5.6).
func BitNot(v Value) (Value, error) {
	f, err := ToNumber(v)
	if err != nil {
		return nil, err
	}
	return Number(^ToInt32(f)), nil
}
