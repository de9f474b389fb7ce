// The score in a corner: a line for each side with its 20s, the round in play and
// the points.

import { animate, fit, part, say as write, toggle } from './dom.js';
import { Tag } from './tag.js';
import { say, stage } from './words.js';

class Row {
  constructor() {
    this.disc = part('disc');
    this.name = part('name');
    this.hammer = part('hammer');
    this.pips = part('pips');
    this.turn = part('turn');
    this.twenties = part('twenties', document.createElement('span'));
    this.round = part('round-points', document.createElement('span'));
    this.points = part('points', document.createElement('span'));
    this.games = part('games', document.createElement('span'));
    this.el = part('side', part('edge'), this.disc, part('who', this.name, this.pips), this.hammer, this.turn, this.twenties, this.round, this.points, this.games);
    this.count = 0;
  }

  show(scene, side, happened) {
    const { el } = this;
    el.dataset.side = side.side;
    el.style.setProperty('--ck-disc', side.disc);
    el.style.setProperty('--ck-edge', side.edge);
    fit(this.name, side.name);
    this.drawPips(scene.playing ? scene.discs(side) : this.count, scene.playing ? side.round.left : 0);
    write(this.twenties.firstChild, side.twenties, { slide: true });
    write(this.round.firstChild, scene.playing ? side.round.points : '', { slide: true });
    write(this.points.firstChild, side.points, { slide: true });
    write(this.games.firstChild, side.games, { slide: true });
    toggle(this.games, 'away', !scene.several);
    toggle(this.turn, 'on', scene.shooting(side));
    toggle(this.hammer, 'on', scene.hammer(side));
    toggle(el, 'winner', scene.over && scene.view.winner === side.side);
    toggle(el, 'beaten', scene.over && scene.view.winner && scene.view.winner !== side.side);
    if (happened.some((h) => h.kind === 'twenty' && h.side === side.side)) this.flash();
  }

  drawPips(count, left) {
    if (count !== this.count) {
      this.count = count;
      this.pips.replaceChildren(...Array.from({ length: count }, () => document.createElement('i')));
    }
    [...this.pips.children].forEach((pip, i) => toggle(pip, 'on', i < left));
  }

  flash() {
    animate(this.twenties, [{ backgroundColor: 'var(--ck-accent)', color: 'var(--ck-on-accent)' }, { backgroundColor: 'var(--ck-accent)', color: 'var(--ck-on-accent)', offset: 0.6 }, {}], { duration: 2600 });
  }
}

export class Scorebug {
  constructor() {
    this.stage = part('stage');
    this.title = part('title');
    this.heads = ['twenties', 'round-points', 'points', 'games'].map((name) => { const e = part(`${name}-head`); e.classList.add('head'); return e; });
    this.rows = part('sides');
    this.box = part('score', part('top', this.stage, this.title, ...this.heads), this.rows);
    this.tag = new Tag();
    this.el = part('scorebug', part('logo'), this.box, this.tag.el);
    this.lines = [];
  }

  show(scene, happened) {
    toggle(this.el, 'off', !scene.begun);
    if (!scene.begun) return;
    write(this.stage, stage(scene));
    write(this.title, scene.view.title ?? '');
    const short = ['20', say('round', { n: '' }).trim(), say('points'), say('games')];
    this.heads.forEach((e, i) => write(e, short[i]));
    toggle(this.heads[3], 'away', !scene.several);
    while (this.lines.length < scene.sides.length) this.lines.push(new Row());
    this.lines.length = scene.sides.length;
    if (this.rows.children.length !== this.lines.length) this.rows.replaceChildren(...this.lines.map((l) => l.el));
    scene.sides.forEach((s, i) => this.lines[i].show(scene, s, happened));
    this.tag.show(scene, happened);
  }
}
