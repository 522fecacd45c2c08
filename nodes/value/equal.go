package value

// Equal reports whether a and b are alike in depth: kinds, contents, order of keys, and -0 apart from 0. NaN equals
// NaN. It is for tests and journals; JavaScript has no such operator. The values must not be cyclic.
func Equal(a, b Value) bool {
	if x, ok := a.(*Lazy); ok {
		if y, ok := b.(*Lazy); ok && string(x.raw) == string(y.raw) {
			return true
		}
	}
	a, b = Force(a), Force(b)
	switch x := a.(type) {
	case *Array:
		y, ok := b.(*Array)
		return ok && equalArrays(x, y)
	case *Object:
		y, ok := b.(*Object)
		return ok && equalObjects(x, y)
	case *Error:
		y, ok := b.(*Error)
		return ok && equalErrors(x, y)
	}
	return SameValue(a, b)
}

func equalArrays(x, y *Array) bool {
	if len(x.Elems) != len(y.Elems) {
		return false
	}
	for i := range x.Elems {
		if !Equal(x.Elems[i], y.Elems[i]) {
			return false
		}
	}
	return true
}

func equalObjects(x, y *Object) bool {
	if x == y {
		return true
	}
	keys := y.Keys()
	if x.Len() != len(keys) {
		return false
	}
	i := 0
	for key, v := range x.All() {
		if key != keys[i] {
			return false
		}
		if other, _ := y.Get(key); !Equal(v, other) {
			return false
		}
		i++
	}
	return true
}

func equalErrors(x, y *Error) bool {
	none := &Object{}
	if x.Name != y.Name || x.Message != y.Message || (x.Cause == nil) != (y.Cause == nil) || !Equal(x.Cause, y.Cause) {
		return false
	}
	px, py := x.Props, y.Props
	if px == nil {
		px = none
	}
	if py == nil {
		py = none
	}
	return equalObjects(px, py)
}
