// The wall shows all boards of a hall at once, for a screen that everybody sees.
// When there are more than fit, it turns its pages.

import { BoardView } from './boardview.js';
import { fit, part, say as write, toggle } from './dom.js';
import { say, stage } from './words.js';

const MOST = 12, TURN = 12_000; // cards on a page; ms that a page stays

class Line {
  constructor() {
    this.disc = part('disc');
    this.name = part('name');
    this.turn = part('turn');
    this.twenties = part('twenties');
    this.round = part('round-points');
    this.points = part('points');
    this.el = part('side', part('edge'), this.disc, this.name, this.turn, this.twenties, this.round, this.points);
  }

  show(scene, side) {
    this.el.style.setProperty('--ck-disc', side.disc);
    this.el.style.setProperty('--ck-edge', side.edge);
    fit(this.name, side.name);
    write(this.twenties, `20 × ${side.twenties}`);
    write(this.round, scene.playing ? side.round.points : '', { slide: true });
    write(this.points, side.points, { slide: true });
    toggle(this.turn, 'on', scene.shooting(side));
    toggle(this.el, 'winner', scene.over && scene.view.winner === side.side);
    toggle(this.el, 'beaten', scene.over && scene.view.winner && scene.view.winner !== side.side);
  }
}

class Card {
  constructor(options) {
    this.name = part('table-name');
    this.stage = part('stage');
    this.title = part('title');
    this.sides = part('sides');
    this.idle = part('idle');
    this.picture = new BoardView({ rotate: options.rotate, captioned: false });
    this.el = part('table', part('top', this.name, this.stage), part('inside', part('lines', this.title, this.sides, this.idle), this.picture.el));
    this.lines = [];
  }

  show(scene, happened) {
    write(this.name, scene.board.name);
    toggle(this.el, 'idle', !scene.begun);
    toggle(this.el, 'lost', scene.lost);
    write(this.stage, scene.begun ? stage(scene) : '');
    write(this.title, scene.view?.title ?? '');
    write(this.idle, scene.begun ? '' : say('idle'));
    this.picture.show(scene, happened);
    while (this.lines.length < scene.sides.length) this.lines.push(new Line());
    this.lines.length = scene.sides.length;
    if (this.sides.children.length !== this.lines.length) this.sides.replaceChildren(...this.lines.map((l) => l.el));
    scene.sides.forEach((s, i) => this.lines[i].show(scene, s));
  }
}

export class Wall {
  constructor(options) {
    this.options = options;
    this.grid = part('tables');
    this.el = part('wall', this.grid);
    this.cards = new Map(); // by board
    this.page = 0;
    setInterval(() => { this.page++; this.lay(); }, TURN);
  }

  // show draws the scene of each board, in the order of their names.
  show(scenes, happened) {
    const list = [...scenes].sort((a, b) => a.board.name.localeCompare(b.board.name, undefined, { numeric: true }));
    const gone = new Set(this.cards.keys());
    for (const scene of list) {
      let card = this.cards.get(scene.board.id);
      if (!card) this.cards.set(scene.board.id, (card = new Card(this.options)));
      gone.delete(scene.board.id);
      card.show(scene, happened(scene));
    }
    for (const id of gone) this.cards.delete(id);
    this.order = list.map((x) => x.board.id);
    this.lay();
  }

  lay() {
    const ids = this.order ?? [];
    const pages = Math.max(1, Math.ceil(ids.length / MOST));
    const each = Math.ceil(ids.length / pages);
    const here = ids.slice((this.page % pages) * each, ((this.page % pages) + 1) * each);
    const columns = [0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4][here.length];
    this.grid.style.setProperty('--columns', columns || 1);
    this.grid.style.setProperty('--rows', Math.ceil(here.length / (columns || 1)) || 1);
    this.grid.dataset.columns = columns;
    const cards = here.map((id) => this.cards.get(id).el);
    if (cards.length !== this.grid.children.length || cards.some((c, i) => this.grid.children[i] !== c)) this.grid.replaceChildren(...cards);
  }
}
