// Package child runs another program whose output is read through pipes, and
// sees to it that nothing of it outlives its use: no process, no zombie, no
// open file.
package child

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// reapGrace is how long Close waits for a killed process to be gone. One that
// hangs within a driver cannot die before the driver lets go.
const reapGrace = time.Second

// Process is a running program.
type Process struct {
	Out, Err *os.File // what it writes to standard output and standard error

	cmd   *exec.Cmd
	done  chan struct{}
	exit  error // how it ended; read after done
	close func()
}

// Start runs a program in a process group of its own. Its standard input is
// empty and its messages are in English.
func Start(program string, args, env []string) (*Process, error) {
	cmd := exec.Command(program, args...) //nolint:noctx // Kill and Close end it
	cmd.Env = append(append(os.Environ(), "LC_ALL=C", "AV_LOG_FORCE_NOCOLOR=1"), env...)
	separate(cmd)

	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		closeAll(outR, outW)
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	widen(outW)
	cmd.Stdout, cmd.Stderr = outW, errW

	p := &Process{Out: outR, Err: errR, cmd: cmd, done: make(chan struct{})}
	p.close = sync.OnceFunc(func() {
		p.Kill()
		closeAll(outR, errR)
		p.waited(reapGrace)
	})
	started := make(chan error, 1)
	go p.live(started)
	err = <-started
	closeAll(outW, errW) // the child has its own
	if err != nil {
		closeAll(outR, errR)
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return p, nil
}

// live starts the program and stays with it. The kernel kills the child when
// the thread that started it ends, so this goroutine keeps its thread.
func (p *Process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.exit = p.cmd.Wait()
	close(p.done)
}

// PID is the process's number, which is also its group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends the process and all that it has started. What it wrote before can
// still be read.
func (p *Process) Kill() {
	select {
	case <-p.done: // the number may be another's by now
	default:
		killGroup(p.cmd)
	}
}

// Exit waits until the process is gone, at most for a while, and tells how it
// ended: nil, an *exec.ExitError, or that it has not.
func (p *Process) Exit(atMost time.Duration) error {
	if !p.waited(atMost) {
		return fmt.Errorf("process %d does not end", p.PID())
	}
	return p.exit
}

func (p *Process) waited(atMost time.Duration) bool {
	t := time.NewTimer(atMost)
	defer t.Stop()
	select {
	case <-p.done:
		return true
	case <-t.C:
		return false
	}
}

// Close ends the process and closes the pipes: reads under way return. It may
// be called at any time and more than once.
func (p *Process) Close() { p.close() }

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
