package rules

import (
	"crokcam/board"
)

// Ruling is the answer to "was it a good shot?".
type Ruling uint8

// The rulings.
const (
	Unclear  Ruling = iota // the evidence cannot decide: see Verdict.Doubts
	Good                   // the shot stands
	Failed                 // the shot failed and costs its penalty
	Desynced               // the snapshots cannot belong to one shot: see Verdict.Desync
)

// String is the ruling's word in results.
func (r Ruling) String() string {
	return enumString([]string{"unclear", "good", "failed", "desynced"}, r)
}

// Basis says what a verdict rests on.
type Basis uint8

// The bases.
const (
	FromContacts  Basis = iota // contacts that were seen
	FromSnapshots              // displacement and discs at rest against each other (INF-1, INF-2)
	FromBoth                   // contacts were seen, but a disc moved that none of them explains
)

// String is the basis's word in results.
func (b Basis) String() string {
	return enumString([]string{"contacts", "snapshots", "both"}, b)
}

// Fate is where a disc is once the ruling has been carried out.
type Fate uint8

// The fates.
const (
	OnBoard  Fate = iota // lies on the surface
	Ditched              // lies in the ditch: see Outcome.Why
	Scored               // a 20, set aside for its owner
	Awaiting             // lies in the hole, but whether it counts is undecided
)

// String is the fate's word in results.
func (f Fate) String() string {
	return enumString([]string{"board", "ditch", "twenty", "awaiting"}, f)
}

// Why is the reason a disc lies in the ditch.
type Why uint8

// The reasons. When several hold the first of OffSurface, Reentry, CrossedLine,
// InvalidShot and OuterLine is given: what happened during the shot goes before
// the penalty, and the penalty before the tidying up after it.
const (
	NotDitched  Why = iota
	OffSurface      // left the surface and stayed off (OUT-2)
	Reentry         // left the surface and came back (DMG-1)
	CrossedLine     // crossed the starting line, under spin=out (OUT-3)
	InvalidShot     // lifted as the penalty for a failed shot (CON-3, OPN-3)
	OuterLine       // touches or lies beyond the starting line (OUT-1)
)

// String is the reason's word in results, "" for NotDitched.
func (w Why) String() string {
	return enumString([]string{"", "off_surface", "reentry", "crossed_line", "invalid_shot", "outer_line"}, w)
}

// Outcome is what becomes of one disc.
type Outcome struct {
	At       board.Point // where it lies when its Fate is OnBoard, else where it was last seen
	Sigma    float32     // standard deviation of At, mm
	Before   int8        // its place in the snapshot before; -1 for the shot disc
	After    int8        // its place in the snapshot after; -1 when it is not there
	Side     board.Side  // whose it is
	Fate     Fate        //
	Why      Why         // why it lies in the ditch
	Rest     board.Rest  // how it lies
	Zone     board.Zone  // what it counts once the ruling has been carried out; Out in the ditch
	Lies     board.Zone  // the zone At is in, whatever its fate
	Line     board.Zone  // the zone whose outer line it touches there; Out for none
	Struck   bool        // it took part in a contact while in play
	Restored bool        // it has to be put back to At (DMG-2, CON-5)
}

// CloseCall is a disc that lies nearer to a line than two sigmas.
type CloseCall struct {
	Disc  int        // place in Verdict.Outcomes
	Gap   float64    // mm between the disc's edge and the line's counting edge; negative when it touches
	Zone  board.Zone // as called
	Other board.Zone // on the other side of the line
	Turns bool       // the ruling or a removal turns on it; otherwise only the disc's value does
}

// DoubtKind names what the evidence leaves open.
type DoubtKind uint8

// The doubts. Those marked remote need something rare to have happened unseen;
// grazes are such where the board was in sight throughout.
const (
	DoubtDirect   DoubtKind = iota // did the shot disc itself hit an opposing disc? (INF-4)
	DoubtFirst                     // what did the shot disc touch first? (INF-4)
	DoubtBank                      // did it touch a post first? (INF-4)
	DoubtStruckBy                  // which own discs did the shot disc itself touch? (INF-4)
	DoubtGraze                     // was a disc touched without moving? (INF-3)
	DoubtContact                   // did these discs touch? (a contact of low confidence)
	DoubtMoved                     // did the disc move, or is that the measurement?
	DoubtTouching                  // do these discs touch at rest?
	DoubtLine                      // does the disc touch the line?
	DoubtDamage                    // had the disc left the surface before it touched? remote where nobody watched the edge (DMG-3)
	DoubtReturn                    // did a disc leave the surface and come back? remote (DMG-1)
	DoubtCrossing                  // did a disc cross the line and come back? remote (OUT-3)
	DoubtShot                      // was it the first shot of the round? (OPN-4)
	DoubtIdentity                  // which disc was shot?
	DoubtVanished                  // where is the disc that is nowhere to be seen? remote where no hand was seen over the board, unless it hung over the hole (INF-5)
	DoubtPlace                     // where does a disc to be put back belong? (DMG-2)
	DoubtStanding                  // a disc stands on its rim (OUT-5)
	DoubtStacked                   // a disc lies on one in the hole (TWN-6)
	DoubtHand                      // a hand or a knock moved a disc (DST-1)
)

