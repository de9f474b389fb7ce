package decode

// The codes of an Error.
const (
	EmptyFile         = "empty_file"
	NotAPicture       = "not_a_picture"
	UnsupportedFormat = "unsupported_format"
	Truncated         = "truncated"
	TooManyBytes      = "too_many_bytes"
	TooManyPixels     = "too_many_pixels"
	DecodeFailed      = "decode_failed"
)

// Error says why a picture was not taken.
type Error struct {
	Code    string
	Message string // for the player: what is wrong and what to do
	Err     error  // for the log; may be nil

	Values map[string]float64 // figures in the message, by what they are
}

// Error is the line for a log.
func (e *Error) Error() string {
	if e.Err != nil {
		return "decode picture: " + e.Code + ": " + e.Err.Error()
	}
	return "decode picture: " + e.Code + ": " + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

var messages = map[string]string{
	EmptyFile:    "The file is empty. Send the picture again, or take a new one.",
	NotAPicture:  "This file is not a picture. Send a photo of the board as JPEG, PNG or WebP.",
	Truncated:    "Part of the picture is missing: the file was cut off. Send it again, or take a new one.",
	DecodeFailed: "The picture is damaged and cannot be read. Send it again, or take a new one.",
}

// fail makes an Error whose message needs no figures.
func fail(code string, err error) *Error {
	return &Error{Code: code, Message: messages[code], Err: err}
}

// unsupported makes an Error for a kind of file that is known but not read.
func unsupported(message string, err error) *Error {
	return &Error{Code: UnsupportedFormat, Message: message, Err: err}
}
