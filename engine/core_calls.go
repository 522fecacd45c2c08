package engine

import (
	"container/heap"
)

// line holds the calls that wait for a place among the running ones. Reads that the program awaits where they stand may
// overtake: of them the one with the longest path behind it goes first, and of those with paths of one length the one
// that came first. All other calls keep their order among themselves; they go before reads with shorter paths, and
// before those that came later with paths of the same length.
type line struct {
	fresh  []*task // those that have come since places were last given out
	lanes  lanes   // reads by the length of their paths
	byRank map[int32]*lane
	others lane
	came   int32 // calls that ever came
}

// lane is a queue of calls.
type lane struct {
	rank  int32
	calls []*task
	head  int
}

func (l *lane) first() *task {
	if l.head == len(l.calls) {
		return nil
	}
	return l.calls[l.head]
}

func (l *lane) take() *task {
	t := l.calls[l.head]
	l.calls[l.head] = nil
	if l.head++; l.head == len(l.calls) {
		l.calls, l.head = l.calls[:0], 0
	}
	return t
}

// admit starts as many calls as there are places for. While there is room for all they start as they came.
func (c *core) admit() {
	l := &c.line
	for k, t := range l.fresh {
		if l.empty() && c.inFlight+len(l.fresh)-k <= c.limit {
			c.launchQueued(t)
		} else {
			l.join(t)
		}
		l.fresh[k] = nil
	}
	l.fresh = l.fresh[:0]
	for c.inFlight < c.limit && !l.empty() {
		c.launchQueued(l.next())
	}
}

func (c *core) launchQueued(t *task) {
	if t.state == taskQueued {
		c.launch(t)
	}
}

func (l *line) empty() bool { return len(l.lanes) == 0 && l.others.first() == nil }

// join puts t at its place.
func (l *line) join(t *task) {
	t.came = l.came
	l.came++
	if !t.mayOvertake() {
		l.others.calls = append(l.others.calls, t)
		return
	}
	lane := l.byRank[t.rank()]
	if lane == nil {
		lane = l.open(t.rank())
	}
	lane.calls = append(lane.calls, t)
}

func (l *line) open(rank int32) *lane {
	if l.byRank == nil {
		l.byRank = map[int32]*lane{}
	}
	n := &lane{rank: rank}
	l.byRank[rank] = n
	heap.Push(&l.lanes, n)
	return n
}

// next takes the call whose turn it is; there must be one.
func (l *line) next() *task {
	other := l.others.first()
	if len(l.lanes) == 0 || other != nil && other.before(l.lanes[0].first()) {
		return l.others.take()
	}
	longest := l.lanes[0]
	t := longest.take()
	if longest.first() == nil {
		heap.Pop(&l.lanes)
		delete(l.byRank, longest.rank)
	}
	return t
}

// mayOvertake says that nobody can tell when t is sent.
func (t *task) mayOvertake() bool {
	if t.script != nil || t.f.b.under || t.info.flags&isAsync != 0 {
		return false
	}
	return t.info.flags&hasWrites == 0
}

func (t *task) rank() int32 { return t.f.b.ranks[t.i] }

// before says that t goes first.
func (t *task) before(u *task) bool {
	return t.rank() > u.rank() || t.rank() == u.rank() && t.came < u.came
}

// lanes is a heap, the longest paths first.
type lanes []*lane

func (l lanes) Len() int           { return len(l) }
func (l lanes) Less(i, j int) bool { return l[i].rank > l[j].rank }
func (l lanes) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// Push implements heap.Interface.
func (l *lanes) Push(x any) { *l = append(*l, x.(*lane)) }

// Pop implements heap.Interface.
func (l *lanes) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	return x
}
