// What an overlay knows about itself, for those who set it up (debug=1). On a
// stream nothing of it is ever seen.

import { part } from './dom.js';

export class Debug {
  constructor(options) {
    this.options = options;
    this.told = new Map();
    this.el = document.createElement('pre');
    this.el.dataset.part = 'debug';
    this.el.dir = 'ltr';
    this.note('overlay', `${options.kind} of board “${options.board}”, build ${document.documentElement.dataset.build}`);
    this.note('wrong', options.wrong.join('\n        '));
    const size = () => this.note('size', `${innerWidth} × ${innerHeight}`);
    addEventListener('resize', size);
    addEventListener('error', (e) => this.note('error', e.message));
    size();
  }

  note(name, text) {
    if (text) this.told.set(name, text);
    else this.told.delete(name);
    this.el.textContent = [...this.told].map(([k, v]) => `${k.padEnd(8)}${v}`).join('\n');
  }

  // corners show where the title-safe area ends.
  static frame() {
    return part('safe-area');
  }
}
