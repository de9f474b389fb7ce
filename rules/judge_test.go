package rules_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
)

type judged struct {
	name string
	scene
	want   string // as told by tell
	doubts string // as told by doubts; "*" for whatever
}

func run(t *testing.T, cases []judged) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, names := c.judge(t)
			require.Equal(t, c.want, tell(v, names))
			if c.doubts != "*" {
				require.Equal(t, c.doubts, doubts(v))
			}
		})
	}
}

func contact(c rules.ContactRule) rules.Ruleset {
	return rules.Ruleset{Contact: c}
}

func penalty(p rules.ContactPenalty) rules.Ruleset {
	return rules.Ruleset{ContactPenalty: p}
}

func openBoard(o rules.OpenBoard, p rules.OpenBoardPenalty) rules.Ruleset {
	return rules.Ruleset{OpenBoard: o, OpenBoardPenalty: p}
}

func damage(d rules.Damage) rules.Ruleset {
	return rules.Ruleset{Damage: d}
}

// The contact rule under each of its readings (CON-1 to CON-7).
func TestContactRule(t *testing.T) {
	// The shot disc meets an own disc, which meets an opposing one.
	chain := scene{
		Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 a1>b1",
	}
	vary := func(s scene, rs rules.Ruleset) scene { s.Rules = rs; return s }
	both := chain // the same, but the shot disc goes on to hit the opposing disc itself
	both.Contacts = "s>a1 s>b1"
	oppFirst := chain
	oppFirst.Contacts = "s>b1 s>a1"
	banked := chain
	banked.Contacts = "s>post s>b1 s>a1"
	bankAfter := chain
	bankAfter.Contacts = "s>b1 s>post s>a1"
	postOfOther := chain // an own disc meeting a post is no bank of the shot disc
	postOfOther.Contacts = "s>b1 b1>post s>a1"

	good := "good | on a1=5 b1=5 s=10"
	failed := "failed | out a1:invalid_shot s:invalid_shot | on b1=5"
	run(t, []judged{
		{"combination through an own disc", chain, good, ""},
		{"direct, only through an own disc", vary(chain, contact(rules.Direct)), failed, ""},
		{"direct, own disc first", vary(both, contact(rules.Direct)), good, ""},
		{"opponent first, own disc first", vary(both, contact(rules.OpponentFirst)), failed, ""},
		{"opponent first, through an own disc", vary(chain, contact(rules.OpponentFirst)), failed, ""},
		{"opponent first, kept", vary(oppFirst, contact(rules.OpponentFirst)), good, ""},
		{"opponent first, a post before is allowed", vary(banked, contact(rules.OpponentFirst)), good, ""},
		{"no bank, post before", vary(banked, contact(rules.OpponentFirstNoBank)), failed, ""},
		{"no bank, post after", vary(bankAfter, contact(rules.OpponentFirstNoBank)), good, ""},
		{"no bank, another disc's post", vary(postOfOther, contact(rules.OpponentFirstNoBank)), good, ""},
		{"no bank, own disc first", vary(both, contact(rules.OpponentFirstNoBank)), failed, ""},
		{"order of an untimed list does not matter to combination", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "a1>b1 s>a1",
		}, good, ""},
		{"times put the list in order", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1@0.9 s>b1@0.4",
			Rules: contact(rules.OpponentFirst),
		}, good, ""},
		{"contacts of one moment stay in the order of the list", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>b1@0.4 s>a1@0.4",
			Rules: contact(rules.OpponentFirst),
		}, good, ""},
		{"an opposing disc carries the shot on to an own one", scene{
			Before: "b1 150 0, a1 220 0", After: "b1 180 0, a1 250 0, s 100 0", Contacts: "s>b1 b1>a1",
		}, "good | on a1=5 b1=10 s=10", ""},
		{"frozen pair, the own disc is pulled away (CON-6)", scene{
			Before: "a1 150 0, b1 181.75 0", After: "a1 150 60, b1 181.75 0, s 120 -40", Contacts: "s>a1",
		}, "failed | out a1:invalid_shot s:invalid_shot | on b1=10", ""},
		{"only a disc in the ditch is struck (CON-7)", scene{
			Before: "b1 0 150", After: "b1 0 150, s off", Contacts: "s>ditch", Exits: "s",
		}, "failed | out s:off_surface | on b1=10", ""},
		{"a disc leaning in the hole is on the board (OPN-1)", scene{
			Before: "b1 5 0 lean", After: "b1 5 0 lean, s 60 0", Contacts: "",
		}, "failed | out s:invalid_shot | on b1=15", ""},
		{"free for all: any other side's disc", scene{
			Before: "c1 150 0, b1 0 150", After: "c1 200 0, b1 0 150, s 90 0", Contacts: "s>c1",
		}, "good | on b1=10 c1=5 s=10", ""},
	})
}

// What a miss costs under each penalty (CON-3, TWN-3).
func TestContactPenalty(t *testing.T) {
	s := scene{
		Before:   "a1 130 0, a2 180 0, a3 0 -28 hang, b1 0 150",
		After:    "a1 148 20, a2 230 0, a3 in, b1 0 150, s 90 0",
		Contacts: "s>a1 a1>a2 s>a3",
	}
	vary := func(rs rules.Ruleset) scene { c := s; c.Rules = rs; return c }
	run(t, []judged{
		{"struck", vary(penalty(rules.Struck)),
			"failed | out a1:invalid_shot a2:invalid_shot a3:invalid_shot s:invalid_shot | on b1=10", ""},
		{"struck by the shot disc itself", vary(penalty(rules.StruckByShooter)),
			"failed | out a1:invalid_shot a3:invalid_shot s:invalid_shot | on a2=5 b1=10", ""},
		{"shooter only, the 20 stands", vary(penalty(rules.ShooterOnly)),
			"failed | out s:invalid_shot | 20 a3 | on a1=10 a2=5 b1=10", ""},
		{"a disc that left keeps that reason", scene{
			Before: "a1 130 0, b1 0 150", After: "a1 off, b1 0 150, s 90 0", Contacts: "s>a1", Exits: "a1",
		}, "failed | out a1:off_surface s:invalid_shot | on b1=10", ""},
		{"a spared disc on the line still goes", scene{
			Before: "a1 230 0, b1 0 150", After: "a1 300 0, b1 0 150, s 90 0", Contacts: "s>a1", Rules: penalty(rules.ShooterOnly),
		}, "failed | out a1:outer_line s:invalid_shot | on b1=10", ""},
		{"the penalty goes before the line", scene{
			Before: "a1 230 0, b1 0 150", After: "a1 300 0, b1 0 150, s 0 -300", Contacts: "s>a1",
		}, "failed | out a1:invalid_shot s:invalid_shot | on b1=10", ""},
		{"the shot disc's 20 is void", scene{
			Before: "b1 0 150", After: "b1 0 150, s in", Contacts: "",
		}, "failed | out s:invalid_shot | on b1=10", ""},
		{"the shot disc's 20 is void under shooter too", scene{
			Before: "b1 0 150", After: "b1 0 150, s in", Contacts: "", Rules: penalty(rules.ShooterOnly),
		}, "failed | out s:invalid_shot | on b1=10", ""},
		{"an own disc nobody struck keeps its 20", scene{
			Before: "a1 0 28 hang, b1 0 150", After: "a1 in, b1 0 150, s 60 0", Contacts: "", Hand: "a1",
		}, "failed! | out s:invalid_shot | 20 a1 | on b1=10", "hand"},
		{"the open-board penalty has no say here", scene{
			Before: "a1 130 0, b1 0 150", After: "a1 148 20, b1 0 150, s 90 0", Contacts: "s>a1",
			Rules: openBoard(rules.InvolvedTouch15, rules.OpenShooter),
		}, "failed | out a1:invalid_shot s:invalid_shot | on b1=10", ""},
	})
}

// Opposing discs that a failed shot moved (CON-5, TWN-2).
func TestOpponentDiscsAfterFailedShot(t *testing.T) {
	s := scene{
		Before: "a1 150 0, b1 200 0, b2 0 -28 hang, b3 0 230, b4 -230 0",
		After:  "a1 160 0, b1 255 0, b2 in, b3 off, b4 -300 0, s 110 0", Contacts: "s>a1 a1>b1 b1>b2 b1>b3 b3>b4", Exits: "b3",
	}
	vary := func(o rules.OpponentDiscs) scene {
		c := s
		c.Rules = rules.Ruleset{Contact: rules.Direct, ContactPenalty: rules.ShooterOnly, InvalidOpponentDiscs: o}
		return c
	}
	run(t, []judged{
		{"stay", vary(rules.OpponentsStay),
			"failed | out b3:off_surface b4:outer_line s:invalid_shot | 20 b2 | on a1=10 b1=5", ""},
		{"restore", vary(rules.OpponentsRestored),
			"failed | out s:invalid_shot | back b1 b2 b3 b4 | on a1=10", ""},
		{"restore leaves a good shot alone", scene{
			Before: "b1 200 0", After: "b1 255 0, s 110 0", Contacts: "s>b1",
			Rules: rules.Ruleset{InvalidOpponentDiscs: rules.OpponentsRestored},
		}, "good | on b1=5 s=10", ""},
		{"restore does not undo damage (DMG-2)", scene{
			Before: "b1 0 200", After: "b1 0 160, s off", Contacts: "", Exits: "s", Damage: "s>b1",
			Rules: rules.Ruleset{InvalidOpponentDiscs: rules.OpponentsRestored},
		}, "failed | out s:off_surface | on b1=10", ""},
		{"restored, but another disc lies there", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 200 5, b1 255 0, s 110 0", Contacts: "s>a1 a1>b1",
			Rules: rules.Ruleset{Contact: rules.Direct, ContactPenalty: rules.ShooterOnly, InvalidOpponentDiscs: rules.OpponentsRestored},
		}, "failed! | out s:invalid_shot | back b1 | on a1=5", "place"},
	})
}

// Open board (OPN-1 to OPN-6).
func TestOpenBoard(t *testing.T) {
	promoted := scene{Before: "a1 0 -150", After: "a1 0 -60, s 0 -182", Contacts: "s>a1"}
	vary := func(s scene, rs rules.Ruleset) scene { s.Rules = rs; return s }
	second := scene{Before: "a1 0 -190, a2 0 -150", After: "a1 0 -170, a2 0 -90, s 0 -230", Contacts: "s>a1 a1>a2"}
	sunk := scene{Before: "a1 0 -28 hang", After: "a1 in, s off", Contacts: "s>a1", Exits: "s"}
	scope := func(n int) scene {
		return scene{After: "s 150 0", Contacts: "", Number: n, Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot}}
	}
	run(t, []judged{
		{"an own disc leaning in the hole that nobody struck is no help", scene{Before: "a1 5 0 lean", After: "a1 5 0 lean, s 150 0", Contacts: ""},
			"failed | out s:invalid_shot | on a1=15", ""},
		{"involved: an own disc promoted", promoted, "good | on a1=15 s=10", ""},
		{"involved: at second hand", second, "good | on a1=10 a2=10 s=5", ""},
		{"touch: own disc promoted is no help", vary(promoted, openBoard(rules.ShooterTouch15, rules.OpenShooter)),
			"failed | out s:invalid_shot | on a1=15", ""},
		{"touch: penalty at second hand", vary(second, openBoard(rules.ShooterTouch15, rules.OpenStruck)),
			"failed | out a1:invalid_shot a2:invalid_shot s:invalid_shot", ""},
		{"inside: touching is not enough", scene{After: "s 85.1 0", Contacts: "", Rules: openBoard(rules.ShooterInside15, 0)},
			"failed | out s:invalid_shot", ""},
		{"inside: clear of the ink", scene{After: "s 84.9 0", Contacts: "", Rules: openBoard(rules.ShooterInside15, 0)},
			"good | on s=15", ""},
		{"inside: leaning in the hole is inside", scene{After: "s 6 0 lean", Contacts: "", Rules: openBoard(rules.ShooterInside15, 0)},
			"good | on s=15", ""},
		{"inside: a 20 is inside (OPN-5)", scene{After: "s in", Contacts: "", Rules: openBoard(rules.ShooterInside15, 0)},
			"good | 20 s", ""},
		{"inside: centre of the ink", scene{After: "s 85.5 0", Contacts: "", Rules: rules.Ruleset{OpenBoard: rules.ShooterInside15, Line: rules.LineCentre}},
			"good | on s=15", ""},
		{"touch: from outside, to a hair", scene{After: "s 118.27 0", Contacts: ""}, "good | on s=10", ""},
		{"touch: not quite", scene{After: "s 118.28 0", Contacts: ""}, "failed | out s:invalid_shot", ""},
		{"touch: centre of the ink", scene{After: "s 117.5 0", Contacts: "", Rules: rules.Ruleset{Line: rules.LineCentre}},
			"failed | out s:invalid_shot", ""},
		{"a struck disc that did not move counts where it lies", scene{
			Before: "a1 60 0", After: "a1 60 0, s 150 0", Contacts: "s>a1",
		}, "good | on a1=15 s=10", ""},
		{"an untouched one does not", scene{Before: "a1 60 0", After: "a1 60 0, s 150 0", Contacts: ""},
			"failed | out s:invalid_shot | on a1=15", ""},
		{"from 15 to 15 is fine", scene{Before: "a1 60 0", After: "a1 -60 0, s 150 0", Contacts: "s>a1"},
			"good | on a1=15 s=10", ""},
		{"own disc sunk, shot disc off (OPN-5)", sunk, "good | out s:off_surface | 20 a1", ""},
		{"the same, only the shot disc counts", vary(sunk, openBoard(rules.ShooterTouch15, rules.OpenStruck)),
			"failed | out a1:invalid_shot s:off_surface", ""},
		{"the same, only it is lifted", vary(sunk, openBoard(rules.ShooterTouch15, rules.OpenShooter)),
			"failed | out s:off_surface | 20 a1", ""},
		{"left the surface and came back into the 15", scene{After: "s 60 0", Contacts: "", Exits: "s"},
			"failed | out s:reentry", ""},
		{"crossed the line and came back into the 15", scene{After: "s 60 0", Contacts: "", Crossed: "s"},
			"good | on s=15", ""},
		{"the same, crossing kills", scene{After: "s 60 0", Contacts: "", Crossed: "s", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"failed | out s:crossed_line", ""},
		{"free", scene{After: "s 250 0", Contacts: "", Rules: openBoard(rules.OpenBoardFree, 0)}, "good | on s=5", ""},
		{"first shot only: the first", scope(1), "failed | out s:invalid_shot", ""},
		{"first shot only: the second", scope(2), "good | on s=10", ""},
		{"first shot only: number not known", scope(0), "unclear! | on s=10", "shot_number"},
		{"first shot only: number not known, and no matter", scene{After: "s 60 0", Contacts: "", Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot}},
			"good | on s=15", ""},
		{"first shot only does not touch the contact rule", scene{
			Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "", Number: 7, Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot},
		}, "failed | out s:invalid_shot | on b1=10", ""},
		{"the contact penalty has no say here", vary(second, rules.Ruleset{OpenBoard: rules.ShooterTouch15, ContactPenalty: rules.ShooterOnly}),
			"failed | out a1:invalid_shot a2:invalid_shot s:invalid_shot", ""},
		{"a partner's disc is an own disc", promoted, "good | on a1=15 s=10", ""},
		{"barely moved and still on the line (SHT-1)", scene{After: "s 0 -304", Contacts: ""}, "failed | out s:invalid_shot", ""},
	})
}

