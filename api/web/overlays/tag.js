// The tag is a line that slides out beside the score for a few seconds and tells
// what has just happened.

import { animate, part, say as write } from './dom.js';
import { say } from './words.js';

const HOLD = { twenty: 4200, failed: 3600, round: 8000, over: 20_000 }; // ms
const RANK = { failed: 1, twenty: 2, round: 3, over: 4 };

export class Tag {
  constructor(name = 'tag') {
    this.text = part(`${name}-text`);
    this.figures = part(`${name}-figures`);
    this.el = part(name, this.text, this.figures);
    this.el.classList.add('out');
    this.kind = '';
    this.timer = 0;
  }

  // show tells the most important of what has happened, and that a question is
  // open for as long as it is.
  show(scene, happened) {
    const asking = scene.view.phase === 'asking';
    if (this.kind === 'asking' && !asking) this.end();
    const news = happened.filter((h) => HOLD[h.kind]).sort((a, b) => RANK[a.kind] - RANK[b.kind]).pop();
    if (news && !(this.timer && RANK[news.kind] < RANK[this.kind])) this.begin(news.kind, this.words(scene, news), HOLD[news.kind]);
    else if (asking && !this.kind) this.begin('asking', [say('close'), ''], 0);
    else if (this.kind && this.kind !== 'over' && this.kind !== 'round' && scene.view.phase === 'between') this.end();
  }

  words(scene, { kind, side, round }) {
    const name = scene.side(side)?.name ?? '';
    switch (kind) {
      case 'twenty': return [name, '20'];
      case 'failed': return [say('ruling.failed'), ''];
      case 'round': {
        const winner = scene.side(round.winner);
        const totals = scene.sides.map((s) => round.totals[s.side] ?? 0).join(' – ');
        if (!winner) return [say('shared', { n: round.number }), totals];
        return [say('won', { n: round.number, name: winner.name, by: round.awarded[winner.side] ?? 0 }), totals];
      }
      default: return [scene.side(side) ? say('winner', { name }) : say(scene.view.closed ? 'matches.closed' : 'drawn'), scene.sides.map((s) => s.points).join(' – ')];
    }
  }

  begin(kind, [text, figures], hold) {
    clearTimeout(this.timer);
    this.kind = kind;
    this.el.dataset.kind = kind;
    write(this.text, text);
    write(this.figures, figures);
    this.el.classList.remove('out');
    if (kind === 'twenty') {
      animate(this.figures, [{ transform: 'scale(1)' }, { transform: 'scale(1.35)' }, { transform: 'scale(1)' }], { duration: 620, delay: 180 });
    }
    this.timer = hold ? setTimeout(() => this.end(), hold) : 0;
  }

  end() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.kind = '';
    this.el.classList.add('out');
  }
}
