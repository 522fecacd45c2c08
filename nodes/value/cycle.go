package value

import "strconv"

// cycleError is the TypeError for a v that contains itself; nil if it does not.
func cycleError(v Value) error {
	c := cycle{seen: map[Value]int{}}
	if c.search("", v) {
		return typeError(c.message())
	}
	return nil
}

// cycle is a depth-first search for the way on which a value contains itself.
type cycle struct {
	steps []cycleStep
	seen  map[Value]int // 1 + the step where a node is, or searched
	to    int           // the step that the last one leads back to
	by    string        // the property or index that does it
}

// searched marks a node from which no way leads back.
const searched = -1

// cycleStep is an array or object on the way, and how the way came to it.
type cycleStep struct {
	by   string
	node Value
}

// search looks for the cycle in v. A Lazy has none, so it is not forced.
func (c *cycle) search(by string, v Value) bool {
	if v == nil || !isObject(v.Kind()) || len(c.steps) > 2*maxDepth {
		return false
	}
	if at := c.seen[v]; at != 0 {
		c.to, c.by = at-1, by
		return at != searched
	}
	c.steps = append(c.steps, cycleStep{by, v})
	c.seen[v] = len(c.steps)
	if c.within(v) {
		return true
	}
	c.steps = c.steps[:len(c.steps)-1]
	c.seen[v] = searched
	return false
}

func (c *cycle) within(v Value) bool {
	var o *Object
	switch v := v.(type) {
	case *Array:
		for i, elem := range v.Elems {
			if c.search("index "+strconv.Itoa(i), elem) {
				return true
			}
		}
		return false
	case *Object:
		o = v
	case *Error:
		o = v.Props
	}
	if o == nil {
		return false
	}
	for key, member := range o.All() {
		if c.search("property '"+key+"'", member) {
			return true
		}
	}
	return false
}

// message is V8's, which shows the first two steps and the last.
func (c *cycle) message() string {
	way := c.steps[c.to:]
	text := "Converting circular structure to JSON\n    --> starting at object with constructor " +
		constructorName(way[0].node)
	for i, s := range way[1:] {
		switch last := len(way) - 2; {
		case i == 0 || i == last:
			text += "\n    |     " + s.by + " -> object with constructor " + constructorName(s.node)
		case i == 1:
			text += "\n    |     ..."
		}
	}
	return text + "\n    --- " + c.by + " closes the circle"
}

func constructorName(v Value) string {
	switch v := v.(type) {
	case *Array:
		return "'Array'"
	case *Error:
		return "'" + v.Name + "'"
	}
	return "'Object'"
}
