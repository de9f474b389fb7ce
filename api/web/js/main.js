// The photo page: a picture goes to the service, its result comes back, and
// what the player says about it is kept as events on top.

import { apply, boundsOf } from './geometry.js';
import { asks, fold } from './edits.js';
import { edit } from './editor.js';
import { lifted } from './keys.js';
import * as overlay from './overlay.js';
import * as panel from './panel.js';
import * as pictures from './picture.js';
import { pointing } from './pointing.js';
import { poster, words } from './poster.js';
import * as service from './service.js';
import { colourOf, h } from './names.js';
import { languages, t, told, translate } from './words.js';

const $ = (id) => document.getElementById(id);
const view = $('view');

// All there is to know; everything on the page follows from it.
const now = {
  picture: null, report: null, events: [], preview: null,
  selected: null, adding: false, boardOnly: true, marks: true, nextID: 1, request: null, example: false,
  points: [], // where the player has shown the board
  refused: null, // why there is no result
};

const pointer = pointing(
  { view, loupe: $('loupe'), score: $('pointing-score'), undo: $('pointing-undo'), cancel: $('pointing-cancel') },
  { say, score: (points) => score(now.picture.blob, points), cancel: stopPointing },
);

const state = () => (now.report && !pointer.active() ? fold(now.report, now.preview ? [...now.events, now.preview] : now.events) : null);

function commit(event) {
  now.events.push(event);
  draw();
}

function select(id, intoBox = false) {
  now.selected = id;
  draw();
  if (id && intoBox) lifted(() => $('selected').querySelector('[aria-pressed="true"]')?.focus());
}

function remove(id) {
  now.selected = null;
  commit({ type: 'delete', id });
  say(t('photo.removed'));
}

function addAt(px, side) {
  const st = state();
  const id = `added-${now.nextID++}`;
  const last = now.events.findLast((e) => e.type === 'add' || e.type === 'side');
  setAdding(false);
  now.selected = id;
  commit({ type: 'add', id, px, side: side ?? last?.side ?? st.sides[0].side });
  view.querySelector(`[data-id="${id}"]`)?.focus({ preventScroll: true });
  say(t('photo.added'));
}

function setAdding(on) {
  now.adding = on;
  $('add').setAttribute('aria-pressed', String(on));
  $('stage').classList.toggle('adding', on);
  if (on) say(t('correct.add.hint'));
}

function say(text) {
  $('hint').textContent = text;
}

// draw brings the page in line with what is known.
function draw() {
  const st = state();
  document.body.classList.toggle('scored', Boolean(st));
  document.body.classList.toggle('pointing-on', pointer.active());
  $('pointing').hidden = !pointer.active();
  $('point').hidden = !st || now.example;
  $('badge').hidden = !now.example;
  $('undo').disabled = now.events.length === 0;
  for (const id of ['add', 'download', 'print', 'share']) $(id).disabled = !st;
  view.classList.toggle('no-marks', !now.marks);
  frame();
  if (!st) {
    $('asks').hidden = true;
    return;
  }
  if (now.selected && !st.discs.some((d) => d.id === now.selected)) now.selected = null;
  overlay.drawDiscs(view, st, now.selected);
  panel.drawScore({ cards: $('cards'), mini: $('mini'), lead: $('lead'), spoken: $('spoken') }, st, commit);
  panel.drawSelected($('selected'), st, now.selected, { commit, remove, select });
  if (now.preview) return; // the rest can wait until the finger is lifted
  panel.drawAsks($('asks'), $('asks-list'), asks(st, now.report), now.picture, st, { answer, show });
  panel.drawList($('list'), st, show);
}

// frame shows the board or the whole picture.
function frame() {
  if (!now.picture) return;
  const { width, height } = now.picture;
  const b = now.report && now.boardOnly && !pointer.active() ? boundsOf(now.report, 1.1) : { x: 0, y: 0, width, height };
  view.setAttribute('viewBox', `${b.x - 0.5} ${b.y - 0.5} ${b.width} ${b.height}`);
  $('stage').style.setProperty('--shape', `${b.width} / ${b.height}`);
  $('zoom').setAttribute('aria-pressed', String(now.boardOnly));
}

function answer(event, id) {
  commit(event);
  say(t(id === 'hole' ? 'photo.settled.hole' : 'photo.settled.disc'));
  const next = $('asks-list').querySelector('.answer');
  (next ?? $('score')).focus({ preventScroll: Boolean(!next) });
}

