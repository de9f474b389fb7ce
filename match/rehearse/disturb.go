package rehearse

import (
	"errors"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
)

// disturb does one of the things that happen beside play. What the match refuses
// has not happened.
func (t *Table) disturb() error {
	var b match.Body
	switch t.rng.IntN(8) {
	case 0:
		b = match.Note{Text: "the board was waxed"}
	case 1:
		b = match.Paused{Reason: "coffee"}
	case 2, 3:
		if seq, ok := t.State.UndoTarget(); ok {
			b = match.Undone{Target: seq}
		}
	case 4:
		if seq, ok := t.State.RedoTarget(); ok {
			b = match.Redone{Target: seq}
		}
	default:
		b = t.Correction()
	}
	if b == nil {
		return nil
	}
	var refused *match.RefusedError
	if err := t.Record(b); err != nil && !errors.As(err, &refused) {
		return err
	}
	return nil
}

// Correction makes up a correction of anything in any round, nil when there is
// nothing to correct. The match may refuse it.
func (t *Table) Correction() match.Body {
	rounds := t.State.Rounds()
	if len(rounds) == 0 {
		return nil
	}
	r := rounds[t.rng.IntN(len(rounds))]
	if len(r.Turns) == 0 || t.rng.IntN(10) == 0 {
		return match.Corrected{Target: r.Seq, Reason: "by the score card", Change: match.Change{
			Round: &match.ChangeRound{Totals: match.Points{0, 5 * t.rng.IntN(20), 5 * t.rng.IntN(20)}}}}
	}
	turn := r.Turns[t.rng.IntN(len(r.Turns))]
	c := match.Corrected{Target: turn.Seq, Reason: "the players say so"}
	side := board.SideA + board.Side(t.rng.IntN(2))
	if len(turn.Discs) == 0 || t.rng.IntN(4) == 0 {
		switch t.rng.IntN(4) {
		case 0:
			c.Change.Added = &match.ChangeAdded{Side: side, Place: t.free(nil, wide)}
		case 1:
			seats := t.plan.Stages[0].Format.Layout.Seats()
			c.Change.Shooter = &match.ChangeShooter{Seat: seats[t.rng.IntN(len(seats))]}
		default:
			c.Change.Twenties = &match.ChangeTwenties{Side: side, By: 1 - 2*t.rng.IntN(2)}
		}
		return c
	}
	d := turn.Discs[t.rng.IntN(len(turn.Discs))].ID
	switch t.rng.IntN(4) {
	case 0:
		c.Change.Value = &match.ChangeValue{Disc: d, Zone: board.Zone(t.rng.IntN(4))}
	case 1:
		c.Change.Owner = &match.ChangeOwner{Disc: d, Side: side}
	case 2:
		c.Change.Place = &match.ChangePlace{Disc: d, Place: t.free(nil, wide)}
	default:
		c.Change.Fate = &match.ChangeFate{Disc: d, Fate: match.Fate(rules.Ditched + rules.Fate(t.rng.IntN(2)))}
	}
	return c
}
