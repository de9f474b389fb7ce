// The second step: what the camera sees with the board drawn over it, what could
// be better, and handles for a board that was found wrongly or not at all.

import { s } from './board.js';
import { calibrationOf, circle, project } from './camera.js';
import { address, post } from './client.js';
import { CORNERS, apply, throughCorners } from './geometry.js';
import { h } from './names.js';
import { magnify } from './picture.js';
import { explain, run } from './shell.js';
import { advice, condition } from './status.js';
import { number, t } from './words.js';

const SEAT_ANGLES = { south: 270, west: 180, north: 90, east: 0 };
const radians = (a) => (a * Math.PI) / 180;
const path = (points) => `M${points.map(([u, v]) => `${u.toFixed(1)} ${v.toFixed(1)}`).join('L')}Z`;

export class Look {
  constructor(box, id) {
    Object.assign(this, { box, id, calibration: null, mark: null, handles: null, moved: false, shape: '' });
    this.img = h('img', { alt: t('camera.picture') });
    this.svg = s('svg', { class: 'over', role: 'group', 'aria-label': t('setup.handles') });
    this.loupe = h('canvas', { class: 'loupe', 'aria-hidden': 'true', hidden: true });
    this.stage = h('div', { class: 'camera-stage' }, this.img, this.svg, this.loupe);
    this.facts = h('div', { class: 'stack' });
    this.acts = h('div', { class: 'acts' });
    box.replaceChildren(h('div', { class: 'two' }, h('div', {}, this.stage, this.acts), this.facts));
    this.img.addEventListener('load', () => this.sized());
    this.img.addEventListener('error', () => { this.waiting = setTimeout(() => this.stream(), 1000); });
    this.stream();
  }

  stream() {
    const url = address(`boards/${encodeURIComponent(this.id)}/stream.mjpeg`, { view: 'raw', fps: 8 });
    url.searchParams.set('fps', '8');
    this.img.src = url.href;
  }

  // sized follows the picture's size: what is drawn is in its pixels.
  sized() {
    const { naturalWidth: w, naturalHeight: hgt } = this.img;
    const shape = `${w} ${hgt}`;
    if (!w || shape === this.shape) return;
    this.shape = shape;
    this.svg.setAttribute('viewBox', `-0.5 -0.5 ${w} ${hgt}`);
    this.stage.style.setProperty('--shape', `${w} / ${hgt}`);
    this.trace();
    this.buttons();
  }

  get width() { return this.img.naturalWidth; }

  draw(board) {
    this.board = board;
    const q = board.status?.calibration;
    const mark = q ? JSON.stringify([q.method, q.quality]) : 'none';
    if (mark !== this.mark) {
      this.mark = mark;
      this.get(q);
    }
    this.tell(board);
  }

  async get(known) {
    try {
      this.calibration = known ? await calibrationOf(this.id) : null;
    } catch (e) {
      this.mark = null;
      explain(e);
      return;
    }
    if (!this.moved) this.handles = this.calibration && this.width ? this.corners() : null;
    this.trace();
    this.buttons();
  }

  // corners are where the quadrant lines meet the starting line.
  corners() {
    const { board } = this.calibration;
    const r = board.start.outer - board.start.width;
    return CORNERS.map((a) => project(this.calibration, [r * Math.cos(radians(a)), r * Math.sin(radians(a)), 0], this.width));
  }

