// One match told again: its rounds, every shot step by step with its pictures,
// and what its players did.

import { Board, colourOf } from './board.js';
import { address, get, to } from './client.js';
import { drawFaults } from './faults.js';
import { listen } from './feed.js';
import { h } from './names.js';
import { where, waits } from './score.js';
import { ask, explain, parts, request, run, shell } from './shell.js';
import { drawStats } from './stats.js';
import { day, t } from './words.js';
import * as verdicts from './verdicts.js';
import { told, verdictBody } from './verdict.js';

const $ = (id) => document.getElementById(id);
const code = parts[1];
const board = new Board($('board'));

let match, rounds = [], steps = [], at = 0, shown = null;

const colour = (side) => colourOf(match.sides.find((s) => s.side === side) ?? { side });
const name = (side) => match.sides.find((s) => s.side === side)?.name || t('side', { side });
const player = (seat) => match.sides.flatMap((s) => s.players).find((p) => p.seat === seat)?.name ?? t(`seat.${seat}`);

function drawRounds() {
  const sides = match.sides.map((s) => s.side);
  $('rounds').replaceChildren(h('table', { class: 'wide' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('match.round')), ...sides.map((s) => h('th', { scope: 'col', class: 'num' }, name(s))), h('th', { scope: 'col' }, t('match.awarded')))),
    h('tbody', {}, ...rounds.map((r, i) => h('tr', {},
      h('th', { scope: 'row' }, r.turns.length ? h('button', { type: 'button', class: 'link', onclick: () => go(steps.findIndex((x) => x.round === i)) }, label(r)) : label(r)),
      ...sides.map((s) => h('td', { class: 'num' }, h('strong', {}, String(r.totals[s] ?? 0)), r.twenties[s] ? h('span', { class: 'soft' }, ` (20 × ${r.twenties[s]})`) : '')),
      h('td', {}, r.agreed ? sides.map((s) => `+${r.awarded[s] ?? 0}`).join(' / ') : h('span', { class: 'tag' }, t('matches.playing'))))))));
}

const label = (r) => [match.games.length > 1 || match.game > 1 ? t('game', { n: r.game }) : '', t('round', { n: r.number })].filter(Boolean).join(' · ');

function drawList() {
  let round = -1;
  $('shots').replaceChildren(...steps.flatMap((x, i) => {
    const head = x.round !== round ? [h('li', { class: 'of-round' }, label(rounds[x.round]))] : [];
    ({ round } = x);
    const w = told(x.turn, match.sides);
    const twenty = Object.values(x.turn.verdict?.twenties ?? {}).some((k) => k > 0);
    return [...head, h('li', {}, h('button', { type: 'button', class: `shot-chip ${w.ruling}`, 'data-step': i, '--disc': x.turn.side ? colour(x.turn.side) : '#888', 'aria-label': `${t('verdict.of', { number: x.turn.number ?? '–', name: player(x.turn.seat) })}: ${w.text}${twenty ? ' 20' : ''}`, onclick: () => go(i) }, twenty ? '20' : String(x.turn.number ?? '·')))];
  }));
}

