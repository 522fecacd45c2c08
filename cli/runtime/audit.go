package runtime

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
)

// auditFile holds one JSON line for each decision about a call; when it is larger than auditSize it becomes auditOld.
const (
	auditFile = "audit.jsonl"
	auditOld  = "audit.1.jsonl"
	auditSize = 16 << 20
)

// audit is the log of decisions of a project. Several processes may append to it.
type audit struct {
	dir string // "" for no log

	mu   sync.Mutex
	file *os.File
	size int64
	todo []byte
	late *time.Timer
}

// auditLateness is how long the line of a decision that a rule has made may wait for others.
const auditLateness = 10 * time.Millisecond

// auditLine is one decision. The arguments are not in there, but their digest, which is that of the journal.
type auditLine struct {
	run, node string
	tool      nodes.ToolID
	digest    string
	decision  string
	by        string // the rule, or who has decided
}

// appendTo writes the line as JSON.
func (x *auditLine) appendTo(buf []byte) []byte {
	buf = append(buf, `{"time":"`...)
	buf = time.Now().UTC().AppendFormat(buf, time.RFC3339Nano)
	buf = appendText(append(buf, `","run_id":`...), x.run)
	buf = appendText(append(buf, `,"node":`...), x.node)
	buf = appendText(append(buf, `,"tool":`...), string(x.tool))
	buf = hex.AppendEncode(append(buf, `,"args_digest":"`...), []byte(x.digest))
	buf = appendText(append(buf, `","decision":`...), x.decision)
	buf = appendText(append(buf, `,"by":`...), x.by)
	return append(buf, "}\n"...)
}

// appendText writes a JSON string.
func appendText(buf []byte, text string) []byte {
	if plain(text) {
		return append(append(append(buf, '"'), text...), '"')
	}
	buf, _, _ = value.AppendJSON(buf, value.String(text)) // a string always has a JSON text
	return buf
}

// plain reports whether a text stands in JSON as it is.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// write appends a line; with now it is in the file when write returns. A log that cannot be written forbids nothing.
func (a *audit) write(x auditLine, now bool) error {
	if a.dir == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.todo = x.appendTo(a.todo)
	switch {
	case now:
		return a.flush()
	case a.late == nil:
		a.late = time.AfterFunc(auditLateness, func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.late = nil
			_ = a.flush()
		})
	}
	return nil
}

// flush writes what is there with one write; a.mu is held.
func (a *audit) flush() error {
	if len(a.todo) == 0 {
		return nil
	}
	if err := a.open(); err != nil {
		return err
	}
	n, err := a.file.Write(a.todo)
	a.size += int64(n)
	a.todo = a.todo[:0]
	return err
}

// open opens the file, and puts a full one away.
func (a *audit) open() error {
	path := filepath.Join(a.dir, auditFile)
	if a.file != nil && a.size < auditSize {
		return nil
	}
	if a.file != nil {
		_ = a.file.Close()
		a.file = nil
		_ = os.Rename(path, filepath.Join(a.dir, auditOld))
	}
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil {
		a.size = info.Size()
	}
	a.file = f
	return nil
}

func (a *audit) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.flush()
	if a.late != nil {
		a.late.Stop()
	}
	if a.file != nil {
		_ = a.file.Close()
		a.file = nil
	}
}

// audit writes down what was decided about a call of the run.
func (r *runner) audit(q call.Request, digest, decision, by string) {
	err := r.session.audit.write(auditLine{run: r.id, node: q.Path, tool: q.Tool.ID, decision: decision, by: by,
		digest: digest}, decision != nodes.Allow.String())
	if err != nil {
		r.session.log.Warn("a decision could not be written to the audit log", "error", err)
	}
}