var doubtWords = []string{"direct", "first", "bank", "struck_by", "graze", "contact", "moved", "touching", "line",
	"damage", "return", "crossing", "shot_number", "identity", "vanished", "place", "standing", "stacked", "hand"}

// String is the doubt's word in results.
func (k DoubtKind) String() string { return enumString(doubtWords, k) }

// Doubt is a question that the evidence leaves open and that matters.
type Doubt struct {
	Kind   DoubtKind
	Rule   string // the rule that raises it
	Discs  []int  // places in Verdict.Outcomes of the discs it is about
	Remote bool   // only something rare that nobody saw would change the verdict; it flags one only where nothing was watched
	// Answers are what the players can say and the verdict each answer leads to.
	// They are empty where only a ruling by the referee or an agreement helps.
	Answers []Answer
}

// Answer is one possible answer to a doubt.
type Answer struct {
	Key     string    // "yes" or "no"
	Ruling  Ruling    //
	Outcome []Outcome // as Verdict.Outcomes
}

// DesyncKind names a way in which two snapshots cannot belong to one shot.
type DesyncKind uint8

// The ways.
const (
	FromNowhere DesyncKind = iota // a disc that was not there and was not shot (INF-5)
	TooMany                       // a side has more discs than it can have
	TwoTwenties                   // two new 20s in one shot (TWN-6)
	Vanished                      // a disc is gone though nothing touched it and no hand was over the board (INF-5)
)

// String is the word in results.
func (k DesyncKind) String() string {
	return enumString([]string{"from_nowhere", "too_many", "two_twenties", "vanished"}, k)
}

// Discrepancy is one thing that does not add up.
type Discrepancy struct {
	Kind  DesyncKind
	Side  board.Side
	Count int // how many there are
	Most  int // how many there can be
}

// Reason is one step of a ruling: the rule, and the values that make up the
// sentence. Package rules/say turns it into words.
type Reason struct {
	Rule  string  // the rule's id
	Key   string  // the sentence's key in the catalogues
	Disc  int     // place in Verdict.Outcomes; -1 for none
	Other int     // a second disc; -1 for none
	Gap   float64 // mm, where a measure decided
}

// Verdict is what the rules make of a shot.
type Verdict struct {
	Ruling   Ruling
	Review   bool  // somebody should look: a doubt that is likely enough matters, or a call turns on less than two sigmas
	OpenShot bool  // no opposing disc lay on the surface (OPN-1)
	Basis    Basis // what it rests on
	Shooter  board.Side
	// Outcomes are the discs of the snapshot before, in its order, and the shot
	// disc last. Discs still lying in the hole from an earlier shot are left out.
	Outcomes []Outcome
	Twenties [board.SideD + 1]uint8 // 20s credited, indexed by side (TWN-2)
	Reasons  []Reason
	Close    []CloseCall
	Doubts   []Doubt
	Desync   []Discrepancy
}

// Board is the surface once the ruling has been carried out: removed discs
// away, 20s set aside, discs put back.
func (v Verdict) Board() board.Snapshot {
	var s board.Snapshot
	for _, o := range v.Outcomes {
		if o.Fate == OnBoard {
			s.Discs = append(s.Discs, board.Disc{Point: o.At, Side: o.Side, Rest: o.Rest, Sigma: float64(o.Sigma), Confidence: 1})
		}
	}
	return s
}

// Answered is the verdict once the players have answered one of its doubts. The
// other doubts were weighed against the same evidence and fall away with it,
// except those that no answer settles.
func (v Verdict) Answered(doubt, answer int) (Verdict, error) {
	if doubt < 0 || doubt >= len(v.Doubts) || answer < 0 || answer >= len(v.Doubts[doubt].Answers) {
		return Verdict{}, inputErr("answer", "there is no answer %d to doubt %d", answer, doubt)
	}
	d := v.Doubts[doubt]
	out := v
	out.Ruling = d.Answers[answer].Ruling
	out.Outcomes = append([]Outcome(nil), d.Answers[answer].Outcome...)
	out.Twenties = [board.SideD + 1]uint8{}
	for _, o := range out.Outcomes {
		if o.Fate == Scored {
			out.Twenties[o.Side]++
		}
	}
	out.Doubts = nil
	for _, other := range v.Doubts {
		if len(other.Answers) == 0 {
			out.Doubts = append(out.Doubts, other)
		}
	}
	out.Review = len(out.Doubts) > 0
	out.Reasons = append([]Reason{{Rule: d.Rule, Key: "answered", Disc: -1, Other: -1}}, out.Reasons...)
	return out, nil
}
