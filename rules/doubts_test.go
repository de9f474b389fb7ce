package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
)

// asked is one question of a verdict and what the first of its answers leads to.
type asked struct {
	name string
	scene
	want     string // the verdict
	doubts   string
	kind     rules.DoubtKind
	answered string // the verdict once the question of that kind has its first answer
}

func ask(t *testing.T, cases []asked) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, names := c.judge(t)
			require.Equal(t, c.want, tell(v, names))
			require.Equal(t, c.doubts, doubts(v))
			i := slices.IndexFunc(v.Doubts, func(d rules.Doubt) bool { return d.Kind == c.kind })
			if c.answered == "" {
				require.Negative(t, i)
				return
			}
			require.GreaterOrEqual(t, i, 0)
			w, err := v.Answered(i, 0)
			require.NoError(t, err)
			require.Equal(t, c.answered, tell(w, names))
		})
	}
}

// Contacts were watched, and a disc moved that none of them explains: that it was
// touched is sure, by what and when is not.
func TestMovedUnexplained(t *testing.T) {
	const cradled = "a1 100 0, b1 150 0, b2 -150 0"
	const pushed = "a1 120 0, b1 180 0, b2 -190 0, s 60 0"
	ask(t, []asked{
		{"direct, an opposing disc", scene{Before: cradled, After: pushed, Contacts: "s>a1 a1>b1", Rules: contact(rules.Direct)},
			"unclear! | on a1=10 b1=10 b2=5 s=15", "direct", rules.DoubtDirect, "good | on a1=10 b1=10 b2=5 s=15"},
		{"direct, an own disc: that helps nothing", scene{Before: "a1 100 0, b1 150 0, a2 -150 0", After: "a1 120 0, b1 180 0, a2 -190 0, s 60 0", Contacts: "s>a1 a1>b1", Rules: contact(rules.Direct)},
			"failed! | out a1:invalid_shot a2:invalid_shot s:invalid_shot | on b1=10", "hand", rules.DoubtHand, "failed | out a1:invalid_shot s:invalid_shot | on a2=5 b1=10"},
		{"opposing first: it may have been the first", scene{Before: cradled, After: pushed, Contacts: "s>a1 a1>b1", Rules: contact(rules.OpponentFirst)},
			"unclear! | on a1=10 b1=10 b2=5 s=15", "direct", rules.DoubtDirect, "good | on a1=10 b1=10 b2=5 s=15"},
		{"opposing first, no bank: before the post too", scene{Before: "b1 150 0, b2 -150 0", After: "b1 180 0, b2 -190 0, s 60 0", Contacts: "s>post s>b1", Rules: contact(rules.OpponentFirstNoBank)},
			"unclear! | on b1=10 b2=5 s=15", "direct", rules.DoubtDirect, "good | on b1=10 b2=5 s=15"},
		{"combination: whatever touched it", scene{Before: cradled, After: pushed, Contacts: "s>a1 a1>b1"},
			"good | on a1=10 b1=10 b2=5 s=15", "", rules.DoubtDirect, ""},
		{"a miss that may have struck an own disc itself", scene{Before: "a1 150 0, b1 0 150", After: "a1 180 0, b1 0 150, s 60 0", Contacts: "", Rules: penalty(rules.StruckByShooter)},
			"failed! | out s:invalid_shot | on a1=10 b1=10", "struck_by", rules.DoubtStruckBy, "failed | out a1:invalid_shot s:invalid_shot | on b1=10"},
		{"an own disc may have been first", scene{Before: "a1 150 0, b1 0 150", After: "a1 180 0, b1 0 180, s 60 0", Contacts: "s>b1", Rules: contact(rules.OpponentFirst)},
			"good! | on a1=10 b1=10 s=15", "struck_by", rules.DoubtStruckBy, "failed | out a1:invalid_shot s:invalid_shot | on b1=10"},
	})
}

