// Corrections with one tap where the thing is: a disc is tapped and what is wrong
// about it chosen; a missing one is added where it lies.

import { swatch } from './board.js';
import { callAt } from './geometry.js';
import { lifted } from './keys.js';
import { h } from './names.js';
import { post, run } from './shell.js';
import { t, zone } from './words.js';

const PLAYED = ['shooting', 'asking', 'removing', 'counting'];

export class Corrector {
  constructor(box, board, now, redraw) {
    Object.assign(this, { box, board, now, redraw, chosen: null, pending: null });
    board.svg.addEventListener('click', (e) => this.tapped(e));
    board.svg.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      const disc = e.target.closest('[data-disc]');
      if (!disc) return;
      e.preventDefault();
      if (this.pending?.swap) {
        this.swapWith(disc.dataset.disc);
        return;
      }
      this.choose(disc.dataset.disc);
      lifted(() => this.box.querySelector('button:enabled')?.focus());
    });
    document.addEventListener('keydown', (e) => { if (e.key === 'Escape') this.choose(null); });
  }

  get may() {
    const { match } = this.now();
    return match && PLAYED.includes(match.phase);
  }

  choose(id) {
    const known = this.now().match?.discs.some((d) => String(d.id) === id);
    this.chosen = known && this.may ? id : null;
    this.pending = null;
    this.redraw();
  }

  tapped(e) {
    if (!this.may) return;
    if (this.pending?.swap) {
      this.swapWith(e.target.closest('[data-disc]')?.dataset.disc);
      return;
    }
    if (this.pending) {
      const at = this.board.place(e);
      const { pending } = this;
      this.pending = null;
      this.change(null, pending.move ? { place: { disc: pending.move, place: at } } : { added: { side: pending.side, place: at } });
      this.redraw();
      return;
    }
    const disc = e.target.closest('[data-disc]');
    this.choose(disc && disc.dataset.disc !== this.chosen ? disc.dataset.disc : null);
  }

  // partners are the discs that the chosen one may have been taken for.
  partners(id) {
    const { discs } = this.now().match;
    const side = discs.find((d) => String(d.id) === id)?.side;
    return discs.filter((d) => d.side !== side).map((d) => String(d.id));
  }

  // swap waits for the other disc to be tapped, unless there is only one.
  swap() {
    const others = this.partners(this.chosen);
    this.pending = { swap: this.chosen };
    if (others.length === 1) this.swapWith(others[0]);
    else this.redraw();
  }

  // swapWith gives two discs each other's sides; what is tapped beside them is
  // passed over.
  swapWith(other) {
    const { swap } = this.pending;
    if (!this.partners(swap).includes(other)) return;
    this.pending = null;
    this.change(null, { swap: { discs: [swap, other] } });
    this.redraw();
  }

  // change sends a correction of the board as it was seen here. One that counts
  // up is only for the very version seen; the others say what shall be.
  change(button, change) {
    const { match } = this.now();
    const expect = change.twenties || change.added || change.swap ? match.version : undefined;
    return run(button, () => post(`matches/${match.match}/corrections`, { target: match.last?.seq, change, reason: t('correct.reason') }, { expect }), () => { this.chosen = null; });
  }

  button(key, text, change, more = {}) {
    return h('button', { type: 'button', class: 'button small', 'data-do': key, ...more, onclick: (e) => this.change(e.currentTarget, change) }, ...[text].flat());
  }

  draw() {
    const n = this.now();
    if (this.chosen && !n.match?.discs.some((d) => String(d.id) === this.chosen)) this.chosen = null;
    const key = JSON.stringify([n.match?.match, this.may, this.chosen, this.pending, n.match?.discs.find((d) => String(d.id) === this.chosen), n.match?.sides.map((s) => [s.name, s.round.twenties])]);
    if (this.key === key) return;
    this.key = key;
    const focused = this.box.contains(document.activeElement) && document.activeElement.dataset.do;
    this.board.svg.classList.toggle('pointing', Boolean(this.pending));
    this.box.hidden = !this.may;
    this.box.replaceChildren(...(!this.may ? [] : this.pending ? this.pointing() : this.chosen ? this.about(n) : this.idle(n)));
    if (focused) this.box.querySelector(`[data-do="${focused}"]`)?.focus();
  }

  pointing() {
    return [h('p', { class: 'hint', role: 'status' }, t(this.pending.swap ? 'correct.swap.hint' : this.pending.move ? 'correct.move.hint' : 'correct.add.hint')),
      h('button', { type: 'button', class: 'button small', onclick: () => { this.pending = null; this.redraw(); } }, t('cancel'))];
  }

  about(n) {
    const d = n.match.discs.find((x) => String(x.id) === this.chosen);
    const { spec } = this.board;
    const inner = { fifteen: spec.fifteen.outer - spec.fifteen.width, ten: spec.ten.outer - spec.ten.width, start: spec.start.outer - spec.start.width };
    const near = callAt([d.x_mm, d.y_mm], { disc: spec.disc.radius, inner });
    const across = d.zone === near.zone ? near.other : near.zone;
    return [
      h('p', { class: 'chosen-disc' }, swatch(n.colour(d.side)), h('strong', {}, n.name(d.side)), ` · ${t('correct.zone', { zone: zone(d.zone) })}`),
      h('div', { class: 'chips', role: 'group', 'aria-label': t('points') },
        ...['15', '10', '5', 'out'].map((z) => this.button(`zone-${z}`, zone(z), { value: { disc: d.id, zone: z } }, { class: `chip ${z === across ? 'across' : ''}`, 'aria-pressed': String(z === d.zone), disabled: z === d.zone })),
        this.button('twenty', '20', { fate: { disc: d.id, fate: 'twenty' } }, { class: 'chip', 'aria-label': t('correct.twenty') })),
      h('div', { class: 'row' },
        ...n.match.sides.filter((s) => s.side !== d.side).map((s) => this.button(`owner-${s.side}`, [swatch(n.colour(s.side)), t('correct.owner', { name: n.name(s.side) })], { owner: { disc: d.id, side: s.side } })),
        ...(this.partners(this.chosen).length ? [h('button', { type: 'button', class: 'button small', 'data-do': 'swap', onclick: () => this.swap() }, t('correct.swap'))] : []),
        h('button', { type: 'button', class: 'button small', 'data-do': 'move', onclick: () => { this.pending = { move: d.id }; this.redraw(); } }, t('correct.move')),
        this.button('gone', t('correct.gone'), { fate: { disc: d.id, fate: 'ditch' } }, { class: 'button small danger' }),
        h('button', { type: 'button', class: 'button small quiet', onclick: () => this.choose(null) }, t('close'))),
    ];
  }

  idle(n) {
    return [
      h('p', { class: 'hint' }, t('correct.hint')),
      h('div', { class: 'row' }, ...n.match.sides.map((s) => h('button', {
        type: 'button', class: 'button small', 'data-do': `add-${s.side}`, onclick: () => { this.pending = { side: s.side }; this.redraw(); },
      }, swatch(n.colour(s.side)), t('correct.add.of', { name: n.name(s.side) })))),
      h('div', { class: 'row' }, ...n.match.sides.map((s) => h('span', { class: 'stepper', role: 'group', 'aria-label': t('correct.twenties', { name: n.name(s.side) }) },
        this.button(`less-${s.side}`, '−', { twenties: { side: s.side, by: -1 } }, { class: 'step', 'aria-label': t('correct.toomany', { name: n.name(s.side) }), disabled: s.round.twenties === 0 }),
        h('span', { class: 'count' }, swatch(n.colour(s.side)), `20 × ${s.round.twenties}`),
        this.button(`more-${s.side}`, '+', { twenties: { side: s.side, by: 1 } }, { class: 'step', 'aria-label': t('correct.missed', { name: n.name(s.side) }) })))),
    ];
  }
}
