package engine

// rest is what a driver knows of calls that wait, for a person or for their turn to be told again, and of the scripts
// that wait for such calls.
type rest struct {
	suspended []*task
	scripts   map[*task]*scriptRest
}

// scriptRest counts the calls of one script as the loop sees them, and as the script itself said when it last had
// nothing to do. When both agree the script is waiting for exactly the calls that have no outcome.
type scriptRest struct {
	made, told, waiting int
	saysMade, saysTold  int
}

func (r *rest) of(script *task) *scriptRest {
	if r.scripts == nil {
		r.scripts = map[*task]*scriptRest{}
	}
	s := r.scripts[script]
	if s == nil {
		s = &scriptRest{}
		r.scripts[script] = s
	}
	return s
}

// made notes a nested call.
func (r *rest) made(t *task) { r.of(t.script).made++ }

// waits notes that t cannot go on before something else has happened.
func (r *rest) waits(t *task) {
	if t.script != nil {
		t.waits = true
		r.of(t.script).waiting++
	}
}

// told notes that the script is about to learn the outcome of t.
func (r *rest) told(t *task) {
	s := r.of(t.script)
	s.told++
	if t.waits {
		s.waiting--
	}
}

// resting notes what a script says.
func (r *rest) resting(e event) {
	s := r.of(e.t)
	s.saysMade, s.saysTold = e.made, e.told
}

// still reports whether the script can do nothing before one of its waiting calls has an outcome.
func (s *scriptRest) still() bool {
	return s.waiting > 0 && s.made == s.told+s.waiting && s.made == s.saysMade && s.told == s.saysTold
}

// blocked reports whether nothing can move any more by itself.
func (d *driver) blocked() bool {
	still := 0
	for t, s := range d.rest.scripts {
		if t.state == taskStarted && s.still() {
			still++
		}
	}
	return still == d.flying
}

// standstill says why nothing can move.
func (d *driver) standstill() *Failure {
	switch {
	case d.memory.replaying():
		return diverged()
	case d.core.asking > 0:
		return parked(d.rest.open())
	}
	return d.core.stuck()
}

// open lists the calls that wait for a person, in the order in which they began to.
func (r *rest) open() (list []string) {
	for _, t := range r.suspended {
		if t.state == taskSuspended && (t.script == nil || t.script.state == taskStarted) {
			list = append(list, t.path)
		}
	}
	return list
}
