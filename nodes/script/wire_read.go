package script

import (
	"math"

	"github.com/casys-ai/pml/nodes/value"
)

// decodeValue reads what the other side encoded. Plain JSON stays as it is as long as nobody looks inside.
func decodeValue(body []byte, tagged bool, in *inputs, rich maker) (value.Value, error) {
	if len(body) == 0 {
		return value.Undefined{}, nil
	}
	if !tagged {
		return value.FromJSON(body)
	}
	v, err := value.ParseJSON(string(body))
	if err != nil {
		return nil, err
	}
	u := &untagger{in: in, rich: rich}
	v = u.untag(v)
	return v, u.bad
}

// untagger replaces the tagged objects below a value that nobody else has seen yet.
type untagger struct {
	// defs are the objects that occur more than once, by number; in are those that the host knows already.
	defs map[int]value.Value
	in   *inputs
	rich maker
	// circles finds what holds itself; nil where nothing may.
	circles *circles
	bad     error
	// size counts values, those of an object that occurs more than once each time; sizes are those of defs.
	size  int
	sizes map[int]int
}

// maxSize bounds size: a short text must not mean an enormous tree.
const maxSize = 100_000_000

func (u *untagger) untag(v value.Value) value.Value {
	u.size++
	switch v := v.(type) {
	case *value.Array:
		for i, e := range v.Elems {
			if v.Elems[i] = u.untag(e); v.Elems[i] == (hole{}) {
				v.Elems[i] = nil
			}
		}
	case *value.Object:
		if first, ok := firstKey(v); ok && first == "$" {
			return u.object(v)
		}
		u.props(v)
	}
	return v
}

// hole stands for a missing element until its array is made.
type hole struct{ value.Undefined }

func firstKey(o *value.Object) (string, bool) {
	for k := range o.All() {
		return k, true
	}
	return "", false
}

func (u *untagger) props(o *value.Object) {
	for _, k := range o.Keys() {
		v, _ := o.Get(k)
		switch v.(type) {
		case *value.Array, *value.Object:
			o.Set(k, u.untag(v))
		}
	}
}

func (u *untagger) object(o *value.Object) value.Value {
	kind, _ := o.Get("$")
	switch kind {
	case value.String("NaN"):
		return value.Number(math.NaN())
	case value.String("Infinity"):
		return value.Number(math.Inf(1))
	case value.String("-Infinity"):
		return value.Number(math.Inf(-1))
	case value.String("hole"):
		return hole{}
	case value.String("error"):
		return u.error(o)
	case value.String("def"):
		return u.define(o)
	case value.String("ref"):
		n := numberOf(o, "n")
		if v := u.circles.close(n); v != nil {
			return v
		}
		if u.size += u.sizes[n]; u.size > maxSize {
			return u.known(nil)
		}
		return u.known(u.defs[n])
	case value.String("in"):
		return u.known(u.in.find(numberOf(o, "arg"), numberOf(o, "n")))
	case value.String("Map"), value.String("Set"), value.String("Date"):
		return u.known(u.made(o))
	case value.String("object"):
		if inner, ok := o.Get("v"); ok {
			if inner, ok := inner.(*value.Object); ok {
				u.props(inner)
				return inner
			}
		}
	}
	return value.Undefined{}
}

func (u *untagger) error(o *value.Object) *value.Error {
	e := &value.Error{Name: textOf(o, "name"), Message: textOf(o, "message")}
	if c, ok := o.Get("cause"); ok {
		e.Cause = u.untag(c)
	}
	if p, ok := o.Get("props"); ok {
		if p, ok := u.untag(p).(*value.Object); ok {
			e.Props = p
		}
	}
	return e
}

// define keeps the object that o holds under its number.
func (u *untagger) define(o *value.Object) value.Value {
	inner, _ := o.Get("v")
	n, size := numberOf(o, "n"), u.size
	u.circles.begin(n, inner)
	v := u.untag(inner)
	u.circles.end(n)
	if u.defs == nil {
		u.defs, u.sizes = map[int]value.Value{}, map[int]int{}
	}
	u.defs[n], u.sizes[n] = v, u.size-size
	return v
}

func (u *untagger) known(v value.Value) value.Value {
	if v == nil {
		u.bad = errProtocol
		return value.Undefined{}
	}
	return v
}

func numberOf(o *value.Object, key string) int {
	v, _ := o.Get(key)
	n, ok := v.(value.Number)
	if !ok {
		return -1
	}
	return int(n)
}

func textOf(o *value.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(value.String)
	return string(s)
}