function show(id) {
  select(id);
  $('stage').scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  view.querySelector(`[data-id="${id}"]`)?.focus({ preventScroll: true });
}

// lift shows the loupe while a disc is moved, away from the finger.
function lift(id, at) {
  const canvas = $('loupe');
  const st = state();
  const disc = id && st.discs.find((d) => d.id === id);
  canvas.hidden = !disc;
  if (!disc) return;
  const box = $('stage').getBoundingClientRect();
  const right = at.clientX < box.left + box.width / 2;
  canvas.classList.toggle('right', right);
  pictures.loupe(canvas, now.picture, st, disc, 150);
}

function present(picture, report, example, points = []) {
  if (now.picture && now.picture !== picture) URL.revokeObjectURL(now.picture.url);
  Object.assign(now, { picture, report, events: [], preview: null, selected: null, example, points });
  setAdding(false);
  $('cards').replaceChildren();
  $('asks-list').replaceChildren();
  overlay.build(view, picture, report);
  const notes = (report?.warnings ?? []).filter((w) => !['disc_too_close', 'hole_unclear'].includes(w.code));
  $('notes').hidden = notes.length === 0;
  $('notes').replaceChildren(...notes.map((w) => h('li', {}, told(`photo.warning.${w.code}`, w.text, { ...w.values, colour: w.colour && colourOf({ name: w.colour }) }), ...(w.code === 'calibration_weak' ? [showButton('small')] : []))));
  if (report) panel.drawFacts($('facts'), report);
  draw();
}

// complain says what went wrong; where pointing at the board helps, it offers
// that.
function complain(text, help = false) {
  $('alert').hidden = !text;
  $('alert').replaceChildren(...(text ? [h('p', {}, text), ...(help ? [showButton('primary')] : [])] : []));
}

function showButton(kind) {
  return h('button', { type: 'button', class: `button ${kind}`, onclick: startPointing }, t('photo.point.show'));
}

function startPointing(e) {
  setAdding(false);
  now.selected = null;
  $('selected').hidden = true;
  complain(null);
  overlay.build(view, now.picture, null);
  pointer.begin(now.picture, now.points);
  draw();
  pointer.draw(); // the picture may be shown at another size now
  $('stage').scrollIntoView({ block: 'center' });
  view.focus({ preventScroll: true, focusVisible: e.detail === 0 });
}

function stopPointing() {
  now.request?.abort();
  pointer.end();
  say('');
  overlay.build(view, now.picture, now.report);
  draw();
  complain(now.report ? null : now.refused, true);
  ($('alert').querySelector('button') ?? $('point')).focus({ preventScroll: true });
}

function working(text) {
  $('working').hidden = !text;
  $('working-text').textContent = text ?? '';
  $('stage').setAttribute('aria-busy', String(Boolean(text)));
}

// score sends a picture, with where the player has shown the board, and shows
// what comes back.
async function score(blob, points = []) {
  now.request?.abort();
  const request = (now.request = new AbortController());
  // Points that do not fit can be moved until they do.
  const pointed = pointer.active() && points.length > 0;
  if (!pointed) pointer.end();
  complain(null);
  if (!pointed) say('');
  working(t('photo.looking'));
  let picture = now.picture?.blob === blob ? now.picture : null;
  try {
    picture ??= await pictures.load(blob);
    if (request.signal.aborted) return;
    if (picture && !pointed) present(picture, null, false, points);
    const report = await service.score(blob, { sides: Number($('sides').value), board: $('board').value }, points, request.signal);
    pointer.end();
    if (!picture) throw new service.Refused({ code: 'unsupported_format', detail: t('photo.unshown') });
    present(picture, report, false, points);
    if (pointed) $('score').focus({ preventScroll: true });
    const open = $('asks-list').children.length;
    say(open ? t('photo.close', { n: open }) : '');
  } catch (e) {
    if (e.name === 'AbortError') return;
    const misfit = e.code?.startsWith('points_');
    const text = misfit ? t('photo.misfit') : e.message;
    if (!pointed) now.refused = text;
    complain(text, !pointed && Boolean(picture) && (misfit || e.code === 'board_not_found'));
    if (!(e instanceof service.Refused)) throw e;
  } finally {
    if (now.request === request) working(null);
  }
}

