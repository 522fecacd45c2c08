package script

import (
	"slices"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

// maker makes a Map, Set or Date of its parts.
type maker = func(value.Parts) value.Value

// carried is a Map, Set or Date in the child, between the frame and the realm.
type carried struct{ parts value.Parts }

func carry(p value.Parts) value.Value { return &carried{p} }

// Kind implements value.Value.
func (*carried) Kind() value.Kind { return value.KindObject }

// Parts implements value.Rich.
func (c *carried) Parts() value.Parts { return c.parts }

func (w *wire) parts(p value.Parts, depth int) error {
	w.richHead(p.Class)
	if p.Class == "Date" {
		w.number(p.Time)
	} else if err := w.array(p.Held, depth); err != nil {
		return err
	}
	w.text("}")
	return nil
}

func (w *wire) richHead(class string) {
	w.tagged = true
	w.text(`{"$":"` + class + `","v":`)
}

// made reads what parts wrote; nil if it may not be there.
func (u *untagger) made(o *value.Object) value.Value {
	p := value.Parts{Class: textOf(o, "$")}
	inner, _ := o.Get("v")
	switch v := u.untag(inner).(type) {
	case value.Number:
		p.Time = float64(v)
		if p.Class != "Date" {
			return nil
		}
	case *value.Array:
		p.Held = v.Elems
		if p.Class == "Date" || p.Class == "Map" && v.Len()%2 != 0 || slices.Contains(v.Elems, nil) {
			return nil
		}
	default:
		return nil
	}
	if u.rich == nil {
		return nil
	}
	return u.rich(p)
}

// richClass is one of the classes Map, Set and Date, with those of its methods that fill an object and look into it.
type richClass struct {
	class     *goja.Object
	put, look goja.Callable
}

func (r *realm) rememberRich() {
	r.rich, r.richProtos = map[string]richClass{}, map[*goja.Object]string{}
	for _, way := range [][3]string{{"Map", "set", "forEach"}, {"Set", "add", "forEach"}, {"Date", "setTime", "getTime"}} {
		class := r.rt.Get(way[0]).(*goja.Object)
		proto := class.Get("prototype").(*goja.Object)
		put, _ := goja.AssertFunction(proto.Get(way[1]))
		look, _ := goja.AssertFunction(proto.Get(way[2]))
		r.rich[way[0]] = richClass{class, put, look}
		r.richProtos[proto] = way[0]
	}
}

// richOf names the class of obj if it is a Map, Set or Date and nothing more, and may leave as such.
func (o *outgoing) richOf(obj *goja.Object) string {
	if !o.rich {
		return ""
	}
	class := o.r.richProtos[obj.Prototype()]
	if class == "" || len(obj.Keys()) > 0 || len(obj.Symbols()) > 0 {
		return ""
	}
	return class
}

func (r *realm) richToJS(p value.Parts) goja.Value {
	c := r.rich[p.Class]
	obj, err := r.rt.New(c.class)
	if err != nil {
		return goja.Undefined()
	}
	if p.Class == "Date" {
		_, _ = c.put(obj, r.rt.ToValue(p.Time))
		return obj
	}
	step := 2
	if p.Class == "Set" {
		step = 1
	}
	for i := 0; i+step <= len(p.Held); i += step {
		args := make([]goja.Value, step)
		for k := range args {
			args[k] = r.toJS(p.Held[i+k])
		}
		_, _ = c.put(obj, args...)
	}
	return obj
}

// held lists what a Map or Set holds, as value.Parts does.
func (r *realm) held(class string, obj *goja.Object) (list []goja.Value, err error) {
	_, err = r.rich[class].look(obj, r.rt.ToValue(func(f goja.FunctionCall) goja.Value {
		if class == "Map" {
			list = append(list, f.Argument(1))
		}
		list = append(list, f.Argument(0))
		return goja.Undefined()
	}))
	return list, err
}

// richObject writes a Map, Set or Date and reports whether it is as it came in; was is nil for others.
func (o *outgoing) richObject(class string, obj *goja.Object, was value.Rich) (unchanged bool, err error) {
	var old value.Parts
	if was != nil {
		old = was.Parts()
	}
	o.richHead(class)
	if class == "Date" {
		t, err := o.r.rich["Date"].look(obj)
		if err != nil {
			return false, o.fail("a false " + class)
		}
		o.number(t.ToFloat())
		o.text("}")
		return was != nil && sameNumber(t.ToFloat(), value.Number(old.Time)), nil
	}
	list, err := o.r.held(class, obj)
	if err != nil {
		return false, o.fail("a false " + class)
	}
	unchanged = was != nil && len(list) == len(old.Held)
	o.text("[")
	for i, e := range list {
		if i > 0 {
			o.text(",")
		}
		if err := o.under("", i, e); err != nil {
			return false, err
		}
		unchanged = unchanged && o.is(e, old.Held[i])
	}
	o.text("]}")
	return unchanged, nil
}
