package match

import (
	"time"

	"crokcam/board"
	"crokcam/rules"
)

// Started begins a match. It is always the first event, and the only one that
// cannot be undone.
type Started struct {
	Match     string     `json:"match"`               // id of the match, a UUID
	Code      string     `json:"code,omitempty"`      // short, for people
	Title     string     `json:"title,omitempty"`     //
	Players   []Player   `json:"players"`             // one for each seat of the first stage's layout
	Sides     []SideName `json:"sides,omitempty"`     // what the sides are called and how their discs look
	Profile   string     `json:"profile,omitempty"`   // the rule profile the plan was made from
	Plan      Plan       `json:"plan"`                // how the match is decided, every rule option spelt out
	Board     string     `json:"board,omitempty"`     // the table in the hall
	Source    string     `json:"source,omitempty"`    // the camera or file, without credentials
	Reference string     `json:"reference,omitempty"` // the match's code in a tournament program
}

// Player is who sits where.
type Player struct {
	Seat board.Seat `json:"seat"`
	Name string     `json:"name"`
}

// SideName says what a side is called and how its discs look.
type SideName struct {
	Side   board.Side `json:"side"`
	Name   string     `json:"name,omitempty"`
	Colour string     `json:"colour,omitempty"` // a word of the catalogues: "black", "natural"
}

// RoundStarted begins the next round on an empty board. Lead is who leads it,
// normally State.Lead; naming another seat corrects who leads.
type RoundStarted struct {
	Lead board.Seat `json:"lead"`
}

// ShotDetected is a shot as it was seen, before anybody has judged it.
type ShotDetected struct {
	Seat     board.Seat     `json:"seat"` // who shot
	Before   board.Snapshot `json:"before"`
	After    board.Snapshot `json:"after"`
	Evidence Evidence       `json:"evidence"`
	Track    *Track         `json:"track,omitempty"`
	// The shot's times on the camera's clock, zero where they are not known.
	BeforeAt time.Time `json:"before_at,omitzero"` // the snapshot before
	MovedAt  time.Time `json:"moved_at,omitzero"`  // first motion
	RestedAt time.Time `json:"rested_at,omitzero"` // all discs at rest
	AfterAt  time.Time `json:"after_at,omitzero"`  // the snapshot after
	Pictures Pictures  `json:"pictures,omitzero"`
	// OutOfTurn lets somebody shoot whose turn it is not (FOU-4 names no penalty).
	// Without it such a shot is refused.
	OutOfTurn bool `json:"out_of_turn,omitempty"`
}

// Pictures are the names under which a store keeps the pictures of a shot.
type Pictures struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// ShotJudged is the verdict on a shot with everything it rests on.
type ShotJudged struct {
	Shot    int     `json:"shot"` // Seq of the shot
	Verdict Verdict `json:"verdict"`
}

// QuestionAsked puts something to the players that the program does not know.
type QuestionAsked struct {
	Turn    int      `json:"turn"`            // Seq of the shot or other turn it is about
	About   About    `json:"about"`           //
	Discs   []DiscID `json:"discs,omitempty"` // the discs it is about
	Doubt   int      `json:"doubt,omitempty"` // place in the verdict's doubts, for AboutDoubt
	Choices []Choice `json:"choices"`         // what can be answered
	// Blocking holds play up until the question is answered, withdrawn, or settled
	// by a correction. The others are offers: a close call with a nominal value.
	Blocking bool `json:"blocking,omitempty"`
}

// About says what a question is about.
type About string

// What questions are about.
const (
	AboutDoubt   About = "doubt"   // the evidence does not decide the verdict
	AboutClose   About = "close"   // a disc near a line
	AboutTwenty  About = "twenty"  // was it a 20?
	AboutRemoval About = "removal" // a disc stays that should go, or goes that should stay
	AboutShooter About = "shooter" // who shot?
	AboutBoard   About = "board"   // the board is not as the match has it
)

// Choice is one possible answer, with what it changes; no change where the match
// is right as it stands.
type Choice struct {
	Key    string  `json:"key"` // "yes", "no", "10", …
	Change *Change `json:"change,omitempty"`
}

// QuestionAnswered is the players' answer.
type QuestionAnswered struct {
	Question int    `json:"question"` // Seq of the question
	Choice   string `json:"choice"`   // key of one of its choices
}

// QuestionWithdrawn takes back a question that has become idle, such as that
// about a disc which has been removed after all.
type QuestionWithdrawn struct {
	Question int    `json:"question"`
	Reason   string `json:"reason,omitempty"`
}

