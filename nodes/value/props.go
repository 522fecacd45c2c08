package value

import (
	"iter"
	"slices"
	"sort"
	"strconv"
)

// props is the ordered property storage of an Object (ECMAScript §10.1.11.1 OrdinaryOwnPropertyKeys): integer keys
// ascending, then named keys by age. Small objects are searched linearly, large ones through a map.
type props struct {
	named  []entry
	gaps   int            // entries of named that Delete left behind: their val is nil
	lookup map[string]int // place in named; nil while named is short
	shared bool           // lookup belongs to several objects with the same keys: copy before changing it
	ints   intProps
}

// entry is one named property.
type entry struct {
	key string
	val Value
}

// linearMax is the number of named entries up to which a linear search beats a map.
const linearMax = 24

// find gives the place of a named key, or -1.
func (p *props) find(key string) int {
	if p.lookup != nil {
		if i, ok := p.lookup[key]; ok {
			return i
		}
		return -1
	}
	for i := range p.named {
		if p.named[i].key == key && p.named[i].val != nil {
			return i
		}
	}
	return -1
}

func (p *props) get(key string) (Value, bool) {
	if n, ok := arrayIndex(key); ok {
		return p.ints.get(n)
	}
	if i := p.find(key); i >= 0 {
		return p.named[i].val, true
	}
	return nil, false
}

func (p *props) set(key string, v Value) {
	if v == nil {
		v = Undefined{}
	}
	if n, ok := arrayIndex(key); ok {
		p.ints.set(n, v)
		return
	}
	if i := p.find(key); i >= 0 {
		p.named[i].val = v
		return
	}
	p.add(key, v)
}

// add appends a named key that is known to be new.
func (p *props) add(key string, v Value) {
	p.named = append(p.named, entry{key, v})
	if p.lookup != nil && !p.shared {
		p.lookup[key] = len(p.named) - 1
	} else if len(p.named) > linearMax {
		p.reindex()
	}
}

func (p *props) reindex() {
	p.lookup, p.shared = nil, false
	if len(p.named) <= linearMax {
		return
	}
	p.lookup = make(map[string]int, len(p.named)+len(p.named)/2)
	for i := range p.named {
		if p.named[i].val != nil {
			p.lookup[p.named[i].key] = i
		}
	}
}

func (p *props) delete(key string) bool {
	if n, ok := arrayIndex(key); ok {
		return p.ints.delete(n)
	}
	i := p.find(key)
	if i < 0 {
		return false
	}
	p.named[i] = entry{}
	p.gaps++
	if p.shared {
		p.reindex()
	}
	delete(p.lookup, key)
	if p.gaps > 8 && p.gaps > len(p.named)/2 {
		p.named = slices.DeleteFunc(p.named, func(e entry) bool { return e.val == nil })
		p.gaps = 0
		p.reindex()
	}
	return true
}

func (p *props) len() int { return len(p.named) - p.gaps + len(p.ints.entries) }

// NewObject makes an empty object with room for capacity properties.
func NewObject(capacity int) *Object {
	o := &Object{}
	if capacity > 0 {
		o.props.named = make([]entry, 0, capacity)
	}
	return o
}

// Get gives the own property key (§10.1.8); false if there is none. The value may be a *Lazy.
func (o *Object) Get(key string) (Value, bool) { return o.props.get(key) }

// Set creates or changes the own property key (§7.3.5 CreateDataProperty). A nil v is stored as Undefined.
func (o *Object) Set(key string, v Value) { o.props.set(key, v) }

// Delete removes the own property key (§10.1.10) and reports whether it was there.
func (o *Object) Delete(key string) bool { return o.props.delete(key) }

// Len is the number of own properties.
func (o *Object) Len() int { return o.props.len() }

// Keys lists the own property keys in the order of §10.1.11.1.
func (o *Object) Keys() []string {
	keys := make([]string, 0, o.Len())
	for k := range o.All() {
		keys = append(keys, k)
	}
	return keys
}

// All walks the own properties in the order of §10.1.11.1. The object must not change meanwhile.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, e := range o.props.ints.ordered() {
			if !yield(strconv.FormatUint(uint64(e.key), 10), e.val) {
				return
			}
		}
		for i := range o.props.named {
			if e := &o.props.named[i]; e.val != nil && !yield(e.key, e.val) {
				return
			}
		}
	}
}

// Clone is a shallow copy, free to be changed.
func (o *Object) Clone() *Object {
	c := &Object{}
	c.props.named = make([]entry, 0, len(o.props.named)-o.props.gaps)
	for _, e := range o.props.named {
		if e.val != nil {
			c.props.named = append(c.props.named, e)
		}
	}
	c.props.reindex()
	c.props.ints.entries = slices.Clone(o.props.ints.ordered())
	return c
}

// arrayIndex reads key as an array index (§6.1.7): the canonical decimal form of an integer in 0..2^32-2.
func arrayIndex(key string) (uint32, bool) {
	if len(key) == 0 || len(key) > 10 || key[0] < '0' || key[0] > '9' || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	n := uint64(0)
	for i := 0; i < len(key); i++ {
		if key[i] < '0' || key[i] > '9' {
			return 0, false
		}
		n = n*10 + uint64(key[i]-'0')
	}
	return uint32(n), n < 1<<32-1
}

// intProps holds the properties with integer keys: sorted as long as that is cheap, else in any order with a map.
type intProps struct {
	entries []intEntry
	lookup  map[uint32]int // nil while entries is sorted
}

// intEntry is one property with an integer key.
type intEntry struct {
	key uint32
	val Value
}

// insertMax is the number of sorted entries into which a key out of order is still inserted by moving the rest.
const insertMax = 512

func (p *intProps) search(n uint32) (int, bool) {
	if p.lookup != nil {
		i, ok := p.lookup[n]
		return i, ok
	}
	last := len(p.entries) - 1
	if last < 0 || p.entries[last].key < n {
		return last + 1, false
	}
	i := sort.Search(len(p.entries), func(i int) bool { return p.entries[i].key >= n })
	return i, p.entries[i].key == n
}

func (p *intProps) get(n uint32) (Value, bool) {
	if i, ok := p.search(n); ok {
		return p.entries[i].val, true
	}
	return nil, false
}

func (p *intProps) set(n uint32, v Value) {
	i, found := p.search(n)
	switch {
	case found:
		p.entries[i].val = v
	case p.lookup != nil:
		p.lookup[n] = len(p.entries)
		p.entries = append(p.entries, intEntry{n, v})
	case i == len(p.entries) || len(p.entries) < insertMax:
		p.entries = slices.Insert(p.entries, i, intEntry{n, v})
	default:
		p.lookup = make(map[uint32]int, 2*len(p.entries))
		p.entries = append(p.entries, intEntry{n, v})
		for i := range p.entries {
			p.lookup[p.entries[i].key] = i
		}
	}
}

func (p *intProps) delete(n uint32) bool {
	i, ok := p.search(n)
	if !ok {
		return false
	}
	if p.lookup == nil {
		p.entries = slices.Delete(p.entries, i, i+1)
		return true
	}
	last := len(p.entries) - 1
	p.entries[i] = p.entries[last]
	p.lookup[p.entries[i].key] = i
	delete(p.lookup, n)
	p.entries = slices.Delete(p.entries, last, last+1)
	return true
}

// ordered gives the entries by ascending key, without changing p: Values are shared between goroutines.
func (p *intProps) ordered() []intEntry {
	if p.lookup == nil {
		return p.entries
	}
	sorted := slices.Clone(p.entries)
	slices.SortFunc(sorted, func(a, b intEntry) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	return sorted
}