// Discs out of play (OUT-1 to OUT-5, DMG-1).
func TestOutOfPlay(t *testing.T) {
	run(t, []judged{
		{"on the starting line, to a hair", scene{Before: "b1 200 0", After: "b1 288.13 0, s 150 0", Contacts: "s>b1"},
			"good | out b1:outer_line | on s=10", ""},
		{"clear of it, to a hair", scene{Before: "b1 200 0", After: "b1 288.12 0, s 150 0", Contacts: "s>b1"},
			"good | on b1=5 s=10", ""},
		{"judged by the middle of the ink", scene{Before: "b1 200 0", After: "b1 288.8 0, s 150 0", Contacts: "s>b1", Rules: rules.Ruleset{Line: rules.LineCentre}},
			"good | on b1=5 s=10", ""},
		{"a disc that lay there before goes too", scene{Before: "a1 0 300, b1 200 0", After: "a1 0 300, b1 250 0, s 150 0", Contacts: "s>b1"},
			"good | out a1:outer_line | on b1=5 s=10", ""},
		{"spinning over the line and back", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1", Crossed: "b1"},
			"good | on b1=5 s=10", ""},
		{"the same, dead once across", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1", Crossed: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good | out b1:crossed_line | on s=10", ""},
		{"crossing goes before the line", scene{Before: "b1 200 0", After: "b1 300 0, s 150 0", Contacts: "s>b1", Crossed: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good | out b1:crossed_line | on s=10", ""},
		{"crossing goes before the penalty", scene{Before: "a1 200 0, b1 0 150", After: "a1 250 0, b1 0 150, s 150 0", Contacts: "s>a1", Crossed: "a1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"failed | out a1:crossed_line s:invalid_shot | on b1=10", ""},
		{"leaving goes before crossing", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1", Crossed: "b1", Exits: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good | out b1:reentry | on s=10", ""},
		{"dead and in the hole is no 20", scene{Before: "b1 200 0", After: "b1 in, s 150 0", Contacts: "s>b1", Crossed: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good | out b1:crossed_line | on s=10", ""},
		{"came back into the hole is no 20", scene{Before: "b1 200 0", After: "b1 in, s 150 0", Contacts: "s>b1", Exits: "b1"},
			"good | out b1:reentry | on s=10", ""},
		{"stands on its rim", scene{Before: "b1 200 0", After: "b1 220 0 stand, s 150 0", Contacts: "s>b1"},
			"good! | on b1=5 s=10", "standing"},
		{"struck after crossing, by time", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1@0.9", Crossed: "s@0.5", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"failed | out s:crossed_line | on b1=5", ""},
		{"struck before crossing, by time", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1@0.3", Crossed: "s@0.5", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good | out s:crossed_line | on b1=5", ""},
		{"struck before or after crossing, no times", scene{Before: "b1 200 0", After: "b1 250 0, s 150 0", Contacts: "s>b1", Crossed: "s", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good! | out s:crossed_line | on b1=5", "crossing"},
	})
}

// Twenties (TWN-1 to TWN-6).
func TestTwenties(t *testing.T) {
	run(t, []judged{
		{"with contact", scene{Before: "b1 0 60", After: "b1 0 140, s in", Contacts: "s>b1"}, "good | 20 s | on b1=10", ""},
		{"knocked in by the opponent", scene{Before: "b1 0 28 hang", After: "b1 in, s 60 0", Contacts: "s>b1"}, "good | 20 b1 | on s=15", ""},
		{"leaning stays and counts 15", scene{Before: "b1 0 60", After: "b1 0 140, s 6 0 lean", Contacts: "s>b1"}, "good | on b1=10 s=15", ""},
		{"leaning, knocked in later", scene{Before: "a1 6 0 lean, b1 0 60", After: "a1 in, b1 0 140, s 60 0", Contacts: "s>b1 s>a1"}, "good | 20 a1 | on b1=10 s=15", ""},
		{"lying on the disc in the hole", scene{Before: "b1 0 60", After: "b1 3 0 lean, s in", Contacts: "s>b1"}, "good! | 20 s | on b1=15", "stacked"},
		{"a struck sunk disc is a contact", scene{Before: "b1 20 0 lean, b2 0 150", After: "b1 in, b2 0 150, s 60 0", Contacts: "s>b1"}, "good | 20 b1 | on b2=10 s=15", ""},
	})
}

// Damage (DMG-1 to DMG-4).
func TestDamage(t *testing.T) {
	// The shot disc misses, strikes an own disc, leaves, comes back, and moves an
	// opposing disc and a second own one; that one sinks a third.
	s := scene{
		Before: "a1 0 -200, a2 100 -100, a3 0 28 hang, b1 0 200",
		After:  "a1 -37 -211, a2 60 -60, a3 in, b1 0 160, s off", Contacts: "s>a1", Exits: "s", Damage: "s>b1 s>a2 a2>a3",
	}
	vary := func(d rules.Damage) scene { c := s; c.Rules = damage(d); return c }
	off := scene{ // a returning disc knocks another off
		Before: "b1 250 0, a1 0 250", After: "b1 off, a1 off, s 200 0", Contacts: "s>b1", Exits: "b1 a1", Damage: "b1>a1",
	}
	offBack := off
	offBack.Damage = "a1>b1" // the pair noted the other way round
	moved := scene{          // moved in play, then damaged
		Before: "a1 150 0, b1 250 0", After: "a1 170 60, b1 off, s 100 0", Contacts: "s>a1 a1>b1", Exits: "b1", Damage: "b1>a1",
	}
	rest := func(s scene) scene { s.Rules = damage(rules.DamageRestored); return s }
	secondHand := s // the own disc that damage moved runs on in play
	secondHand.Damage, secondHand.Contacts = "s>a2", "s>a1 a2>b1 a2>a3"
	run(t, []judged{
		{"stays", vary(rules.DamageStays),
			"failed | out a1:invalid_shot s:off_surface | 20 a3 | on a2=15 b1=10", ""},
		{"suspends", vary(rules.DamageSuspends),
			"good | out s:off_surface | 20 a3 | on a1=5 a2=15 b1=10", ""},
		{"restored", vary(rules.DamageRestored),
			"failed | out a1:invalid_shot s:off_surface | back a2 a3 b1", ""},
		{"touched, but not moved: nothing to put back", rest(scene{
			Before: "a1 0 150", After: "a1 0 150, s off", Contacts: "", Exits: "s", Damage: "s>a1",
		}), "failed | out s:off_surface | on a1=10", ""},
		{"the disc in play ran into one that had left", rest(scene{
			Before: "a1 150 0, b1 250 0", After: "a1 170 60, b1 off, s 100 0", Contacts: "s>a1 s>b1", Exits: "b1", Damage: "a1>b1",
		}), "good! | out b1:off_surface | on a1=10 s=10", "place"},
		{"a disc that left for no seen reason strikes one that was struck", rest(scene{
			Before: "a1 250 0, b1 0 150", After: "a1 off, b1 0 200, s 0 100", Contacts: "s>b1", Exits: "a1", Damage: "a1>b1",
		}), "good! | out a1:off_surface | on b1=5 s=10", "place"},
		{"what damage set moving is damage too", secondHand,
			"failed | out a1:invalid_shot s:off_surface | 20 a3 | on a2=15 b1=10", ""},
		{"suspends: an exit alone is no damage", scene{
			Before: "b1 0 150", After: "b1 0 150, s off", Contacts: "", Exits: "s", Rules: damage(rules.DamageSuspends),
		}, "failed | out s:off_surface | on b1=10", ""},
		{"suspends: the line is not suspended", scene{
			Before: "b1 0 250", After: "b1 0 300, s off", Contacts: "", Exits: "s", Damage: "s>b1", Rules: damage(rules.DamageSuspends),
		}, "good | out b1:outer_line s:off_surface", ""},
		{"knocked off by a returning disc, stays", off, "good | out a1:off_surface b1:off_surface | on s=5", ""},
		{"knocked off by a returning disc, restored", rest(off), "good | out b1:off_surface | back a1 | on s=5", ""},
		{"the same, the pair the other way round", rest(offBack), "good | out b1:off_surface | back a1 | on s=5", ""},
		{"moved in play before: the place is not known", rest(moved), "good! | out b1:off_surface | on a1=10 s=10", "place"},
		{"the shot disc damaged: the place is not known", rest(scene{
			Before: "b1 250 0", After: "b1 off, s 180 20", Contacts: "s>b1", Exits: "b1", Damage: "b1>s",
		}), "good! | out b1:off_surface | on s=10", "place"},
		{"the shot disc sunk by damage: no 20 where damage is put back", rest(scene{
			Before: "b1 250 0", After: "b1 off, s in", Contacts: "s>b1", Exits: "b1", Damage: "b1>s",
		}), "good! | out b1:off_surface | wait s", "place"},
		{"the shot disc sunk by damage: a 20 where damage stays", scene{
			Before: "b1 250 0", After: "b1 off, s in", Contacts: "s>b1", Exits: "b1", Damage: "b1>s",
		}, "good | out b1:off_surface | 20 s", ""},
		{"moved in play, then sunk by damage, but the shot failed", rest(scene{
			Before: "a1 150 0, b1 0 200", After: "a1 in, b1 0 200, s off", Contacts: "s>a1", Exits: "s", Damage: "s>a1",
		}), "failed | out a1:invalid_shot s:off_surface | on b1=5", ""},
		{"a 20 made in play counts where damage is put back", rest(scene{
			Before: "b1 250 0, b2 0 60, a1 0 -200", After: "b1 off, b2 0 90, a1 20 -190, s in", Contacts: "s>b1 s>b2", Exits: "b1", Damage: "b1>a1",
		}), "good | out b1:off_surface | 20 s | back a1 | on b2=10", ""},
		{"contact after leaving, by time", scene{
			Before: "b1 0 200", After: "b1 0 160, s off", Contacts: "s>b1@0.9", Exits: "s@0.5",
		}, "failed | out s:off_surface | on b1=10", ""},
		{"contact before leaving, by time", scene{
			Before: "b1 0 200", After: "b1 0 160, s off", Contacts: "s>b1@0.3", Exits: "s@0.5",
		}, "good | out s:off_surface | on b1=10", ""},
		{"open board: damage brings nothing to the 15", scene{
			Before: "a1 0 150", After: "a1 0 60, s off", Contacts: "", Exits: "s", Damage: "s>a1",
		}, "failed | out s:off_surface | on a1=15", ""},
		{"a damage pair whose exit was not noted", scene{
			Before: "b1 0 200", After: "b1 0 160, s 150 0", Contacts: "", Damage: "s>b1",
		}, "failed | out s:reentry | on b1=10", ""},
	})
}

// What two snapshots say (INF-1 to INF-4).
func TestFromSnapshots(t *testing.T) {
	seen := func(before, after string, rs rules.Ruleset) scene {
		return scene{Before: before, After: after, Contacts: "?", Rules: rs}
	}
	noBank := contact(rules.OpponentFirstNoBank)
	run(t, []judged{
		{"an opposing disc moved", seen("b1 0 150", "b1 0 153, s 75 0", rules.Ruleset{}), "good! | on b1=10 s=15", "(return) (return)"},
		{"it moved less than half a millimetre", seen("b1 0 150", "b1 0 150.4, s 75 0", rules.Ruleset{}), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"the shot disc rests against it", seen("b1 0 150", "b1 0 150, s 0 118.25", rules.Ruleset{}), "good! | on b1=10 s=10", "(return)"},
		{"a fifth of a millimetre away", seen("b1 0 150", "b1 0 150, s 0 118.05", rules.Ruleset{}), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"an own disc that moved rests against it", seen("a1 0 0, b1 0 150", "a1 0 118.25, b1 0 150, s 90 0", rules.Ruleset{}), "good! | on a1=10 b1=10 s=10", "(return) (return)"},
		{"they lay together before and nothing moved them", seen("a1 0 118.25, b1 0 150", "a1 0 118.25, b1 0 150, s 90 0", rules.Ruleset{}), "failed! | out s:invalid_shot | on a1=10 b1=10", "graze graze (return)"},
		{"it left the board", seen("b1 0 250", "b1 off, s 0 200", rules.Ruleset{}), "good! | out b1:off_surface | on s=5", "(return)"},
		{"nothing on the board is left to doubt", seen("", "s off", rules.Ruleset{}), "failed | out s:off_surface", ""},
		{"open board, own disc promoted", seen("a1 0 -150", "a1 0 -60, s 0 -182", rules.Ruleset{}), "good! | on a1=15 s=10", "(return) (return)"},
		{"open board, own disc in the 15 may have been touched", seen("a1 60 0", "a1 60 0, s 150 0", rules.Ruleset{}), "failed! | out s:invalid_shot | on a1=15", "graze (return)"},
		{"direct, only the opposing disc moved", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -150 0, s 90 0", contact(rules.Direct)), "good! | on a1=10 b1=5 s=10", "(return) (return)"},
		{"direct, both moved", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -190 0, s 90 0", contact(rules.Direct)), "unclear! | on a1=5 b1=5 s=10", "direct (return) (return) (return)"},
		{"direct, both moved, but it rests against the shot disc", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -190 0, s 168.25 0", contact(rules.Direct)), "good! | on a1=5 b1=5 s=10", "(return) (return) (return)"},
		{"direct, a blow may have passed through an own disc", seen("b1 181.75 0, a1 150 0", "b1 240 0, a1 150 0, s 90 0", contact(rules.Direct)), "unclear! | on a1=10 b1=5 s=10", "direct (return) (return)"},
		{"opponent first, only the opposing disc moved, nothing else there", seen("b1 150 0", "b1 200 0, s 90 0", contact(rules.OpponentFirst)), "good! | on b1=5 s=10", "(return) (return)"},
		{"opponent first, an own disc may have been grazed", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -150 0, s 90 0", contact(rules.OpponentFirst)), "good! | on a1=10 b1=5 s=10", "graze (return) (return)"},
		{"opponent first, an own disc moved, an opposing one may have been grazed before", seen("b1 -150 0, a1 150 0", "b1 -150 0, a1 off, s off", contact(rules.OpponentFirst)), "failed! | out a1:off_surface s:off_surface | on b1=10", "graze"},
		{"opponent first, both moved", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -190 0, s 90 0", contact(rules.OpponentFirst)), "unclear! | on a1=5 b1=5 s=10", "first (return) (return) (return)"},
		{"no bank, only the opposing disc moved", seen("b1 150 0", "b1 200 0, s 90 0", noBank), "unclear! | on b1=5 s=10", "bank (return) (return)"},
		{"no bank, a miss is a miss", seen("b1 150 0", "b1 150 0, s 90 0", noBank), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"struck by the shot disc: one own disc moved", seen("b1 0 150, a1 150 0", "b1 0 150, a1 200 0, s 90 0", penalty(rules.StruckByShooter)), "failed! | out a1:invalid_shot s:invalid_shot | on b1=10", "graze (return) (return)"},
		{"struck by the shot disc: which of two", seen("b1 0 150, a1 150 0, a2 -150 0", "b1 0 150, a1 200 0, a2 -190 0, s 90 0", penalty(rules.StruckByShooter)), "failed! | out s:invalid_shot | on a1=5 a2=5 b1=10", "graze struck_by struck_by (return) (return) (return)"},
		{"the shot disc is off: did it come back at the opposing disc?", seen("b1 0 150", "b1 0 170, s off", rules.Ruleset{}), "good! | out s:off_surface | on b1=10", "(damage) (return)"},
		{"an own disc is off: did it come back?", seen("b1 0 150, a1 0 -250", "b1 0 170, a1 off, s 0 -200", rules.Ruleset{}), "good! | out a1:off_surface | on b1=10 s=5", "(damage) (return) (return)"},
		{"an own disc is off: did it come back at the opposing disc, or at both?", seen("b1 0 150, a1 0 -250, a2 150 0", "b1 0 170, a1 off, a2 190 0, s 0 -200", rules.Ruleset{}), "good! | out a1:off_surface | on a2=5 b1=10 s=5", "(damage) (damage) (return) (return) (return)"},
		{"the shot disc is off: what did it come back at?", seen("b1 0 150, a1 150 0", "b1 0 170, a1 190 0, s off", damage(rules.DamageRestored)), "good! | out s:off_surface | on a1=5 b1=10", "(damage) (damage) (damage) (return) (return)"},
		{"nothing is off: nothing came back", seen("b1 0 150, a1 150 0, a2 -150 0", "b1 0 150, a1 200 0, a2 -190 0, s 90 0", rules.Ruleset{}), "failed! | out a1:invalid_shot a2:invalid_shot s:invalid_shot | on b1=10", "graze (return) (return) (return)"},
		{"suspends: damage that moved nothing", seen("b1 0 150", "b1 0 150, s off", damage(rules.DamageSuspends)), "failed! | out s:off_surface | on b1=10", "graze (damage)"},
		{"suspends: nothing is off", seen("b1 0 150", "b1 0 150, s 90 0", damage(rules.DamageSuspends)), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"an opposing disc is off: it was struck", seen("b1 0 250, b2 0 150", "b1 off, b2 0 170, s 0 200", rules.Ruleset{}), "good! | out b1:off_surface | on b2=10 s=5", "(return) (return)"},
		{"restored damage hangs on it", seen("b1 0 250, a1 150 0", "b1 off, a1 180 0, s 0 200", damage(rules.DamageRestored)), "good! | out b1:off_surface | on a1=10 s=5", "(damage) (return) (return)"},
		{"direct: a graze would have made it good", seen("b1 0 150", "b1 0 150, s 75 0", contact(rules.Direct)), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"struck by the shot disc: a grazed own disc would go too", seen("b1 0 150, a1 150 0", "b1 0 150, a1 150 0, s 75 0", penalty(rules.StruckByShooter)), "failed! | out s:invalid_shot | on a1=10 b1=10", "graze graze (return)"},
		{"moved by a hand is no evidence", scene{Before: "b1 0 150", After: "b1 0 190, s 75 0", Contacts: "?", Hand: "b1"}, "failed! | out s:invalid_shot | on b1=5", "(return) hand"},
		{"exits known, contacts not", scene{Before: "b1 0 150", After: "b1 0 170, s 75 0", Contacts: "?", Exits: "s"}, "good! | out s:reentry | on b1=10", "(return)"},
	})
}

// More of what two snapshots say: what was known of damage, hands and crossings
// is used even where contacts were not watched.
// Where the board was in sight throughout, what is rare is listed and flags
// nothing: only what is likely enough to look at does.
func TestFromSnapshotsWhatTouches(t *testing.T) {
	seen := func(before, after string, rs rules.Ruleset) scene {
		return scene{Before: before, After: after, Contacts: "~", Rules: rs}
	}
	run(t, []judged{
		{"exactly half a millimetre is no movement", seen("b1 0 150", "b1 0 150.5, s 75 0", rules.Ruleset{}), "failed | out s:invalid_shot | on b1=10", "(graze) (return)"},
		{"two still discs whose gap closes within the scatter", seen("b1 0 150, a1 32.2 150", "b1 0 150, a1 31.8 150, s 75 0", rules.Ruleset{}), "failed | out s:invalid_shot | on a1=10 b1=10", "(graze) (graze) (return)"},
		{"half a disc's radius is movement whatever the sigma", scene{Before: "b1 0 150", After: "b1 0 158.5, s 75 0", Contacts: "~", Sigma: 5}, "good! | on b1=10 s=15", "moved (return) (return)"},
		{"a shot disc that is off touches nothing at the centre", seen("b1 20 0", "b1 20 0, s off", rules.Ruleset{}), "failed | out s:off_surface | on b1=15", "(graze)"},
		{"an own disc that is off touches nothing where it lay", seen("a1 250 0, b1 281.9 0", "a1 off, b1 281.7 0, s 0 200", rules.Ruleset{}), "failed | out a1:off_surface s:invalid_shot | on b1=5", "(graze) (return)"},
		{"the place of a disc that is off is not the disc", seen("b1 250 0, a1 -150 0", "b1 off, a1 -190 0, s 230 0", contact(rules.Direct)), "unclear! | out b1:off_surface | on a1=5 s=5", "direct (damage) (return) (return)"},
	})
}

func TestFromSnapshotsInSight(t *testing.T) {
	seen := func(before, after string, rs rules.Ruleset) scene {
		return scene{Before: before, After: after, Contacts: "~", Rules: rs}
	}
	run(t, []judged{
		{"an opposing disc moved", seen("b1 0 150", "b1 0 153, s 75 0", rules.Ruleset{}), "good | on b1=10 s=15", "(return) (return)"},
		{"a clean miss", seen("b1 0 150", "b1 0 150, s 75 0", rules.Ruleset{}), "failed | out s:invalid_shot | on b1=10", "(graze) (return)"},
		{"a miss that stops beside an opposing disc", seen("b1 0 150", "b1 0 150, s 0 117.3", rules.Ruleset{}), "failed! | out s:invalid_shot | on b1=10", "graze (return)"},
		{"a little further off", seen("b1 0 150", "b1 0 150, s 0 117.1", rules.Ruleset{}), "failed | out s:invalid_shot | on b1=10", "(graze) (return)"},
		{"an own disc that moved stops beside an opposing one", seen("a1 150 0, b1 0 150", "a1 0 117.3, b1 0 150, s 75 0", rules.Ruleset{}), "failed! | out a1:invalid_shot s:invalid_shot | on b1=10", "graze (return) (return)"},
		{"an own disc is grazed beside the shot disc", seen("a1 32.5 0, b1 0 150", "a1 32.5 0, b1 0 150, s 65 0", rules.Ruleset{}), "failed! | out s:invalid_shot | on a1=15 b1=10", "(graze) graze (return)"},
		{"the shot disc is off and an opposing disc moved", seen("b1 0 150", "b1 0 170, s off", rules.Ruleset{}), "good | out s:off_surface | on b1=10", "(damage) (return)"},
		{"under spin=out", seen("b1 0 150", "b1 0 170, s 75 0", rules.Ruleset{Spin: rules.SpinOut}), "good | on b1=10 s=15", "(return) (crossing) (return) (crossing)"},
		{"scatter of less than three sigmas", scene{Before: "b1 0 150", After: "b1 0 150.8, s 75 0", Contacts: "~", Sigma: 0.2}, "failed! | out s:invalid_shot | on b1=10", "(graze) moved (return)"},
		{"little more than three sigmas", scene{Before: "b1 0 150", After: "b1 0 150.9, s 75 0", Contacts: "~", Sigma: 0.2}, "good! | on b1=10 s=15", "moved (return) (return)"},
		{"what was hit first stays open", seen("b1 150 0, a1 -150 0", "b1 200 0, a1 -190 0, s 90 0", contact(rules.OpponentFirst)), "unclear! | on a1=5 b1=5 s=10", "first (return) (return) (return)"},
	})
}

// Whether a disc was pushed a little or only measured a little off is a matter of
// odds: sure either way only from a hundred to one on, and among many discs the
// scatter of one is no wonder.
func TestPushedOrScatter(t *testing.T) {
	far := "b2 200 0, b3 -200 0, b4 0 -200, b5 120 120, b6 -120 120, b7 120 -120, b8 -120 -120"
	one := func(mm string) scene {
		return scene{Before: "b1 0 150", After: "b1 0 " + mm + ", s 75 0", Contacts: "~", Sigma: 0.2}
	}
	many := func(mm string) scene {
		return scene{Before: "b1 0 150, " + far, After: "b1 0 " + mm + ", " + far + ", s 75 0", Contacts: "~", Sigma: 0.2}
	}
	own := func(mm string) scene {
		return scene{Before: "a1 0 150, b1 0 -150", After: "a1 0 " + mm + ", b1 0 -150, s 75 0", Contacts: "~", Sigma: 0.2}
	}
	open := func(mm string) scene {
		return scene{Before: "a1 0 100", After: "a1 0 " + mm + ", s 200 0", Contacts: "~", Sigma: 0.2}
	}
	for _, c := range []struct {
		name string
		scene
		want  rules.Ruling
		asked bool
	}{
		{"less than two sigmas", one("150.5"), rules.Failed, false},
		{"nearly three", one("150.8"), rules.Failed, true},
		{"more than four", one("151.2"), rules.Good, true},
		{"more than five", one("151.5"), rules.Good, false},
		{"more than five, of eight discs", many("151.5"), rules.Good, true},
		{"more than six, of eight discs", many("151.75"), rules.Good, false},
		{"less than three, of eight discs", many("150.75"), rules.Failed, false},
		{"an own disc, as the penalty has it", own("150.8"), rules.Failed, true},
		{"an own disc, surely still", own("150.5"), rules.Failed, false},
		{"an own disc, surely moved", own("151.5"), rules.Failed, false},
		{"an own disc in the 15 on the open board", open("100.8"), rules.Failed, true},
		{"the same, surely moved", open("101.5"), rules.Good, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, names := c.judge(t)
			require.Equal(t, c.want, v.Ruling, tell(v, names))
			require.Equal(t, c.asked, strings.Contains(doubts(v), "moved"), doubts(v))
			require.Equal(t, c.asked, v.Review, doubts(v))
		})
	}
	// Exact places leave no odds: half a millimetre is the limit, as without sigma.
	v, _ := scene{Before: "b1 0 150", After: "b1 0 150.6, s 75 0", Contacts: "~"}.judge(t)
	require.Equal(t, rules.Good, v.Ruling)
	require.NotContains(t, doubts(v), "moved")
	// Better measured than that makes half a millimetre no surer.
	v, _ = scene{Before: "b1 0 150", After: "b1 0 150.48, s 75 0", Contacts: "~", Sigma: 0.01}.judge(t)
	require.Equal(t, rules.Failed, v.Ruling)
	require.Contains(t, doubts(v), " moved")
	// One that has left does not make the scatter of those that are there likelier.
	v, _ = scene{Before: "a1 0 150, a2 0 200, b1 0 -150", After: "a1 0 150.75, a2 off, b1 0 -150, s 75 0", Contacts: "~", Sigma: 0.2}.judge(t)
	require.Contains(t, doubts(v), " moved")
	// Nor is one that lies otherwise than before in doubt.
	v, _ = scene{Before: "b1 0 150", After: "b1 0 150.8 stand, s 75 0", Contacts: "~", Sigma: 0.2}.judge(t)
	require.Equal(t, rules.Good, v.Ruling)
	require.NotContains(t, doubts(v), "moved")
	// It is asked about the likely ones.
	v, names := scene{Before: "b1 0 150, b2 150 0, b3 -150 0", After: "b1 0 150.9, b2 150 0.85, b3 -150 0.3, s 75 0", Contacts: "~", Sigma: 0.2}.judge(t)
	for _, d := range v.Doubts {
		if d.Kind == rules.DoubtMoved {
			for _, i := range d.Discs {
				require.NotEqual(t, "b3", names[i])
			}
		}
	}
	require.Contains(t, doubts(v), "moved")
}

// A disc that was seen to leave is off the board, not one of its side that has
// only moved.
func TestExitsTellDiscsApart(t *testing.T) {
	watched := func(before, after, exits string) (rules.Verdict, []string) {
		r := scene{Before: before, After: after, Contacts: "~", Exits: exits, NoTrack: true}.ready(t)
		r.shot.Evidence.Watched |= rules.WatchedExits
		v, err := rules.Judge(r.before, r.after, r.shot, r.rs)
		require.NoError(t, err)
		return v, r.names
	}
	for _, c := range []struct{ name, before, after, exits, want string }{
		{"the disc hit, not the shot one", "a1 0 150, b1 100 0", "s 0 140, b1 100 40", "a1", "good | out a1:off_surface | on b1=10 s=10"},
		{"the shot disc, not the one hit", "a1 0 150, b1 100 0", "a1 0 -150, b1 100 40", "s", "good | out s:off_surface | on a1=10 b1=10"},
		{"of two that moved", "b1 0 150, b2 0 200", "b1 0 190, s 75 0", "b2", "good | out b2:off_surface | on b1=5 s=15"},
		{"the other of them", "b1 0 150, b2 0 200", "b2 0 155, s 75 0", "b1", "good | out b1:off_surface | on b2=10 s=15"},
		{"another lies where one lay that left", "b1 0 150, b2 0 200", "b2 0 150, s 75 0", "b1", "good | out b1:off_surface | on b2=10 s=15"},
		{"one that left and came back", "b1 0 150, b2 0 200", "b1 0 -150, b2 0 200, s 75 0", "b1", "good | out b1:reentry | on b2=5 s=15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, names := watched(c.before, c.after, c.exits)
			require.Equal(t, c.want, strings.ReplaceAll(tell(v, names), "!", ""))
		})
	}
}

func TestFromSnapshotsWithSomeEvidence(t *testing.T) {
	first, bank := contact(rules.OpponentFirst), contact(rules.OpponentFirstNoBank)
	run(t, []judged{
		{"damage known, contacts not", scene{Before: "b1 0 150", After: "b1 0 170, s off", Contacts: "?", Exits: "s", Damage: "s>b1"},
			"failed! | out s:off_surface | on b1=10", "(return)"},
		{"the same, the pair the other way round", scene{Before: "b1 0 150", After: "b1 0 170, s off", Contacts: "?", Exits: "s", Damage: "b1>s"},
			"failed! | out s:off_surface | on b1=10", "(return)"},
		{"damage known, and put back", scene{Before: "b1 0 150", After: "b1 0 170, s off", Contacts: "?", Exits: "s", Damage: "s>b1", Rules: damage(rules.DamageRestored)},
			"failed | out s:off_surface | back b1", ""},
		{"damage that went on", scene{Before: "b1 0 150, a1 0 -150", After: "b1 0 170, a1 0 -170, s off", Contacts: "?", Exits: "s", Damage: "s>b1", Rules: damage(rules.DamageRestored)},
			"failed! | out a1:invalid_shot s:off_surface | back b1", "(return)"},
		{"crossing known", scene{Before: "b1 0 150", After: "b1 0 250, s 0 120", Contacts: "?", Crossed: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}},
			"good! | out b1:crossed_line | on s=10", "(return) (crossing)"},
		{"a disc put down by a hand against the shot disc is no evidence", scene{Before: "b1 0 250", After: "b1 0 150, s 0 118.25", Contacts: "?", Hand: "b1"},
			"failed! | out s:invalid_shot | on b1=10", "(return) hand"},
		{"a disc that damage moved against the shot disc is none either", scene{Before: "b1 0 250, a1 200 0", After: "b1 0 150, a1 off, s 0 118.25", Contacts: "?", Damage: "a1>b1", Exits: "a1"},
			"failed! | out a1:off_surface s:invalid_shot | on b1=10", "(return) (return)"},
		{"still touching what it lay against before: not a strike", scene{Before: "a1 0 118.25, b1 0 150", After: "a1 31.75 150, b1 0 150, s 90 0", Contacts: "?"},
			"failed! | out a1:invalid_shot s:invalid_shot | on b1=10", "graze (return) (return)"},
		{"direct, two opposing discs moved and no own one", scene{Before: "b1 150 0, b2 190 0", After: "b1 180 0, b2 240 0, s 100 0", Contacts: "?", Rules: contact(rules.Direct)},
			"good! | on b1=10 b2=5 s=10", "(return) (return) (return)"},
		{"no bank, and no posts", scene{Before: "b1 150 0", After: "b1 200 0, s 90 0", Contacts: "?", Rules: bank, NoPosts: true},
			"good! | on b1=5 s=10", "(return) (return)"},
		{"open board under a strict contact rule", scene{Before: "a1 150 0", After: "a1 60 0, s 200 0", Contacts: "?", Rules: first},
			"good! | on a1=15 s=5", "(return) (return)"},
		{"at rest against an own disc that did not move", scene{Before: "a1 0 60, b1 0 250", After: "a1 0 60, b1 0 250, s 31.75 60", Contacts: "?"},
			"failed! | out a1:invalid_shot s:invalid_shot | on b1=5", "graze (return)"},
	})
	// What each answer means.
	for _, c := range []struct {
		scene
		yes, no string
	}{
		{scene{Before: "b1 150 0, a1 -150 0", After: "b1 200 0, a1 -190 0, s 90 0", Contacts: "?", Rules: first},
			"good | on a1=5 b1=5 s=10", "failed | out a1:invalid_shot s:invalid_shot | on b1=5"},
		{scene{Before: "b1 150 0", After: "b1 200 0, s 90 0", Contacts: "?", Rules: bank},
			"failed | out s:invalid_shot | on b1=5", "good | on b1=5 s=10"},
		{scene{Before: "b1 150 0, a1 -150 0", After: "b1 200 0, a1 -190 0, s 90 0", Contacts: "?", Rules: bank},
			"good | on a1=5 b1=5 s=10", "failed | out a1:invalid_shot s:invalid_shot | on b1=5"},
		{scene{After: "s 150 0", Contacts: "", Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot}},
			"failed | out s:invalid_shot", "good | on s=10"},
		{scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "?"},
			"good | on b1=10 s=15", "failed | out s:invalid_shot | on b1=10"},
		{scene{Before: "b1 0 150", After: "b1 0 170, s off", Contacts: "?"},
			"failed | out s:off_surface | on b1=10", "good | out s:off_surface | on b1=10"},
		{scene{After: "s 60 0", Contacts: "?"}, "failed | out s:reentry", "good | on s=15"},
		{scene{After: "s 60 0", Contacts: "?", Rules: rules.Ruleset{Spin: rules.SpinOut}}, "failed | out s:reentry", "good | on s=15"},
		{scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@0.7"}, "?", "failed | out s:invalid_shot | on b1=10"},
		{scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@0.3"}, "good | on b1=10 s=15", "?"},
		{scene{Before: "b1 200 0", After: "b1 288 0, s 150 0", Contacts: "s>b1", Sigma: 0.2}, "good | out b1:outer_line | on s=10", "good | on b1=5 s=10"},
		{scene{Before: "b1 200 0", After: "b1 288.3 0, s 150 0", Contacts: "s>b1", Sigma: 0.2}, "good | out b1:outer_line | on s=10", "good | on b1=5 s=10"},
		{scene{After: "s 118.3 0", Contacts: "", Sigma: 0.2}, "good | on s=10", "failed | out s:invalid_shot"},
		{scene{After: "s 85 0", Contacts: "", Sigma: 0.2, Rules: openBoard(rules.ShooterInside15, 0)}, "failed | out s:invalid_shot", "good | on s=15"},
		{scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: ""}, "failed | out s:invalid_shot | on b1=10", "good | on b1=10 s=15"},
		{scene{Before: "b1 0 150, a1 150 0, a2 -150 0", After: "b1 0 180, a1 190 0, a2 -190 0, s 60 0", Contacts: "s>a1", Rules: contact(rules.Direct)}, "?", "?"},
	} {
		v, names := c.judge(t)
		require.NotEmpty(t, v.Doubts, "%+v", c.scene)
		require.Len(t, v.Doubts[0].Answers, 2)
		for k, a := range v.Doubts[0].Answers {
			w, err := v.Answered(0, k)
			require.NoError(t, err)
			want := map[string]string{"yes": c.yes, "no": c.no}[a.Key]
			if want != "?" {
				require.Equal(t, want, tell(w, names), "%s to %s: %+v", a.Key, v.Doubts[0].Kind, c.scene)
			}
		}
	}
}

// 20s of earlier shots that still lie in the hole are out of reach (TWN-5).
func TestTwentyStillInTheHole(t *testing.T) {
	blind := func(s scene) scene { s.NoTrack = true; return s }
	still := scene{Before: "b1 in", After: "b1 in, s 60 0", Contacts: ""}
	lifted := scene{Before: "b1 in", After: "s 60 0", Contacts: ""}
	next := scene{Before: "b1 in, a1 0 28 hang", After: "a1 in, s 60 0", Contacts: "s>a1"}
	third := scene{Before: "b1 in, b2 0 28 hang", After: "b1 in, b2 0 60, s 60 0", Contacts: "s>b2"}
	run(t, []judged{
		{"still there", still, "good | on s=15", ""},
		{"still there, not followed", blind(still), "good | on s=15", ""},
		{"lifted", lifted, "good | on s=15", ""},
		{"lifted, not followed", blind(lifted), "good | on s=15", ""},
		{"lifted, and another sunk", next, "good | 20 a1 | on s=15", ""},
		{"lifted, and another sunk, not followed", blind(next), "good | 20 a1 | on s=15", ""},
		{"others play on", third, "good | on b2=15 s=15", ""},
		{"others play on, not followed", blind(third), "good | on b2=15 s=15", ""},
		{"touching it is nothing", scene{Before: "b1 in, b2 0 150", After: "b1 in, b2 0 150, s 60 0", Contacts: "s>b1"},
			"failed | out s:invalid_shot | on b2=10", ""},
		{"lying on it", scene{Before: "b1 in", After: "b1 in, s 4 0 lean", Contacts: ""}, "good! | on s=15", "stacked"},
	})
}

// Times say what was damage (DMG-2).
func TestTimes(t *testing.T) {
	s := scene{Before: "b1 250 0, a1 0 250", After: "b1 off, a1 20 200, s 200 0", Exits: "b1@0.5", Rules: damage(rules.DamageRestored)}
	vary := func(contacts string) scene { c := s; c.Contacts = contacts; return c }
	run(t, []judged{
		{"after it left", vary("s>b1@0.3 b1>a1@0.9"), "good | out b1:off_surface | back a1 | on s=5", ""},
		{"after it left, the pair the other way round", vary("s>b1@0.3 a1>b1@0.9"), "good | out b1:off_surface | back a1 | on s=5", ""},
		{"before it left", vary("s>b1@0.3 b1>a1@0.4"), "good | out b1:off_surface | on a1=5 s=5", ""},
		{"as it left", vary("s>b1@0.3 b1>a1@0.5"), "good | out b1:off_surface | on a1=5 s=5", ""},
		{"not timed: in play", vary("s>b1 b1>a1"), "good | out b1:off_surface | on a1=5 s=5", ""},
		{"what it moved runs on", scene{
			Before: "b1 250 0, a1 0 250, a2 0 100", After: "b1 off, a1 20 200, a2 0 60, s 200 0", Exits: "b1@0.5",
			Contacts: "a1>a2@1.1 s>b1@0.3 b1>a1@0.9", Rules: damage(rules.DamageRestored),
		}, "good | out b1:off_surface | back a1 a2 | on s=5", ""},
		{"as it left, the pair the other way round", vary("s>b1@0.3 a1>b1@0.5"), "good | out b1:off_surface | on a1=5 s=5", ""},
		{"each disc has its own time", scene{
			Before: "b1 250 0, b2 -250 0, a1 0 250", After: "b1 off, b2 off, a1 20 200, s 200 0", Exits: "b2@0.35 b1@0.5",
			Contacts: "s>b1@0.3 s>b2@0.31 b1>a1@0.4", Rules: damage(rules.DamageRestored),
		}, "good | out b1:off_surface b2:off_surface | on a1=5 s=5", ""},
		{"dead from the crossing on, not from the exit", scene{
			Before: "b1 250 0, a1 0 250", After: "b1 off, a1 20 200, s 200 0", Exits: "b1@0.6", Crossed: "b1@0.35",
			Contacts: "s>b1@0.3 b1>a1@0.45", Rules: rules.Ruleset{Damage: rules.DamageRestored, Spin: rules.SpinOut},
		}, "good | out b1:off_surface | back a1 | on s=5", ""},
		{"dead from the exit on, not from a later crossing", scene{
			Before: "b1 250 0, a1 0 250", After: "b1 off, a1 20 200, s 200 0", Exits: "b1@0.35", Crossed: "b1@0.6",
			Contacts: "s>b1@0.3 b1>a1@0.45", Rules: rules.Ruleset{Damage: rules.DamageRestored, Spin: rules.SpinOut},
		}, "good | out b1:off_surface | back a1 | on s=5", ""},
		{"a crossing kills nobody where it does not count", scene{
			Before: "b1 250 0, a1 0 250", After: "b1 off, a1 20 200, s 200 0", Exits: "b1@0.6", Crossed: "b1@0.35",
			Contacts: "s>b1@0.3 b1>a1@0.45", Rules: damage(rules.DamageRestored),
		}, "good | out b1:off_surface | on a1=5 s=5", ""},
		{"a list that is not all timed keeps its order", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>b1@0.9 s>a1", Rules: contact(rules.OpponentFirst),
		}, "good | on a1=5 b1=5 s=10", ""},
		{"a post first, noted the other way round", scene{
			Before: "b1 200 0", After: "b1 255 0, s 120 0", Contacts: "post>s s>b1", Rules: contact(rules.OpponentFirstNoBank),
		}, "failed | out s:invalid_shot | on b1=5", ""},
		{"the ditch is no post", scene{
			Before: "b1 200 0", After: "b1 255 0, s 120 0", Contacts: "s>ditch s>b1", Rules: contact(rules.OpponentFirstNoBank),
		}, "good | on b1=5 s=10", ""},
		{"another disc's post before is no bank", scene{
			Before: "b1 200 0, a1 0 200", After: "b1 255 0, a1 0 200, s 120 0", Contacts: "a1>post s>b1", Rules: contact(rules.OpponentFirstNoBank),
		}, "good | on a1=5 b1=5 s=10", ""},
		{"damaged after moving in play: its own hits in play count", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 170 60, b1 255 0, s off", Contacts: "a1>b1 s>a1", Exits: "s", Damage: "s>a1", Rules: damage(rules.DamageRestored),
		}, "good! | out s:off_surface | on a1=10 b1=5", "place"},
		{"an unordered chain set off by damage", scene{
			Before: "a1 150 0, a2 200 0, a3 250 0, b1 0 150", After: "a1 160 0, a2 210 0, a3 260 0, b1 0 150, s off",
			Contacts: "a2>a3 a1>a2", Exits: "s", Damage: "s>a1", Rules: damage(rules.DamageRestored),
		}, "failed | out s:off_surface | back a1 a2 a3 | on b1=10", ""},
		{"a disc in play runs into one that had left", scene{
			Before: "a1 150 0, b1 250 0", After: "a1 170 60, b1 off, s 100 0", Contacts: "s>b1 s>a1", Exits: "b1", Damage: "a1>b1", Rules: damage(rules.DamageRestored),
		}, "good! | out b1:off_surface | on a1=10 s=10", "place"},
		{"a damaged disc met by another", scene{
			Before: "a1 150 0, a2 200 0, b1 0 150", After: "a1 160 0, a2 215 0, b1 0 150, s off", Contacts: "", Exits: "s", Damage: "s>a1 a2>a1", Rules: damage(rules.DamageRestored),
		}, "failed | out s:off_surface | back a1 a2 | on b1=10", ""},
		{"damage known, contacts not, and both are off", scene{
			Before: "b1 0 150", After: "b1 off, s off", Contacts: "?", Exits: "s b1", Damage: "s>b1", Rules: damage(rules.DamageRestored),
		}, "failed | out s:off_surface | back b1", ""},
		{"an exit with a time and a crossing without", scene{
			Before: "b1 250 0, a1 0 250", After: "b1 off, a1 20 200, s 200 0", Exits: "b1@0.35", Crossed: "b1",
			Contacts: "s>b1@0.3 b1>a1@0.45", Rules: rules.Ruleset{Damage: rules.DamageRestored, Spin: rules.SpinOut},
		}, "good | out b1:off_surface | back a1 | on s=5", ""},
		{"two at one time keep their order", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1@0.4 s>b1@0.4", Rules: contact(rules.OpponentFirst),
		}, "failed | out a1:invalid_shot s:invalid_shot | on b1=5", ""},
		{"a post that an opposing disc ran into, noted first", scene{
			Before: "b1 200 0", After: "b1 255 0, s 120 0", Contacts: "b1>post s>b1", Rules: contact(rules.OpponentFirstNoBank),
		}, "good | on b1=5 s=10", ""},
		{"the ditch is no post, the other way round", scene{
			Before: "b1 200 0", After: "b1 255 0, s 120 0", Contacts: "ditch>s s>b1", Rules: contact(rules.OpponentFirstNoBank),
		}, "good | on b1=5 s=10", ""},
		{"a post is not damaged", scene{
			Before: "b1 150 0", After: "b1 150 0, s off", Exits: "s", Damage: "s>post", Rules: damage(rules.DamageSuspends),
		}, "failed | out s:off_surface | on b1=10", ""},
		{"nor by a disc noted second", scene{
			Before: "b1 150 0", After: "b1 150 0, s off", Exits: "s", Damage: "post>s", Rules: damage(rules.DamageSuspends),
		}, "failed | out s:off_surface | on b1=10", ""},
		{"a post is not damaged where contacts were not watched", scene{
			Before: "b1 150 0", After: "b1 150 0, s off", Contacts: "~", Exits: "s", Damage: "s>post post>s", Rules: damage(rules.DamageSuspends),
		}, "failed | out s:off_surface | on b1=10", "(graze) (damage)"},
		{"late damage runs on through a contact noted before", scene{
			Before: "a1 150 0, a2 200 0, b1 0 250", After: "a1 170 0, a2 220 0, b1 off, s 0 150",
			Contacts: "a1>a2 s>b1@0.2 b1>a1@0.9", Exits: "b1@0.5", Rules: damage(rules.DamageRestored),
		}, "good | out b1:off_surface | back a1 a2 | on s=10", ""},
		{"both were struck in play and one of them left: the other is hurt, whichever is noted first", scene{
			Before: "a1 150 0, b1 0 250", After: "a1 170 60, b1 off, s 0 150", Contacts: "s>b1 s>a1", Exits: "b1", Damage: "a1>b1", Rules: damage(rules.DamageRestored),
		}, "good! | out b1:off_surface | on a1=10 s=10", "place"},
		{"both left, and only the one noted second was struck in play", scene{
			Before: "a1 250 30, b1 0 250", After: "a1 off, b1 off, s 0 150", Contacts: "s>b1", Exits: "b1 a1", Damage: "a1>b1", Rules: damage(rules.DamageRestored),
		}, "good | out b1:off_surface | back a1 | on s=10", ""},
		{"both left and both were struck in play: the second is hurt", scene{
			Before: "a1 28 0, b1 0 250", After: "a1 in, b1 off, s 0 150", Contacts: "s>b1 s>a1", Exits: "b1 a1", Damage: "b1>a1", Rules: damage(rules.DamageRestored),
		}, "good | out a1:reentry b1:off_surface | on s=10", ""},
		{"a miss comes back, and what it drives off drives off another", scene{
			Before: "a1 250 0, b1 0 250", After: "a1 off, b1 off, s off", Exits: "s a1 b1", Damage: "s>a1 a1>b1", Rules: damage(rules.DamageRestored),
		}, "failed | out s:off_surface | back a1 b1", ""},
		{"a certain contact", scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@1"}, "good | on b1=10 s=15", ""},
		{"a touch whose cause was not seen", scene{
			Before: "a1 150 0, b1 200 0", After: "a1 165 0, b1 200 0, s 60 0", Contacts: "a1>b1",
		}, "good | on a1=10 b1=5 s=15", ""},
	})
}

// Contacts that were seen, but not surely or not all.
func TestSeenContacts(t *testing.T) {
	hitOrMiss := func(conf string) scene {
		return scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@" + conf}
	}
	run(t, []judged{
		{"a sure graze", hitOrMiss("0.95"), "good | on b1=10 s=15", ""},
		{"a crossing that does not count raises no question", scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: "s>b1", Crossed: "s"}, "good | on b1=10 s=15", ""},
		{"one that is just sure enough", hitOrMiss("0.9"), "good | on b1=10 s=15", ""},
		{"a probable graze decides nothing", hitOrMiss("0.7"), "unclear! | on b1=10 s=15", "contact"},
		{"an improbable one neither", hitOrMiss("0.3"), "unclear! | on b1=10 s=15", "contact"},
		{"unless the disc moved", scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: "s>b1@0.4@0.7"}, "good | on b1=10 s=15", ""},
		{"a disc moved and no contact was seen", scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: ""}, "good! | on b1=10 s=15", "hand"},
		{"the same, under direct", scene{Before: "b1 0 150, a1 150 0", After: "b1 0 180, a1 190 0, s 60 0", Contacts: "s>a1", Rules: contact(rules.Direct)}, "unclear! | on a1=5 b1=10 s=15", "direct"},
	})
	v, _ := scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: ""}.judge(t)
	require.Equal(t, rules.FromBoth, v.Basis)
}

// While a question leaves the ruling open, what both answers have in common is
// carried out: as the answer that makes the shot good tells it.
func TestWhatHoldsEitherWay(t *testing.T) {
	run(t, []judged{
		{"what left, crossed and came back, and what is sunk", scene{
			Before: "b1 150 0, a1 -150 0, b2 0 250, b3 0 -250, b4 200 200, b5 28 0, b6 -200 200", Contacts: "~", Exits: "b4", Crossed: "b6",
			After: "b1 200 0, a1 -190 0, b2 off, b3 0 -300, b4 180 200, b5 in, b6 -180 200, s 90 0",
			Rules: rules.Ruleset{Contact: rules.Direct, Spin: rules.SpinOut},
		}, "unclear! | out b2:off_surface b3:outer_line b4:reentry b6:crossed_line | 20 b5 | on a1=5 b1=5 s=10", "*"},
		{"an own disc over the line", scene{
			Before: "b1 150 0, a1 -150 0", After: "b1 200 0, a1 -300 0, s 90 0", Contacts: "~", Rules: contact(rules.Direct),
		}, "unclear! | out a1:outer_line | on b1=5 s=10", "*"},
		{"the shot disc over the line, an improbable hit", scene{Before: "b1 0 150", After: "b1 0 150, s 0 300", Contacts: "s>b1@0.4@0.3"}, "unclear! | out s:outer_line | on b1=10", "contact"},
		{"off the board, unless it is put back", scene{
			Before: "b1 150 0, b2 0 150, a1 -150 0", After: "b1 off, b2 0 180, a1 -190 0, s 90 0", Contacts: "~",
			Rules: rules.Ruleset{Contact: rules.Direct, InvalidOpponentDiscs: rules.OpponentsRestored},
		}, "unclear! | out b1:off_surface | on a1=5 b2=10 s=10", "*"},
		{"put back either way", scene{
			Before: "b1 150 0, b2 0 150", After: "b1 180 0, b2 0 150, s off", Contacts: "s>b2@0.4@0.7", Exits: "s", Damage: "s>b1", Rules: damage(rules.DamageRestored),
		}, "unclear! | out s:off_surface | back b1 | on b2=10", "contact"},
		{"put back only if an improbable touch was none", scene{
			Before: "a1 0 -200, b1 0 150", After: "a1 off, b1 0 170, s off", Contacts: "s>b1 b1>a1@0.4@0.3", Exits: "s", Damage: "s>a1", Rules: damage(rules.DamageRestored),
		}, "unclear! | out a1:off_surface s:off_surface | on b1=10", "contact"},
		{"lifted or over the line, out either way", scene{
			Before: "a1 230 0, a2 150 0, b1 0 150", After: "a1 300 0, a2 150 0, b1 0 150, s 90 0", Contacts: "s>a1@0.4@0.7 s>a2@0.5@0.7",
		}, "unclear! | out a1:invalid_shot s:invalid_shot | on a2=10 b1=10", "contact"},
		{"failed either way, one disc more or less", scene{Before: "a1 150 0, b1 0 150", After: "a1 150 0, b1 0 150, s 60 0", Contacts: "s>a1@0.4@0.7"}, "unclear! | out s:invalid_shot | on a1=10 b1=10", "contact"},
	})
}

// A question names the discs that it is about, and no others.
func TestDoubtsNameTheirDiscs(t *testing.T) {
	v, _ := scene{Before: "b1 0 150, b2 0 -150, a1 150 0, a2 -150 0", After: "b1 0 150, b2 0 -150, a1 150 0, a2 -190 0, s 75 0", Contacts: "~"}.judge(t)
	require.Equal(t, "(graze) (graze) (return) (return)", doubts(v))
	require.Equal(t, []int{0, 1}, v.Doubts[0].Discs, "opposing discs that did not move")
	require.Equal(t, []int{2}, v.Doubts[1].Discs, "own discs that did not move")
	require.Equal(t, []int{3}, v.Doubts[2].Discs)
	require.Equal(t, []int{4}, v.Doubts[3].Discs)
}

// A disc of which it is known that it was touched is not asked about, nor is one
// that surely lies where it lay.
func TestDoubtsNameNoOtherDiscs(t *testing.T) {
	discsOf := func(s scene, k rules.DoubtKind) (out [][]int) {
		v, _ := s.judge(t)
		for _, d := range v.Doubts {
			if d.Kind == k {
				out = append(out, d.Discs)
			}
		}
		return out
	}
	rests := scene{Before: "a1 0 60, a2 -150 0, b1 0 250", After: "a1 0 60, a2 -150 0, b1 0 250, s 31.75 60", Contacts: "?"}
	require.Equal(t, [][]int{{2}, {1}}, discsOf(rests, rules.DoubtGraze), "the shot disc rests against the first own one")
	scatter := scene{Before: "b1 0 150, b2 0 -150", After: "b1 0 151.2, b2 0 -150, s 75 0", Contacts: "?", Sigma: 0.3}
	require.Equal(t, [][]int{{0}}, discsOf(scatter, rules.DoubtMoved))
	back := scene{Before: "b1 0 150, a1 150 0", After: "b1 0 170, a1 190 0, s off", Contacts: "?", Rules: damage(rules.DamageRestored)}
	require.Equal(t, [][]int{{0, 1}, {0}, {1}}, discsOf(back, rules.DoubtDamage))
	suspends := scene{Before: "a1 150 0, b1 0 150", After: "a1 190 0, b1 0 150, s off", Contacts: "?", Rules: damage(rules.DamageSuspends)}
	require.Equal(t, [][]int{{0}, {1}}, discsOf(suspends, rules.DoubtDamage))
	lines := scene{Before: "b1 200 0, b2 -200 0", After: "b1 288.3 0, b2 -288.3 0, s 150 0", Contacts: "s>b1 b1>b2", Sigma: 0.2}
	require.Equal(t, [][]int{{0}, {1}}, discsOf(lines, rules.DoubtLine))
	unseen := scene{Before: "a1 -150 0, b1 150 0", After: "a1 -150 0, b1 200 0, s 90 0", Contacts: "",
		Rules: rules.Ruleset{Contact: rules.Direct, ContactPenalty: rules.StruckByShooter}}
	require.Equal(t, [][]int{{1}}, discsOf(unseen, rules.DoubtDirect))
	require.Empty(t, discsOf(unseen, rules.DoubtStruckBy))
}

// A disc that came to lean in the hole is told of even while the ruling is open.
func TestLeaningIsToldWhileUnclear(t *testing.T) {
	v, _ := scene{Before: "b1 150 0, a1 -150 0", After: "b1 5 0 lean, a1 -190 0, s 90 0", Contacts: "?", Rules: contact(rules.Direct)}.judge(t)
	require.Equal(t, rules.Unclear, v.Ruling)
	require.Contains(t, v.Reasons, rules.Reason{Rule: "TWN-4", Key: "disc.leaning", Disc: 0, Other: -1})
}

// Each answer has its key, and leads where it should.
func TestAnswersHaveTheirKeys(t *testing.T) {
	answer := func(s scene, k rules.DoubtKind) (string, rules.Ruling) {
		v, _ := s.judge(t)
		for _, d := range v.Doubts {
			if d.Kind == k {
				require.False(t, d.Remote)
				return d.Answers[0].Key, d.Answers[0].Ruling
			}
		}
		t.Fatalf("no doubt of kind %s: %s", k, doubts(v))
		return "", 0
	}
	for _, c := range []struct {
		name   string
		scene  scene
		kind   rules.DoubtKind
		key    string
		ruling rules.Ruling
	}{
		{"a probable contact", scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@0.7"}, rules.DoubtContact, "no", rules.Failed},
		{"an improbable contact", scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: "s>b1@0.4@0.3"}, rules.DoubtContact, "yes", rules.Good},
		{"hardly clear", scene{Before: "b1 0 150", After: "b1 0 150, s 0 117.9", Contacts: "~", Sigma: 0.2}, rules.DoubtTouching, "yes", rules.Good},
		{"hardly touching", scene{Before: "b1 0 150", After: "b1 0 150, s 0 118.2", Contacts: "~", Sigma: 0.2}, rules.DoubtTouching, "no", rules.Failed},
	} {
		key, ruling := answer(c.scene, c.kind)
		require.Equal(t, c.key, key, c.name)
		require.Equal(t, c.ruling, ruling, c.name)
	}
	// Which of two own discs the shot disc touched itself is asked of each alone.
	v, names := scene{
		Before: "b1 0 150, a1 150 0, a2 -150 0", After: "b1 0 150, a1 200 0, a2 -190 0, s 90 0", Contacts: "~", Rules: penalty(rules.StruckByShooter),
	}.judge(t)
	asked := 0
	for i, d := range v.Doubts {
		if d.Kind == rules.DoubtStruckBy {
			require.Equal(t, []int{1 + asked}, d.Discs)
			w, err := v.Answered(i, 0)
			require.NoError(t, err)
			require.Equal(t, []string{"failed | out a1:invalid_shot s:invalid_shot | on a2=5 b1=10", "failed | out a2:invalid_shot s:invalid_shot | on a1=5 b1=10"}[asked], tell(w, names))
			asked++
		}
	}
	require.Equal(t, 2, asked)
}

// What no reading of the evidence settles is asked only where it arises.
func TestDoubtsThatNothingSettles(t *testing.T) {
	restored := damage(rules.DamageRestored)
	run(t, []judged{
		{"gone far from the hole: in the ditch", scene{Before: "b1 0 250", After: "b1 gone, s 60 0", Contacts: "~", NoTrack: true}, "good | out b1:off_surface | on s=15", "(return)"},
		{"gone while a hand was over the board", scene{Before: "b1 0 250, b2 0 150", After: "b1 gone, b2 0 180, s 60 0", Contacts: "s>b1", Hand: "b2"}, "good! | out b1:off_surface | on b2=10 s=15", "vanished hand"},
		{"leaning on the disc in the hole", scene{Before: "b1 28 0", After: "b1 in, s 29 0 lean", Contacts: "s>b1"}, "good! | 20 b1 | on s=15", "stacked"},
		{"leaning beside it", scene{Before: "b1 28 0", After: "b1 in, s 30 0 lean", Contacts: "s>b1"}, "good | 20 b1 | on s=15", ""},
		{"put back where nothing lies", scene{Before: "b1 0 250, a1 150 0", After: "b1 off, a1 190 0, s 118.25 0", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1", Rules: restored}, "good | out b1:off_surface | back a1 | on s=10", ""},
		{"put back where another lies now", scene{Before: "b1 0 250, a1 150 0", After: "b1 off, a1 190 0, s 118.45 0", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1", Rules: restored}, "good! | out b1:off_surface | back a1 | on s=10", "place"},
		{"another lies where a disc was that is not put back", scene{Before: "b1 0 250, a1 150 0, b2 -150 0", After: "b1 off, a1 190 0, b2 -200 0, s -140 0", Contacts: "s>b1 s>b2", Exits: "b1", Damage: "b1>a1", Rules: restored}, "good | out b1:off_surface | back a1 | on b2=5 s=10", ""},
		{"two that lay together are put back together", scene{Before: "b1 0 250, a1 150 0, a2 181 0", After: "b1 off, a1 150 60, a2 181 60, s 60 0", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1 a1>a2", Rules: restored}, "good | out b1:off_surface | back a1 a2 | on s=15", ""},
	})
	v, _ := scene{Before: "b1 28 0, b2 0 150", After: "b1 in, b2 0 150, s 5 0 lean", Contacts: "s>b1"}.judge(t)
	require.Equal(t, []int{2}, v.Doubts[0].Discs)
	// Outside the 15 line nothing is close while an opposing disc lies there.
	v, _ = scene{Before: "b1 0 250", After: "b1 0 220, s 118.3 0", Contacts: "s>b1", Sigma: 0.2}.judge(t)
	require.Empty(t, v.Close)
}

// Outcomes say who took part, and where a disc that is put back belongs.
func TestOutcomes(t *testing.T) {
	took := func(v rules.Verdict) (out []bool) {
		for _, o := range v.Outcomes {
			out = append(out, o.Struck)
		}
		return out
	}
	v, _ := scene{Before: "a1 150 0, b1 0 150", After: "a1 190 0, b1 0 150, s 60 0", Contacts: "s>a1"}.judge(t)
	require.Equal(t, []bool{true, false, true}, took(v))
	v, _ = scene{Before: "a1 150 0, b1 0 150", After: "a1 150 0, b1 0 150, s 60 0", Contacts: ""}.judge(t)
	require.Equal(t, []bool{false, false, false}, took(v))
	v, _ = scene{Before: "a1 150 0, b1 190 0", After: "a1 160 0, b1 250 0, s 60 0", Contacts: "s>a1 a1>b1"}.judge(t)
	require.Equal(t, []bool{true, true, true}, took(v), "at second hand too")

	v, _ = scene{
		Before: "b1 0 250, a1 187 0", After: "b1 off, a1 300 0, s 60 0", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1", Sigma: 0.01, Rules: damage(rules.DamageRestored),
	}.judge(t)
	o := v.Outcomes[1]
	require.True(t, o.Restored)
	require.Equal(t, board.Point{X: 187}, o.At)
	require.Equal(t, float32(0.01), o.Sigma)
	require.Equal(t, []board.Zone{board.Five, board.Five, board.Ten}, []board.Zone{o.Zone, o.Lies, o.Line}, "it touches the 10 line there")

	v, _ = scene{After: "s in", Contacts: ""}.judge(t)
	o = v.Outcomes[0]
	require.Equal(t, []board.Zone{board.Twenty, board.Twenty, board.Out}, []board.Zone{o.Zone, o.Lies, o.Line})

	v, _ = scene{Before: "", After: "s 60 0, b1 0 150, b2 0 -150", Contacts: ""}.judge(t)
	require.Equal(t, rules.Desynced, v.Ruling)
	require.Equal(t, []rules.Discrepancy{{Kind: rules.FromNowhere, Side: board.SideB, Count: 2, Most: 0}}, v.Desync)
	require.Equal(t, []rules.Reason{{Rule: "INF-5", Key: "desync.from_nowhere", Disc: -1, Other: -1}}, v.Reasons)
}

// A shot is open when no opposing disc lay on the surface: one in the hole does
// not count, one over it does (OPN-1).
func TestOpenShot(t *testing.T) {
	for before, open := range map[string]bool{"": true, "a1 0 150": true, "b1 0 150": false, "b1 8 0 lean": false, "b1 in": true} {
		after := "s 60 0"
		if before != "" {
			after = before + ", " + after
		}
		v, _ := scene{Before: before, After: after, Contacts: ""}.judge(t)
		require.Equal(t, open, v.OpenShot, before)
	}
}

// Calls that turn on less than two sigmas are marked, the others are not.
func TestCloseCalls(t *testing.T) {
	v, names := scene{Before: "b1 200 0", After: "b1 288 0, s 150 0", Contacts: "s>b1", Sigma: 0.2}.judge(t)
	require.Equal(t, "good! | on b1=5 s=10", tell(v, names))
	require.Equal(t, "line", doubts(v))
	require.Len(t, v.Close, 1)
	require.True(t, v.Close[0].Turns)
	require.Equal(t, board.Five, v.Close[0].Zone)
	require.Equal(t, board.Out, v.Close[0].Other)
	require.InDelta(t, 0.125, v.Close[0].Gap, 1e-9)

	v, names = scene{Before: "b1 200 0", After: "b1 250 0, s 186.6 0", Contacts: "s>b1", Sigma: 0.2}.judge(t)
	require.Equal(t, "good | on b1=5 s=5", tell(v, names), "only the value turns on it")
	require.Len(t, v.Close, 1)
	require.False(t, v.Close[0].Turns)
	require.Equal(t, board.Ten, v.Close[0].Other)

	v, _ = scene{Before: "b1 200 0", After: "b1 250 0, s 186 0", Contacts: "s>b1", Sigma: 0.2}.judge(t)
	require.Empty(t, v.Close)

	// Either side of each line, by its printed edge and by the middle of its ink.
	for _, line := range []rules.LineEdge{rules.PrintedLine, rules.LineCentre} {
		for inside, at := range map[board.Zone]float64{board.Fifteen: 84.925, board.Ten: 186.525, board.Five: 288.125} {
			for _, off := range []float64{-0.1, 0.1} {
				r, want := at+off, rules.CloseCall{Gap: -off, Zone: inside, Other: inside - 1}
				if line == rules.LineCentre {
					r += 0.8
				}
				if off > 0 {
					want.Zone, want.Other = want.Other, want.Zone
				}
				v, err := rules.Judge(board.Snapshot{}, board.Snapshot{Discs: []board.Disc{{Point: board.Point{X: r}, Side: board.SideA, Sigma: 0.2}}},
					rules.Shot{Side: board.SideA}, rules.Ruleset{Board: testBoard(), Line: line, OpenBoard: rules.OpenBoardFree})
				require.NoError(t, err)
				require.Len(t, v.Close, 1)
				got := v.Close[0]
				require.InDelta(t, want.Gap, got.Gap, 1e-9, "%v mm by %v", r, line)
				want.Gap, want.Turns = got.Gap, inside == board.Five
				require.Equal(t, want, got, "%v mm by %v", r, line)
			}
		}
	}

	v, names = scene{After: "s 118.3 0", Contacts: "", Sigma: 0.2}.judge(t)
	require.Equal(t, "failed! | out s:invalid_shot", tell(v, names))
	require.Equal(t, "line", doubts(v))
	require.Len(t, v.Close, 1, "by the outside of the 15 line")
	require.InDelta(t, 0.025, v.Close[0].Gap, 1e-9)
	require.Equal(t, rules.CloseCall{Gap: v.Close[0].Gap, Zone: board.Ten, Other: board.Fifteen, Turns: true}, v.Close[0])
	v, _ = scene{After: "s 118.2 0", Contacts: "", Sigma: 0.2}.judge(t)
	require.Len(t, v.Close, 1)
	require.InDelta(t, -0.075, v.Close[0].Gap, 1e-9, "touches it")

	v, _ = scene{After: "s 85 0", Contacts: "", Sigma: 0.2, Rules: openBoard(rules.ShooterInside15, 0)}.judge(t)
	require.Equal(t, "line", doubts(v))
	require.Equal(t, rules.Failed, v.Ruling)

	// The outside of the 15 line is told of only where the ruling turns on it.
	v, names = scene{Before: "a1 150 0", After: "a1 60 0, s 118.2 0", Contacts: "s>a1", Sigma: 0.2}.judge(t)
	require.Equal(t, "good | on a1=15 s=10", tell(v, names))
	require.Empty(t, v.Close)
	// Another question about a disc makes its call no closer.
	v, _ = scene{Before: "b1 186.6 0", After: "b1 186.6 0, s 75 0", Contacts: "?", Sigma: 0.2}.judge(t)
	require.Contains(t, doubts(v), "graze")
	require.Len(t, v.Close, 1)
	require.False(t, v.Close[0].Turns)

	// Moved by two to four sigmas, and no more than that.
	v, names = scene{Before: "b1 0 150", After: "b1 0 151.2, s 75 0", Contacts: "?", Sigma: 0.25}.judge(t)
	require.Contains(t, doubts(v), "moved")
	require.Equal(t, "good! | on b1=10 s=15", tell(v, names))
	v, _ = scene{Before: "b1 0 150", After: "b1 0 150.9, s 75 0", Contacts: "?", Sigma: 0.25}.judge(t)
	require.Equal(t, rules.Failed, v.Ruling)
	require.Contains(t, doubts(v), "moved")

	// At rest against each other, or nearly.
	v, _ = scene{Before: "b1 0 150", After: "b1 0 150, s 0 117.9", Contacts: "?", Sigma: 0.2}.judge(t)
	require.Equal(t, rules.Failed, v.Ruling)
	require.Contains(t, doubts(v), "touching")
	v, _ = scene{Before: "b1 0 150", After: "b1 0 150, s 0 118.25", Contacts: "?", Sigma: 0.2}.judge(t)
	require.Equal(t, rules.Good, v.Ruling)
	require.Contains(t, doubts(v), "touching")
}

// Snapshots that cannot be (INF-5).
func TestDesync(t *testing.T) {
	kinds := func(v rules.Verdict) (out []rules.DesyncKind) {
		for _, d := range v.Desync {
			out = append(out, d.Kind)
		}
		return out
	}
	for _, c := range []struct {
		name string
		scene
		owned [board.SideD + 1]uint8
		want  []rules.DesyncKind
	}{
		{"a disc from nowhere", scene{Before: "b1 0 150", After: "b1 0 170, b2 100 0, s 60 0", Contacts: "s>b1"}, [5]uint8{}, []rules.DesyncKind{rules.FromNowhere}},
		{"the same, told apart by place", scene{Before: "b1 0 150", After: "b1 0 170, b2 100 0, s 60 0", Contacts: "s>b1", NoTrack: true}, [5]uint8{}, []rules.DesyncKind{rules.FromNowhere}},
		{"two shot discs", scene{Before: "b1 0 150", After: "b1 0 170, a2 100 0, s 60 0", Contacts: "s>b1", NoTrack: true}, [5]uint8{}, []rules.DesyncKind{rules.FromNowhere}},
		{"a third side's disc", scene{Before: "b1 0 150", After: "b1 0 170, c2 100 0, s 60 0", Contacts: "s>b1", NoTrack: true}, [5]uint8{}, []rules.DesyncKind{rules.FromNowhere}},
		{"more than a side has left", scene{Before: "a1 0 150", After: "a1 0 60, s 100 0", Contacts: "s>a1"}, [5]uint8{0, 1}, []rules.DesyncKind{rules.TooMany}},
		{"as many as a side has left", scene{Before: "a1 0 150", After: "a1 0 60, s 100 0", Contacts: "s>a1"}, [5]uint8{0, 2}, nil},
		{"two new 20s", scene{Before: "b1 0 28 hang", After: "b1 in, s in", Contacts: "s>b1"}, [5]uint8{}, []rules.DesyncKind{rules.TwoTwenties}},
		{"gone without a cause", scene{Before: "b1 0 150, b2 0 200", After: "b1 0 170, b2 gone, s 60 0", Contacts: "s>b1"}, [5]uint8{}, []rules.DesyncKind{rules.Vanished}},
		{"the shot disc gone without a cause", scene{Before: "b1 0 150", After: "b1 0 170, s gone", Contacts: "s>b1"}, [5]uint8{}, []rules.DesyncKind{rules.Vanished}},
		{"gone, but seen to leave", scene{Before: "b1 0 150, b2 0 200", After: "b1 0 170, b2 gone, s 60 0", Contacts: "s>b1 b1>b2", Exits: "b2"}, [5]uint8{}, nil},
		{"gone, and a hand was there", scene{Before: "b1 0 150, b2 0 200", After: "b1 0 170, b2 gone, s 60 0", Contacts: "s>b1", Hand: "b2"}, [5]uint8{}, nil},
		{"gone, and nobody watched", scene{Before: "b1 0 150, b2 0 200", After: "b1 0 170, b2 gone, s 60 0", Contacts: "?"}, [5]uint8{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.ready(t)
			r.shot.Owned = c.owned
			v, err := rules.Judge(r.before, r.after, r.shot, r.rs)
			require.NoError(t, err)
			require.Equal(t, c.want, kinds(v))
			require.Equal(t, c.want != nil, v.Ruling == rules.Desynced)
			if c.want != nil {
				require.True(t, v.Review)
				require.NotEmpty(t, v.Reasons)
				require.Len(t, v.Outcomes, len(r.before.Discs)+1, "the discs as they lie")
			}
		})
	}
	// Nobody says which disc is which: every side's discs are told by their places.
	run(t, []judged{
		{"side D's too", scene{Before: "d1 0 150", After: "d1 0 200, s 60 0", Contacts: "~", NoTrack: true}, "good | on d1=5 s=15", "*"},
		{"the shot disc gone is off the board", scene{Before: "b2 0 150", After: "b2 0 190, s gone", Contacts: "~"}, "good | out s:off_surface | on b2=5", "(damage) (return) (vanished)"},
		{"unless a hand was there", scene{Before: "b1 200 0, b2 0 150", After: "b1 200 0, b2 0 190, s gone", Contacts: "~", Hand: "b1"}, "good! | out s:off_surface | on b1=5 b2=5", "*"},
		{"a disc gone from the 15 too", scene{Before: "b2 0 50", After: "b2 gone, s 60 0", Contacts: "~"}, "good | out b2:off_surface | on s=15", "(return) (vanished)"},
		{"one that is gone near the hole is asked about", scene{Before: "b1 0 28 hang, b2 0 150", After: "b1 gone, b2 0 150, s 60 0", Contacts: "~", NoTrack: true}, "good! | out b1:off_surface | on b2=10 s=15", "(return) vanished"},
		{"a new 20 beside one that was not lifted", scene{Before: "a1 in, b1 0 150", After: "a1 in, b1 0 190, s in", Contacts: "s>b1", NoTrack: true}, "good | 20 s | on b1=5", ""},
	})
	// A disc that is gone near the hole may be a 20: ask.
	v, names := scene{Before: "b1 0 28 hang, b2 0 150", After: "b1 gone, b2 0 150, s 60 0", Contacts: "?"}.judge(t)
	require.Equal(t, "good! | out b1:off_surface | on b2=10 s=15", tell(v, names))
	require.Contains(t, doubts(v), "vanished")
	for i, d := range v.Doubts {
		if d.Kind == rules.DoubtVanished {
			w, err := v.Answered(i, 0)
			require.NoError(t, err)
			require.Equal(t, "good | 20 b1 | on b2=10 s=15", tell(w, names))
			require.Equal(t, uint8(1), w.Twenties[board.SideB])
			require.Equal(t, board.Twenty, w.Outcomes[0].Zone)
			require.Equal(t, board.Fifteen, v.Outcomes[0].Lies, "the verdict itself is as it was")
		}
	}
}

// The answers to a doubt are whole verdicts.
func TestAnswers(t *testing.T) {
	v, names := scene{Before: "b1 150 0, a1 -150 0", After: "b1 200 0, a1 in, s 90 0", Contacts: "?", Rules: contact(rules.Direct)}.judge(t)
	require.Equal(t, "unclear! | wait a1 | on b1=5 s=10", tell(v, names))
	require.Equal(t, rules.DoubtDirect, v.Doubts[0].Kind)
	want := map[string]string{
		"yes": "good | 20 a1 | on b1=5 s=10",
		"no":  "failed | out a1:invalid_shot s:invalid_shot | on b1=5",
	}
	for k, a := range v.Doubts[0].Answers {
		w, err := v.Answered(0, k)
		require.NoError(t, err)
		require.Equal(t, want[a.Key], tell(w, names))
		require.Equal(t, "answered", w.Reasons[0].Key)
	}
	_, err := v.Answered(99, 0)
	require.ErrorIs(t, err, rules.ErrInput)
	_, err = v.Answered(0, 2)
	require.ErrorIs(t, err, rules.ErrInput)
}

// Input that is no measurement is a typed error, whatever is wrong with it.
func TestInputErrors(t *testing.T) {
	good := scene{Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 a1>b1"}
	for _, c := range []struct {
		name   string
		change func(*ready)
		kind   error
	}{
		{"NaN", func(r *ready) { r.after.Discs[0].X = math.NaN() }, rules.ErrInput},
		{"+Inf", func(r *ready) { r.before.Discs[0].Y = math.Inf(1) }, rules.ErrInput},
		{"-Inf", func(r *ready) { r.after.Discs[2].Y = math.Inf(-1) }, rules.ErrInput},
		{"far away", func(r *ready) { r.after.Discs[0].X = 6000 }, rules.ErrInput},
		{"sigma NaN", func(r *ready) { r.before.Discs[0].Sigma = math.NaN() }, rules.ErrInput},
		{"sigma negative", func(r *ready) { r.before.Discs[0].Sigma = -1 }, rules.ErrInput},
		{"sigma infinite", func(r *ready) { r.before.Discs[0].Sigma = math.Inf(1) }, rules.ErrInput},
		{"no side", func(r *ready) { r.before.Discs[0].Side = board.NoSide }, rules.ErrInput},
		{"a fifth side", func(r *ready) { r.after.Discs[0].Side = 5 }, rules.ErrInput},
		{"no such rest", func(r *ready) { r.after.Discs[0].Rest = 9 }, rules.ErrInput},
		{"on top of each other", func(r *ready) { r.after.Discs[1].Point = r.after.Discs[0].Point }, rules.ErrInput},
		{"on top of each other before", func(r *ready) { r.before.Discs[1].Point = r.before.Discs[0].Point }, rules.ErrInput},
		{"track changes the side of the first", func(r *ready) { r.shot.Track.Discs[0], r.shot.Track.Discs[1] = rules.Gone, 0 }, rules.ErrInput},
		{"overlapping by three millimetres", func(r *ready) { r.after.Discs[1].X = r.after.Discs[0].X + 28.75 }, rules.ErrInput},
		{"ten thousand discs", func(r *ready) { r.after.Discs = make([]board.Disc, 10000) }, rules.ErrInput},
		{"one too many", func(r *ready) { r.before.Discs = make([]board.Disc, rules.MaxDiscs+1) }, rules.ErrInput},
		{"nobody shot", func(r *ready) { r.shot.Side = board.NoSide }, rules.ErrInput},
		{"side five shot", func(r *ready) { r.shot.Side = 5 }, rules.ErrInput},
		{"negative shot number", func(r *ready) { r.shot.Number = -1 }, rules.ErrInput},
		{"contact of an unknown disc", func(r *ready) { r.shot.Evidence.Contacts[0].Struck = rules.Disc(2) }, rules.ErrInput},
		{"contact with itself", func(r *ready) { r.shot.Evidence.Contacts[0].Struck = rules.ShotDisc }, rules.ErrInput},
		{"contact of a body that cannot be", func(r *ready) { r.shot.Evidence.Contacts[0].Striker = -7 }, rules.ErrInput},
		{"contact at a negative time", func(r *ready) { r.shot.Evidence.Contacts[0].At = -1 }, rules.ErrInput},
		{"contact at NaN", func(r *ready) { r.shot.Evidence.Contacts[0].At = math.NaN() }, rules.ErrInput},
		{"confidence above one", func(r *ready) { r.shot.Evidence.Contacts[0].Confidence = 1.1 }, rules.ErrInput},
		{"confidence NaN", func(r *ready) { r.shot.Evidence.Contacts[0].Confidence = math.NaN() }, rules.ErrInput},
		{"damage to an unknown disc", func(r *ready) {
			r.shot.Evidence.Damage = []rules.Contact{{Striker: rules.ShotDisc, Struck: 40}}
		}, rules.ErrInput},
		{"exit of a post", func(r *ready) { r.shot.Evidence.Exits = []rules.Exit{{Body: rules.Post(1)}} }, rules.ErrInput},
		{"exit at infinity", func(r *ready) { r.shot.Evidence.Exits = []rules.Exit{{Body: 0, At: math.Inf(1)}} }, rules.ErrInput},
		{"crossing of the ditch", func(r *ready) { r.shot.Evidence.Crossed = []rules.Exit{{Body: rules.DitchDisc}} }, rules.ErrInput},
		{"hand on an unknown disc", func(r *ready) { r.shot.Evidence.Hand = []rules.Body{77} }, rules.ErrInput},
		{"hand on a post", func(r *ready) { r.shot.Evidence.Hand = []rules.Body{rules.Post(0)} }, rules.ErrInput},
		{"track too short", func(r *ready) { r.shot.Track.Discs = r.shot.Track.Discs[:1] }, rules.ErrInput},
		{"track out of range", func(r *ready) { r.shot.Track.Shot = 3 }, rules.ErrInput},
		{"track just out of range", func(r *ready) { r.shot.Track.Shot = len(r.after.Discs) }, rules.ErrInput},
		{"track below range", func(r *ready) { r.shot.Track.Discs[0] = -3 }, rules.ErrInput},
		{"track twice", func(r *ready) { r.shot.Track.Shot = 0 }, rules.ErrInput},
		{"track changes sides", func(r *ready) { r.shot.Track.Discs[0], r.shot.Track.Discs[1] = 1, 0 }, rules.ErrInput},
		{"no such option", func(r *ready) { r.rs.Contact = 9 }, rules.ErrRuleset},
		{"no such board", func(r *ready) { r.rs.Board.Ten.Outer = 1 }, rules.ErrRuleset},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := good.ready(t)
			c.change(&r)
			_, err := rules.Judge(r.before, r.after, r.shot, r.rs)
			require.ErrorIs(t, err, c.kind)
			require.NotEmpty(t, err.Error())
		})
	}
	r := good.ready(t)
	_, err := rules.Judge(r.before, r.after, r.shot, r.rs)
	require.NoError(t, err)
	// The field says which disc.
	for field, change := range map[string]func(*ready){
		"before.discs[1]": func(r *ready) { r.before.Discs[1].Point = r.before.Discs[0].Point },
		"after.discs[0]":  func(r *ready) { r.after.Discs[0].Sigma = -1 },
		"track.shot":      func(r *ready) { r.shot.Track.Shot = 3 },
		"track.discs[1]":  func(r *ready) { r.shot.Track.Discs[1] = 3 },
	} {
		r := good.ready(t)
		change(&r)
		_, err := rules.Judge(r.before, r.after, r.shot, r.rs)
		var e *rules.InputError
		require.ErrorAs(t, err, &e)
		require.Equal(t, field, e.Field)
	}
	// Measured discs may overlap a little.
	r.after.Discs[1].X = r.after.Discs[0].X + 30
	_, err = rules.Judge(r.before, r.after, r.shot, r.rs)
	require.NoError(t, err)
}

// Every reason names its rule, and the first one is the ground of the ruling.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		scene
		want string
	}{
		{scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: "s>b1"}, "CON-1 contact.hit"},
		{scene{Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 a1>b1"}, "CON-2 contact.combination"},
		{scene{Before: "b1 0 150", After: "b1 0 150, s 60 0", Contacts: ""}, "CON-3 contact.miss; CON-3 disc.lifted_shot"},
		{scene{Before: "b1 0 150", After: "b1 0 150, s in", Contacts: ""}, "CON-3 contact.miss; TWN-3 disc.twenty_void"},
		{scene{Before: "b1 0 150", After: "b1 0 180, s 60 0", Contacts: "s>b1", Rules: contact(rules.Direct)}, "CON-1 contact.hit"},
		{scene{Before: "b1 0 150, b2 0 190", After: "b1 0 180, b2 0 230, s 60 0", Contacts: "s>b1 b1>b2", Rules: contact(rules.OpponentFirst)}, "CON-1 contact.hit"},
		{scene{Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 a1>b1", Rules: contact(rules.Direct)},
			"CON-2 contact.indirect; CON-3 disc.lifted; CON-3 disc.lifted_shot"},
		{scene{Before: "b1 200 0", After: "b1 255 0, s 120 0", Contacts: "s>post s>b1", Rules: contact(rules.OpponentFirstNoBank)},
			"CON-7 contact.bank; CON-3 disc.lifted_shot"},
		{scene{Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 s>b1", Rules: contact(rules.OpponentFirst)},
			"CON-2 contact.not_first; CON-3 disc.lifted; CON-3 disc.lifted_shot"},
		{scene{After: "s in", Contacts: ""}, "OPN-5 open.twenty; TWN-1 disc.twenty"},
		{scene{After: "s 60 0", Contacts: ""}, "OPN-2 open.reached"},
		{scene{After: "s 150 0", Contacts: ""}, "OPN-2 open.short; OPN-3 disc.lifted_shot"},
		{scene{After: "s 150 0", Contacts: "", Rules: openBoard(rules.OpenBoardFree, 0)}, "OPN-4 open.free"},
		{scene{Before: "b1 0 28 hang", After: "b1 in, s 60 0", Contacts: "s>b1"}, "CON-1 contact.hit; TWN-2 disc.twenty_owner"},
		{scene{Before: "b1 0 250", After: "b1 0 300, s 0 200", Contacts: "s>b1"}, "CON-1 contact.hit; OUT-1 disc.outer_line"},
		{scene{Before: "b1 0 250", After: "b1 off, s 0 200", Contacts: "s>b1"}, "CON-1 contact.hit; OUT-2 disc.off_surface"},
		{scene{Before: "b1 0 250", After: "b1 in, s 0 200", Contacts: "s>b1", Exits: "b1"}, "CON-1 contact.hit; DMG-1 disc.reentry"},
		{scene{Before: "b1 0 250", After: "b1 0 240, s 0 200", Contacts: "s>b1", Crossed: "b1", Rules: rules.Ruleset{Spin: rules.SpinOut}}, "CON-1 contact.hit; OUT-3 disc.crossed_line"},
		{scene{Before: "b1 0 60", After: "b1 0 140, s 6 0 lean", Contacts: "s>b1"}, "CON-1 contact.hit; TWN-4 disc.leaning"},
		{scene{Before: "b1 0 250, a1 150 0", After: "b1 off, a1 180 0, s 0 200", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1"},
			"CON-1 contact.hit; OUT-2 disc.off_surface; DMG-2 disc.damage_stays"},
		{scene{Before: "b1 0 250, a1 150 0", After: "b1 off, a1 180 0, s 0 200", Contacts: "s>b1", Exits: "b1", Damage: "b1>a1", Rules: damage(rules.DamageRestored)},
			"CON-1 contact.hit; OUT-2 disc.off_surface; DMG-2 disc.restored"},
		{scene{Before: "b1 0 250", After: "b1 0 240, s off", Contacts: "", Exits: "s", Damage: "s>b1", Rules: damage(rules.DamageSuspends)},
			"DMG-3 damage.suspended; OUT-2 disc.off_surface; DMG-2 disc.damage_stays"},
		{scene{Before: "a1 150 0, b1 200 0", After: "a1 190 0, b1 255 0, s 120 0", Contacts: "s>a1 a1>b1",
			Rules: rules.Ruleset{Contact: rules.Direct, InvalidOpponentDiscs: rules.OpponentsRestored, ContactPenalty: rules.ShooterOnly}},
			"CON-2 contact.indirect; CON-3 disc.lifted_shot; CON-5 disc.restored"},
		{scene{Before: "b1 150 0, a1 -150 0", After: "b1 200 0, a1 -190 0, s 90 0", Contacts: "?", Rules: contact(rules.Direct)}, "INF-4 unclear"},
		{scene{After: "s 150 0", Contacts: "", Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot}}, "OPN-4 unclear"},
		{scene{Before: "b1 0 150", After: "b1 0 170, b2 100 0, s 60 0", Contacts: "s>b1"}, "INF-5 desync.from_nowhere"},
	} {
		v, _ := c.judge(t)
		got := ""
		for i, r := range v.Reasons {
			if i > 0 {
				got += "; "
			}
			got += r.Rule + " " + r.Key
		}
		require.Equal(t, c.want, got, "%+v", c.scene)
	}
}

// Discs on top of each other are found wherever they lie, whichever is listed
// first.
// Discs may overlap as far as their uncertainty goes, and a board may be full.
func TestWhatMayLieOnTheBoard(t *testing.T) {
	judge := func(discs ...board.Disc) error {
		s := board.Snapshot{Discs: discs}
		_, err := rules.Judge(s, s, rules.Shot{Side: board.SideA}, rules.Ruleset{})
		return err
	}
	pair := func(apart, sigma float64) error {
		return judge(board.Disc{Side: board.SideA, Sigma: sigma}, board.Disc{Side: board.SideA, Sigma: sigma, Point: board.Point{X: apart}})
	}
	require.NoError(t, pair(20, 2))
	require.ErrorIs(t, pair(17, 2), rules.ErrInput)
	require.ErrorIs(t, pair(20, 1), rules.ErrInput)

	var full []board.Disc
	for i := range rules.MaxDiscs + 1 {
		full = append(full, board.Disc{Side: board.SideA + board.Side(i%4), Point: board.Point{X: float64(i%8)*40 - 140, Y: float64(i/8)*40 - 140}})
	}
	require.NoError(t, judge(full[:rules.MaxDiscs]...))
	require.ErrorIs(t, judge(full...), rules.ErrInput)
}

func TestOnTopAnywhere(t *testing.T) {
	for _, at := range []board.Point{{X: 0, Y: 100}, {X: 100, Y: 0}, {X: 31.75, Y: -63.5}, {X: -127, Y: 95.25}, {X: -200, Y: -31.75}} {
		for _, d := range []board.Point{{X: 8}, {Y: 8}, {X: 6, Y: 6}, {X: 6, Y: -6}} {
			one := board.Disc{Side: board.SideA, Point: board.Point{X: at.X - d.X, Y: at.Y - d.Y}}
			two := board.Disc{Side: board.SideB, Point: board.Point{X: at.X + d.X, Y: at.Y + d.Y}}
			for _, discs := range [][]board.Disc{{one, two}, {two, one}} {
				_, err := rules.Judge(board.Snapshot{Discs: discs}, board.Snapshot{Discs: discs}, rules.Shot{Side: board.SideA}, rules.Ruleset{})
				require.ErrorIs(t, err, rules.ErrInput)
				require.ErrorContains(t, err, "before.discs[1]: lies on top of disc 0")
				_, err = rules.Judge(board.Snapshot{Discs: discs[:1]}, board.Snapshot{Discs: discs}, rules.Shot{Side: board.SideA}, rules.Ruleset{})
				require.ErrorIs(t, err, rules.ErrInput)
				require.ErrorContains(t, err, "after.discs[1]: lies on top of disc 0")
			}
		}
	}
}

// The last value of every option is one.
func TestTheLastValueOfEveryOption(t *testing.T) {
	require.NoError(t, rules.Ruleset{
		OpenBoard: rules.OpenBoardFree, OpenBoardScope: rules.FirstShot, OpenBoardPenalty: rules.OpenShooter,
		Contact: rules.OpponentFirstNoBank, ContactPenalty: rules.ShooterOnly, InvalidOpponentDiscs: rules.OpponentsRestored,
		Damage: rules.DamageRestored, Spin: rules.SpinOut, Line: rules.LineCentre, StartRadial: rules.StartTouchOrBehind,
		StartLateral: rules.StartInside, RoundScore: rules.RankPoints4, Starter: rules.WinnerStarts,
	}.Validate())
}

// An unusable figure is told for what it is.
func TestWhatIsWrongWithADisc(t *testing.T) {
	for want, change := range map[string]func(d *board.Disc){
		"side 0 does not exist":    func(d *board.Disc) { d.Side = board.NoSide },
		"side 5 does not exist":    func(d *board.Disc) { d.Side = 5 },
		"rest 4 does not exist":    func(d *board.Disc) { d.Rest = board.Standing + 1 },
		"not on any board":         func(d *board.Disc) { d.X = 5001 },
		"NaN mm, 0 mm: not on any": func(d *board.Disc) { d.X, d.Y = math.NaN(), 0 },
		"sigma is -1 mm":           func(d *board.Disc) { d.Sigma = -1 },
		"sigma is 5001 mm":         func(d *board.Disc) { d.Sigma = 5001 },
		"sigma is NaN mm":          func(d *board.Disc) { d.Sigma = math.NaN() },
	} {
		d := board.Disc{Side: board.SideD, Point: board.Point{X: 100}, Sigma: 0.2}
		change(&d)
		s := board.Snapshot{Discs: []board.Disc{d}}
		_, err := rules.Judge(s, board.Snapshot{}, rules.Shot{Side: board.SideA}, rules.Ruleset{})
		require.ErrorContains(t, err, "before.discs[0]: ")
		require.ErrorContains(t, err, want)
		_, err = rules.Judge(board.Snapshot{}, s, rules.Shot{Side: board.SideA}, rules.Ruleset{})
		require.ErrorContains(t, err, "after.discs[0]: ")
		require.ErrorContains(t, err, want)
	}
}