// RemovalExpected says which discs the players have to take off the board, or put
// back, before the next shot.
type RemovalExpected struct {
	Turn    int      `json:"turn"`
	Remove  []DiscID `json:"remove,omitempty"`
	Restore []DiscID `json:"restore,omitempty"`
}

// RemovalChecked is what became of it: nothing left to do when both lists are
// empty.
type RemovalChecked struct {
	Turn    int      `json:"turn"`
	Stays   []DiscID `json:"stays,omitempty"` // should go and is still there
	Gone    []DiscID `json:"gone,omitempty"`  // should stay, or come back, and is not there
	Picture string   `json:"picture,omitempty"`
}

// TwentySeen is a disc seen flat in the hole. It does not count by itself: the
// verdict says whether it does. When the verdict has no 20 the match asks.
type TwentySeen struct {
	Turn       int        `json:"turn"`
	Side       board.Side `json:"side"`
	Confidence float64    `json:"confidence,omitempty"` // 0 to 1
	Picture    string     `json:"picture,omitempty"`
}

// TwentyLifted is the disc being taken out of the hole and set aside.
type TwentyLifted struct {
	Turn int        `json:"turn"`
	Side board.Side `json:"side"`
}

// TurnForfeited is a turn whose disc goes to the ditch unshot: the clock ran out
// (TIM-2).
type TurnForfeited struct {
	Seat board.Seat `json:"seat"`
}

// TimeEnded is the end of a timed match's time: in the middle of a round, which is
// then played out as far as fairness asks (TIM-1), or between two.
type TimeEnded struct{}

// RoundEnded puts forward the count of a round whose discs are all shot.
type RoundEnded struct {
	Totals   Points `json:"totals"`
	Twenties Points `json:"twenties"`
	Picture  string `json:"picture,omitempty"`
}

// RoundAgreed is the players' agreement that the count is right (RND-1). Only
// then does the round count.
type RoundAgreed struct{}

// RoundEntered is a whole round entered by hand, without its shots.
type RoundEntered struct {
	Totals   Points `json:"totals"`
	Twenties Points `json:"twenties"`
}

// ShootoutHeld is the result of a shoot-out: open 20s of each side.
type ShootoutHeld struct {
	Hits Points `json:"hits"`
}

// GameEnded tells that the rules call a game over. It only marks the moment; who
// has won is derived.
type GameEnded struct {
	Scores Points     `json:"scores"`
	Winner board.Side `json:"winner"` // "" when drawn
}

// Ended tells that the rules call the match over.
type Ended struct {
	Winner board.Side `json:"winner"`
}

// Closed ends a match by decision and not by the rules: given up, out of time
// between two rounds, broken off.
type Closed struct {
	Winner board.Side `json:"winner"` // "" for nobody
	Reason string     `json:"reason"`
}

// Paused stops scoring until Resumed.
type Paused struct {
	Reason string `json:"reason,omitempty"`
}

// Resumed ends a pause.
type Resumed struct{}

// Desynced tells that the board and the match do not agree, so that nothing is
// scored until Resynced.
type Desynced struct {
	Reason  string          `json:"reason,omitempty"`
	Board   *board.Snapshot `json:"board,omitempty"` // as it lies
	Picture string          `json:"picture,omitempty"`
}

// Resynced takes the board as it lies. It says all that the board does not show,
// so that play can go on from there.
type Resynced struct {
	Board    board.Snapshot `json:"board"`
	Twenties Points         `json:"twenties"` // 20s set aside in this round
	Left     Left           `json:"left"`     // discs not yet shot, by seat
	Next     board.Seat     `json:"next"`     // whose turn it is
	Picture  string         `json:"picture,omitempty"`
}

// Corrected changes what the match has. Target is the Seq of what is corrected:
// the shot or other turn after which the board was wrong, or the start of the
// round.
type Corrected struct {
	Target int    `json:"target"`
	Change Change `json:"change"`
	Reason string `json:"reason,omitempty"`
}

// Undone hides its target. A correction goes by itself; of play everything from
// the target on goes with it, and the corrections of that.
type Undone struct {
	Target int `json:"target"`
}

// Redone brings back what the undo with that Seq has hidden.
type Redone struct {
	Target int `json:"target"`
}

// Note is a remark. It changes nothing.
type Note struct {
	Text string `json:"text"`
}

// Kind is "match.started".
func (Started) Kind() string { return "match.started" }

// Kind is "round.started".
func (RoundStarted) Kind() string { return "round.started" }

// Kind is "shot.detected".
func (ShotDetected) Kind() string { return "shot.detected" }

// Kind is "shot.judged".
func (ShotJudged) Kind() string { return "shot.judged" }

