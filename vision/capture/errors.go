package capture

import (
	"regexp"
	"slices"
	"strings"
)

// The codes of an Error.
const (
	BadSource        = "bad_source"        // the name cannot be read
	NoSuchCamera     = "no_such_camera"    // no device of that name
	CameraBusy       = "camera_busy"       // another program holds it
	PermissionDenied = "permission_denied" // it may not be opened
	NotACamera       = "not_a_camera"      // the device gives no pictures
	NotFound         = "not_found"         // no such file, folder, or path of a server
	NoVideo          = "no_video"          // no pictures in it
	Unreadable       = "unreadable"        // damaged, or in no known format
	Unauthorized     = "unauthorized"      // wrong or missing credentials
	Unreachable      = "unreachable"       // the host does not answer, or refuses
	Stalled          = "stalled"           // no frame came for too long
	Ended            = "ended"             // a live source ended by itself
	Crashed          = "crashed"           // the decoder ended by a signal
	NoDecoder        = "no_decoder"        // ffmpeg is not installed
	NoSuchFormat     = "no_such_format"    // the camera does not have the picture format asked for
	Failed           = "failed"            // anything else
)

// Error says why a source gives no frames.
type Error struct {
	Code    string
	Source  string // without credentials
	Message string // for a person: what is wrong and what to do
	Err     error  // for the log; may be nil
}

// Error is the line for a log.
func (e *Error) Error() string {
	text := "capture " + e.Source + ": " + e.Code + ": "
	if e.Err != nil {
		return text + e.Err.Error()
	}
	return text + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func (s Source) fail(code, message string, err error) *Error {
	return &Error{Code: code, Source: s.String(), Message: message, Err: err}
}

// Temporary says whether trying again may help without anybody's doing: the
// camera may be plugged in again, the network return.
func (e *Error) Temporary() bool {
	switch e.Code {
	case BadSource, NotACamera, NoDecoder:
		return false
	}
	return true
}

// complaint is one of the decoder's ways of saying what is wrong.
type complaint struct {
	says          *regexp.Regexp
	code, message string
}

// complaints are looked for in order: the particular before the general.
var complaints = []complaint{
	{regexp.MustCompile(`Cannot find a proper format`), NoSuchFormat,
		"The camera has no pictures in the format asked for."},
	{regexp.MustCompile(`(?i)Device or resource busy`), CameraBusy,
		"Another program uses the camera. Close it and try again."},
	{regexp.MustCompile(`(?i)Permission denied|Operation not permitted`), PermissionDenied,
		"It may not be opened by this user."},
	{regexp.MustCompile(`(?i)No such device|Inappropriate ioctl|Not a video capture device`), NotACamera,
		"The device is there but gives no pictures: a camera often has a second device for other data. `crokcam cameras list` shows which to take."},
	{regexp.MustCompile(`(?i)401 Unauthorized|403 Forbidden|authorization failed|403 \(access denied\)`), Unauthorized,
		"The camera wants a name and a password, or others than these. Write them into the address: rtsp://NAME:PASSWORD@HOST/…"},
	{regexp.MustCompile(`(?i)404 Not Found|Server returned 404|454 Session|Stream not found`), NotFound,
		"The host answers but has no stream under this path. Look up the stream's address in the camera's own settings."},
	{regexp.MustCompile(`(?i)Connection refused`), Unreachable,
		"The host refuses the connection. Is the camera's stream switched on, and is the port right?"},
	{regexp.MustCompile(`(?i)Connection timed out|Operation timed out|I/O error.*timeout|Immediate exit requested`), Unreachable,
		"The host does not answer. Is the camera on, and in this network?"},
	{regexp.MustCompile(`(?i)No route to host|Network is unreachable|Name or service not known|Failed to resolve hostname|Temporary failure in name`), Unreachable,
		"The host cannot be reached. Check its name and the network."},
	{regexp.MustCompile(`(?i)moov atom not found`), Unreadable,
		"The video's index is missing: it was cut off before it was finished, or it is no video at all. Record it again, or repair it."},
	{regexp.MustCompile(`(?i)matches no streams|does not contain any stream|no video stream|Output file .* does not contain`), NoVideo,
		"There is no video in it."},
	{regexp.MustCompile(`(?i)No such file or directory`), NotFound,
		"There is no such file."},
	{regexp.MustCompile(`(?i)Could not find codec parameters|Decoder .*not found|Unknown decoder|unspecified size|Cannot determine format`), Unreadable,
		"Its video cannot be decoded: it is damaged, or it is no video that can be read here."},
	{regexp.MustCompile(`(?i)Invalid data found|Protocol not found|Invalid argument|could not find`), Unreadable,
		"It is no video that can be read here, or it is damaged."},
	{regexp.MustCompile(`(?i)Connection reset|Broken pipe|End of file|Input/output error|Server returned 5`), Ended,
		"The connection broke off."},
}

// diagnose finds the reason in what the decoder said last. Only lines that
// speak of an end count: a damaged frame in the middle is no reason.
func (s Source) diagnose(lines []string, err error) *Error {
	for _, c := range complaints {
		for _, line := range slices.Backward(lines) {
			if c.says.MatchString(line) {
				return s.fail(c.code, c.message, &said{s.mask(line), err})
			}
		}
	}
	last := ""
	if len(lines) > 0 {
		last = s.mask(lines[len(lines)-1])
	}
	return s.fail(Failed, "The decoder gave up.", &said{last, err})
}

// said is what a program wrote before it ended, and how it ended.
type said struct {
	text string
	err  error
}

func (e *said) Error() string {
	var parts []string
	if text := strings.TrimSpace(e.text); text != "" {
		parts = append(parts, text)
	}
	if e.err != nil {
		parts = append(parts, e.err.Error())
	}
	return strings.Join(parts, "; ")
}

func (e *said) Unwrap() error { return e.err }
