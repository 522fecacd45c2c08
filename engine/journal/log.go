package journal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// A log is a file of records: a magic line, then for each record the length of its body, the same with all bits turned,
// and the CRC-32C of the body, four bytes each, and the body. Records are only ever appended. A process that is killed
// leaves at most the last one torn.
const (
	magic     = "pml journal 2\n"
	headSize  = 12
	maxRecord = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// log appends records. They go into the window, where there is one. Where there is none, whoever writes takes what others
// have added meanwhile with him: one write for all.
type log struct {
	file *os.File
	max  int64 // how long the file may become

	mu     sync.Mutex
	window *window // nil for none
	todo   []byte
	size   int64
	err    error

	writing sync.Mutex
	spare   []byte

	late *time.Timer // flushes what nobody waits for; nil if nothing does
}

// lateness is how long a record may wait for the next flush.
const lateness = 2 * time.Millisecond

// soon sees to it that what was added is written even if nothing else is.
func (l *log) soon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late != nil || l.window != nil {
		return
	}
	l.late = time.AfterFunc(lateness, func() {
		l.mu.Lock()
		l.late = nil
		l.mu.Unlock()
		_ = l.flush() // who writes next learns of an error
	})
}

// add appends a record; it is written at once, or with the next flush.
func (l *log) add(body func(buf []byte) []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	at := len(l.todo)
	l.todo = body(append(l.todo, make([]byte, headSize)...))
	record := l.todo[at:]
	n := len(record) - headSize
	if l.size += int64(len(record)); l.size > l.max || n > maxRecord {
		l.todo = l.todo[:at]
		l.err = &TooLong{l.max}
		return l.err
	}
	binary.LittleEndian.PutUint32(record, uint32(n))
	binary.LittleEndian.PutUint32(record[4:], ^uint32(n))
	binary.LittleEndian.PutUint32(record[8:], crc32.Checksum(record[headSize:], castagnoli))
	if l.window == nil {
		return nil
	}
	if l.todo = record[:0]; cap(record) > mostKept {
		l.todo = nil
	}
	if err := l.window.put(record); err != nil {
		l.err = fmt.Errorf("journal: %w", err)
	}
	return l.err
}

// mostKept is how much memory is kept for the next record.
const mostKept = 1 << 20

// flush returns when everything that was added before is written.
func (l *log) flush() error {
	if l.window != nil {
		return nil
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	todo, err := l.todo, l.err
	l.todo, l.spare = l.spare[:0], nil
	l.mu.Unlock()
	if len(todo) > 0 {
		if _, failed := l.file.Write(todo); failed != nil {
			err = l.fail(failed)
		}
	}
	l.spare = todo[:0]
	return err
}

func (l *log) fail(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = fmt.Errorf("journal: %w", err)
	}
	return l.err
}

// TooLong is the error of a journal that has reached its size limit.
type TooLong struct{ Max int64 }

// Error implements error.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the journal of the run would be longer than %d MB", e.Max>>20)
}

// Damaged is the error of a journal that cannot be read.
type Damaged struct {
	File string
	At   int
}

// Error implements error.
func (e *Damaged) Error() string { return fmt.Sprintf("%s is damaged at byte %d", e.File, e.At) }

// scan gives the records of a file to visit, and how long the part is that is whole. A record at the end that is torn
// is left out; one before that is an error.
func scan(name string, data []byte, visit func(body []byte) error) (whole int, err error) {
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return 0, &Damaged{name, 0}
	}
	at := len(magic)
	for at < len(data) {
		body, next := record(data, at)
		if body == nil {
			if written := bytes.TrimRight(data, "\x00"); next < len(written) {
				return at, &Damaged{name, at}
			}
			return at, nil // torn; zeros are what a file system leaves of a write that was lost
		}
		if err := visit(body); err != nil {
			return at, &Damaged{name, at}
		}
		at = next
	}
	return at, nil
}

// record reads the record at a place; nil if it is not whole. next is where it ends, or would.
func record(data []byte, at int) (body []byte, next int) {
	if len(data)-at < headSize {
		return nil, len(data)
	}
	size := binary.LittleEndian.Uint32(data[at:])
	switch n := int(size); {
	case size != ^binary.LittleEndian.Uint32(data[at+4:]):
		return nil, at + headSize
	case n > len(data)-at-headSize:
		return nil, len(data)
	default:
		body, next = data[at+headSize:at+headSize+n], at+headSize+n
	}
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data[at+8:]) {
		return nil, next
	}
	return body, next
}

// create begins a log, in a file that is empty if it is there.
func create(path string, max int64) (*log, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return nil, joinClose(f, cmp.Or(err, error(&fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})))
	}
	if _, err := f.WriteString(magic); err != nil {
		return nil, joinClose(f, err)
	}
	return open(f, int64(len(magic)), max), nil
}

// reopen goes on with a log of which whole bytes are good; what is torn is cut off.
func reopen(path string, whole int, max int64) (*log, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err = f.Truncate(int64(whole)); err == nil {
		_, err = f.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, joinClose(f, err)
	}
	return open(f, int64(whole), max), nil
}

func open(f *os.File, size, max int64) *log {
	return &log{file: f, max: max, size: size, window: newWindow(f, size)}
}

func joinClose(f *os.File, err error) error {
	_ = f.Close()
	return err
}

// close writes what is left. sync also sees to it that the machine may stop.
func (l *log) close(sync bool) error {
	err := l.flush()
	l.mu.Lock()
	if l.late != nil {
		l.late.Stop()
	}
	if l.err == nil {
		l.err = os.ErrClosed
	} else if err == nil {
		err = l.err
	}
	if l.window != nil {
		if failed := l.window.close(); err == nil {
			err = failed
		}
	}
	l.mu.Unlock()
	if sync && err == nil {
		err = l.file.Sync()
	}
	if failed := l.file.Close(); err == nil {
		err = failed
	}
	return err
}
