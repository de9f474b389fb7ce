// An overlay: it reads its address, listens to the service or to the match out of
// a can, and shows what it hears on a stage of 1920 × 1080.

import { base, bear } from '../js/client.js';
import { World, listen } from '../js/feed.js';
import { language, speak } from '../js/words.js';
import { BoardView } from './boardview.js';
import { Debug } from './debug.js';
import { play } from './demo.js';
import { hide, part, toggle } from './dom.js';
import { Later } from './later.js';
import { LowerThird } from './lowerthird.js';
import { KINDS, read } from './options.js';
import { Rounds } from './rounds.js';
import { Scene, happened } from './scene.js';
import { Scorebug } from './scorebug.js';
import { Wall } from './wall.js';

const PATIENCE = 2500; // ms that the line may be cut before it is marked

const options = read(new URL(location.href));
const root = document.documentElement;
const debug = options.debug ? new Debug(options) : null;

// KIND is what each kind has on its stage, and where.
const KIND = {
  scorebug: () => [[new Scorebug(), options.pos ?? 'tl']],
  board: () => [[new BoardView(options), options.pos ?? 'br']],
  rounds: () => [[new Rounds(), options.pos ?? 'tr']],
  'lower-third': () => [[new LowerThird(), options.pos ?? 'b']],
  all: () => [[new Scorebug(), 'tl'], [new Rounds(), 'tr'], [new BoardView(options), 'br'], [new LowerThird({ between: true }), 'bl']],
};

dress();
const mark = part('stale');
const stage = part('overlay');
const wall = options.kind === 'wall' ? new Wall(options) : null;
const pieces = wall || !KINDS.includes(options.kind) ? [] : KIND[options.kind]();
build();
const world = new World();
const shown = new Map(); // the view of each match as it was shown last
let refused = null, unseen = 0;
if (!KINDS.includes(options.kind)) debug?.note('problem', `There is no overlay “${options.kind}”: ${KINDS.join(', ')}.`);
else start();

// dress applies the options to the page.
function dress() {
  if (options.lang) speak(options.lang);
  root.lang = language;
  root.dataset.theme = options.theme;
  root.dataset.kind = options.kind;
  hide(options.hide);
  const set = (name, value) => { if (value !== undefined) root.style.setProperty(name, value); };
  set('--ck-background', options.bg);
  set('--ck-accent', options.accent);
  set('--ck-left', options.left);
  set('--ck-right', options.right);
  if (options.font) set('--ck-font', `"${options.font}", "Crokcam Barlow", "Crokcam Thai", system-ui, sans-serif`);
  set('--ck-scale', options.scale);
  set('--ck-safe', options.safe);
}

function build() {
  if (wall) stage.append(wall.el);
  for (const [piece, at] of pieces) {
    const place = part('place', piece.el);
    place.dataset.at = at;
    stage.append(place);
  }
  (pieces[0]?.[0].el ?? stage).append(mark);
  document.body.replaceChildren(stage);
  if (debug) document.body.append(Debug.frame(), debug.el);
  const size = () => root.style.setProperty('--ck-fit', Math.min(innerWidth / 1920, innerHeight / 1080));
  addEventListener('resize', size);
  size();
}

function start() {
  const later = new Later(options.delay, take);
  bear(options.token);
  if (options.demo) {
    debug?.note('line', 'a match out of a can');
    play(options.board, (m) => later.take(m));
    return;
  }
  const all = wall && options.board === 'all';
  listen({ boards: all ? [] : options.board.split(','), types: ['snapshot', 'resync', 'board.changed', 'board.deleted', 'match.changed', 'match.deleted'] }, {
    hear(m) {
      refused = null;
      debug?.note('heard', `${m.type} ${m.id} at ${m.time}${options.delay ? `, shown ${options.delay} ms after its frame` : ''}`);
      later.take(m);
    },
    state(s, why) {
      if (s === 'refused') refused = why;
      debug?.note('line', s);
      cut(s !== 'open');
      if (s === 'open') renew();
      explain();
    },
  });
}

// cut marks what is shown as old once the line has been cut for a while.
function cut(on) {
  if (on && !unseen) unseen = setTimeout(() => toggle(mark, 'cut', true), PATIENCE);
  if (on) return;
  clearTimeout(unseen);
  unseen = 0;
  toggle(mark, 'cut', false);
}

// renew loads the page anew when the server has become another.
async function renew() {
  try {
    const answer = await (await fetch(new URL('overlay/build', base), { cache: 'no-store' })).json();
    if (answer.build && answer.build !== root.dataset.build) location.reload();
  } catch { /* it has gone again */ }
}

function take(message) {
  world.take(message);
  const fresh = message.type !== 'snapshot';
  if (wall) wall.show(onWall().map(sceneOf), (scene) => news(scene, fresh));
  else if (world.at(options.board) || options.demo) {
    const scene = sceneOf(world.at(options.board) ?? [...world.boards.values()][0]);
    const happening = news(scene, fresh);
    for (const [piece] of pieces) piece.show(scene, happening);
    toggle(mark, 'lost', scene.lost);
    stage.dataset.version = scene.view?.version ?? 0;
  }
  explain();
}

// onWall are the boards of the wall: those that are named, or all. Of those that
// only matches name it has the ones in play, and keeps them when the match is over.
function onWall() {
  if (options.demo) return world.all();
  if (options.board !== 'all') return options.board.split(',').map((id) => world.at(id)).filter(Boolean);
  return world.all().filter((b) => !b.absent || wall.cards.has(b.id) || world.matchOn(b.id)?.phase !== 'over');
}

// sceneOf is a board with the match on it, or else the last that was.
function sceneOf(board) {
  const view = world.matches.get(board.match) ?? world.matches.get(sceneOf.last?.get(board.id)) ?? latest(board);
  (sceneOf.last ??= new Map()).set(board.id, view?.match);
  return new Scene(board, view, options);
}

// latest is the newest match of the only board that is listened to.
function latest() {
  return wall ? undefined : world.matches.values().next().value;
}

function news(scene, fresh) {
  const { view } = scene;
  if (!view) return [];
  const was = shown.get(view.match);
  shown.set(view.match, view);
  return fresh ? happened(was, view) : [];
}

// explain tells those who set an overlay up why they see nothing.
function explain() {
  if (!debug) return;
  const board = world.at(options.board);
  let why = '';
  if (refused) why = `${refused.message} (${refused.code})`;
  else if (world.known && !wall && !options.demo && !board) why = `There is no board “${options.board}”.`;
  else if (board && !sceneOf(board).begun) why = 'There is no match on this board yet.';
  debug.note('problem', why);
}
