package expr

import "github.com/casys-ai/pml/nodes/value"

// cloner copies inputs that the piece changes. One memo for all of them keeps what they share shared.
type cloner struct {
	m    *machine
	memo map[value.Value]value.Value
}

func (c *cloner) clone(v value.Value) value.Value {
	v = force(v)
	switch v.(type) {
	case *value.Array, *value.Object, *value.Error:
	default:
		return v
	}
	if known, ok := c.memo[v]; ok {
		return known
	}
	c.m.step()
	c.m.alloc(48)
	switch v := v.(type) {
	case *value.Array:
		to := &value.Array{Elems: make([]value.Value, len(v.Elems))}
		c.memo[v] = to
		for i, e := range v.Elems {
			to.Elems[i] = c.clone(e)
		}
		return to
	case *value.Object:
		to := value.NewObject(v.Len())
		c.memo[v] = to
		for k, e := range v.All() {
			to.Set(k, c.clone(e))
		}
		return to
	}
	from := v.(*value.Error)
	to := &value.Error{Name: from.Name, Message: from.Message}
	c.memo[v] = to
	if from.Cause != nil {
		to.Cause = c.clone(from.Cause)
	}
	if from.Props != nil {
		to.Props = value.NewObject(from.Props.Len())
		for k, e := range from.Props.All() {
			to.Props.Set(k, c.clone(e))
		}
	}
	return to
}
