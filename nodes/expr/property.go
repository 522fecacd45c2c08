package expr

import (
	"math"
	"strconv"

	"github.com/casys-ai/pml/nodes/value"
)

// arrayIndex reads f as an index 0..2^32-2.
func arrayIndex(f float64) (int, bool) {
	if i := int(f); float64(i) == f && i >= 0 && i < math.MaxUint32 {
		return i, true
	}
	return 0, false
}

// indexOfKey reads a property key as an array index.
func indexOfKey(key string) (int, bool) {
	if key == "" || len(key) > 10 || key[0] < '0' || key[0] > '9' || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 32)
	return int(n), err == nil && n < math.MaxUint32
}

// objectPrototype are the names every object inherits.
var objectPrototype = map[string]bool{
	"constructor": true, "toString": true, "toLocaleString": true, "valueOf": true, "hasOwnProperty": true,
	"isPrototypeOf": true, "propertyIsEnumerable": true, "__proto__": true, "__defineGetter__": true,
	"__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true,
}

// get is v[key] for a value that is not null or undefined (§10.1.8).
func (m *machine) get(v value.Value, key string) value.Value {
	switch v := v.(type) {
	case *value.Object:
		if p, ok := v.Get(key); ok {
			return p
		}
	case *value.Array:
		if key == "length" {
			return integer(len(v.Elems))
		}
		if i, ok := indexOfKey(key); ok {
			return v.At(i)
		}
		if p := m.matchProperty(v, key); p != nil {
			return p
		}
	case value.String:
		if key == "length" {
			return integer(m.length(string(v)))
		}
		if i, ok := indexOfKey(key); ok {
			return m.charAt(string(v), i)
		}
	case *value.Error:
		if p, ok := errorProperty(v, key); ok {
			return p
		}
		if key == "stack" {
			m.unsupported("an error's stack")
		}
	case *value.Lazy:
		return m.get(v.Force(), key)
	case value.Undefined, value.Null, nil:
		m.typeError("Cannot read properties of %s (reading '%s')", m.toString(v), key)
	case *collection:
		if key == "size" {
			return integer(v.live)
		}
	case *regExp:
		if p := v.property(key); p != nil {
			return p
		}
	case *function:
		return m.functionProperty(v, key)
	}
	return m.inherited(v, key)
}

// inherited is what v's prototypes have under key: a method, or nothing.
func (m *machine) inherited(v value.Value, key string) value.Value {
	if f := methodOf(v, key); f != nil {
		return inert(f)
	}
	if objectPrototype[key] || refusedName(v, key) {
		m.unsupported("the inherited property %q", key)
	}
	return undefined
}

// inert gives a method as a value: it is there, but only a call that names it runs it, because what such a call changes
// is seen beforehand.
func inert(f *function) value.Value { return f.inert }

// errorProperty gives the properties of an Error that are not on Object.prototype.
func errorProperty(e *value.Error, key string) (value.Value, bool) {
	if e.Props != nil {
		if p, ok := e.Props.Get(key); ok {
			return p, true
		}
	}
	switch key {
	case "message":
		return str(e.Message), true
	case "name":
		return str(e.Name), true
	case "cause":
		if e.Cause != nil {
			return e.Cause, true
		}
	}
	return nil, false
}

func (m *machine) functionProperty(f *function, key string) value.Value {
	if methods, ok := statics[f.class]; ok && f.class != "" {
		if s, ok := methods[key]; ok {
			return s
		}
	}
	if f := methodOf(f, key); f != nil {
		return inert(f)
	}
	m.unsupported("the property %q of a function", key)
	return nil
}

// getIndex is v[k].
func (m *machine) getIndex(v, k value.Value) value.Value {
	switch v := v.(type) {
	case *value.Array:
		if n, ok := k.(value.Number); ok {
			if i := int(n); uint(i) < uint(len(v.Elems)) && value.Number(i) == n {
				if e := v.Elems[i]; e != nil {
					return e
				}
			}
		}
	case value.String:
		if n, ok := k.(value.Number); ok {
			if i, ok := arrayIndex(float64(n)); ok {
				return m.charAt(string(v), i)
			}
		}
	case *value.Object:
		if s, ok := k.(value.String); ok {
			if p, ok := v.Get(string(s)); ok {
				return p
			}
		}
	case *value.Lazy:
		return m.getIndex(v.Force(), k)
	case value.Undefined, value.Null, nil:
		m.typeError("Cannot read properties of %s%s", m.toString(v), m.keyNote("reading", k))
	}
	return m.get(v, m.toKey(k))
}

