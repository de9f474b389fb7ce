package cases

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"crokcam/board"
	"crokcam/rules"
)

type shotCase struct {
	Options    json.RawMessage `json:"options"`
	Mode       string          `json:"mode"`
	Sides      json.RawMessage `json:"sides"`
	Before     []place         `json:"before"`
	Shooter    string          `json:"shooter"`
	ShotDisc   string          `json:"shot_disc"`
	ShotNumber int             `json:"shot_number"`
	After      []place         `json:"after"`
	Contacts   json.RawMessage `json:"contacts"`
	Damage     [][2]string     `json:"damage_contacts"`
	Exits      []string        `json:"exits"`
	Crossed    []string        `json:"crossed"`
	Graze      []string        `json:"graze"`
	Hand       []string        `json:"moved_by_hand"`
	Ditch      []string        `json:"ditch"`    // discs that lay in the ditch before the shot
	InSight    bool            `json:"in_sight"` // the board was watched throughout, whatever was made of it
}

// contact is a pair of ids, or an object with the pair, a time and a confidence.
type contact struct {
	pair       [2]string
	at         float64
	confidence float64
}

func (c *contact) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		var pair []string
		if err := json.Unmarshal(b, &pair); err != nil {
			return err
		}
		if len(pair) != 2 {
			return errCase("a contact is between two bodies, not %d", len(pair))
		}
		c.pair = [2]string(pair)
		return nil
	}
	var o struct {
		Striker    string  `json:"striker"`
		Struck     string  `json:"struck"`
		At         float64 `json:"t_s"`
		Confidence float64 `json:"confidence"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	c.pair, c.at, c.confidence = [2]string{o.Striker, o.Struck}, o.At, o.Confidence
	return nil
}

// Shot is a shot case made ready for rules.Judge.
type Shot struct {
	Before, After board.Snapshot
	Shot          rules.Shot
	Rules         rules.Ruleset
	Names         []string // ids of the discs before, then of the shot disc
	Sides         []string // names of the sides, from A

	parties parties
}

// ReadShot reads a case of kind shot.
func (f *File) ReadShot(c Case) (*Shot, error) {
	var in shotCase
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return nil, errCase("%w", err)
	}
	rs, _, err := f.options(in.Options)
	if err != nil {
		return nil, err
	}
	s := &Shot{Rules: rs}
	if s.parties, err = readParties(in.Sides, in.Mode); err != nil {
		return nil, err
	}
	s.Sides = s.parties.names
	if s.Shot.Side, err = s.parties.side(in.Shooter); err != nil {
		return nil, err
	}
	if in.ShotNumber < 0 {
		return nil, errCase("shot_number %d", in.ShotNumber)
	}
	s.Shot.Number = in.ShotNumber

	at := map[string]int{}
	for i, d := range in.Before {
		side, err := s.parties.side(d.Owner)
		if err != nil {
			return nil, err
		}
		disc, err := d.disc(side)
		if err != nil {
			return nil, err
		}
		if _, ok := at[d.ID]; ok || d.ID == in.ShotDisc {
			return nil, errCase("disc %q is there twice", d.ID)
		}
		at[d.ID] = i
		s.Before.Discs = append(s.Before.Discs, disc)
		s.Names = append(s.Names, d.ID)
	}
	s.Names = append(s.Names, in.ShotDisc)

	track := rules.Track{Discs: make([]int, len(in.Before)), Shot: rules.Missing}
	for i := range track.Discs {
		track.Discs[i] = rules.Missing
	}
	seen := map[string]bool{}
	for _, d := range in.After {
		if seen[d.ID] {
			return nil, errCase("disc %q is there twice", d.ID)
		}
		seen[d.ID] = true
		side, to := s.Shot.Side, &track.Shot
		if i, ok := at[d.ID]; ok {
			side, to = s.Before.Discs[i].Side, &track.Discs[i]
		} else if d.ID != in.ShotDisc {
			to = nil // a disc from nowhere: the judge says so
			if d.Owner != "" {
				if side, err = s.parties.side(d.Owner); err != nil {
					return nil, err
				}
			}
		}
		if d.Off {
			if to != nil {
				*to = rules.Gone
			}
			continue
		}
		disc, err := d.disc(side)
		if err != nil {
			return nil, err
		}
		if to != nil {
			*to = len(s.After.Discs)
		}
		s.After.Discs = append(s.After.Discs, disc)
	}
	s.Shot.Track = &track
	return s, s.evidence(&in, at)
}

// evidence reads contacts and exits. A list of contacts, also an empty one, says
// that the shot was watched; null says that it was not, unless an exit list says
// that at least the edge was.
func (s *Shot) evidence(in *shotCase, at map[string]int) error {
	body := func(id string) (rules.Body, error) {
		switch {
		case id == in.ShotDisc:
			return rules.ShotDisc, nil
		case strings.HasPrefix(id, "post:"):
			deg, err := strconv.ParseFloat(id[len("post:"):], 64)
			if err != nil || math.IsNaN(deg) || math.IsInf(deg, 0) {
				return 0, errCase("%q is no post", id)
			}
			return rules.Post(s.nearestPost(deg)), nil
		case strings.HasPrefix(id, "ditch"), strings.HasPrefix(id, "rail"), slices.Contains(in.Ditch, id):
			return rules.DitchDisc, nil
		}
		if i, ok := at[id]; ok {
			return rules.Disc(i), nil
		}
		return 0, errCase("there is no disc %q", id)
	}
	pair := func(ids [2]string) (rules.Contact, error) {
		a, err := body(ids[0])
		if err != nil {
			return rules.Contact{}, err
		}
		b, err := body(ids[1])
		return rules.Contact{Striker: a, Struck: b}, err
	}
	ev := &s.Shot.Evidence
	if raw := bytes.TrimSpace(in.Contacts); len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
		ev.Watched = rules.WatchedContacts | rules.WatchedExits
		var list []contact
		if err := json.Unmarshal(raw, &list); err != nil {
			return errCase("contacts: %w", err)
		}
		for _, c := range list {
			k, err := pair(c.pair)
			if err != nil {
				return err
			}
			k.At, k.Confidence = c.at, c.confidence
			ev.Contacts = append(ev.Contacts, k)
		}
	}
	if in.InSight {
		ev.Watched |= rules.WatchedPlay
	}
	if in.Exits != nil || in.Damage != nil || in.Crossed != nil {
		ev.Watched |= rules.WatchedExits
	}
	for _, ids := range in.Damage {
		k, err := pair(ids)
		if err != nil {
			return err
		}
		ev.Damage = append(ev.Damage, k)
	}
	for _, l := range [...]struct {
		ids []string
		to  *[]rules.Exit
	}{{in.Exits, &ev.Exits}, {in.Crossed, &ev.Crossed}} {
		for _, id := range l.ids {
			b, err := body(id)
			if err != nil {
				return err
			}
			*l.to = append(*l.to, rules.Exit{Body: b})
		}
	}
	for _, id := range in.Hand {
		b, err := body(id)
		if err != nil {
			return err
		}
		ev.Hand = append(ev.Hand, b)
		ev.HandOver = true
	}
	if ev.Watched&rules.WatchedContacts != 0 {
		return s.grazes(in.Graze, body)
	}
	return nil
}

// grazes adds discs that were touched without moving to the contacts, where the
// list does not have them already.
func (s *Shot) grazes(ids []string, body func(string) (rules.Body, error)) error {
	ev := &s.Shot.Evidence
	for _, id := range ids {
		b, err := body(id)
		if err != nil {
			return err
		}
		known := b == rules.ShotDisc
		for _, c := range ev.Contacts {
			known = known || c.Striker == b || c.Struck == b
		}
		if !known {
			ev.Contacts = append(ev.Contacts, rules.Contact{Striker: rules.ShotDisc, Struck: b})
		}
	}
	return nil
}

func (s *Shot) nearestPost(deg float64) int {
	best, least := 0, math.Inf(1)
	for i, p := range s.Rules.Board.PostCentres() {
		d := math.Abs(math.Remainder(p.Angle()-radians(math.Mod(deg, 360)), 2*math.Pi))
		if d < least {
			best, least = i, d
		}
	}
	return best
}

func (f *File) shot(c Case, r *Result) error {
	s, err := f.ReadShot(c)
	if err != nil {
		return err
	}
	v, err := rules.Judge(s.Before, s.After, s.Shot, s.Rules)
	if err != nil {
		return err
	}
	r.Verdict, r.Names = &v, s.Names
	r.Result = s.Result(&v)
	return nil
}

// Result writes a verdict in the form of a shot case's expect.
func (s *Shot) Result(v *rules.Verdict) map[string]any {
	var removed, boardIDs, twentyDiscs = []string{}, []string{}, []string{}
	why, values, positions := map[string]string{}, map[string]int{}, map[string]map[string]float64{}
	ids := s.ids(v)
	for i, o := range v.Outcomes {
		switch o.Fate {
		case rules.Ditched:
			removed = append(removed, ids[i])
			why[ids[i]] = o.Why.String()
		case rules.Scored:
			twentyDiscs = append(twentyDiscs, ids[i])
		case rules.OnBoard:
			boardIDs = append(boardIDs, ids[i])
			values[ids[i]] = o.Zone.Points()
			if o.Restored {
				positions[ids[i]] = map[string]float64{"x_mm": o.At.X, "y_mm": o.At.Y}
			}
		}
	}
	s.dropUnmoved(v, values, ids)
	sort.Strings(removed)
	sort.Strings(boardIDs)
	sort.Strings(twentyDiscs)
	twenties := map[string]int{}
	for i, n := range s.parties.names {
		if k := v.Twenties[i+1]; k > 0 {
			twenties[n] = int(k)
		}
	}
	out := map[string]any{
		"valid": nil, "review": v.Review, "removed": removed, "removed_why": why, "board": boardIDs,
		"twenties": twenties, "twenty_discs": twentyDiscs, "values": values, "evidence": v.Basis.String(),
	}
	switch v.Ruling {
	case rules.Good:
		out["valid"] = true
	case rules.Failed:
		out["valid"] = false
	}
	if len(positions) > 0 {
		out["positions"] = positions
	}
	if len(v.Desync) > 0 {
		kinds := []string{}
		for _, d := range v.Desync {
			kinds = append(kinds, d.Kind.String())
		}
		out["desynced"] = kinds
	}
	if len(v.Doubts) > 0 {
		kinds, rare := []string{}, []string{}
		for _, d := range v.Doubts {
			if d.Remote {
				rare = append(rare, d.Kind.String())
			} else {
				kinds = append(kinds, d.Kind.String())
			}
		}
		out["doubts"], out["rare"] = kinds, rare
	}
	ruleIDs := []string{}
	for _, x := range v.Reasons {
		ruleIDs = append(ruleIDs, x.Rule)
	}
	out["rules"] = ruleIDs
	return out
}

// ids are the discs' ids in the order of the verdict's outcomes.
func (s *Shot) ids(v *rules.Verdict) []string {
	ids := make([]string, len(v.Outcomes))
	for i, o := range v.Outcomes {
		ids[i] = s.Names[len(s.Names)-1]
		if o.Before >= 0 {
			ids[i] = s.Names[o.Before]
		}
	}
	return ids
}

// dropUnmoved keeps to the form of the cases: where a failed shot leaves discs
// lying that it moved, "values" is about those; otherwise it is about the whole
// board.
func (s *Shot) dropUnmoved(v *rules.Verdict, values map[string]int, ids []string) {
	if v.Ruling != rules.Failed {
		return
	}
	still := []string{}
	moved := false
	for i, o := range v.Outcomes {
		if o.Fate != rules.OnBoard {
			continue
		}
		if o.Before >= 0 && !o.Restored && hypot(s.Before.Discs[o.Before].Point, o.At) > 0.5 {
			moved = true
		} else {
			still = append(still, ids[i])
		}
	}
	if moved {
		for _, id := range still {
			delete(values, id)
		}
	}
}

func hypot(a, b board.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
