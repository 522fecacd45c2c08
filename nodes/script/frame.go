package script

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// The types of frames.
const (
	typeInit     = "init"
	typeReady    = "ready"
	typeExecute  = "execute"
	typeConsole  = "console"
	typeCall     = "rpc_call"
	typeResult   = "rpc_result"
	typeClock    = "clock"
	typeTimer    = "timer"
	typeReport   = "report"
	typeResting  = "resting"
	typeComplete = "execution_complete"
)

// The kinds of an execution_complete that is no success.
const (
	kindException = "exception"
	kindNotPlain  = "not_plain"
	kindSyntax    = "syntax"
	kindDeadlock  = "deadlock"
	kindMemory    = "memory"
	kindCPU       = "cpu"
	kindOutput    = "output"
	kindStopped   = "stopped"
)

// header is the JSON part of a frame; which fields are used depends on Type.
type header struct {
	Type    string   `json:"type"`
	ID      int      `json:"id,omitempty"`
	Code    int      `json:"code,omitempty"`
	Params  []string `json:"params,omitempty"`
	Program bool     `json:"program,omitempty"`
	Tagged  bool     `json:"tagged,omitempty"`
	Rich    bool     `json:"rich,omitempty"`
	Server  string   `json:"server,omitempty"`
	Tool    string   `json:"tool,omitempty"`
	Success bool     `json:"success,omitempty"`
	Level   string   `json:"level,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Message string   `json:"message,omitempty"`
	Where   string   `json:"where,omitempty"`
	Line    int      `json:"line,omitempty"`
	Column  int      `json:"column,omitempty"`
	Limits  *Limits  `json:"limits,omitempty"`
	Seed    []byte   `json:"seed,omitempty"`
	Epoch   int64    `json:"epoch,omitempty"`
	Told    int      `json:"told,omitempty"`
}

// frame is one message.
type frame struct {
	header
	body []byte
}

// maxHeader bounds the header of a frame.
const maxHeader = 64 << 10

// frameWriter writes frames; it may be used by several goroutines.
type frameWriter struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

// write sends one frame with one Write, unless the body is large.
func (fw *frameWriter) write(h header, body ...[]byte) error {
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	size := 0
	for _, b := range body {
		size += len(b)
	}
	fw.mu.Lock()
	defer fw.mu.Unlock()
	fw.buf = binary.BigEndian.AppendUint32(fw.buf[:0], uint32(len(head)))
	fw.buf = binary.BigEndian.AppendUint32(fw.buf, uint32(size))
	fw.buf = append(fw.buf, head...)
	for _, b := range body {
		if len(b) < 64<<10 {
			fw.buf = append(fw.buf, b...)
			continue
		}
		if err := fw.flush(); err != nil {
			return err
		}
		if _, err := fw.w.Write(b); err != nil {
			return err
		}
	}
	return fw.flush()
}

func (fw *frameWriter) flush() error {
	if len(fw.buf) == 0 {
		return nil
	}
	_, err := fw.w.Write(fw.buf)
	fw.buf = fw.buf[:0]
	return err
}

// errTooLarge says that a frame is over the limit.
type errTooLarge struct{ size, limit int }

// Error implements error.
func (e errTooLarge) Error() string {
	return fmt.Sprintf("a message of %d bytes, over %d", e.size, e.limit)
}

// readFrame reads one frame whose body has at most limit bytes; a limit of 0 is none.
func readFrame(r io.Reader, limit int) (frame, error) {
	var f frame
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return f, err
	}
	head, size := binary.BigEndian.Uint32(sizes[:4]), binary.BigEndian.Uint32(sizes[4:])
	if head > maxHeader {
		return f, errTooLarge{int(head), maxHeader}
	}
	if limit > 0 && int64(size) > int64(limit) {
		return f, errTooLarge{int(size), limit}
	}
	buf := make([]byte, int(head)+int(size))
	if _, err := io.ReadFull(r, buf); err != nil {
		return f, err
	}
	f.body = buf[head:]
	return f, json.Unmarshal(buf[:head], &f.header)
}
