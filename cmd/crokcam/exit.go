package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"crokcam/calibrate"
	"crokcam/internal/config"
	"crokcam/match/store"
	"crokcam/vision/capture"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// The exit statuses, which scripts rely on.
const (
	exitGood        = 0
	exitFailed      = 1
	exitWrongUse    = 2
	exitNothingSeen = 3
)

// usageError is a command line that cannot be carried out.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func wrongUse(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// toldError ends a command whose failures have been told one by one.
type toldError struct{ status int }

func (e toldError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// exitStatus is the status a command's error stands for.
func exitStatus(err error) int {
	var told toldError
	var option *photo.OptionError
	var manual *calibrate.ManualError
	var other *calibrate.BoardError
	var source *capture.Error
	switch {
	case err == nil:
		return exitGood
	case errors.As(err, &told):
		return told.status
	case errors.As(err, &usageError{}), errors.As(err, &option), errors.As(err, &manual), errors.As(err, &other),
		errors.Is(err, config.ErrWrong), errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrAmbiguous):
		return exitWrongUse
	case errors.As(err, &source) && source.Code == capture.BadSource:
		return exitWrongUse
	case errors.Is(err, photo.ErrNoBoard), errors.Is(err, calibrate.ErrNotFound):
		return exitNothingSeen
	}
	return exitFailed
}

// message is what a person is told about an error.
func message(err error) string {
	if err == nil || errors.As(err, &toldError{}) {
		return ""
	}
	if source, ok := errors.AsType[*capture.Error](err); ok {
		return fmt.Sprintf("%s: %s (%s)", source.Source, source.Message, source.Code)
	}
	return err.Error()
}

// faultOf gives an error's stable code and the sentence for a person.
func faultOf(err error) (code, text string) {
	var unreadable *decode.Error
	var option *photo.OptionError
	var manual *calibrate.ManualError
	var other *calibrate.BoardError
	var source *capture.Error
	switch {
	case errors.As(err, &source):
		return source.Code, source.Message
	case errors.As(err, &other):
		return "board_mismatch", other.Error()
	case errors.As(err, &unreadable):
		return unreadable.Code, unreadable.Message
	case errors.As(err, &option):
		return option.Code, option.Message
	case errors.As(err, &manual):
		return manual.Code, manual.Message
	case errors.Is(err, photo.ErrNoBoard), errors.Is(err, calibrate.ErrNotFound):
		return "board_not_found", "No crokinole board was found in this picture. Hold the camera so that the whole board is in view, and avoid strong glare."
	}
	return "failed", err.Error()
}

// noArgs refuses arguments, as wrong use.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasAvailableSubCommands() {
		hint := ""
		cmd.SuggestionsMinimumDistance = 2 // letters
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			hint = fmt.Sprintf(", did you mean %q?", near[0])
		}
		return wrongUse("%s has no command %q%s", cmd.CommandPath(), args[0], hint)
	}
	return wrongUse("%s takes no arguments, but got %q", cmd.CommandPath(), args[0])
}

// someArgs wants at least one argument of a kind.
func someArgs(kind string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongUse("%s needs %s; `%s --help` shows how it is used", cmd.CommandPath(), kind, cmd.CommandPath())
		}
		return nil
	}
}

// oneArg wants exactly one argument.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return wrongUse("%s needs %s and nothing else; `%s --help` shows how it is used", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}
