package rules

// OpenBoard says what a shot at a board without opposing discs must bring to the 15
// (OPN-2, OPN-4).
type OpenBoard uint8

// The values of OpenBoard.
const (
	InvolvedTouch15 OpenBoard = iota // involved_touch_15: the shot disc or an own disc struck in the shot ends inside or touching the 15 line: NCA, WCC, Depot, Mayday rulebook
	ShooterTouch15                   // shooter_touch_15: only the shot disc can satisfy the rule: the article, tournament variant of a board maker
	ShooterInside15                  // shooter_inside_15: the whole shot disc must end inside the line: one reading of Wikipedia
	OpenBoardFree                    // none: an open shot is free: the video, woodworkers' base rules, Mayday blog
)

var openBoardWords = []string{"involved_touch_15", "shooter_touch_15", "shooter_inside_15", "none"}

// String is the option's word in profiles.
func (v OpenBoard) String() string { return enumString(openBoardWords, v) }

// MarshalText writes the option's word.
func (v OpenBoard) MarshalText() ([]byte, error) { return enumText("open_board", openBoardWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *OpenBoard) UnmarshalText(text []byte) error {
	return enumParse("open_board", openBoardWords, text, v)
}

// Scope says which open shots the open-board rule binds (OPN-4).
type Scope uint8

// The values of Scope.
const (
	EveryShot Scope = iota // every: every open shot: NCA, WCC and most others
	FirstShot              // first_shot: only the first shot of a round: woodworkers' variation
)

var scopeWords = []string{"every", "first_shot"}

// String is the option's word in profiles.
func (v Scope) String() string { return enumString(scopeWords, v) }

// MarshalText writes the option's word.
func (v Scope) MarshalText() ([]byte, error) { return enumText("open_board_scope", scopeWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *Scope) UnmarshalText(text []byte) error {
	return enumParse("open_board_scope", scopeWords, text, v)
}

// OpenBoardPenalty says what a failed open shot costs (OPN-3).
type OpenBoardPenalty uint8

// The values of OpenBoardPenalty.
const (
	OpenStruck  OpenBoardPenalty = iota // struck: the shot disc and every own disc struck, also at second hand: NCA, Depot, Mayday rulebook
	OpenShooter                         // shooter: the shot disc only: the article as written
)

var openBoardPenaltyWords = []string{"struck", "shooter"}

// String is the option's word in profiles.
func (v OpenBoardPenalty) String() string { return enumString(openBoardPenaltyWords, v) }

// MarshalText writes the option's word.
func (v OpenBoardPenalty) MarshalText() ([]byte, error) {
	return enumText("open_board_penalty", openBoardPenaltyWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *OpenBoardPenalty) UnmarshalText(text []byte) error {
	return enumParse("open_board_penalty", openBoardPenaltyWords, text, v)
}

// ContactRule says what counts as hitting an opposing disc (CON-2).
type ContactRule uint8

// The values of ContactRule.
const (
	Combination         ContactRule = iota // combination: directly or through own discs, in any order: NCA, WCC, Depot, Mayday rulebook, article, video
	Direct                                 // direct: the shot disc itself must strike: woodworkers' base rules
	OpponentFirst                          // opponent_first: the first disc the shot disc touches must be an opposing one: some families
	OpponentFirstNoBank                    // opponent_first_no_bank: as opponent_first, and no post before it either: Mayday blog
)

var contactRuleWords = []string{"combination", "direct", "opponent_first", "opponent_first_no_bank"}

// String is the option's word in profiles.
func (v ContactRule) String() string { return enumString(contactRuleWords, v) }

// MarshalText writes the option's word.
func (v ContactRule) MarshalText() ([]byte, error) { return enumText("contact", contactRuleWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *ContactRule) UnmarshalText(text []byte) error {
	return enumParse("contact", contactRuleWords, text, v)
}

// ContactPenalty says what a miss costs (CON-3).
type ContactPenalty uint8

// The values of ContactPenalty.
const (
	Struck          ContactPenalty = iota // struck: the shot disc and every own disc struck, also at second hand: NCA, WCC, Depot
	StruckByShooter                       // struck_by_shooter: the shot disc and the own discs it touched itself: video, Mayday rulebook
	ShooterOnly                           // shooter: the shot disc only: woodworkers' base rules, Mayday blog
)

var contactPenaltyWords = []string{"struck", "struck_by_shooter", "shooter"}

// String is the option's word in profiles.
func (v ContactPenalty) String() string { return enumString(contactPenaltyWords, v) }

// MarshalText writes the option's word.
func (v ContactPenalty) MarshalText() ([]byte, error) {
	return enumText("contact_penalty", contactPenaltyWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *ContactPenalty) UnmarshalText(text []byte) error {
	return enumParse("contact_penalty", contactPenaltyWords, text, v)
}

// OpponentDiscs says what happens to opposing discs that a failed shot
// disturbed (CON-5).
type OpponentDiscs uint8

// The values of OpponentDiscs.
const (
	OpponentsStay     OpponentDiscs = iota // stay: they stay where they came to rest
	OpponentsRestored                      // restore: they go back to where they lay: a house option
)

var opponentDiscsWords = []string{"stay", "restore"}

// String is the option's word in profiles.
func (v OpponentDiscs) String() string { return enumString(opponentDiscsWords, v) }

// MarshalText writes the option's word.
func (v OpponentDiscs) MarshalText() ([]byte, error) {
	return enumText("invalid_opponent_discs", opponentDiscsWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *OpponentDiscs) UnmarshalText(text []byte) error {
	return enumParse("invalid_opponent_discs", opponentDiscsWords, text, v)
}

// Damage says what becomes of discs disturbed by a disc that had already left the
// surface (DMG-2, DMG-3).
type Damage uint8

// The values of Damage.
const (
	DamageStays    Damage = iota // stays: they stay; the other rules still apply to what happened in play: NCA, WCC since 2011, article
	DamageSuspends               // stays_suspend: they stay, and no other rule is applied to the shot: reading of the Crokinole 101 walk-through
	DamageRestored               // restore: they are put back: Mayday rulebook, older club practice
)

var damageWords = []string{"stays", "stays_suspend", "restore"}

// String is the option's word in profiles.
func (v Damage) String() string { return enumString(damageWords, v) }

// MarshalText writes the option's word.
func (v Damage) MarshalText() ([]byte, error) { return enumText("damage", damageWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *Damage) UnmarshalText(text []byte) error {
	return enumParse("damage", damageWords, text, v)
}

// Spin says what becomes of a disc that crosses the starting line and comes back
// without leaving the surface (OUT-3).
type Spin uint8

// The values of Spin.
const (
	SpinInPlay Spin = iota // in_play: it is judged where it stops: NCA, WCC since 2011
	SpinOut                // out: it is dead once it has crossed: older readings
)

var spinWords = []string{"in_play", "out"}

// String is the option's word in profiles.
func (v Spin) String() string { return enumString(spinWords, v) }

// MarshalText writes the option's word.
func (v Spin) MarshalText() ([]byte, error) { return enumText("spin", spinWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *Spin) UnmarshalText(text []byte) error {
	return enumParse("spin", spinWords, text, v)
}

// LineEdge says what of a printed line counts (VAL-3).
type LineEdge uint8

// The values of LineEdge.
const (
	PrintedLine LineEdge = iota // printed: any ink: the usual reading
	LineCentre                  // centre: a line without width in the middle of the ink: some programs
)

var lineEdgeWords = []string{"printed", "centre"}

// String is the option's word in profiles.
func (v LineEdge) String() string { return enumString(lineEdgeWords, v) }

// MarshalText writes the option's word.
func (v LineEdge) MarshalText() ([]byte, error) { return enumText("line", lineEdgeWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *LineEdge) UnmarshalText(text []byte) error {
	return enumParse("line", lineEdgeWords, text, v)
}

// StartRadial says how far out the disc may be placed (PLC-1).
type StartRadial uint8

// The values of StartRadial.
const (
	StartTouch         StartRadial = iota // touch: it must touch the starting line: NCA since 2011, WCC, Mayday rulebook, article, video
	StartTouchOrBehind                    // touch_or_behind: touching it or behind it: older Depot text, woodworkers
)

var startRadialWords = []string{"touch", "touch_or_behind"}

// String is the option's word in profiles.
func (v StartRadial) String() string { return enumString(startRadialWords, v) }

// MarshalText writes the option's word.
func (v StartRadial) MarshalText() ([]byte, error) {
	return enumText("start_radial", startRadialWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *StartRadial) UnmarshalText(text []byte) error {
	return enumParse("start_radial", startRadialWords, text, v)
}

// StartLateral says how far sideways the disc may be placed (PLC-2).
type StartLateral uint8

// The values of StartLateral.
const (
	StartHalf         StartLateral = iota // half: at most half beyond the quadrant line: Mayday rulebook, article, video
	StartTouchDivider                     // touch_divider: beyond it while still touching it: WCC, NCA
	StartInside                           // inside: clear of it on the own side: the plain wording
)

var startLateralWords = []string{"half", "touch_divider", "inside"}

// String is the option's word in profiles.
func (v StartLateral) String() string { return enumString(startLateralWords, v) }

// MarshalText writes the option's word.
func (v StartLateral) MarshalText() ([]byte, error) {
	return enumText("start_lateral", startLateralWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *StartLateral) UnmarshalText(text []byte) error {
	return enumParse("start_lateral", startLateralWords, text, v)
}

// RoundScore says what a round is worth (RND-3, PLY-3b, PLY-4x).
type RoundScore uint8

// The values of RoundScore.
const (
	Difference   RoundScore = iota // difference: the higher side gets the difference: Mayday rulebook, article, video
	MatchPoints                    // match: 2 to the higher side, 1 each when level: NCA, WCC, Depot
	Accumulate                     // accumulate: everyone keeps the total
	MatchPoints3                   // match3: 2, 1, 0 among three; ties 1 1 0, 2 0 0, 1 1 1: Mayday rulebook
	RankPoints4                    // rank4: 8, 6, 4, 2 among four, tied ranks share: Depot's optional rules
)

var roundScoreWords = []string{"difference", "match", "accumulate", "match3", "rank4"}

// String is the option's word in profiles.
func (v RoundScore) String() string { return enumString(roundScoreWords, v) }

// MarshalText writes the option's word.
func (v RoundScore) MarshalText() ([]byte, error) { return enumText("round_score", roundScoreWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *RoundScore) UnmarshalText(text []byte) error {
	return enumParse("round_score", roundScoreWords, text, v)
}

// Starter says who leads the next round (STR-2).
type Starter uint8

// The values of Starter.
const (
	RotateStarter Starter = iota // rotate: the next player clockwise, also after a tie: nearly everyone
	WinnerStarts                 // winner: the round's winner; after a tie the leader stays: a lone fragment
)

var starterWords = []string{"rotate", "winner"}

// String is the option's word in profiles.
func (v Starter) String() string { return enumString(starterWords, v) }

// MarshalText writes the option's word.
func (v Starter) MarshalText() ([]byte, error) { return enumText("starter", starterWords, v) }

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *Starter) UnmarshalText(text []byte) error {
	return enumParse("starter", starterWords, text, v)
}

// DoublesOrder says who of a side may take its turn (PLY-4).
type DoublesOrder uint8

// The values of DoublesOrder.
const (
	Clockwise      DoublesOrder = iota // clockwise: the players shoot in turn, clockwise: all rule texts
	SidesAlternate                     // sides_alternate: the sides alternate and either partner may shoot: a club experiment, a Depot option
)

var doublesOrderWords = []string{"clockwise", "sides_alternate"}

// String is the option's word in profiles.
func (v DoublesOrder) String() string { return enumString(doublesOrderWords, v) }

// MarshalText writes the option's word.
func (v DoublesOrder) MarshalText() ([]byte, error) {
	return enumText("doubles_order", doublesOrderWords, v)
}

// UnmarshalText reads the option's word; another word is an *OptionError.
func (v *DoublesOrder) UnmarshalText(text []byte) error {
	return enumParse("doubles_order", doublesOrderWords, text, v)
}
