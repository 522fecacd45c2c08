//go:build unix && !linux

package transport

import "os/exec"

func setAttributes(cmd *exec.Cmd, _ bool) { setGroup(cmd) }
