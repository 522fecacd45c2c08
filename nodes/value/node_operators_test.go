package value

func operatorCases(d *differential) {
	values := primitives(d)
	for _, a := range values {
		unaryCases(d, a)
		for _, b := range values {
			binaryCases(d, a, b)
		}
	}
	for range d.many(10_000) {
		a, b := Number(d.double()), Number(d.double())
		for _, op := range []string{"-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"} {
			v, err := Arith(op, a, b)
			d.check(op, v, err, a, b)
		}
	}
}

// primitives are values of every kind, and documents.
func primitives(d *differential) []Value {
	values := []Value{Undefined{}, Null{}, Bool(true), Bool(false)}
	for _, f := range []float64{0, 1, -1, 2, 1.5, 10, 4294967296, -2147483649, 1e21} {
		values = append(values, Number(f))
	}
	values = append(values, mustNumber("-0"), mustNumber("NaN"), mustNumber("Infinity"), mustNumber("-Infinity"))
	for _, s := range []string{"", " ", "0", "1", "1.5", "abc", "ab", "\ue000", "😀", "null", "true", "[object Object]",
		"1,2", "0x10", "10", "9"} {
		values = append(values, String(s))
	}
	for _, text := range []string{`[]`, `[1]`, `[1,2]`, `[[],[[null]]]`, `{}`, `{"a":1}`, `["abc"]`, `[null]`,
		`{"toString":1}`, `{"valueOf":1}`, `[{"toString":1}]`, `[0]`, `[[1,[2,"x"]],{}]`} {
		v, err := ParseJSON(text)
		if err != nil {
			panic(err)
		}
		values = append(values, v)
	}
	return values
}

func mustNumber(s string) Value { return Number(StringToNumber(s)) }

func unaryCases(d *differential, v Value) {
	n, err := ToNumber(v)
	d.check("number", Number(n), err, v)
	s, err := ToString(v)
	d.check("string", String(s), err, v)
	neg, err := Negate(v)
	d.check("neg", neg, err, v)
	not, err := BitNot(v)
	d.check("bitnot", not, err, v)
	d.check("bool", Bool(ToBoolean(v)), nil, v)
	d.check("typeof", String(TypeOf(v)), nil, v)
	if a, ok := v.(*Array); ok {
		s, err := Join(a, " 😀 ")
		d.check("join", String(s), err, v, String(" 😀 "))
	}
}

func binaryCases(d *differential, a, b Value) {
	sum, err := Add(a, b)
	d.check("+", sum, err, a, b)
	for op := range arithmetic {
		v, err := Arith(op, a, b)
		d.check(op, v, err, a, b)
	}
	for _, op := range []string{"<", ">", "<=", ">="} {
		v, err := Compare(op, a, b)
		d.check(op, Bool(v), err, a, b)
	}
	if isObject(a.Kind()) && isObject(b.Kind()) {
		return // here the same, in Node two copies
	}
	loose, err := LooseEqual(a, b)
	d.check("==", Bool(loose), err, a, b)
	d.check("===", Bool(StrictEqual(a, b)), nil, a, b)
	d.check("is", Bool(SameValue(a, b)), nil, a, b)
}
