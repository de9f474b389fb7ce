// A board seen from above, drawn in SVG, in millimetres: the centre is 0, y goes
// up away from the south player as everywhere, and is turned over only here.

const NS = 'http://www.w3.org/2000/svg';

export function s(tag, attributes = {}, ...children) {
  const e = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('--')) e.style.setProperty(name, value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

// TOURNAMENT has the measures of the clubs' 26-inch board, in the form in which
// the service tells a board's, mm.
export const TOURNAMENT = {
  name: 'tournament-26', hole: { radius: 17.4625 },
  fifteen: { outer: 101.6, width: 1.6 }, ten: { outer: 203.2, width: 1.6 }, start: { outer: 304.8, width: 1.6 },
  surface: 330.2, ditch: 57, posts: { count: 8, radius: 101.6, diameter: 9.525, angle: Math.PI / 8 },
  quadrants: { angle: Math.PI / 4, width: 1.6 }, disc: { radius: 15.875 },
};

// SEATS in turn, clockwise on the board as seen from above.
export const SEATS = ['south', 'west', 'north', 'east'];

const COLOURS = {
  black: '#26292b', natural: '#d9b06f', white: '#f3efe4', red: '#bf2f2b', blue: '#2f62c4', green: '#2b8a52', yellow: '#e8bd2d', brown: '#70452a', orange: '#e07a25', purple: '#7a4aa8',
};
const USUAL = { A: COLOURS.black, B: COLOURS.natural, C: COLOURS.red, D: COLOURS.blue };

// colourOf is how a side's discs are drawn: as its colour's name says, or as the
// camera sees them, or as discs usually look.
export function colourOf(side, seen) {
  const named = COLOURS[side.colour?.toLowerCase()] ?? (/^#[0-9a-f]{6}$/i.test(side.colour ?? '') ? side.colour : undefined);
  return named ?? seen?.[side.side] ?? USUAL[side.side] ?? '#888888';
}

// coloursSeen are the colours of the sides' discs as a board's camera sees them.
// What was known of them before stays: a side may have no disc on the board now.
export function coloursSeen(status, known = {}) {
  for (const d of status?.discs ?? []) if (d.side && d.colour) known[d.side] ??= d.colour;
  return known;
}

const point = (r, a) => [r * Math.cos(a), -r * Math.sin(a)];

// extent is the half width of what is drawn, mm: the surface and, unless it is to
// be left out, the ditch.
export const extent = (spec, ditch = true) => spec.surface + (ditch ? spec.ditch || 50 : 0) + 4;

// Board draws into an svg element. turn is by how many degrees the board is
// turned clockwise, so that another side sits below: 0 has south there.
export class Board {
  constructor(svg, { spec = TOURNAMENT, ditch = true, turn = 0 } = {}) {
    this.svg = svg;
    this.ditch = ditch;
    this.turned = s('g', { transform: turn ? `rotate(${turn})` : null });
    this.turn = turn;
    this.under = s('g', { class: 'b-under' });
    this.discs = s('g', { class: 'b-discs' });
    this.over = s('g', { class: 'b-over' });
    svg.replaceChildren(this.turned);
    this.use(spec);
  }

  // use draws a board of other measures, the tournament's without any.
  use(spec = TOURNAMENT) {
    const measures = JSON.stringify(spec);
    if (measures === this.measures) return;
    Object.assign(this, { spec, measures, drawn: new Map() });
    const r = extent(spec, this.ditch);
    this.svg.setAttribute('viewBox', `${-r} ${-r} ${2 * r} ${2 * r}`);
    this.discs.replaceChildren();
    this.turned.replaceChildren(...this.wood(), this.under, this.discs, this.over);
  }

  wood() {
    const { spec, ditch } = this;
    const middle = (ring) => ring.outer - ring.width / 2;
    const lines = s('g', { class: 'b-lines' });
    for (const ring of ['fifteen', 'ten', 'start']) lines.append(s('circle', { class: `b-line b-${ring}`, r: middle(spec[ring]), 'stroke-width': Math.max(1.6, spec[ring].width) }));
    for (let i = 0; i < 4; i++) {
      const a = (spec.quadrants?.angle ?? Math.PI / 4) + (i * Math.PI) / 2;
      const [x1, y1] = point(middle(spec.ten), a), [x2, y2] = point(middle(spec.start), a);
      lines.append(s('line', { class: 'b-line', x1, y1, x2, y2, 'stroke-width': Math.max(1.6, spec.quadrants?.width ?? 0) }));
    }
    const posts = s('g', { class: 'b-posts' });
    for (let i = 0; i < (spec.posts?.count ?? 0); i++) {
      const [cx, cy] = point(spec.posts.radius, spec.quadrants.angle + spec.posts.angle + (2 * Math.PI * i) / spec.posts.count);
      posts.append(s('circle', { class: 'b-post', cx, cy, r: spec.posts.diameter / 2 }));
    }
    return [
      ...(ditch ? [s('circle', { class: 'b-rail', r: spec.surface + (spec.ditch || 50) }), s('circle', { class: 'b-ditch', r: spec.surface + (spec.ditch || 50) - 7 })] : []),
      s('circle', { class: 'b-surface', r: spec.surface }),
      s('circle', { class: 'b-inside', r: spec.fifteen.outer }),
      lines,
      s('circle', { class: 'b-hole', r: spec.hole.radius }),
      s('circle', { class: 'b-floor', r: spec.hole.radius - 1.8 }),
      posts,
    ];
  }

  // show draws the discs: {id, x_mm, y_mm, side, …}. colour gives a side's colour.
  // mark gives classes for a disc, label a name for those who do not see it; with a
  // label a disc can be chosen.
  show(discs, { colour, mark = () => '', label = null } = {}) {
    const r = this.spec.disc.radius;
    const gone = new Set(this.drawn.keys());
    for (const d of discs) {
      const key = String(d.id);
      let g = this.drawn.get(key);
      gone.delete(key);
      if (!g) {
        g = s('g', { 'data-disc': key },
          s('circle', { class: 'b-hit', r: Math.max(r, 22) }), s('circle', { class: 'b-shade', cx: 1.2, cy: 2.2, r }),
          s('circle', { class: 'b-disc', r }), s('circle', { class: 'b-groove', r: r * 0.62 }), s('circle', { class: 'b-ring', r: r + 4.5 }));
        this.drawn.set(key, g);
        this.discs.append(g);
      }
      g.setAttribute('transform', `translate(${d.x_mm} ${-d.y_mm})`);
      g.setAttribute('class', `b-piece ${mark(d)}`);
      g.style.setProperty('--disc', colour(d.side, d));
      if (label) {
        g.setAttribute('tabindex', '0');
        g.setAttribute('role', 'button');
        g.setAttribute('aria-label', label(d));
      }
    }
    for (const key of gone) {
      this.drawn.get(key).remove();
      this.drawn.delete(key);
    }
  }

  // place is where a click or touch is on the board, mm.
  place(event) {
    const q = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.turned.getScreenCTM().inverse());
    return { x_mm: Math.round(q.x * 10) / 10, y_mm: Math.round(-q.y * 10) / 10 };
  }
}

// swatch is a small disc of a colour, for names and scores.
export function swatch(colour) {
  const e = document.createElement('span');
  e.className = 'swatch';
  e.setAttribute('aria-hidden', 'true');
  e.style.setProperty('--disc', colour);
  return e;
}
