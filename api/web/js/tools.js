// What people may say of the match as a whole: undo, pause, the count, the end.

import { SEATS } from './board.js';
import { address, to } from './client.js';
import { h } from './names.js';
import { ask, choice, field, post, request, run } from './shell.js';
import { t } from './words.js';

const number = (form, name) => Number(form.get(name) || 0);

// bySide reads a form's figures of all sides.
const bySide = (form, name, sides) => Object.fromEntries(sides.map((s) => [s.side, number(form, `${name}-${s.side}`)]));

// latest is the version of the match as it is shown.
let latest;

export function drawTools(box, n) {
  const m = n.match;
  latest = m?.version;
  const key = JSON.stringify([m?.match, m?.phase, m?.paused, m?.desynced, m?.undo, m?.redo, m?.next, m?.sides.map((s) => [s.name, s.round.points, s.round.twenties]), Boolean(n.status), n.status?.camera.connected, n.board.match]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const focused = box.contains(document.activeElement) && document.activeElement.dataset.do;
  box.replaceChildren(...(m ? playing(n, m) : [h('a', { class: 'button primary', href: to(`setup?board=${encodeURIComponent(n.id)}`) }, t('match.new'))]));
  if (focused) box.querySelector(`[data-do="${focused}"]`)?.focus();
}

// seen makes a request hold only for what its sender has seen.
const seen = () => ({ expect: latest });

function playing(n, m) {
  const at = `matches/${m.match}`;
  const board = `boards/${encodeURIComponent(n.id)}`;
  const press = (key, text, action, attributes = {}) => h('button', { type: 'button', class: 'button', 'data-do': key, onclick: (e) => run(e.currentTarget, action), ...attributes }, text);
  const form = (key, text, title, fields, action, send) => h('button', {
    type: 'button', class: 'button', 'data-do': key, onclick: (e) => { const b = e.currentTarget; ask(title, fields(), action, (entered) => run(b, () => send(entered))); },
  }, text);
  const over = m.phase === 'over';
  const sides = m.sides;
  const seats = sides.flatMap((s) => s.players).sort((a, b) => SEATS.indexOf(a.seat) - SEATS.indexOf(b.seat));

  const first = [];
  if (m.phase === 'counting') {
    const totals = Object.fromEntries(sides.map((s) => [s.side, s.round.points])), twenties = Object.fromEntries(sides.map((s) => [s.side, s.round.twenties]));
    first.push(h('p', { class: 'soft whole' }, t('agree.why')), press('agree', t('agree'), () => post(`${at}/rounds/agree`, { totals, twenties }), { class: 'button primary whole' }));
  }
  if (m.phase === 'between' && !m.paused) first.push(press('start', t('round.start'), () => post(`${at}/rounds/start`, {}, seen()), { class: 'button primary whole' }));
  if (m.phase === 'shootout') {
    first.push(form('shootout', t('phase.shootout'), t('phase.shootout'), () => sides.map((s) => field(t('shootout.hits', { name: s.name }), { name: `hits-${s.side}`, type: 'number', min: 0, max: 99, value: 0, inputmode: 'numeric' })), t('send'),
      (f) => post(`${at}/shootouts`, { hits: bySide(f, 'hits', sides) }, seen())));
  }
  if (over) first.push(h('a', { class: 'button primary whole', href: to(`setup?board=${encodeURIComponent(n.id)}`) }, t('match.new')));

  const accept = n.status ? form('accept', t('accept'), t('accept'), () => [h('p', {}, t('accept.why')),
    choice(t('accept.next'), { name: 'next' }, [['', t('accept.worked')], ...seats.map((p) => [p.seat, p.name])])], t('accept.do'),
  (f) => post(`${board}/accept`, f.get('next') ? { next: f.get('next') } : {})) : '';

  return [
    ...first,
    press('undo', t('undo'), () => post(`${at}/undo`, {}, seen()), { disabled: !m.undo }),
    press('redo', t('redo'), () => post(`${at}/redo`, {}, seen()), { disabled: !m.redo }),
    m.paused ? press('resume', t('resume'), () => (n.status ? post(`${board}/resume`) : post(`${at}/resume`)), { class: 'button primary' })
      : press('pause', t('pause'), () => (n.status ? post(`${board}/pause`) : post(`${at}/pause`)), { disabled: over }),
    over ? '' : accept,
    h('details', { class: 'fold whole' }, h('summary', {}, t('more')), h('div', { class: 'buttons' },
      ...(m.phase === 'shooting' ? m.next.map((seat) => press(`forfeit-${seat}`, `${t('forfeit')}: ${n.player(seat)}`, () => post(`${at}/forfeits`, { seat }, seen()))) : []),
      ...(over ? [] : [
        form('enter', t('round.enter'), t('round.enter'), () => sides.flatMap((s) => [
          field(t('round.points', { name: s.name }), { name: `totals-${s.side}`, type: 'number', min: 0, max: 480, step: 5, value: s.round.points, inputmode: 'numeric' }),
          field(t('correct.twenties', { name: s.name }), { name: `twenties-${s.side}`, type: 'number', min: 0, max: 24, value: s.round.twenties, inputmode: 'numeric' })]), t('send'),
        (f) => post(`${at}/rounds`, { totals: bySide(f, 'totals', sides), twenties: bySide(f, 'twenties', sides) }, seen())),
        press('time', t('time.end'), () => post(`${at}/time`, {}, seen())),
        form('close', t('match.close'), t('match.close'), () => [
          choice(t('match.close.winner'), { name: 'winner' }, [['', t('nobody')], ...sides.map((s) => [s.side, s.name])]),
          field(t('match.close.why'), { name: 'reason', required: true, maxlength: 500 })], t('match.close'),
        (f) => post(`${at}/close`, { ...(f.get('winner') ? { winner: f.get('winner') } : {}), reason: f.get('reason') }, seen())),
      ]),
      form('note', t('note.add'), t('note.add'), () => [field(t('note.text'), { name: 'text', required: true, maxlength: 2000 })], t('send'), (f) => post(`${at}/notes`, { text: f.get('text') })),
      n.status && n.board.match ? press('off', t('match.off'), () => request('DELETE', `${board}/match`)) : '',
      h('a', { class: 'button', href: address(`${at}/export`, { format: 'json', pictures: true }).href, download: true }, t('match.export')))),
  ];
}
