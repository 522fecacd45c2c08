package value

// maxDepth is how deep arrays and objects may nest in a JSON text. V8 has no limit of its own in parsing; this one
// keeps recursion far from the end of Go's stack.
const maxDepth = 100_000

// ParseJSON is JSON.parse with one argument (§25.5.1). The error is a *Throw: a SyntaxError worded as V8 words it, or a
// RangeError for a text nested deeper than maxDepth. Strings in the result share text's memory.
func ParseJSON(text string) (Value, error) {
	p := parser{text: text}
	v := p.value()
	if v != nil {
		if p.space(); p.at < len(text) {
			v = p.fail("Unexpected non-whitespace character after JSON")
		}
	}
	if v == nil {
		return nil, p.err
	}
	return v, nil
}

// parser reads one JSON text. Its methods give nil, or false, once err is set.
type parser struct {
	text    string
	at      int
	depth   int
	err     error
	elems   []Value // elements of the arrays being read
	entries []entry // members of the objects being read
	shape   *props  // the object read last: most have the same keys as their neighbour
	buf     []byte
}

// space skips whitespace and reports the byte it stopped at, 0 at the end.
func (p *parser) space() byte {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\n', '\t', '\r':
			p.at++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value() Value {
	switch c := p.space(); c {
	case '"':
		s, ok := p.str()
		if !ok {
			return nil
		}
		return String(s)
	case '{':
		return p.object()
	case '[':
		return p.array()
	case 't':
		return p.literal("true", Bool(true))
	case 'f':
		return p.literal("false", Bool(false))
	case 'n':
		return p.literal("null", Null{})
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number()
	}
	return p.unexpected()
}

func (p *parser) literal(word string, v Value) Value {
	if len(p.text)-p.at >= len(word) && p.text[p.at:p.at+len(word)] == word {
		p.at += len(word)
		return v
	}
	for i := 0; p.at < len(p.text) && p.text[p.at] == word[i]; i++ {
		p.at++
	}
	return p.unexpected()
}

func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.err = errStackOverflow()
		return false
	}
	p.at++
	return true
}

func (p *parser) array() Value {
	if !p.enter() {
		return nil
	}
	base := len(p.elems)
	if p.space() == ']' {
		p.at++
		p.depth--
		return &Array{}
	}
	for {
		v := p.value()
		if v == nil {
			return nil
		}
		p.elems = append(p.elems, v)
		switch p.space() {
		case ',':
			p.at++
			continue
		case ']':
			p.at++
			p.depth--
			elems := make([]Value, len(p.elems)-base)
			copy(elems, p.elems[base:])
			clear(p.elems[base:])
			p.elems = p.elems[:base]
			return &Array{Elems: elems}
		}
		return p.fail("Expected ',' or ']' after array element")
	}
}

func (p *parser) object() Value {
	if !p.enter() {
		return nil
	}
	base := len(p.entries)
	if p.space() == '}' {
		p.at++
		p.depth--
		return &Object{}
	}
	for complaint := "Expected property name or '}'"; ; complaint = "Expected double-quoted property name" {
		if p.space() != '"' {
			return p.fail(complaint)
		}
		key, ok := p.str()
		if !ok {
			return nil
		}
		if p.space() != ':' {
			if len(p.entries) > base { // V8 is explicit about the first property only
				return p.unexpected()
			}
			return p.fail("Expected ':' after property name")
		}
		p.at++
		v := p.value()
		if v == nil {
			return nil
		}
		p.entries = append(p.entries, entry{key, v})
		switch p.space() {
		case ',':
			p.at++
			continue
		case '}':
			p.at++
			p.depth--
			o := &Object{}
			p.build(&o.props, p.entries[base:])
			clear(p.entries[base:])
			p.entries = p.entries[:base]
			return o
		}
		return p.fail("Expected ',' or '}' after property value")
	}
}

// build fills to with members, which it copies. The last of several members with one key wins, at the first's place.
func (p *parser) build(to *props, members []entry) {
	same := p.shape != nil && sameKeys(p.shape.named, members)
	if !same && !distinct(members) {
		to.setAll(members)
		return
	}
	to.named = make([]entry, len(members))
	copy(to.named, members)
	if same {
		to.lookup, to.shared = p.shape.lookup, p.shape.lookup != nil
		p.shape.shared = to.shared
	} else if to.reindex(); to.lookup != nil && len(to.lookup) < len(members) {
		*to = props{}
		to.setAll(members)
		return
	}
	p.shape = to
}

func (p *props) setAll(members []entry) {
	p.named = make([]entry, 0, len(members))
	for _, m := range members {
		p.set(m.key, m.val)
	}
}

// sameKeys reports whether members have the keys of known, in the same order.
func sameKeys(known, members []entry) bool {
	if len(known) != len(members) {
		return false
	}
	for i := range known {
		if known[i].key != members[i].key {
			return false
		}
	}
	return true
}

// distinct reports whether no key is an integer and, where they are few, no two keys are the same.
func distinct(members []entry) bool {
	for i := range members {
		key := members[i].key
		if len(key) > 0 && key[0] <= '9' {
			if _, isInt := arrayIndex(key); isInt {
				return false
			}
		}
		if len(members) <= linearMax {
			for j := range i {
				if members[j].key == key {
					return false
				}
			}
		}
	}
	return true
}