function drawStep() {
  const none = steps.length === 0;
  $('replay').hidden = none;
  if (none) return;
  const { turn, round } = steps[at];
  const before = steps[at - 1]?.round === round ? steps[at - 1].turn.discs : [];
  const ids = new Set(turn.discs.map((d) => d.id));
  const off = turn.removed.filter((d) => d.fate !== 'board' && !ids.has(d.id)).map((d) => ({ ...d, id: `off-${d.id}` }));
  board.use(match.spec);
  board.show([...off, ...turn.discs], {
    colour, mark: (d) => (String(d.id).startsWith('off-') ? 'leaving' : d.id === String(turn.seq) ? 'fresh' : before.find((b) => b.id === d.id && Math.hypot(b.x_mm - d.x_mm, b.y_mm - d.y_mm) > 2) ? 'moved' : ''),
  });
  $('board').setAttribute('aria-label', turn.discs.length ? t('board.says', { n: turn.discs.length }) : t('board.empty'));
  $('verdict').replaceChildren(...verdictBody(turn, { match, player, name }),
    h('p', { class: 'sum' }, ...match.sides.map((s) => h('span', {}, `${s.name || s.side} `, h('strong', {}, String(turn.totals[s.side] ?? 0))))));
  if (shown !== turn.seq) {
    shown = turn.seq;
    const one = (moment) => h('figure', {}, h('img', { class: 'shot', loading: 'lazy', alt: t(`picture.${moment}`), src: address(`matches/${match.match}/shots/${turn.seq}/pictures/${moment}`).href }), h('figcaption', { class: 'soft' }, t(`picture.${moment}`)));
    $('pictures').replaceChildren(...['before', 'after'].filter((m) => turn.pictures?.[m]).map(one));
  }
  for (const b of $('shots').querySelectorAll('[data-step]')) {
    const on = Number(b.dataset.step) === at;
    if (on) b.setAttribute('aria-current', 'step'); else b.removeAttribute('aria-current');
  }
  const bar = $('stepper');
  if (!bar.firstChild) {
    bar.append(
      h('button', { type: 'button', class: 'button', 'data-do': 'first', 'aria-label': t('step.first'), onclick: () => go(0) }, '«'),
      h('button', { type: 'button', class: 'button', 'data-do': 'back', onclick: () => go(at - 1) }, '‹ ', t('step.back')),
      h('output', { class: 'step-of' }),
      h('button', { type: 'button', class: 'button', 'data-do': 'on', onclick: () => go(at + 1) }, t('step.on'), ' ›'),
      h('button', { type: 'button', class: 'button', 'data-do': 'last', 'aria-label': t('step.last'), onclick: () => go(steps.length - 1) }, '»'));
  }
  bar.querySelector('output').textContent = `${at + 1} / ${steps.length}`;
  for (const [key, off2] of [['first', at === 0], ['back', at === 0], ['on', at === steps.length - 1], ['last', at === steps.length - 1]]) bar.querySelector(`[data-do="${key}"]`).disabled = off2;
}

function go(i) {
  at = Math.max(0, Math.min(steps.length - 1, i));
  const url = new URL(location.href);
  url.hash = `shot-${steps[at].turn.seq}`;
  history.replaceState(null, '', url);
  drawStep();
}

async function load() {
  const follows = at === steps.length - 1; // whoever is at the newest shot stays there
  const [view, told2] = await Promise.all([get(`matches/${encodeURIComponent(code)}`), get(`matches/${encodeURIComponent(code)}/rounds`)]);
  match = view;
  ({ rounds } = told2);
  steps = rounds.flatMap((r, i) => r.turns.map((turn) => ({ turn, round: i })));
  const asked = /^#shot-(\d+)$/.exec(location.hash)?.[1];
  const i = steps.findIndex((x) => String(x.turn.seq) === asked);
  at = follows && shown ? steps.length - 1 : i >= 0 ? i : Math.min(at, Math.max(0, steps.length - 1));
  document.title = `${match.sides.map((s) => s.name).join(' – ')} – Crokcam`;
  $('title').textContent = match.sides.map((s) => s.name || s.side).join(' – ');
  $('sub').replaceChildren(`${where(match)} · ${waits(match, player)} · ${match.sides.map((s) => s.points).join(' – ')} `, h('span', { class: 'tag' }, match.code ?? ''), ' ',
    ...(match.board && match.phase !== 'over' ? [h('a', { class: 'button small', href: to(`boards/${encodeURIComponent(match.board)}`) }, t('nav.live')), ' '] : []),
    h('a', { class: 'button small', href: address(`matches/${match.match}/export`, { format: 'json', pictures: true }).href, download: true }, t('match.export')), ' ',
    h('button', { type: 'button', class: 'button small danger organisers', 'data-do': 'delete', onclick: (e) => remove(e.currentTarget) }, t('match.delete')));
  drawFaults($('faults'), match);
  drawRounds();
  drawList();
  drawStep();
}

// remove takes the match and its pictures away for good, once that is confirmed.
function remove(button) {
  ask(t('match.delete'), [h('p', {}, t('match.delete.why'))], t('match.delete'),
    () => run(button, () => request('DELETE', `matches/${match.match}`), () => location.assign(to('matches'))));
}

shell('match', {});
document.addEventListener('keydown', (e) => {
  if (e.target.closest('input, select, textarea') || e.altKey || e.ctrlKey || e.metaKey || !steps.length) return;
  if (e.key === 'ArrowLeft') go(at - 1);
  if (e.key === 'ArrowRight') go(at + 1);
});
Promise.all([verdicts.load(), get(`matches/${encodeURIComponent(code)}`)]).then(async ([, m]) => {
  await load();
  await drawStats($('players'), { match: m.match });
  let pending = false;
  // A match in play goes on here as well.
  if (m.phase !== 'over') listen({ matches: [m.match], types: ['match.changed'], snapshot: false }, { hear: async () => {
    if (pending) return;
    pending = true;
    await load().catch(explain);
    pending = false;
  } });
}).catch(explain);
