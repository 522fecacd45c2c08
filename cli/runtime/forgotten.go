package runtime

import (
	"strconv"
	"strings"
	"time"

	"github.com/casys-ai/pml/transport"
)

// clockSkew is by how much the clocks of this machine and the cloud may differ.
const clockSkew = 24 * time.Hour

// recallCloud finds out whether the cloud still knows what it did for a run that is taken up again. If it may not, nothing
// is sent together any more, and calls of which it is not known whether they were made are asked about.
func (r *runner) recallCloud() {
	b := r.book
	b.forgotten = r.session.now().Sub(b.journal.Created) > transport.CloudMemory-clockSkew
	if !b.forgotten {
		return
	}
	own := r.options.Concurrency // a run that is taken up again has one of its own, and is never sent as a whole
	r.options.Concurrency = 0
	whole := r.forwardable() // then it may have been when it began, of which nothing is written down
	r.options.Concurrency = own
	b.together = func(path string) bool { return whole || r.sentAlong(path) }
}

// sentAlong reports whether a call belongs to a part that an earlier attempt may have sent: another of its calls left.
func (r *runner) sentAlong(path string) bool {
	p := r.code.parts[lastID(path)]
	if p == nil {
		return false
	}
	frame := partFrame(path, p.Depth(r.code.nodes[lastID(path)]))
	for _, s := range r.book.journal.Steps {
		if s.Left >= 0 && strings.HasPrefix(s.Path, frame) && r.code.parts[lastID(s.Path)] == p {
			return true
		}
	}
	return false
}

// lastID is the id of the node that a path names; 0 for the call of a script.
func lastID(path string) int {
	id, _ := strconv.Atoi(path[strings.LastIndexByte(path, 'n')+1:])
	return id
}

// partFrame is what the paths of a part's calls begin with, one of which stands so many blocks deep in it.
func partFrame(path string, depth int) string {
	for range depth + 1 {
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
	if path == "" {
		return ""
	}
	return path + "."
}
