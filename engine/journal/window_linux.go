package journal

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// window is the end of a log, mapped into memory. What is put there belongs to the kernel at once: it is in the file, as
// any other process sees it, even if this one is killed by the next instruction. So a record costs no system call.
//
//	file  ├── put earlier ──┬── put here ──┬── room: zeros ──┤
//	                        data           data[used]        data[len(data)]
type window struct {
	file *os.File
	data []byte
	used int
	end  int64 // of what has room in the file
}

// The room that a window has at first, and at most beyond what is put there: it is doubled with each mapping.
const (
	leastRoom = 64 << 10
	mostRoom  = 4 << 20
)

// newWindow maps the place behind size bytes of a file; nil where the file system has no such thing.
func newWindow(file *os.File, size int64) *window {
	w := &window{file: file, end: size}
	if w.move(size, leastRoom) != nil {
		_ = file.Truncate(size)
		return nil
	}
	return w
}

// move maps the place from size on, with room for so many bytes. The room takes no space on the disk: that it is full shows
// when the memory is written, see put. Taking it beforehand, and giving it back, would cost most of what a window saves.
func (w *window) move(size int64, room int) error {
	w.unmap()
	page := int64(os.Getpagesize())
	begin := size &^ (page - 1)
	end := (size + int64(room) + page - 1) &^ (page - 1)
	if err := w.file.Truncate(end); err != nil {
		return err
	}
	data, err := unix.Mmap(int(w.file.Fd()), begin, int(end-begin), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	w.data, w.used, w.end = data, int(size-begin), end
	return nil
}

// put appends a record, its head first: if the process is killed meanwhile, the head says how long the record should be,
// and its checksum that it is not whole.
func (w *window) put(record []byte) (err error) {
	if len(w.data)-w.used < len(record) {
		if err := w.move(w.size(), len(record)+min(max(2*len(w.data), leastRoom), mostRoom)); err != nil {
			return err
		}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a disk that is full ends the run, not the process
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New("the disk is full, or has failed")
		}
	}()
	to := w.data[w.used:]
	binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(record))
	copy(to[8:], record[8:])
	w.used += len(record)
	return nil
}

// size is how long the file is without the room.
func (w *window) size() int64 { return w.end - int64(len(w.data)-w.used) }

func (w *window) unmap() {
	if w.data != nil {
		size := w.size()
		_ = unix.Munmap(w.data)
		w.data, w.used, w.end = nil, 0, size
	}
}

// close gives the room back that was not needed.
func (w *window) close() error {
	size := w.size()
	w.unmap()
	return w.file.Truncate(size)
}
