package render

import "math"

// cast is the moving part of a scene, made ready: its discs and hands.
type cast struct {
	discs  []Disc
	hands  []Hand
	solids []solid
	limbs  []limb
	owner  []int // of each limb: which hand
	bins   *bins // solids as themselves, limbs as ^i
	boxes  []box // of the solids, then of the limbs
	dark   *shadows
}

// newCast makes discs and hands ready. like may be nil; what its hands cost is
// saved where they are the same.
func newCast(discs []Disc, hands []Hand, v *view, st *scenery, like *cast) *cast {
	c := &cast{discs: discs, hands: hands}
	for i := range discs {
		c.solids = append(c.solids, discs[i].solid())
	}
	if like != nil && !sameHands(hands, like.hands) {
		like = nil
	}
	for i := range hands {
		for _, l := range hands[i].limbs() {
			c.limbs = append(c.limbs, l)
			c.owner = append(c.owner, i)
		}
	}
	c.bins = newBins(v.cam.Width, v.cam.Height)
	for i := range c.solids {
		b := v.bound(c.solids[i].reach(), 1.5)
		c.boxes = append(c.boxes, b)
		c.bins.put(int32(i), b)
	}
	for i := range c.limbs {
		b := v.bound(c.limbs[i].reach(), 1.5)
		c.boxes = append(c.boxes, b)
		c.bins.put(^int32(i), b)
	}
	if like != nil {
		c.dark = newShadows(c.solids, nil, st.lamps, st.tableZ)
		c.dark.limbs, c.dark.covered, c.dark.every = like.dark.limbs, like.dark.covered, like.dark.every
	} else {
		c.dark = newShadows(c.solids, c.limbs, st.lamps, st.tableZ)
	}
	return c
}

// meet improves h by whatever of the candidates the ray meets first.
func (c *cast) meet(r ray, candidates []int32, h *hit) {
	for _, who := range candidates {
		if who >= 0 {
			if m, ok := c.solids[who].hit(r, h.t); ok {
				*h = hit{meet: m, kind: disc, index: int(who), p: r.at(m.t)}
			}
			continue
		}
		if t, n, ok := c.limbs[^who].hit(r, h.t); ok {
			*h = hit{kind: handKin, index: int(^who), p: r.at(t)}
			h.t, h.n = t, n
		}
	}
}

// piece is the surface of a hit on something that moves.
func (c *cast) piece(h *hit, foot float64) surfel {
	if h.kind == disc {
		return face(&c.discs[h.index], h.index, h, foot)
	}
	return kin(&c.hands[c.owner[h.index]], &c.limbs[h.index], h)
}

// meet improves h by whatever standing solid of the candidates the ray meets
// first.
func (st *scenery) meet(r ray, candidates []int32, h *hit) {
	for _, who := range candidates {
		if m, ok := st.solids[who].hit(r, h.t); ok {
			*h = hit{meet: m, kind: st.kinds[who], index: st.index[who], p: r.at(m.t)}
		}
	}
}

// standingBins lists where the scenery's solids may be seen.
func (st *scenery) standingBins(v *view) *bins {
	b := newBins(v.cam.Width, v.cam.Height)
	for i := range st.solids {
		b.put(int32(i), v.bound(st.solids[i].reach(), 1.5))
	}
	return b
}

// footOf is the size of a pixel (mm) at a hit.
func (v *view) footOf(h *hit) float64 {
	if math.IsInf(h.t, 1) {
		return 1
	}
	return h.t / v.cam.F
}
