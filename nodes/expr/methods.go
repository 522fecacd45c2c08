package expr

import "github.com/casys-ai/pml/nodes/value"

// The methods of the library by kind of receiver, made once.
var (
	arrayMethods    = methodTable(arrayNatives)
	stringMethods   = methodTable(stringNatives)
	numberMethods   = methodTable(numberNatives)
	booleanMethods  = methodTable(map[string]func(*machine, value.Bool, []value.Value) value.Value{})
	functionMethods = methodTable(functionNatives)
	mapMethods      = methodTable(mapNatives)
	setMethods      = methodTable(setNatives)
	dateMethods     = methodTable(dateNatives)
	regExpMethods   = methodTable(regExpNatives)
	iteratorMethods = methodTable(iteratorNatives)
	objectMethods   = anyMethods(objectNatives)
)

// methodTable wraps natives of one kind of receiver.
func methodTable[T value.Value](natives map[string]func(*machine, T, []value.Value) value.Value) map[string]*function {
	table := make(map[string]*function, len(natives))
	for name, f := range natives {
		table[name] = &function{name: name, native: func(m *machine, this value.Value, args []value.Value) value.Value {
			v, ok := this.(T)
			if !ok {
				m.unsupported("%s called on another kind of value", name)
			}
			return f(m, v, args)
		}}
		table[name].inert = inertMethod(name)
	}
	return table
}

func inertMethod(name string) *function {
	return &function{name: name, native: func(m *machine, _ value.Value, _ []value.Value) value.Value {
		m.unsupported("a call of %s that does not name it", name)
		return nil
	}}
}

func anyMethods(natives map[string]native) map[string]*function {
	table := make(map[string]*function, len(natives))
	for name, f := range natives {
		table[name] = &function{name: name, native: func(m *machine, this value.Value, args []value.Value) value.Value {
			if isNullish(this) {
				m.typeError("Cannot convert undefined or null to object")
			}
			return f(m, this, args)
		}}
		table[name].inert = inertMethod(name)
	}
	return table
}

// tableOf gives the methods of v's own prototype.
func tableOf(v value.Value) map[string]*function {
	switch v := v.(type) {
	case *value.Array:
		return arrayMethods
	case value.String:
		return stringMethods
	case value.Number:
		return numberMethods
	case value.Bool:
		return booleanMethods
	case *function:
		return functionMethods
	case *collection:
		if v.set {
			return setMethods
		}
		return mapMethods
	case *date:
		return dateMethods
	case *regExp:
		return regExpMethods
	case *iterator:
		return iteratorMethods
	}
	return nil
}

// methodOf finds the method that v inherits under key; nil if there is none.
func methodOf(v value.Value, key string) *function {
	if f := tableOf(v)[key]; f != nil {
		return f
	}
	switch v.(type) {
	case value.Undefined, value.Null, nil:
		return nil
	}
	return objectMethods[key]
}

// named is one method name, looked up for every kind of receiver when the piece is compiled.
type named struct {
	name                                               string
	array, str, num, fn, mp, set, date, re, it, object *function
}

func methodsNamed(name string) *named {
	return &named{name, arrayMethods[name], stringMethods[name], numberMethods[name], functionMethods[name],
		mapMethods[name], setMethods[name], dateMethods[name], regExpMethods[name], iteratorMethods[name],
		objectMethods[name]}
}

// of gives the method that a call on v means; nil if it must be looked up the long way.
func (n *named) of(v value.Value) *function {
	f := n.object
	switch v := v.(type) {
	case *value.Array:
		f = either(n.array, f)
	case value.String:
		f = either(n.str, f)
	case value.Number:
		f = either(n.num, f)
	case value.Bool:
	case *collection:
		if v.set {
			f = either(n.set, f)
		} else {
			f = either(n.mp, f)
		}
	case *date:
		f = either(n.date, f)
	case *regExp:
		f = either(n.re, f)
	case *iterator:
		f = either(n.it, f)
	default:
		return nil
	}
	return f
}

func either(a, b *function) *function {
	if a != nil {
		return a
	}
	return b
}

// What Node 20 has and this package does not evaluate, by kind of receiver.
var (
	refusedString = setOf("localeCompare", "toLocaleLowerCase", "toLocaleUpperCase", "toLocaleString", "anchor", "big",
		"blink", "bold", "fixed", "fontcolor", "fontsize", "italics", "link", "small", "strike", "sub", "sup")
	refusedDate = setOf("getDate", "getDay", "getFullYear", "getHours", "getMilliseconds", "getMinutes", "getMonth",
		"getSeconds", "getTimezoneOffset", "getYear", "setDate", "setFullYear", "setHours", "setMilliseconds",
		"setMinutes", "setMonth", "setSeconds", "setTime", "setUTCDate", "setUTCFullYear", "setUTCHours",
		"setUTCMilliseconds", "setUTCMinutes", "setUTCMonth", "setUTCSeconds", "setYear", "toDateString",
		"toGMTString", "toLocaleDateString", "toLocaleString", "toLocaleTimeString", "toString", "toTimeString")
	refusedCall = union(refusedString, refusedDate, setOf("isPrototypeOf", "toLocaleString", "__defineGetter__",
		"__defineSetter__", "__lookupGetter__", "__lookupSetter__", "compile", "bind"), "toString")
)

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

func union(a, b, c map[string]bool, but ...string) map[string]bool {
	out := map[string]bool{}
	for _, s := range []map[string]bool{a, b, c} {
		for k := range s {
			out[k] = true
		}
	}
	for _, k := range but {
		delete(out, k)
	}
	return out
}

// refusedName reports whether Node's prototypes of v have a property that this package does not know.
func refusedName(v value.Value, key string) bool {
	switch v.(type) {
	case value.String:
		return refusedString[key]
	case *date:
		return refusedDate[key]
	case *function:
		return true
	case *regExp:
		return key == "compile"
	case *iterator, *collection, *value.Array, value.Number:
		return key == "toLocaleString"
	}
	return false
}
