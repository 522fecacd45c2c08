package transport

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Confinable says what of a Confinement this system cannot enforce; "" if nothing is lacking.
func Confinable() string {
	switch abi, err := landlocksys.LandlockGetABIVersion(); {
	case err != nil || abi < 1:
		return "this kernel has no Landlock: servers can read and write what you can, and use the network"
	case abi < 3:
		return "the Landlock of this kernel is old: servers can cut off files outside of the workspace"
	}
	if len(noInternet) == 0 {
		return "on this processor servers cannot be kept from the network entirely"
	}
	return ""
}

// startConfined starts a command that is kept within its confinement. Landlock and seccomp hold for a thread and what it
// starts; so a thread is made for it, which lives as long as the process: until then it is the one whose end the process
// would be told of (Pdeathsig), and it is never used for anything else.
func (p *Pool) startConfined(x *process, s ServerConfig, env []string) error {
	started := make(chan error, 1)
	running := p.run(func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		err := s.Confine.restrictThread(s, x.cmd, env)
		if err == nil {
			err = x.cmd.Start()
		}
		started <- err
		if err == nil {
			<-x.exited
		}
	})
	if !running {
		return os.ErrClosed
	}
	return <-started
}

// restrictThread gives up, for the calling thread and what it starts, all that is not allowed.
func (c *Confinement) restrictThread(s ServerConfig, cmd *exec.Cmd, env []string) error {
	config := landlock.V9
	if c.Network {
		config.HandledAccessNet = 0
	}
	config.Scoped = 0 // it may talk to what the user runs: a browser, the desktop
	rules := []landlock.Rule{landlock.RWDirs("/dev").WithIoctlDev().IgnoreIfMissing()}
	rules = append(rules, allow(c.readable(s, cmd.Path, env), landlock.RODirs, landlock.ROFiles)...)
	rules = append(rules, allow(c.writable(env), landlock.RWDirs, landlock.RWFiles)...)
	fd, flags, err := config.BestEffort().NewRulesetFD(rules...)
	if err != nil {
		return fmt.Errorf("it cannot be confined: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if fd >= 0 {
		defer unix.Close(fd)
		if err := landlocksys.LandlockRestrictSelf(fd, flags); err != nil {
			return os.NewSyscallError("landlock_restrict_self", err)
		}
	}
	if c.Network || len(noInternet) == 0 {
		return nil
	}
	program := unix.SockFprog{Len: uint16(len(noInternet)), Filter: &noInternet[0]}
	return os.NewSyscallError("seccomp", unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&program)), 0, 0))
}

// allow makes rules of paths, of those that exist.
func allow(paths []string, dirs, files func(...string) landlock.FSRule) (rules []landlock.Rule) {
	seen := map[string]bool{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		if info.IsDir() {
			rules = append(rules, dirs(path).WithRefer().IgnoreIfMissing())
		} else {
			rules = append(rules, files(path).IgnoreIfMissing())
		}
	}
	return rules
}

// noInternet is a filter of system calls (seccomp(2)) that refuses sockets of the Internet, for Landlock knows TCP only. No
// program for another architecture may run, whose calls have other numbers.
var noInternet = internetFilter()

func internetFilter() []unix.SockFilter {
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if arch == 0 {
		return nil
	}
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		least = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		give  = unix.BPF_RET | unix.BPF_K
	)
	return []unix.SockFilter{ // struct seccomp_data: the call's number at 0, the architecture at 4, the first argument at 16
		{Code: load, K: 4},
		{Code: equal, K: arch, Jf: 7},
		{Code: load, K: 0},
		{Code: least, K: 0x40000000, Jt: 5}, // x32
		{Code: equal, K: unix.SYS_SOCKET, Jf: 3},
		{Code: load, K: 16},
		{Code: equal, K: unix.AF_INET, Jt: 2},
		{Code: equal, K: unix.AF_INET6, Jt: 1},
		{Code: give, K: unix.SECCOMP_RET_ALLOW},
		{Code: give, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)},
	}
}
