package usage

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWorkTakesProcessorTimeAndSleepDoesNot(t *testing.T) {
	before := CPU()
	time.Sleep(50 * time.Millisecond)
	slept := CPU() - before
	for start := time.Now(); CPU()-before-slept < 50*time.Millisecond; {
		if time.Since(start) > 20*time.Second {
			t.Fatal("work was not counted")
		}
	}
	require.Less(t, slept, 45*time.Millisecond)
}

func TestPeakRSSRisesWithWhatIsHeld(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system does not tell")
	}
	before := PeakRSS()
	require.Positive(t, before)
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = byte(i)
	}
	require.GreaterOrEqual(t, PeakRSS(), before)
	require.Greater(t, PeakRSS(), int64(64<<20))
	require.NotZero(t, held[len(held)-1])
}
