package script

import (
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// nativeCircular gives an exception of JSON.stringify the text that V8 gives it: the way round the circle.
func (r *realm) nativeCircular(c goja.FunctionCall) goja.Value {
	e, ok := c.Argument(0).(*goja.Object)
	if !ok || e.ClassName() != "Error" || textProp(e, "message", "") != "Converting circular structure to JSON" {
		return c.Argument(0)
	}
	w := &circle{seen: map[*goja.Object]bool{}}
	if start, ok := c.Argument(1).(*goja.Object); ok && errors.Is(w.walk(start, ""), errCircle) {
		_ = e.Set("message", r.rt.ToValue(w.text()))
	}
	return e
}

var errCircle = errors.New("circle")

// circle looks for a way from an object back to itself.
type circle struct {
	above []*goja.Object
	keys  []string
	last  string
	start int
	seen  map[*goja.Object]bool
}

func (w *circle) walk(obj *goja.Object, key string) error {
	if i := slices.Index(w.above, obj); i >= 0 {
		w.start, w.last = i, key
		return errCircle
	}
	if w.seen[obj] || len(w.above) > maxDepth {
		return nil
	}
	w.above, w.keys = append(w.above, obj), append(w.keys, key)
	isArray := obj.ClassName() == "Array"
	for _, k := range obj.Keys() {
		name := "property '" + k + "'"
		if isArray {
			name = "index " + k
		}
		if inner, ok := obj.Get(k).(*goja.Object); ok && inner.ClassName() != "Function" {
			if err := w.walk(inner, name); err != nil {
				return err
			}
		}
	}
	w.above, w.keys = w.above[:len(w.above)-1], w.keys[:len(w.keys)-1]
	w.seen[obj] = true
	return nil
}

func (w *circle) text() string {
	var b strings.Builder
	b.WriteString("Converting circular structure to JSON\n    --> starting at object with constructor ")
	b.WriteString(constructorOf(w.above[w.start]))
	n := len(w.above)
	for i := w.start + 1; i < n; i++ {
		switch {
		case i <= w.start+2 || i == n-1:
			b.WriteString("\n    |     " + w.keys[i] + " -> object with constructor " + constructorOf(w.above[i]))
		case i == w.start+3:
			b.WriteString("\n    |     ...")
		}
	}
	b.WriteString("\n    --- " + w.last + " closes the circle")
	return b.String()
}

func constructorOf(obj *goja.Object) string {
	if c, ok := obj.Get("constructor").(*goja.Object); ok {
		return "'" + textProp(c, "name", "Object") + "'"
	}
	return "'Object'"
}
