// What happens, as it happens: a WebSocket to the service that begins with how
// everything stands, goes on where it was after each break, and comes back for
// ever. Where a proxy lets no WebSocket through, server-sent events do the same.

import { address, get } from './client.js';

const FIRST = 500, LONGEST = 15_000; // ms between tries
const SILENCE = 20_000, ANSWER = 6_000; // ms: when to ask whether anybody is there, and for how long

// listen calls hear with each message, in order. state is called with "open",
// "waiting" (cut off, and trying again) and "refused" (with the reason: no token).
// It returns a function that ends it.
export function listen({ boards = [], matches = [], types = [], snapshot = true }, { hear, state = () => {} }) {
  let line = null, timer = 0, watch = 0;
  let last = 0, tries = 0, heard = 0, ended = false, events = false;

  const query = () => ({ board: boards, match: matches, types, snapshot: snapshot || undefined, since: last || undefined });

  function take(text) {
    const m = JSON.parse(text);
    heard = Date.now();
    // Nothing comes twice, except how things stand when messages were missed.
    if (m.id <= last && m.type !== 'snapshot' && m.type !== 'resync') return;
    last = m.id;
    hear(m);
  }

  function opened() {
    tries = 0;
    heard = Date.now();
    state('open');
  }

  function open() {
    if (ended) return;
    clearTimeout(timer);
    let was = false;
    const mine = events ? eventSource() : socket();
    line = mine;
    mine.onopen = () => { was = true; opened(); };
    mine.onmessage = (e) => take(e.data);
    const lost = () => {
      if (line !== mine) return;
      drop();
      if (!was) events = !events;
      again();
    };
    mine.onclose = lost;
    mine.onerror = lost;
  }

  function socket() {
    const url = address('ws', query());
    url.protocol = url.protocol.replace('http', 'ws');
    return new WebSocket(url);
  }

  const eventSource = () => new EventSource(address('events', query()));

  function drop() {
    const old = line;
    line = null;
    if (!old) return;
    old.onclose = old.onerror = old.onmessage = null;
    old.close();
  }

  function again() {
    if (ended) return;
    state('waiting');
    // A browser does not tell why a line failed; a request does.
    if (tries++ % 4 === 1) get('boards').catch((e) => { if (e.status === 401 || e.status === 403) state('refused', e); });
    const most = Math.min(LONGEST, FIRST * 2 ** Math.min(tries, 10));
    timer = setTimeout(open, most / 2 + Math.random() * (most / 2));
  }

  // hurry tries at once: the network is back, or somebody looks at the page again.
  function hurry() {
    if (!line && !ended) open();
  }

  // A line may be dead without either end being told, as when a laptop slept.
  async function probe() {
    if (!line || Date.now() - heard < SILENCE) return;
    const asked = line;
    try {
      const answer = await fetch(new URL('../../livez', address('')), { cache: 'no-store', signal: AbortSignal.timeout?.(ANSWER) });
      if (!answer.ok) throw new Error('not well');
      heard = Date.now();
    } catch {
      if (line !== asked) return;
      drop();
      again();
    }
  }

  const seen = () => { if (!document.hidden) { hurry(); probe(); } };
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', seen);
  watch = setInterval(probe, SILENCE / 2);
  open();

  return () => {
    ended = true;
    clearTimeout(timer);
    clearInterval(watch);
    removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', seen);
    drop();
  };
}

// World is how boards and matches stand, kept up to date.
export class World {
  constructor() {
    this.boards = new Map(); // by id, schema Board
    this.matches = new Map(); // by id, schema MatchView
    this.connected = false;
    this.known = false; // a first snapshot has come
    this.refused = null;
  }

  matchOn(board) {
    return this.matches.get(this.at(board)?.match);
  }

  // at is a board. One that the hall does not have may still have matches: another
  // program records them, or the board has been taken down. null: none of both.
  at(board) {
    if (this.boards.has(board)) return this.boards.get(board);
    const of = [...this.matches.values()].filter((v) => v.board === board);
    // Ids grow with time.
    const newest = of.reduce((a, b) => (!a || b.match > a.match ? b : a), null);
    return newest && { id: board, name: board, match: newest.match, status: null, absent: true };
  }

  // all are the boards there are, with those that only matches name.
  all() {
    const ids = new Set([...this.boards.keys(), ...[...this.matches.values()].map((v) => v.board).filter(Boolean)]);
    return [...ids].map((id) => this.at(id));
  }

  // put keeps the newest view of a match: what is told late does not turn it back.
  put(view) {
    const was = this.matches.get(view.match);
    if (!was || was.version <= view.version) this.matches.set(view.match, view);
  }

  take(m) {
    switch (m.type) {
      case 'snapshot':
        this.boards = new Map(m.data.boards.map((b) => [b.id, b]));
        this.matches = new Map();
        for (const v of m.data.matches) this.put(v);
        this.known = true;
        break;
      case 'board.changed':
        this.boards.set(m.data.id, m.data);
        break;
      case 'board.deleted':
        this.boards.delete(m.data.board);
        break;
      case 'match.changed':
        this.put(m.data);
        break;
      case 'match.deleted':
        this.matches.delete(m.match);
        break;
    }
  }
}

// follow keeps a World and calls changed(world, message) after each message, and
// with null when the line opens or breaks. It returns the world and how to end.
export function follow(wish, changed) {
  const world = new World();
  const close = listen(wish, {
    hear(m) { world.take(m); world.refused = null; changed(world, m); },
    state(s, why) {
      if (s === 'refused') world.refused = why;
      else world.connected = s === 'open';
      changed(world, null);
    },
  });
  return { world, close };
}
