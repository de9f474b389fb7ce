package match_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/match"
	"crokcam/match/rehearse"
)

// fourRounds is a whole match of four rounds.
func fourRounds(b *testing.B) []match.Event {
	b.Helper()
	events, err := rehearse.New(1, rehearse.Singles(4)).Play()
	require.NoError(b, err)
	return events
}

func BenchmarkFold(b *testing.B) {
	events := fourRounds(b)
	b.ReportMetric(float64(len(events)), "events")
	for b.Loop() {
		if _, err := match.Fold(events); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCorrectionOfTheFirstShot(b *testing.B) {
	s, err := match.Fold(fourRounds(b))
	require.NoError(b, err)
	first := s.Rounds()[0].Turns[0]
	e := match.Event{Seq: s.Version() + 1, ID: "x", Time: s.Events()[0].Time, Actor: match.Actor{Role: match.Scorer}, Body: match.Corrected{
		Target: first.Seq, Change: match.Change{Shooter: &match.ChangeShooter{Seat: first.Seat}}}}
	for b.Loop() {
		if _, err := s.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadingEvents(b *testing.B) {
	data, err := json.Marshal(fourRounds(b))
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var events []match.Event
		if err := json.Unmarshal(data, &events); err != nil {
			b.Fatal(err)
		}
	}
}
