package match

import (
	"encoding/json"
	"fmt"

	"crokcam/board"
	"crokcam/rules"
)

// Change is what a correction or an answer changes. Exactly one of its fields is
// set.
//
// Changes of a shot's verdict and shooter are made before the verdict is carried
// out, whatever the order they come in; of several the last one holds. Changes of
// discs are made after it, in their order.
type Change struct {
	Value    *ChangeValue    `json:"value,omitempty"`
	Owner    *ChangeOwner    `json:"owner,omitempty"`
	Swap     *ChangeSwap     `json:"swap,omitempty"`
	Place    *ChangePlace    `json:"place,omitempty"`
	Fate     *ChangeFate     `json:"fate,omitempty"`
	Added    *ChangeAdded    `json:"added,omitempty"`
	Twenties *ChangeTwenties `json:"twenties,omitempty"`
	Verdict  *ChangeVerdict  `json:"verdict,omitempty"`
	Answer   *ChangeAnswer   `json:"answer,omitempty"`
	Shooter  *ChangeShooter  `json:"shooter,omitempty"`
	Round    *ChangeRound    `json:"round,omitempty"`
}

// ChangeValue says what a disc on the board counts, until it moves.
type ChangeValue struct {
	Disc DiscID     `json:"disc"`
	Zone board.Zone `json:"zone"` // 15, 10, 5 or out
}

// ChangeOwner says whose disc it is, for as long as it is in play.
type ChangeOwner struct {
	Disc DiscID     `json:"disc"`
	Side board.Side `json:"side"`
}

// ChangeSwap says that two discs on the board were taken for each other's: each is
// the other's side's, for as long as it is in play. Their sides are then as many
// as before, which two changes of owners, one after the other, would not be.
type ChangeSwap struct {
	Discs [2]DiscID `json:"discs"`
}

// ChangePlace says where a disc lies.
type ChangePlace struct {
	Disc  DiscID      `json:"disc"`
	Place board.Point `json:"place"`
}

// ChangeFate says what became of a disc: it stays on the board, lies in the ditch
// (which is also how a disc that was never there is deleted), or is a 20.
type ChangeFate struct {
	Disc DiscID `json:"disc"`
	Fate Fate   `json:"fate"` // board, ditch or twenty
}

// ChangeAdded adds a disc to the board that was taken to be in the ditch.
type ChangeAdded struct {
	Side  board.Side  `json:"side"`
	Place board.Point `json:"place"`
}

// ChangeTwenties adds 20s that were missed to a side's, or takes some away.
type ChangeTwenties struct {
	Side board.Side `json:"side"`
	By   int        `json:"by"`
}

// ChangeVerdict replaces a shot's verdict: a contact that was or was not, a
// referee's ruling. It carries the evidence it rests on, so that nothing has to
// be judged again to read an old match.
type ChangeVerdict struct {
	Evidence *Evidence `json:"evidence,omitempty"` // as corrected
	Verdict  Verdict   `json:"verdict"`
}

// ChangeAnswer settles one of a verdict's doubts.
type ChangeAnswer struct {
	Doubt  int `json:"doubt"`  // place in the verdict's doubts
	Answer int `json:"answer"` // place in the doubt's answers
}

// ChangeShooter says who shot.
type ChangeShooter struct {
	Seat board.Seat `json:"seat"`
}

// ChangeRound says what a round came to, whatever its shots say. Its target is
// the start of the round.
type ChangeRound struct {
	Totals   Points `json:"totals"`
	Twenties Points `json:"twenties"`
}

// Fate is rules.Fate with its word in JSON.
type Fate rules.Fate

// What names the change: "value", "owner", …; "" for none or several.
func (c Change) What() string {
	name, n := "", 0
	for _, f := range [...]struct {
		name string
		set  bool
	}{
		{"value", c.Value != nil}, {"owner", c.Owner != nil}, {"swap", c.Swap != nil}, {"place", c.Place != nil}, {"fate", c.Fate != nil},
		{"added", c.Added != nil}, {"twenties", c.Twenties != nil}, {"verdict", c.Verdict != nil},
		{"answer", c.Answer != nil}, {"shooter", c.Shooter != nil}, {"round", c.Round != nil},
	} {
		if f.set {
			name = f.name
			n++
		}
	}
	if n != 1 {
		return ""
	}
	return name
}

// about are the discs the change is about, none for those of other things.
func (c Change) about() []DiscID {
	if c.Swap != nil {
		return c.Swap.Discs[:]
	}
	if c.Value != nil || c.Owner != nil || c.Place != nil || c.Fate != nil {
		return []DiscID{c.disc()}
	}
	return nil
}

// disc is the one disc the change is about, "" for none or two.
func (c Change) disc() DiscID {
	switch {
	case c.Value != nil:
		return c.Value.Disc
	case c.Owner != nil:
		return c.Owner.Disc
	case c.Place != nil:
		return c.Place.Disc
	case c.Fate != nil:
		return c.Fate.Disc
	}
	return ""
}

// MarshalJSON refuses a change that is none or several.
func (c Change) MarshalJSON() ([]byte, error) {
	if c.What() == "" {
		return nil, fmt.Errorf("%w: a change has exactly one of its fields", ErrInvalid)
	}
	type plain Change
	return json.Marshal(plain(c))
}
