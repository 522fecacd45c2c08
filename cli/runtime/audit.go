package runtime

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
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
}

// auditLine is one decision. The arguments are not in there, but their digest, which is that of the journal.
type auditLine struct {
	Time     string       `json:"time"`
	Run      string       `json:"run_id"`
	Node     string       `json:"node"`
	Tool     nodes.ToolID `json:"tool"`
	Args     string       `json:"args_digest"`
	Decision string       `json:"decision"`
	// By is the rule, or who has decided.
	By string `json:"by"`
}

// write appends a line. A log that cannot be written forbids nothing.
func (a *audit) write(x auditLine) error {
	if a.dir == "" {
		return nil
	}
	x.Time = time.Now().UTC().Format(time.RFC3339Nano)
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.open(); err != nil {
		return err
	}
	n, err := a.file.Write(append(text, '\n'))
	a.size += int64(n)
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
	if a.file != nil {
		_ = a.file.Close()
		a.file = nil
	}
}

// audit writes down what was decided about a call of the run.
func (r *runner) audit(q call.Request, args []byte, decision, by string) {
	err := r.session.audit.write(auditLine{Run: r.id, Node: q.Path, Tool: q.Tool.ID, Decision: decision, By: by,
		Args: hex.EncodeToString([]byte(journal.Digest(args)))})
	if err != nil {
		r.session.log.Warn("a decision could not be written to the audit log", "error", err)
	}
}
