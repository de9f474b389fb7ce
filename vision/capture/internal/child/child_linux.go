package child

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// separate gives the child a group of its own, and has the kernel end it when
// the thread that starts it ends.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// pipeBytes is the most that an ordinary user's pipe may hold: a frame then
// passes in a few pieces instead of fifty.
const pipeBytes = 1 << 20

// widen makes a pipe hold more. A pipe that stays narrow works as well.
func widen(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
}
