package value

import "fmt"

// NewError makes an Error object with neither cause nor own enumerable properties.
func NewError(name, message string) *Error { return &Error{Name: name, Message: message} }

// String is Error.prototype.toString (§20.5.3.4). An own property that cannot be made a string reads as empty.
func (e *Error) String() string {
	s, err := errorToString(e)
	if err != nil {
		return joinNameMessage(e.Name, e.Message)
	}
	return s
}

// errorToString is Error.prototype.toString, where an own property name or message shadows the inherited one.
func errorToString(e *Error) (string, error) {
	name, err := e.shadowed("name", e.Name, "Error")
	if err != nil {
		return "", err
	}
	message, err := e.shadowed("message", e.Message, "")
	if err != nil {
		return "", err
	}
	return joinNameMessage(name, message), nil
}

// shadowed gives the own enumerable property key as a string, or inherited if there is none.
func (e *Error) shadowed(key, inherited, ifUndefined string) (string, error) {
	if e.Props == nil {
		return inherited, nil
	}
	v, ok := e.Props.Get(key)
	if !ok {
		return inherited, nil
	}
	if Force(v).Kind() == KindUndefined {
		return ifUndefined, nil
	}
	return ToString(v)
}

func joinNameMessage(name, message string) string {
	switch {
	case name == "":
		return message
	case message == "":
		return name
	}
	return Concat(name, ": ", message)
}

// Throw is a JavaScript exception on its way: what a throw statement throws.
type Throw struct {
	Value Value
}

// Throwf makes a Throw of an *Error with this name and formatted message.
func Throwf(name, format string, a ...any) *Throw {
	if len(a) > 0 {
		format = fmt.Sprintf(format, a...)
	}
	return &Throw{Value: NewError(name, format)}
}

// Error implements error: "Name: message" for an Error object, else the thrown value as a string.
func (t *Throw) Error() string {
	switch v := Force(t.Value).(type) {
	case *Error:
		return v.String()
	case *Object:
		return Inspect(v)
	default:
		s, err := ToString(v)
		if err != nil {
			return Inspect(v)
		}
		return s
	}
}

func rangeError(message string) error  { return &Throw{Value: NewError("RangeError", message)} }
func typeError(message string) error   { return &Throw{Value: NewError("TypeError", message)} }
func syntaxError(message string) error { return &Throw{Value: NewError("SyntaxError", message)} }

// errStackOverflow is what V8 throws when a recursion over a value goes too deep.
func errStackOverflow() error { return rangeError("Maximum call stack size exceeded") }

// maxStringLength is V8's limit on a string's length, in UTF-16 code units.
const maxStringLength = 1<<29 - 24

func errStringLength() error { return rangeError("Invalid string length") }
