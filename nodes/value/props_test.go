package value

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func object(keys ...string) *Object {
	o := NewObject(0)
	for i, k := range keys {
		o.Set(k, Number(i))
	}
	return o
}

func TestKeyOrder(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"b a c", "b a c"},
		{"b 2 a 1 10", "1 2 10 b a"},
		{"01 1 -1 1.5", "1 01 -1 1.5"},
		{"4294967295 4294967294 x 0", "0 4294967294 4294967295 x"},
		{"a b a", "a b"},
	} {
		is.New(t).Equal(strings.Join(object(strings.Fields(c.set)...).Keys(), " "), c.want)
	}
}

func TestDelete(t *testing.T) {
	is := is.New(t)
	o := object("a", "b", "1", "c")
	is.True(o.Delete("b"))
	is.True(!o.Delete("b"))
	is.True(o.Delete("1"))
	o.Set("b", Null{})
	is.Equal(o.Keys(), []string{"a", "c", "b"})
	is.Equal(o.Len(), 3)
}

func TestCloneIsApart(t *testing.T) {
	is := is.New(t)
	o := object("a", "1")
	c := o.Clone()
	c.Set("b", Null{})
	c.Delete("a")
	is.Equal(o.Keys(), []string{"1", "a"})
	is.Equal(c.Keys(), []string{"1", "b"})
}

// TestPropsAgainstModel runs random changes on an Object and on a plain list, small and large.
func TestPropsAgainstModel(t *testing.T) {
	for _, space := range []int{5, 40, 3000} {
		r := rand.New(rand.NewPCG(1, uint64(space)))
		o, model, order := NewObject(0), map[string]Value{}, []string{}
		for step := range 4 * space {
			key := fmt.Sprint(r.IntN(space))
			if r.IntN(2) == 0 {
				key = "k" + key
			}
			if r.IntN(4) == 0 {
				_, had := model[key]
				if o.Delete(key) != had {
					t.Fatalf("Delete(%q) is not %v", key, had)
				}
				delete(model, key)
				order = without(order, key)
				continue
			}
			if _, had := model[key]; !had {
				order = append(order, key)
			}
			model[key] = Number(step)
			o.Set(key, Number(step))
			if r.IntN(200) == 0 {
				o = o.Clone()
			}
		}
		checkModel(t, o, model, order)
	}
}

func without(order []string, key string) []string {
	for i, k := range order {
		if k == key {
			return append(order[:i], order[i+1:]...)
		}
	}
	return order
}

func checkModel(t *testing.T, o *Object, model map[string]Value, order []string) {
	t.Helper()
	is := is.New(t)
	is.Equal(o.Len(), len(model))
	named := []string{}
	for _, k := range order {
		if _, isInt := arrayIndex(k); !isInt {
			named = append(named, k)
		}
	}
	last, rest := int64(-1), []string{}
	for k, v := range o.All() {
		is.Equal(v, model[k])
		got, ok := o.Get(k)
		is.True(ok)
		is.Equal(got, v)
		if n, isInt := arrayIndex(k); isInt {
			is.True(int64(n) > last && len(rest) == 0)
			last = int64(n)
		} else {
			rest = append(rest, k)
		}
	}
	is.Equal(rest, named)
}

// TestSharedLookup: objects parsed with the same many keys share an index, until one of them changes.
func TestSharedLookup(t *testing.T) {
	is := is.New(t)
	var members []string
	for i := range 40 {
		members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	text := "{" + strings.Join(members, ",") + "}"
	v, err := ParseJSON("[" + text + "," + text + "]")
	is.NoErr(err)
	a, b := v.(*Array).At(0).(*Object), v.(*Array).At(1).(*Object)
	a.Set("new", Null{})
	b.Delete("k0")
	b.Set("other", Null{})
	_, ok := b.Get("new")
	is.True(!ok)
	_, ok = a.Get("k0")
	is.True(ok)
	got, _ := a.Get("new")
	is.Equal(got, Null{})
	got, _ = b.Get("other")
	is.Equal(got, Null{})
	_, ok = b.Get("k0")
	is.True(!ok)
}
