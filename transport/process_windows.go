package transport

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// job is the job object of a process: all of it ends when the last handle is closed, also when pml is killed.
type job struct{ handle windows.Handle }

func setAttributes(cmd *exec.Cmd, _ bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// adopt puts the process into a job. What it started before that is not in it: a few instructions' time.
func (x *process) adopt() error {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	x.job.handle = handle
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = x.assign()
	}
	if err != nil {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
		x.release()
	}
	return err
}

func (x *process) assign() error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	proc, err := windows.OpenProcess(access, false, uint32(x.pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(proc)
	return windows.AssignProcessToJobObject(x.job.handle, proc)
}

func (x *process) release() { _ = windows.CloseHandle(x.job.handle) }

// softKill does nothing: Windows has no SIGTERM, and closing stdin has asked already.
func (x *process) softKill() {}

func (x *process) hardKill() { _ = windows.TerminateJobObject(x.job.handle, 1) }
