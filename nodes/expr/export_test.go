package expr

import "github.com/casys-ai/pml/nodes"

// LimitSteps sets how many steps a Run may take, and returns what sets it back.
func LimitSteps(n int) (restore func()) {
	was := maxSteps
	maxSteps = n
	return func() { maxSteps = was }
}

// Harmless reports that a piece is not analysed.
func Harmless(c *nodes.Code) bool { return allOf(c.Body, harmlessStmt) && harmless(c.Result) }

// Found is what the analysis says against a piece: what it changes, and what it gives that is no data.
func Found(c *nodes.Code) (changes int, internal []string) {
	a := &aliases{}
	a.analyse(c)
	for _, o := range a.objs {
		if o.mutated || o.frozen {
			changes++
		}
	}
	a.each(a.reach(a.result), func(o *abstract) {
		if o.internal != "" {
			internal = append(internal, o.internal)
		}
	})
	if a.untraced != nil {
		changes++
	}
	return changes, internal
}
