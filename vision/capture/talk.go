package capture

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ffmpeg writes bare frames to its standard output. What they are it tells on
// standard error, one line a frame from its showinfo filter, always before the
// frame itself; this file reads that talk.

// frameInfo is what is told of one frame.
type frameInfo struct {
	at               time.Duration // since the stream's start; noTime when it has none
	w, h             int
	fullRange, bt709 bool
	damaged          bool // the decoder complained since the frame before
}

const noTime = time.Duration(-1 << 63)

// talk is what a decoder says.
type talk struct {
	frames chan frameInfo // closed when it says no more

	mu    sync.Mutex
	got   Mode     // as the input was announced
	lines []string // the last ones that are not about frames
}

const (
	lineKept  = 100 // lines
	lineBytes = 400 // of each
)

// listen reads until the program says no more or until quit is closed.
func (t *talk) listen(r io.Reader, quit <-chan struct{}) {
	defer close(t.frames)
	in := bufio.NewReaderSize(r, 16<<10)
	var next frameInfo
	unitNum, unitDen := int64(1), int64(1)
	for {
		line, err := in.ReadSlice('\n') // of a line too long for the buffer, a piece
		switch rest, shown := afterShowinfo(line); {
		case !shown:
			if t.note(string(bytes.TrimSpace(line[:min(len(line), lineBytes)]))) {
				next.damaged = true
			}
			next.colours(line)
		case bytes.HasPrefix(rest, []byte("config in time_base:")):
			if n, d, ok := parseRatio(field(rest, "time_base:")); ok {
				unitNum, unitDen = n, d
			}
		case bytes.HasPrefix(rest, []byte("color_range:")):
			next.colours(rest)
		case bytes.HasPrefix(rest, []byte("n:")):
			next.at = noTime
			if pts, ok := parseInt(field(rest, "pts:")); ok {
				next.at = scaleTime(pts, unitNum, unitDen)
			}
			next.w, next.h = parseSize(field(rest, " s:"))
			if bytes.HasPrefix(field(rest, "fmt:"), []byte("yuvj")) {
				next.fullRange = true
			}
			select {
			case t.frames <- next:
			case <-quit:
				return
			}
			next.damaged = false
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// colours takes over what a line says of the colours' range and mixing.
func (i *frameInfo) colours(line []byte) {
	if bytes.Contains(line, []byte(": Video: ")) { // the announcement, before any frame
		i.fullRange = bytes.Contains(line, []byte("(pc"))
		i.bt709 = bytes.Contains(line, []byte("bt709"))
		return
	}
	if r := field(line, "color_range:"); len(r) > 0 {
		i.fullRange = bytes.HasPrefix(r, []byte("pc"))
		i.bt709 = bytes.HasPrefix(field(line, "color_space:"), []byte("bt709"))
	}
}

var (
	videoLine = regexp.MustCompile(`Stream #0:\d+.*: Video: (\w+).*?, (\w+)(?:\(([^)]*)\))?.*?, (\d+)x(\d+)`)
	rateField = regexp.MustCompile(`, ([\d.]+)(k?) fps`)
	tbrField  = regexp.MustCompile(`, ([\d.]+)(k?) tbr`)
	damage    = regexp.MustCompile(`(?i)error while decoding|corrupt|concealing|overread|EOI missing|error dc|error y=|mb_type|decode_slice|invalid data found when processing|left block unavailable|bytestream|missing reference`)
)

// note keeps a line and says whether it tells of a damaged picture.
func (t *talk) note(line string) (damaged bool) {
	if line == "" || strings.HasPrefix(line, "[swscaler") {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == lineKept {
		copy(t.lines, t.lines[1:])
		t.lines = t.lines[:lineKept-1]
	}
	t.lines = append(t.lines, line)
	if m := videoLine.FindStringSubmatch(line); m != nil && t.got.Width == 0 {
		t.got = Mode{Format: m[1], FPS: rateIn(line)}
		t.got.Width, _ = strconv.Atoi(m[4])
		t.got.Height, _ = strconv.Atoi(m[5])
		return false
	}
	// Many webcams' JPEGs have a header that ffmpeg cannot read, and does not need.
	return damage.MatchString(line) && !strings.Contains(line, "APP fields")
}

// rateIn is the frame rate that a stream's line tells, frames a second; 0 for
// none.
func rateIn(line string) float64 {
	m := rateField.FindStringSubmatch(line)
	if m == nil {
		m = tbrField.FindStringSubmatch(line)
	}
	if m == nil || m[2] == "k" { // a clock's rate, not frames
		return 0
	}
	r, err := strconv.ParseFloat(m[1], 64)
	if err != nil || r > 1000 {
		return 0
	}
	return r
}

// mode is the input as it was announced.
func (t *talk) mode() Mode {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.got
}

// last gives the lines that were kept.
func (t *talk) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.lines...)
}

// afterShowinfo cuts "[Parsed_showinfo_1 @ 0x…] " off a line.
func afterShowinfo(line []byte) ([]byte, bool) {
	if !bytes.HasPrefix(line, []byte("[Parsed_showinfo")) {
		return nil, false
	}
	_, rest, ok := bytes.Cut(line, []byte("] "))
	return rest, ok
}

// field is the word that follows a name in a line, blanks between them passed
// over.
func field(line []byte, name string) []byte {
	i := bytes.Index(line, []byte(name))
	if i < 0 {
		return nil
	}
	rest := bytes.TrimLeft(line[i+len(name):], " ")
	if end := bytes.IndexAny(rest, " \r\n,"); end >= 0 {
		return rest[:end]
	}
	return rest
}

// The parsers below take bytes, for a line comes with every frame and strings
// would be garbage each time.

func parseInt(b []byte) (int64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// parseRatio reads "1/90000".
func parseRatio(b []byte) (num, den int64, ok bool) {
	before, after, _ := bytes.Cut(b, []byte("/"))
	num, ok1 := parseInt(before)
	den, ok2 := parseInt(after)
	return num, den, ok1 && ok2 && num > 0 && den > 0
}

// parseSize reads "640x480"; zeros when it cannot be read.
func parseSize(b []byte) (w, h int) {
	before, after, _ := bytes.Cut(b, []byte("x"))
	a, ok1 := parseInt(before)
	c, ok2 := parseInt(after)
	if !ok1 || !ok2 || a > maxSide || c > maxSide {
		return 0, 0
	}
	return int(a), int(c)
}

// scaleTime is pts units of num/den seconds, exactly to the nanosecond.
func scaleTime(pts, num, den int64) time.Duration {
	units := pts * num
	return time.Duration(units/den)*time.Second + time.Duration(units%den*int64(time.Second)/den)
}
