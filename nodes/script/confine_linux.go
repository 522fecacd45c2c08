package script

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Room beyond Limits.Memory for what is no program data: the runtime's own arenas and caches, which come in steps of
// 64 MB, and address space that is reserved and never used.
const (
	dataSlack    = 192 << 20
	addressSlack = 1 << 30
)

// confine gives up what the process could do to others. It cannot be undone. RLIMIT_NPROC is not used: it counts
// threads, and Go starts those when it needs them; with no file descriptor to be had, Go can start no process.
func confine(l Limits) error {
	size, data := mapped()
	seconds := uint64(l.CPU/time.Second) + 2
	for _, r := range []struct {
		resource int
		max      uint64
	}{
		{unix.RLIMIT_DATA, data + uint64(l.Memory) + dataSlack},
		{unix.RLIMIT_AS, size + uint64(l.Memory) + addressSlack},
		{unix.RLIMIT_CPU, seconds},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, 0},
	} {
		if err := unix.Setrlimit(r.resource, &unix.Rlimit{Cur: r.max, Max: r.max}); err != nil {
			return os.NewSyscallError("setrlimit", err)
		}
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// mapped reads how much address space and private writable memory the process has now.
func mapped() (size, data uint64) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 2 << 30, 256 << 20
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		f := bytes.Fields(lines.Bytes())
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.ParseUint(string(f[1]), 10, 64)
		switch string(f[0]) {
		case "VmSize:":
			size = kb << 10
		case "VmData:":
			data = kb << 10
		}
	}
	return size, data
}
