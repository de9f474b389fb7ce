package capture

import (
	"os/exec"
	"syscall"
)

// as has a command run as another user.
func as(cmd *exec.Cmd, uid uint32) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
}