// Dead once across the line: whether a disc struck before or after it crossed.
func TestCrossingDoubts(t *testing.T) {
	out := func(change func(*rules.Ruleset)) rules.Ruleset {
		rs := rules.Ruleset{Spin: rules.SpinOut}
		change(&rs)
		return rs
	}
	ask(t, []asked{
		{"direct: what it then set off is no direct hit", scene{
			Before: "b1 150 0, b2 250 0", After: "b1 180 0, b2 270 0, s 60 0", Contacts: "s>b1 b1>b2", Crossed: "s",
			Rules: out(func(rs *rules.Ruleset) { rs.Contact = rules.Direct }),
		}, "good! | out s:crossed_line | on b1=10 b2=5", "crossing", rules.DoubtCrossing, "failed | out s:crossed_line | on b1=10 b2=5"},
		{"it may have been any disc that crossed", scene{
			Before: "a1 150 0, b1 250 0", After: "a1 180 0, b1 270 0, s 60 0", Contacts: "s>a1 a1>b1", Crossed: "a1", Rules: out(func(*rules.Ruleset) {}),
		}, "good! | out a1:crossed_line | on b1=5 s=15", "crossing", rules.DoubtCrossing, "failed | out a1:crossed_line s:invalid_shot | on b1=5"},
		{"an own disc struck dead is not struck", scene{
			Before: "a1 150 0, b1 0 150", After: "a1 180 0, b1 0 150, s 60 0", Contacts: "s>a1", Crossed: "s",
			Rules: out(func(rs *rules.Ruleset) { rs.ContactPenalty = rules.StruckByShooter }),
		}, "failed! | out a1:invalid_shot s:crossed_line | on b1=10", "crossing", rules.DoubtCrossing, "failed | out s:crossed_line | on a1=10 b1=10"},
		{"struck dead is damaged", scene{
			Before: "a1 150 0, b1 0 150", After: "a1 180 0, b1 0 150, s 60 0", Contacts: "s>a1", Crossed: "s",
			Rules: out(func(rs *rules.Ruleset) { rs.Damage = rules.DamageRestored }),
		}, "failed! | out a1:invalid_shot s:crossed_line | on b1=10", "crossing", rules.DoubtCrossing, "failed | out s:crossed_line | back a1 | on b1=10"},
		{"it struck nothing", scene{
			Before: "a1 150 0, b1 0 150", After: "a1 150 0, b1 0 150, s 60 0", Contacts: "", Crossed: "s", Rules: out(func(*rules.Ruleset) {}),
		}, "failed | out s:crossed_line | on a1=10 b1=10", "", rules.DoubtCrossing, ""},
		{"nobody watched: it is out for crossing, not for coming back", scene{
			Before: "b1 0 150", After: "b1 0 190, s off", Contacts: "~", Rules: out(func(*rules.Ruleset) {}),
		}, "good | out s:off_surface | on b1=5", "(damage) (return) (crossing)", rules.DoubtCrossing, "good | out b1:crossed_line s:off_surface"},
	})
	// The question is about the disc that crossed and what it struck.
	v, _ := scene{Before: "a1 150 0, b1 0 150", After: "a1 150 0, b1 0 190, s 60 0", Contacts: "s>b1", Crossed: "s", Rules: out(func(*rules.Ruleset) {})}.judge(t)
	require.Equal(t, rules.DoubtCrossing, v.Doubts[0].Kind)
	require.Equal(t, []int{1, 2}, v.Doubts[0].Discs)
}

// Nobody watched the edge: what the shot seems to have struck may have been struck
// by a disc coming back.
func TestReturnedUnseen(t *testing.T) {
	ask(t, []asked{
		{"an own disc struck by the dead shot disc is not lifted", scene{
			Before: "a1 100 0, b1 0 150", After: "a1 130 0, b1 0 150, s off", Contacts: "~", Rules: penalty(rules.StruckByShooter),
		}, "failed | out a1:invalid_shot s:off_surface | on b1=10", "(graze) (damage) (return)", rules.DoubtDamage, "failed | out s:off_surface | on a1=10 b1=10"},
		{"nothing left: there is no such question", scene{
			Before: "a1 100 0, b1 0 150", After: "a1 130 0, b1 0 150, s 60 0", Contacts: "~",
		}, "failed | out a1:invalid_shot s:invalid_shot | on b1=10", "(graze) (return) (return)", rules.DoubtDamage, ""},
		{"under suspension also what did not move", scene{
			Before: "b1 0 150", After: "b1 0 150, s off", Contacts: "~", Rules: damage(rules.DamageSuspends),
		}, "failed | out s:off_surface | on b1=10", "(graze) (damage)", rules.DoubtDamage, "good | out s:off_surface | on b1=10"},
	})
}

