package value

import "slices"

// NewArray makes an array of elems, which it keeps.
func NewArray(elems ...Value) *Array { return &Array{Elems: elems} }

// Len is the array's length.
func (a *Array) Len() int { return len(a.Elems) }

// At gives element i, or Undefined outside 0..Len-1. The value may be a *Lazy.
func (a *Array) At(i int) Value {
	if i < 0 || i >= len(a.Elems) || a.Elems[i] == nil {
		return Undefined{}
	}
	return a.Elems[i]
}

// Clone is a shallow copy, free to be changed.
func (a *Array) Clone() *Array { return &Array{Elems: slices.Clone(a.Elems)} }

// IsArray is §7.2.2.
func IsArray(v Value) bool {
	_, ok := Force(v).(*Array)
	return ok
}