async function showExample() {
  working(t('photo.looking.example'));
  const waiting = (now.request = new AbortController());
  try {
    const [blob, report] = await Promise.all([fetch('example.jpg').then((r) => r.blob()), service.example()]);
    const picture = await pictures.load(blob);
    // The player may have been quicker with a picture of his own.
    if (picture && now.request === waiting) present(picture, report, true);
  } catch (e) {
    if (now.request === waiting) complain(t('photo.noexample', { why: e.message }));
  } finally {
    if (now.request === waiting) working(null);
  }
}

function pickFrom(input) {
  input.addEventListener('change', () => {
    const [file] = input.files;
    input.value = ''; // the same picture may be chosen again
    if (file) score(file);
  });
}

function wire() {
  pickFrom($('camera'));
  pickFrom($('file'));
  edit(view, { state, adding: () => now.adding, select, commit, remove, addAt, lift, preview: (e) => { now.preview = e; draw(); } });
  $('add').addEventListener('click', (e) => {
    // From the keyboard there is no place to tap: the disc starts in the 5 zone
    // nearest to the player and is moved with the arrow keys.
    if (e.detail === 0) {
      const st = state();
      const r = (st.board.inner.ten + st.board.inner.start) / 2;
      const spots = [0, 1, 2, 3].map((i) => apply(st.board.toPx, [r * Math.cos((i * Math.PI) / 2), r * Math.sin((i * Math.PI) / 2)]));
      addAt(spots.reduce((a, b) => (b[1] > a[1] ? b : a)));
    } else {
      setAdding(!now.adding);
    }
  });
  $('undo').addEventListener('click', undo);
  $('point').addEventListener('click', startPointing);
  document.addEventListener('keydown', (e) => {
    if ((e.ctrlKey || e.metaKey) && !e.shiftKey && e.key.toLowerCase() === 'z') {
      e.preventDefault();
      undo();
    } else if (e.key === 'Escape' && now.adding) {
      setAdding(false);
    } else if (e.key === 'Escape' && pointer.active()) {
      stopPointing();
    }
  });
  $('zoom').addEventListener('click', () => { now.boardOnly = !now.boardOnly; draw(); });
  $('marks').addEventListener('click', () => {
    now.marks = !now.marks;
    $('marks').setAttribute('aria-pressed', String(now.marks));
    draw();
  });
  for (const id of ['sides', 'board']) $(id).addEventListener('change', () => now.picture && score(now.picture.blob, now.points));

  const stage = document.body;
  let depth = 0;
  stage.addEventListener('dragenter', (e) => { e.preventDefault(); depth++; stage.classList.add('dropping'); });
  stage.addEventListener('dragleave', () => { if (--depth <= 0) stage.classList.remove('dropping'); });
  stage.addEventListener('dragover', (e) => e.preventDefault());
  stage.addEventListener('drop', (e) => {
    e.preventDefault();
    depth = 0;
    stage.classList.remove('dropping');
    const file = e.dataTransfer.files[0];
    if (file) score(file);
  });
  document.addEventListener('paste', (e) => {
    const file = [...(e.clipboardData?.files ?? [])].find((f) => f.type.startsWith('image/'));
    if (file) score(file);
  });

  const canShare = () => navigator.canShare?.({ files: [new File([], 'x.jpg', { type: 'image/jpeg' })] });
  $('share').hidden = !canShare();
  $('share').addEventListener('click', async () => {
    const file = await poster(now.picture, now.report, state());
    await navigator.share({ files: [file], text: words(state()) }).catch((e) => { if (e.name !== 'AbortError') complain(t('photo.noshare')); });
  });
  $('download').addEventListener('click', async () => {
    const file = await poster(now.picture, now.report, state());
    const url = URL.createObjectURL(file);
    h('a', { href: url, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  $('print').addEventListener('click', () => print());
  // Text and touch sizes are in screen pixels, so they follow the view's size.
  new ResizeObserver(() => {
    pointer.draw();
    const st = state();
    if (st) overlay.drawDiscs(view, st, now.selected);
  }).observe(view);

  service.boards().then((names) => $('board').append(...names.map((n) => h('option', {}, n))), () => { /* "measured" always works */ });
}

function undo() {
  if (pointer.active()) {
    pointer.undo();
    return;
  }
  if (now.events.length === 0) return;
  now.events.pop();
  say(t('photo.undone'));
  draw();
}

service.tables().then((list) => {
  $('tables').hidden = list.length === 0;
  $('tables').textContent = list.length === 1 ? t('photo.table', { name: list[0].name }) : t('photo.tables', { n: list.length });
});
translate();
$('language').append(languages());
wire();
draw();
showExample();
