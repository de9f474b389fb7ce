// The lower third: who plays, and how it stands.

import { fit, part, say as write, toggle } from './dom.js';
import { say, stage } from './words.js';

class Half {
  constructor() {
    this.name = part('name');
    this.more = part('more');
    this.points = part('points', document.createElement('span'));
    this.el = part('half', part('edge'), part('disc'), part('who', this.name, this.more), this.points);
  }

  show(scene, side) {
    this.el.style.setProperty('--ck-disc', side.disc);
    this.el.style.setProperty('--ck-edge', side.edge);
    fit(this.name, side.name);
    const more = [`20 × ${side.twenties}`];
    if (scene.several) more.push(`${say('games')} ${side.games}`);
    if (scene.hammer(side)) more.push(say('hammer'));
    write(this.more, more.join('   ·   '));
    write(this.points.firstChild, side.points, { slide: true });
    toggle(this.el, 'winner', scene.over && scene.view.winner === side.side);
    toggle(this.el, 'beaten', scene.over && scene.view.winner && scene.view.winner !== side.side);
  }
}

export class LowerThird {
  // between: it is there only while no round is played.
  constructor({ between = false } = {}) {
    this.between = between;
    this.title = part('title');
    this.stage = part('stage');
    this.halves = part('halves');
    this.el = part('lower-third', part('top', this.title, this.stage), this.halves);
    this.list = [];
  }

  show(scene) {
    toggle(this.el, 'off', !scene.begun || (this.between && scene.playing));
    if (!scene.begun) return;
    write(this.title, scene.view.title ?? '');
    write(this.stage, stage(scene));
    while (this.list.length < scene.sides.length) this.list.push(new Half());
    this.list.length = scene.sides.length;
    if (this.halves.children.length !== this.list.length) this.halves.replaceChildren(...this.list.map((h) => h.el));
    toggle(this.halves, 'two', this.list.length === 2);
    this.el.dataset.sides = this.list.length;
    scene.sides.forEach((s, i) => this.list[i].show(scene, s));
  }
}