// Kind is "question.asked".
func (QuestionAsked) Kind() string { return "question.asked" }

// Kind is "question.answered".
func (QuestionAnswered) Kind() string { return "question.answered" }

// Kind is "question.withdrawn".
func (QuestionWithdrawn) Kind() string { return "question.withdrawn" }

// Kind is "removal.expected".
func (RemovalExpected) Kind() string { return "removal.expected" }

// Kind is "removal.checked".
func (RemovalChecked) Kind() string { return "removal.checked" }

// Kind is "twenty.seen".
func (TwentySeen) Kind() string { return "twenty.seen" }

// Kind is "twenty.lifted".
func (TwentyLifted) Kind() string { return "twenty.lifted" }

// Kind is "turn.forfeited".
func (TurnForfeited) Kind() string { return "turn.forfeited" }

// Kind is "time.ended".
func (TimeEnded) Kind() string { return "time.ended" }

// Kind is "round.ended".
func (RoundEnded) Kind() string { return "round.ended" }

// Kind is "round.agreed".
func (RoundAgreed) Kind() string { return "round.agreed" }

// Kind is "round.entered".
func (RoundEntered) Kind() string { return "round.entered" }

// Kind is "shootout.held".
func (ShootoutHeld) Kind() string { return "shootout.held" }

// Kind is "game.ended".
func (GameEnded) Kind() string { return "game.ended" }

// Kind is "match.ended".
func (Ended) Kind() string { return "match.ended" }

// Kind is "match.closed".
func (Closed) Kind() string { return "match.closed" }

// Kind is "match.paused".
func (Paused) Kind() string { return "match.paused" }

// Kind is "match.resumed".
func (Resumed) Kind() string { return "match.resumed" }

// Kind is "board.desynced".
func (Desynced) Kind() string { return "board.desynced" }

// Kind is "board.resynced".
func (Resynced) Kind() string { return "board.resynced" }

// Kind is "score.corrected".
func (Corrected) Kind() string { return "score.corrected" }

// Kind is "event.undone".
func (Undone) Kind() string { return "event.undone" }

// Kind is "event.redone".
func (Redone) Kind() string { return "event.redone" }

// Kind is "note.added".
func (Note) Kind() string { return "note.added" }

// reading a kind's data into its type
type decoder func(data []byte) (Body, error)

// kinds are the kinds of events that this program knows, with the version of
// each one's form that it writes. It reads that version and all below.
var kinds = map[string]struct {
	version int
	decode  decoder
}{
	Started{}.Kind():           {1, into[Started]},
	RoundStarted{}.Kind():      {1, into[RoundStarted]},
	ShotDetected{}.Kind():      {1, into[ShotDetected]},
	ShotJudged{}.Kind():        {1, into[ShotJudged]},
	QuestionAsked{}.Kind():     {1, into[QuestionAsked]},
	QuestionAnswered{}.Kind():  {1, into[QuestionAnswered]},
	QuestionWithdrawn{}.Kind(): {1, into[QuestionWithdrawn]},
	RemovalExpected{}.Kind():   {1, into[RemovalExpected]},
	RemovalChecked{}.Kind():    {1, into[RemovalChecked]},
	TwentySeen{}.Kind():        {1, into[TwentySeen]},
	TwentyLifted{}.Kind():      {1, into[TwentyLifted]},
	TurnForfeited{}.Kind():     {1, into[TurnForfeited]},
	TimeEnded{}.Kind():         {1, into[TimeEnded]},
	RoundEnded{}.Kind():        {1, into[RoundEnded]},
	RoundAgreed{}.Kind():       {1, into[RoundAgreed]},
	RoundEntered{}.Kind():      {1, into[RoundEntered]},
	ShootoutHeld{}.Kind():      {1, into[ShootoutHeld]},
	GameEnded{}.Kind():         {1, into[GameEnded]},
	Ended{}.Kind():             {1, into[Ended]},
	Closed{}.Kind():            {1, into[Closed]},
	Paused{}.Kind():            {1, into[Paused]},
	Resumed{}.Kind():           {1, into[Resumed]},
	Desynced{}.Kind():          {1, into[Desynced]},
	Resynced{}.Kind():          {1, into[Resynced]},
	Corrected{}.Kind():         {1, into[Corrected]},
	Undone{}.Kind():            {1, into[Undone]},
	Redone{}.Kind():            {1, into[Redone]},
	Note{}.Kind():              {1, into[Note]},
}

// Kinds are the names of all kinds of events, in no order.
func Kinds() []string {
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	return names
}

// Left is discs not yet shot, by seat.
type Left [4]int

// Points are figures by side.
type Points rules.Points
