//go:build unix && !linux

package transport

import "os/exec"

func setAttributes(cmd *exec.Cmd) { setGroup(cmd) }
