package expr

import (
	"math"
	"math/bits"

	"github.com/casys-ai/pml/nodes/value"
)

// numberNatives are the methods of Number.prototype (ECMAScript §21.1.3).
var numberNatives = map[string]func(m *machine, f value.Number, args []value.Value) value.Value{
	"toFixed": func(m *machine, f value.Number, args []value.Value) value.Value {
		d := m.toInteger(arg(args, 0))
		if d < 0 || d > 100 {
			m.rangeError("toFixed() digits argument must be between 0 and 100")
		}
		s, err := value.ToFixed(float64(f), int(d))
		return str(must(m, s, err))
	},
	"toPrecision": func(m *machine, f value.Number, args []value.Value) value.Value {
		if isUndefined(arg(args, 0)) {
			return str(numberText(float64(f)))
		}
		p := m.toInteger(arg(args, 0))
		if isFinite(float64(f)) && (p < 1 || p > 100) {
			m.rangeError("toPrecision() argument must be between 1 and 100")
		} else if !isFinite(float64(f)) {
			return str(numberText(float64(f)))
		}
		s, err := value.ToPrecision(float64(f), int(p))
		return str(must(m, s, err))
	},
	"toExponential": func(m *machine, f value.Number, args []value.Value) value.Value {
		d := m.toInteger(arg(args, 0))
		if !isFinite(float64(f)) {
			return str(numberText(float64(f)))
		}
		if d < 0 || d > 100 {
			m.rangeError("toExponential() argument must be between 0 and 100")
		}
		if isUndefined(arg(args, 0)) {
			d = value.AnyDigits
		}
		s, err := value.ToExponential(float64(f), int(d))
		return str(must(m, s, err))
	},
	"toString": func(m *machine, f value.Number, args []value.Value) value.Value {
		if isUndefined(arg(args, 0)) {
			return str(numberText(float64(f)))
		}
		radix := m.toInteger(args[0])
		if radix < 2 || radix > 36 {
			m.rangeError("toString() radix argument must be between 2 and 36")
		}
		s, err := value.NumberToRadix(float64(f), int(radix))
		return str(must(m, s, err))
	},
	"valueOf": func(_ *machine, f value.Number, _ []value.Value) value.Value { return f },
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func isInteger(v value.Value) (float64, bool) {
	f, ok := v.(value.Number)
	return float64(f), ok && isFinite(float64(f)) && math.Trunc(float64(f)) == float64(f)
}

// numberStatics are the properties of the constructor Number.
var numberStatics = map[string]value.Value{
	"EPSILON":           value.Number(math.Pow(2, -52)),
	"MAX_SAFE_INTEGER":  value.Number(1<<53 - 1),
	"MIN_SAFE_INTEGER":  value.Number(-(1<<53 - 1)),
	"MAX_VALUE":         value.Number(math.MaxFloat64),
	"MIN_VALUE":         value.Number(math.SmallestNonzeroFloat64),
	"NaN":               nan,
	"POSITIVE_INFINITY": value.Number(math.Inf(1)),
	"NEGATIVE_INFINITY": value.Number(math.Inf(-1)),
	"isFinite": builtin("isFinite", func(_ *machine, args []value.Value) value.Value {
		f, ok := arg(args, 0).(value.Number)
		return boolean(ok && isFinite(float64(f)))
	}),
	"isInteger": builtin("isInteger", func(_ *machine, args []value.Value) value.Value {
		_, ok := isInteger(arg(args, 0))
		return boolean(ok)
	}),
	"isSafeInteger": builtin("isSafeInteger", func(_ *machine, args []value.Value) value.Value {
		f, ok := isInteger(arg(args, 0))
		return boolean(ok && math.Abs(f) < 1<<53)
	}),
	"isNaN": builtin("isNaN", func(_ *machine, args []value.Value) value.Value {
		f, ok := arg(args, 0).(value.Number)
		return boolean(ok && f != f)
	}),
	"parseFloat": parseFloat,
	"parseInt":   parseInt,
}

var parseFloat = builtin("parseFloat", func(m *machine, args []value.Value) value.Value {
	if f, ok := arg(args, 0).(value.Number); ok && (f != 0) {
		return f
	}
	return number(value.ParseFloat(m.toString(arg(args, 0))))
})

var parseInt = builtin("parseInt", func(m *machine, args []value.Value) value.Value {
	s := m.toString(arg(args, 0))
	return number(value.ParseInt(s, toInt32(m.toNumber(arg(args, 1)))))
})

// mathFunc makes a function of one number.
func mathFunc(name string, f func(float64) float64) value.Value {
	return builtin(name, func(m *machine, args []value.Value) value.Value {
		return number(f(m.toNumber(arg(args, 0))))
	})
}

// mathStatics are the properties of Math whose last digits are certain (ECMAScript §21.3).
var mathStatics = map[string]value.Value{
	"E": value.Number(math.E), "LN10": value.Number(math.Ln10), "LN2": value.Number(math.Ln2),
	"LOG10E": value.Number(0.4342944819032518), "LOG2E": value.Number(1.4426950408889634),
	"PI": value.Number(math.Pi), "SQRT1_2": value.Number(0.7071067811865476), "SQRT2": value.Number(math.Sqrt2),
	"abs":    mathFunc("abs", math.Abs),
	"ceil":   mathFunc("ceil", math.Ceil),
	"floor":  mathFunc("floor", math.Floor),
	"trunc":  mathFunc("trunc", math.Trunc),
	"sqrt":   mathFunc("sqrt", math.Sqrt),
	"fround": mathFunc("fround", func(f float64) float64 { return float64(float32(f)) }),
	"clz32":  mathFunc("clz32", func(f float64) float64 { return float64(bits.LeadingZeros32(toUint32(f))) }),
	"round":  mathFunc("round", mathRound),
	"sign": mathFunc("sign", func(f float64) float64 {
		switch {
		case f > 0:
			return 1
		case f < 0:
			return -1
		}
		return f
	}),
	"imul": builtin("imul", func(m *machine, args []value.Value) value.Value {
		a := toInt32(m.toNumber(arg(args, 0)))
		return number(float64(a * toInt32(m.toNumber(arg(args, 1)))))
	}),
	"pow": builtin("pow", func(m *machine, args []value.Value) value.Value {
		x := m.toNumber(arg(args, 0))
		return number(value.Pow(x, m.toNumber(arg(args, 1))))
	}),
	"max": builtin("max", func(m *machine, args []value.Value) value.Value {
		return m.extreme(args, math.Inf(-1), math.Max)
	}),
	"min": builtin("min", func(m *machine, args []value.Value) value.Value {
		return m.extreme(args, math.Inf(1), math.Min)
	}),
}

// mathRound is Math.round: halves go up.
func mathRound(f float64) float64 {
	if !isFinite(f) || math.Abs(f) >= 1<<52 {
		return f
	}
	r := math.Floor(f)
	if f-r >= 0.5 {
		r++
	}
	return math.Copysign(r, f)
}

// extreme is Math.max or Math.min: every argument is converted, NaN wins.
func (m *machine) extreme(args []value.Value, acc float64, pick func(a, b float64) float64) value.Value {
	m.work(len(args) / 4)
	isNaN := false
	for _, x := range args {
		f := m.toNumber(x)
		isNaN = isNaN || f != f
		acc = pick(acc, f)
	}
	if isNaN {
		return nan
	}
	return number(acc)
}

var functionNatives = map[string]func(m *machine, f *function, args []value.Value) value.Value{
	"call": func(m *machine, f *function, args []value.Value) value.Value {
		if len(args) == 0 {
			return m.call(f, undefined, nil)
		}
		return m.call(f, force(args[0]), args[1:])
	},
	"apply": func(m *machine, f *function, args []value.Value) value.Value {
		list := arg(args, 1)
		if isNullish(list) {
			return m.call(f, arg(args, 0), nil)
		}
		a, ok := list.(*value.Array)
		if !ok {
			m.unsupported("apply with something that is no array")
		}
		return m.call(f, arg(args, 0), unhole(m.copied(a.Elems)))
	},
}

var iteratorNatives = map[string]func(m *machine, it *iterator, args []value.Value) value.Value{
	"next": func(m *machine, it *iterator, _ []value.Value) value.Value {
		v, ok := it.next(m)
		if !ok {
			v = undefined
		}
		o := value.NewObject(2)
		o.Set("value", v)
		o.Set("done", value.Bool(!ok))
		return o
	},
}
