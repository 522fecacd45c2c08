package value

import "unsafe"

// What Go spends on each value, in bytes.
const (
	sizeWord   = int(unsafe.Sizeof(uintptr(0)))
	sizeValue  = int(unsafe.Sizeof(Value(nil)))
	sizeString = int(unsafe.Sizeof(""))
	sizeEntry  = int(unsafe.Sizeof(entry{}))
	sizeObject = int(unsafe.Sizeof(Object{}))
	sizeArray  = int(unsafe.Sizeof(Array{}))
	sizeError  = int(unsafe.Sizeof(Error{}))
	sizeLazy   = int(unsafe.Sizeof(Lazy{}))
)

// SizeOf is about how many bytes v holds, for limits. A Lazy counts as its text, whether it has been decoded or not; an
// array or object met twice counts once; nested deeper than maxDepth nothing is counted.
func SizeOf(v Value) int {
	return sizer{}.value(v, 0)
}

// sizer holds the arrays, objects and errors already counted.
type sizer map[Value]struct{}

// first notes v and reports whether it was new.
func (z sizer) first(v Value, depth int) bool {
	_, seen := z[v]
	z[v] = struct{}{}
	return !seen && depth <= maxDepth
}

func (z sizer) value(v Value, depth int) int {
	switch v := v.(type) {
	case Number:
		return sizeWord
	case String:
		return sizeString + len(v)
	case *Lazy:
		return sizeLazy + len(v.raw)
	case *Array:
		if !z.first(v, depth) {
			return 0
		}
		size := sizeArray + sizeValue*len(v.Elems)
		for _, elem := range v.Elems {
			size += z.value(elem, depth+1)
		}
		return size
	case *Object:
		return z.object(v, depth)
	case *Error:
		if !z.first(v, depth) {
			return 0
		}
		size := sizeError + len(v.Name) + len(v.Message) + z.value(v.Cause, depth+1)
		if v.Props != nil {
			size += z.object(v.Props, depth)
		}
		return size
	}
	return 0
}

func (z sizer) object(o *Object, depth int) int {
	if !z.first(o, depth) {
		return 0
	}
	size := sizeObject
	for key, v := range o.All() {
		size += sizeEntry + len(key) + z.value(v, depth+1)
	}
	return size
}
