// The board from above, as the match has it.

import { Board, s } from '../js/board.js';
import { animate, part, say as write, still, toggle } from './dom.js';
import { say, stage } from './words.js';

export class BoardView {
  constructor({ rotate = 0, captioned = true } = {}) {
    this.svg = s('svg', { role: 'img' });
    this.rotate = rotate;
    this.board = new Board(this.svg, { ditch: false, turn: rotate });
    this.glow = s('circle', { class: 'o-glow' });
    this.board.over.append(this.glow);
    this.caption = part('caption');
    this.el = part('board', part('board-picture', this.svg));
    if (captioned) this.el.append(this.caption);
    this.places = new Map();
  }

  show(scene, happened) {
    toggle(this.el, 'off', !scene.begun);
    if (!scene.begun) return;
    const colours = Object.fromEntries(scene.sides.map((x) => [x.side, x.disc]));
    const fresh = String(scene.view.last?.seq ?? '');
    const discs = scene.view.discs;
    this.board.use(scene.view.spec);
    this.glow.setAttribute('r', this.board.spec.hole.radius);
    this.board.show(discs, { colour: (side) => colours[side] ?? '#888', mark: (d) => (String(d.id) === fresh ? 'o-last' : '') });
    this.move(discs);
    write(this.caption, this.words(scene));
    toggle(this.caption, 'warn', scene.view.phase === 'asking');
    if (happened.some((h) => h.kind === 'twenty')) this.shine();
  }

  words(scene) {
    if (!scene.playing || scene.view.paused || scene.view.phase === 'asking' || scene.view.phase === 'counting') return stage(scene);
    const shooter = scene.sides.find((x) => scene.shooting(x));
    return shooter ? say('phase.shooting', { name: shooter.name }) : this.caption.textContent || stage(scene);
  }

  // move lets discs glide to where they came to rest, and new ones appear.
  move(discs) {
    const places = new Map(discs.map((d) => [String(d.id), [d.x_mm, -d.y_mm]]));
    if (!still()) {
      for (const [id, [x, y]] of places) {
        const g = this.board.drawn.get(id), was = this.places.get(id);
        if (!g) continue;
        if (was && (was[0] !== x || was[1] !== y)) {
          g.animate([{ transform: `translate(${was[0]}px, ${was[1]}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 320, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' });
        } else if (!was && this.places.size) {
          g.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 240 });
        }
      }
    }
    this.places = places;
  }

  shine() {
    const r = this.board.spec.hole.radius;
    animate(this.glow, [{ opacity: 0, r: `${r}px` }, { opacity: 1, r: `${r * 1.6}px`, offset: 0.2 }, { opacity: 0, r: `${r * 4.5}px` }], { duration: 1500, iterations: 2 });
  }
}