// How near a disc comes to rest beside one that did not move says how likely it
// touched it; how near is only as sure as the places are.
func TestBesideAStillDisc(t *testing.T) {
	for gap, asked := range map[string]bool{"115.0": true, "114.3": false} { // 3.25 and 3.95 mm
		v, _ := scene{Before: "b1 0 150", After: "b1 0 150, s 0 " + gap, Contacts: "~", Sigma: 0.5}.judge(t)
		require.Equal(t, rules.Failed, v.Ruling)
		require.Equal(t, asked, v.Review, "%s: %s", gap, doubts(v))
	}
	// A disc whose place is hardly known makes the others' no less sure.
	r := scene{Before: "b1 0 150, b2 200 0", After: "b1 0 150, b2 200 0, s 0 114.3", Contacts: "~", Sigma: 0.2}.ready(t)
	r.after.Discs[1].Sigma = 20
	v, err := rules.Judge(r.before, r.after, r.shot, r.rs)
	require.NoError(t, err)
	require.Equal(t, "(graze) moved (return)", doubts(v), "only whether it moved itself is open")
}

// A disc on the line that is lifted anyway raises no question, and the question of
// one that is not tells where it lies if it is clear of the line.
func TestLineDoubts(t *testing.T) {
	v, names := scene{Before: "b1 0 150", After: "b1 0 150, s 0 288.2", Contacts: "", Sigma: 0.2}.judge(t)
	require.Equal(t, "failed | out s:invalid_shot | on b1=10", tell(v, names))
	require.Empty(t, v.Doubts)
	v, _ = scene{Before: "b1 0 150", After: "b1 0 180, s 0 288.2", Contacts: "s>b1", Sigma: 0.2}.judge(t)
	require.Equal(t, "line", doubts(v))
	off := v.Doubts[0].Answers[0].Outcome[1]
	require.Equal(t, board.Five, off.Zone)
	require.Equal(t, board.Five, off.Lies)
	require.Equal(t, board.Out, off.Line)
}

// An open shot hangs on the 15 line: on the disc that reaches it alone, and under
// the strict reading on the shot disc's being clear of it.
func TestLineDoubtsOnAnOpenBoard(t *testing.T) {
	inside := openBoard(rules.ShooterInside15, 0)
	for _, c := range []struct {
		name string
		scene
		want    string
		yes, no string // what the answers to "does it touch the line?" lead to; none: there is no question
	}{
		{"just reached", scene{After: "s 118.2 0"}, "good! | on s=10", "good | on s=10", "failed | out s:invalid_shot"},
		{"just not reached", scene{After: "s 118.3 0"}, "failed! | out s:invalid_shot", "good | on s=10", "failed | out s:invalid_shot"},
		{"reached by the own disc, not by the shot disc", scene{Before: "a1 150 0", After: "a1 118.2 0, s 0 118.3", Contacts: "s>a1"},
			"good! | on a1=10 s=10", "good | on a1=10 s=10", "failed | out a1:invalid_shot s:invalid_shot"},
		{"reached by both", scene{Before: "a1 150 0", After: "a1 118.2 0, s 0 118.2", Contacts: "s>a1"}, "good | on a1=10 s=10", "", ""},
		{"just inside", scene{After: "s 84.8 0", Rules: inside}, "good! | on s=15", "failed | out s:invalid_shot", "good | on s=15"},
		{"just not inside", scene{After: "s 85 0", Rules: inside}, "failed! | out s:invalid_shot", "failed | out s:invalid_shot", "good | on s=15"},
		{"inside, and an own disc just not", scene{Before: "a1 150 0", After: "a1 85 0, s 0 50", Contacts: "s>a1", Rules: inside}, "good | on a1=10 s=15", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.Sigma = 0.2
			v, names := c.judge(t)
			require.Equal(t, c.want, tell(v, names))
			if c.yes == "" {
				require.Empty(t, v.Doubts)
				return
			}
			require.Equal(t, "line", doubts(v))
			require.Equal(t, []int{0}, v.Doubts[0].Discs)
			for k, a := range v.Doubts[0].Answers {
				w, err := v.Answered(0, k)
				require.NoError(t, err)
				require.Equal(t, map[string]string{"yes": c.yes, "no": c.no}[a.Key], tell(w, names), a.Key)
			}
		})
	}
}

// A disc that is nowhere to be seen may have dropped in where it lay inside the 15
// line, and not from further out.
func TestVanishedMayHaveDroppedIn(t *testing.T) {
	for before, asked := range map[string]bool{"b1 60 0": true, "b1 100 0": false} {
		v, _ := scene{Before: before, After: "b1 gone, s 150 0", Contacts: "~"}.judge(t)
		require.Equal(t, asked, strings.Contains(doubts(v), "vanished"), before)
	}
}