  trace() {
    if (!this.width) return;
    if (!this.handles && this.calibration) this.handles = this.corners();
    const unit = this.width / 1000;
    const lines = [];
    if (this.calibration && !this.moved) {
      const c = this.calibration;
      for (const ring of ['fifteen', 'ten', 'start']) lines.push(s('path', { class: 'found', d: path(circle(c, [0, 0, 0], c.board[ring].outer - c.board[ring].width, this.width)) }));
      lines.push(s('path', { class: 'found edge', d: path(circle(c, [0, 0, 0], c.board.surface, this.width)) }));
      lines.push(s('path', { class: 'found', d: path(circle(c, [0, 0, 0], c.board.hole.radius, this.width)) }));
      for (const [seat, a] of Object.entries(SEAT_ANGLES)) {
        const [x, y] = project(c, [(c.board.surface + 30) * Math.cos(radians(a)), (c.board.surface + 30) * Math.sin(radians(a)), 0], this.width);
        lines.push(s('text', { class: 'seat', x, y, 'font-size': 26 * unit, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, t(`seat.${seat}`)));
      }
    } else if (this.handles) {
      const through = throughCorners(this.handles);
      if (through) {
        for (const r of [1 / 3, 2 / 3, 1]) {
          lines.push(s('path', { class: 'found guess', d: path(Array.from({ length: 72 }, (_, i) => apply(through, [r * Math.cos(i * Math.PI / 36), r * Math.sin(i * Math.PI / 36)]))) }));
        }
      }
    }
    const keep = document.activeElement?.dataset?.handle;
    const pins = (this.handles ?? []).map(([x, y], i) => {
      const g = s('g', { class: 'handle', tabindex: 0, role: 'button', 'data-handle': i, 'aria-label': t('setup.handle', { number: i + 1 }), transform: `translate(${x} ${y})` },
        s('circle', { class: 'hit', r: 34 * unit }), s('circle', { class: 'casing', r: 11 * unit }), s('circle', { class: 'pin', r: 11 * unit }), s('circle', { class: 'dot', r: 1.6 * unit }));
      this.dragging(g, i);
      return g;
    });
    this.svg.replaceChildren(...lines, ...pins);
    if (keep !== undefined) this.svg.querySelector(`[data-handle="${keep}"]`)?.focus();
  }

  dragging(g, i) {
    g.addEventListener('pointerdown', (e) => {
      e.preventDefault();
      g.focus();
      const at = (ev) => { const p = new DOMPoint(ev.clientX, ev.clientY).matrixTransform(this.svg.getScreenCTM().inverse()); return [p.x, p.y]; };
      const start = at(e), from = this.handles[i];
      const move = (ev) => {
        const q = at(ev);
        this.move(i, [from[0] + q[0] - start[0], from[1] + q[1] - start[1]]);
        this.magnify(i, ev);
      };
      const up = () => {
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', up);
        removeEventListener('pointercancel', up);
        this.loupe.hidden = true;
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', up);
      addEventListener('pointercancel', up);
    });
    g.addEventListener('keydown', (e) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (!step) return;
      e.preventDefault();
      const far = (e.shiftKey ? 10 : 1) * Math.max(0.5, this.width / 1920);
      this.move(i, [this.handles[i][0] + far * step[0], this.handles[i][1] + far * step[1]]);
    });
  }

  move(i, to) {
    this.handles = this.handles.map((p, k) => (k === i ? to : p));
    if (!this.moved) {
      this.moved = true;
      this.buttons();
    }
    this.trace();
  }

  magnify(i, event) {
    const box = this.stage.getBoundingClientRect();
    this.loupe.hidden = false;
    this.loupe.classList.toggle('right', event.clientX < box.left + box.width / 2);
    magnify(this.loupe, { image: this.img, width: this.width, height: this.img.naturalHeight }, this.handles[i], 3 * box.width / this.width, 150, []);
  }

  send(turn = 0) {
    const points = this.handles.map(([u, v], i) => ({ place: `start@${CORNERS[(i + turn) % 4]}`, u, v }));
    return post(`boards/${encodeURIComponent(this.id)}/calibrations`, { method: 'points', width: this.width, height: this.img.naturalHeight, points });
  }

  // settled goes back to where the board is taken to lie, read anew.
  settled(board = this.board) {
    this.moved = false;
    this.handles = null;
    this.mark = null;
    this.draw(board);
    this.trace();
    this.buttons();
  }

  buttons() {
    const press = (key, text, action, cls = '') => h('button', { type: 'button', class: `button small ${cls}`, 'data-do': key, onclick: (e) => run(e.currentTarget, action, (board) => this.settled(board)) }, text);
    const by = (what) => post(`boards/${encodeURIComponent(this.id)}/calibrations`, what);
    const list = [];
    if (this.moved) {
      list.push(press('use', t('setup.use'), () => this.send(), 'primary'));
      list.push(h('button', { type: 'button', class: 'button small', 'data-do': 'drop', onclick: () => this.settled() }, t('cancel')));
    } else {
      list.push(press('auto', t('setup.again'), () => by({ method: 'auto' })));
      if (this.calibration && this.handles) list.push(press('turn', t('setup.turn'), () => this.send(1)));
      if (!this.calibration && this.width) {
        list.push(h('button', {
          type: 'button', class: 'button small primary', 'data-do': 'hand', onclick: () => {
            const { naturalWidth: w, naturalHeight: hgt } = this.img;
            this.handles = CORNERS.map((a) => [w / 2 + 0.4 * hgt * Math.cos(radians(a)), hgt / 2 - 0.4 * hgt * Math.sin(radians(a))]);
            this.moved = true;
            this.trace();
            this.buttons();
          },
        }, t('setup.hand')));
      }
    }
    this.acts.replaceChildren(...list);
  }

  tell(board) {
    const st = board.status;
    const c = condition(board);
    const q = st?.calibration?.quality;
    const key = JSON.stringify([c, st?.advice, q, this.moved]);
    if (this.facts.dataset.key === key) return;
    this.facts.dataset.key = key;
    const fact = (name, value) => [h('dt', {}, name), h('dd', {}, value)];
    this.facts.replaceChildren(
      h('p', { class: `condition ${c.level}`, role: 'status' }, h('span', { class: 'lamp', 'aria-hidden': 'true' }), c.text),
      q ? h('dl', { class: 'facts' },
        ...fact(t('setup.fit'), `${number(q.rms_mm ?? 0, 2)} mm`), ...fact(t('setup.detail'), `${number(q.mm_per_px ?? 0, 2)} mm`),
        ...fact(t('setup.tilt'), `${number(q.tilt_deg ?? 0)}°`), ...fact(t('setup.board'), st.calibration.board)) : '',
      st?.advice.length ? advice(st.advice) : q ? h('p', {}, t('setup.fine')) : '',
      h('p', { class: 'soft' }, t('setup.handles.hint')));
  }
}
