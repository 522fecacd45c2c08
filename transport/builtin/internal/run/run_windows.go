package run

import (
	"errors"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object that holds a program and all it starts.
type group struct{ job windows.Handle }

func command(spec Spec) *exec.Cmd {
	if !spec.Shell {
		return exec.Command(spec.Command, spec.Args...)
	}
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /D /S /C "` + spec.Command + `"`}
	return cmd
}

func newGroup(cmd *exec.Cmd) *group {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.HideWindow = true
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return &group{}
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, _ = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	return &group{job}
}

func (g *group) started(cmd *exec.Cmd) {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(access, false, uint32(cmd.Process.Pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(process)
	_ = windows.AssignProcessToJobObject(g.job, process)
}

// kill ends every process of the job that is left.
func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
}

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

func exitCode(cmd *exec.Cmd) int { return cmd.ProcessState.ExitCode() }

// ignoreBrokenPipe forgives a program that does not read all of its standard input.
func ignoreBrokenPipe(err error) error {
	if errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) {
		return nil
	}
	return err
}