// keyNote writes which property was to be read or set.
func (m *machine) keyNote(doing string, k value.Value) string {
	if _, ok := force(k).(*value.Array); ok {
		return ""
	}
	return " (" + doing + " '" + m.inspectShort(k) + "')"
}

// remove is delete v[key] (§13.5.1.2).
func (m *machine) remove(v value.Value, key string) bool {
	switch v := force(v).(type) {
	case *value.Object:
		v.Delete(key)
		return true
	case *value.Array:
		i, ok := indexOfKey(key)
		if !ok {
			if key == "length" {
				m.typeError("Cannot delete property 'length' of [object Array]")
			}
			m.notMatch(v)
			return true
		}
		if i < len(v.Elems) {
			v.Elems[i] = nil
			m.holes = true
		}
		return true
	case value.Undefined, value.Null:
		m.typeError("Cannot convert undefined or null to object")
	case value.String:
		if m.hasOwn(v, key) {
			m.typeError("Cannot delete property '%s' of [object String]", key)
		}
		return true
	case value.Number, value.Bool:
		return true
	}
	m.unsupported("delete of a property of this kind of value")
	return false
}

// hasOwn reports whether v has the own property key.
func (m *machine) hasOwn(v value.Value, key string) bool {
	switch v := force(v).(type) {
	case *value.Object:
		_, ok := v.Get(key)
		return ok
	case *value.Array:
		m.notMatch(v)
		i, ok := indexOfKey(key)
		return key == "length" || (ok && i < len(v.Elems) && v.Elems[i] != nil)
	case value.String:
		i, ok := indexOfKey(key)
		return key == "length" || (ok && i < m.length(string(v)))
	case *value.Error:
		if v.Props != nil {
			if _, ok := v.Props.Get(key); ok {
				return true
			}
		}
		if key == "message" && v.Message == "" {
			m.unsupported("whether an error without text has a message of its own")
		}
		return key == "message" || key == "stack" || (key == "cause" && v.Cause != nil)
	case value.Undefined, value.Null:
		m.typeError("Cannot convert undefined or null to object")
	case value.Number, value.Bool:
		return false
	}
	m.unsupported("own properties of this kind of value")
	return false
}

// in is the in operator.
func (m *machine) in(k, v value.Value) bool {
	v = force(v)
	if !isObject(v) {
		m.typeError("Cannot use 'in' operator to search for '%s' in %s", m.toKey(k), m.toString(v))
	}
	key := m.toKey(k)
	return m.hasOwn(v, key) || objectPrototype[key] || methodOf(v, key) != nil || m.hasRefused(v, key)
}

func (m *machine) hasRefused(v value.Value, key string) bool {
	return refusedName(v, key) || (key == "name" && isError(v))
}

func isError(v value.Value) bool {
	_, ok := v.(*value.Error)
	return ok
}

// ownKeys lists the own enumerable keys of v, as Object.keys does.
func (m *machine) ownKeys(v value.Value) []string {
	switch v := force(v).(type) {
	case *value.Object:
		return v.Keys()
	case *value.Array:
		m.notMatch(v)
		keys := make([]string, 0, len(v.Elems))
		for i, e := range v.Elems {
			if e != nil {
				keys = append(keys, numberText(float64(i)))
			}
		}
		return keys
	case value.String:
		n := m.length(string(v))
		keys := make([]string, n)
		for i := range keys {
			keys[i] = numberText(float64(i))
		}
		return keys
	case *value.Error:
		if v.Props != nil {
			return v.Props.Keys()
		}
	case value.Undefined, value.Null:
		m.typeError("Cannot convert undefined or null to object")
	case *function:
		m.unsupported("the keys of a function")
	}
	return nil
}
