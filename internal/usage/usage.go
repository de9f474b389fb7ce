// Package usage tells what the process has used of the machine.
package usage

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// CPU is the processor time of the process so far, its threads and the system
// on its behalf included; ended children are counted too, since some pictures
// are decoded by one.
func CPU() time.Duration {
	return Own() + used(syscall.RUSAGE_CHILDREN)
}

// Own is CPU without the children.
func Own() time.Duration { return used(syscall.RUSAGE_SELF) }

func used(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// RSS is the memory that the process holds in RAM, bytes; 0 where the system does
// not tell.
func RSS() int64 { return status("VmRSS:") }

// ResetPeak starts the peak of PeakRSS anew, where the system can do that.
func ResetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// PeakRSS is the most memory that the process has held in RAM since it started
// or since ResetPeak, bytes; 0 where the system does not tell.
func PeakRSS() int64 { return status("VmHWM:") }

// status is one of the figures that the system keeps of the process, bytes.
func status(figure string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte(figure)); ok {
			fields := bytes.Fields(rest)
			if len(fields) == 0 {
				return 0
			}
			kb, err := strconv.ParseInt(string(fields[0]), 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}
