package child

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func sh(t *testing.T, script string) *Process {
	t.Helper()
	p, err := Start("/bin/sh", []string{"-c", script}, []string{"WHO=crokinole"})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func TestWhatAChildSaysIsReadAndItsEndIsTold(t *testing.T) {
	p := sh(t, `echo "$WHO"; echo oops >&2; exit 3`)
	out, err := io.ReadAll(p.Out)
	require.NoError(t, err)
	said, err := io.ReadAll(p.Err)
	require.NoError(t, err)
	require.Equal(t, "crokinole\noops\n", string(out)+string(said))
	var exit *exec.ExitError
	require.ErrorAs(t, p.Exit(10*time.Second), &exit)
	require.Equal(t, 3, exit.ExitCode())
}

func TestAProgramThatIsNotThereIsAnError(t *testing.T) {
	_, err := Start("/no/such/program", nil, nil)
	require.ErrorContains(t, err, "start /no/such/program")
}

func TestClosingEndsReadsAndTheProcess(t *testing.T) {
	p := sh(t, `trap "" TERM; echo; sleep 600`)
	one := make([]byte, 1)
	_, err := io.ReadFull(p.Out, one)
	require.NoError(t, err)
	ended := make(chan error)
	go func() {
		_, err := p.Out.Read(one)
		ended <- err
	}()
	require.ErrorContains(t, p.Exit(time.Millisecond), "does not end")
	p.Close()
	p.Close()
	require.Error(t, <-ended)
	require.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH, "no zombie is left")
	p.Kill() // of one that is gone harms nobody
}

func TestAKilledChildsLastWordsCanBeRead(t *testing.T) {
	p := sh(t, `echo last; exec sleep 600`)
	buffer := make([]byte, 5)
	_, err := io.ReadFull(p.Out, buffer)
	require.NoError(t, err)
	p.Kill()
	rest, err := io.ReadAll(p.Out)
	require.NoError(t, err)
	require.Equal(t, "last\n", string(buffer)+string(rest))
	require.ErrorContains(t, p.Exit(10*time.Second), "killed")
}

// A child ends with its parent, even if that is killed without a word.
func TestAChildDoesNotOutliveItsParent(t *testing.T) {
	const mark = "CROKCAM_TEST_PARENT"
	if os.Getenv(mark) != "" {
		p := sh(t, `exec sleep 600`)
		fmt.Printf("child %d\n", p.PID())
		_ = p.Exit(time.Hour)
		return
	}
	parent := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	parent.Env = []string{mark + "=1"}
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	var pid int
	_, err = fmt.Fscanf(out, "child %d", &pid)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, parent.Process.Kill())
	require.Error(t, parent.Wait())
	require.Eventually(t, func() bool { return !alive(pid) }, 10*time.Second, time.Millisecond)
}

// alive says whether a process runs; one that waits to be reaped does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
