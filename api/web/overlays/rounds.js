// The rounds that have been agreed on, a column each, and what they came to.

import { animate, fit, part, say as write, toggle } from './dom.js';
import { say } from './words.js';

const MOST = 8; // columns: the latest

export class Rounds {
  constructor() {
    this.table = part('rounds-table');
    this.title = part('rounds-title');
    this.el = part('rounds', this.title, this.table);
    this.shape = '';
  }

  show(scene, happened) {
    toggle(this.el, 'off', !scene.begun);
    if (!scene.begun) return;
    const v = scene.view;
    const played = v.rounds.filter((r) => r.game === v.game).slice(-MOST);
    const from = played[0]?.number ?? 1;
    const columns = Math.min(MOST, Math.max(4, played.length + (scene.playing ? 1 : 0)));
    this.lay(scene.sides.length, columns);
    write(this.title, v.title || say('score'));
    for (let c = 0; c < columns; c++) {
      write(this.cells[0][c], from + c);
      toggle(this.cells[0][c], 'now', scene.playing && from + c === v.round);
    }
    write(this.cells[0][columns], say('total'));
    scene.sides.forEach((side, i) => {
      const row = this.cells[i + 1];
      row.el.style.setProperty('--ck-disc', side.disc);
      fit(row.name, side.name);
      for (let c = 0; c < columns; c++) {
        const r = played[c], cell = row[c];
        write(cell, r ? r.totals[side.side] ?? 0 : '', { slide: true });
        toggle(cell, 'won', r && r.winner === side.side);
        toggle(cell, 'lost', r && r.winner && r.winner !== side.side);
      }
      write(row[columns], side.points, { slide: true });
    });
    if (happened.some((h) => h.kind === 'round')) {
      for (const row of this.cells.slice(1)) animate(row[played.length - 1], [{ backgroundColor: 'var(--ck-accent-soft)' }, {}], { duration: 2400 });
    }
  }

  // lay makes the cells for so many sides and rounds.
  lay(sides, columns) {
    const shape = `${sides}x${columns}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.cells = Array.from({ length: sides + 1 }, (_, r) => {
      const cells = Array.from({ length: columns + 1 }, (_, c) => part(r === 0 ? 'round-number' : c === columns ? 'round-sum' : 'round-total'));
      const name = part(r === 0 ? 'rounds-corner' : 'round-name');
      const el = part('round-row', ...(r ? [part('disc')] : [part('rounds-gap')]), name, ...cells);
      return Object.assign(cells, { el, name });
    });
    this.table.replaceChildren(...this.cells.map((r) => r.el));
  }
}
