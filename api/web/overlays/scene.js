// What is to be shown of a board and its match, and what has just happened there.

import { colourOf, coloursSeen } from '../js/board.js';

// Scene is a board with its match as an overlay shows it.
export class Scene {
  constructor(board, view, { swap = false, left, right } = {}) {
    this.board = board;
    this.view = view;
    const seen = coloursSeen(board?.status);
    const sides = (view?.sides ?? []).map((s) => ({ ...s, disc: colourOf(s, seen) }));
    if (swap) sides.reverse();
    const own = [left, right];
    // Left and right tell two sides apart; of more, each has its discs' colour.
    const usual = sides.length > 2 ? [] : ['var(--ck-left)', 'var(--ck-right)'];
    this.sides = sides.map((s, i) => ({ ...s, place: i, edge: own[i] ?? usual[i] ?? s.disc }));
  }

  // begun: there is something to show.
  get begun() {
    return this.sides.length > 0;
  }

  get playing() {
    return !['', 'between', 'over', 'shootout'].includes(this.view.phase);
  }

  get over() {
    return this.view?.phase === 'over';
  }

  // several: games count as well as points.
  get several() {
    return this.view.games.length > 1 || (this.view.games.length === 1 && !this.over);
  }

  // lost: what is shown may be behind the board, because its camera gives nothing.
  get lost() {
    const status = this.board?.status;
    return Boolean(status && status.match && status.camera && !status.camera.connected);
  }

  side(letter) {
    return this.sides.find((s) => s.side === letter);
  }

  // sits tells whether a side's player is on one of these seats.
  sits(side, seats) {
    return side.players.some((p) => seats.includes(p.seat));
  }

  shooting(side) {
    return this.view.phase === 'shooting' && !this.view.paused && this.sits(side, this.view.next ?? []);
  }

  hammer(side) {
    return this.playing && this.view.hammer !== undefined && this.sits(side, [this.view.hammer]);
  }

  // discs are how many a side has in a round.
  discs(side) {
    const r = side.round;
    return r.left + r.board + r.ditch + r.twenties;
  }
}

// happened tells what is new in a match since it was last shown, the most
// important last: {kind, side, round}. After a correction or an undo only what
// is there now counts.
export function happened(was, now) {
  if (!was || !now || was.match !== now.match || was.version >= now.version) return [];
  const out = [];
  const last = now.last;
  if (last?.ruling && (was.last?.seq !== last.seq || was.last?.ruling !== last.ruling) && last.kind === 'shot') {
    if (last.ruling === 'failed') out.push({ kind: 'failed', side: last.side });
    else out.push({ kind: 'shot', side: last.side });
  }
  for (const s of now.sides) {
    const before = was.sides.find((x) => x.side === s.side);
    if (before && was.game === now.game && s.twenties > before.twenties && now.phase !== 'between') out.push({ kind: 'twenty', side: s.side });
  }
  if (now.rounds.length === was.rounds.length + 1) out.push({ kind: 'round', round: now.rounds[now.rounds.length - 1] });
  if (now.phase === 'over' && was.phase !== 'over') out.push({ kind: 'over', side: now.winner });
  return out;
}
