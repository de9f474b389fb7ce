// The camera over a board in one line, with what could be better, and its picture
// when it is asked for.

import { address } from './client.js';
import { h } from './names.js';
import { number, t, told } from './words.js';

// overdue is why what a board does lasts longer than it should, "" while it does not.
export const overdue = (s) => (s.overdue ? told(`overdue.${s.state}`, s.overdue) : '');

// condition is how a board's camera fares: {level: good|note|warning|fault|off, text}.
export function condition(board) {
  const s = board.status;
  if (!s) return { level: 'off', text: t(board.absent ? 'camera.absent' : 'camera.off') };
  if (s.failure) return { level: 'fault', text: t('camera.failure', { why: s.failure }) };
  if (!s.camera.connected) return s.camera.code || s.camera.sessions ? { level: 'fault', text: t('camera.lost', { why: told(`advice.camera_${s.camera.code}`, s.camera.reason || s.camera.code || '–') }) } : { level: 'warning', text: t('camera.waiting') };
  if (!s.calibration) return { level: s.overdue ? 'fault' : 'warning', text: overdue(s) || t('camera.calibrating') };
  const worst = s.advice.find((a) => a.level === 'fault') ?? s.advice.find((a) => a.level === 'warning');
  return { level: worst?.level ?? 'good', text: t('camera.good') };
}

// differences are how board and match differ, in words.
export function differences(d) {
  if (!d) return [];
  return ['missing', 'extra', 'stays'].filter((k) => d[k]?.length).map((k) => t(`differs.${k}`, { n: d[k].length }));
}

export function advice(list) {
  return h('ul', { class: 'advice' }, ...list.map((a) => h('li', { class: a.level, 'data-code': a.code }, told(`advice.${a.code}`, a.text, a.values))));
}

export function drawCamera(box, n) {
  const s = n.status;
  const c = condition(n.board);
  const lines = [];
  if (s?.waiting) lines.push(t('camera.waits', { n: s.waiting }));
  if (s?.held) lines.push(t('camera.held'));
  if (s?.overdue && s.calibration) lines.push(overdue(s));
  const differs = differences(s?.differs);
  const key = JSON.stringify([c, lines, differs, s?.state, s?.advice, Math.round(s?.camera.fps ?? 0)]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  let show = box.querySelector('details');
  if (!show) {
    const img = h('img', { class: 'shot', alt: t('camera.picture') });
    show = h('details', { class: 'fold' }, h('summary', {}, t('camera.picture')), img);
    // The stream runs only while somebody looks.
    show.addEventListener('toggle', () => {
      if (show.open) img.src = address(`boards/${encodeURIComponent(n.id)}/stream.mjpeg`, { view: 'annotated', fps: 5 }).href;
      else img.removeAttribute('src');
    });
  }
  show.hidden = !s;
  box.replaceChildren(
    h('p', { class: `condition ${c.level}` }, h('span', { class: 'lamp', 'aria-hidden': 'true' }), c.text,
      s?.camera.connected ? h('span', { class: 'soft' }, ` · ${t(`state.${s.state}`)} · ${t('camera.fps', { n: number(Math.round(s.camera.fps)) })}`) : ''),
    ...(differs.length ? [h('p', { class: 'differs' }, h('strong', {}, t('differs')), ' ', differs.join(' '), ' ', t('differs.what'))] : []),
    ...lines.map((text) => h('p', {}, text)),
    ...(s?.advice.length ? [advice(s.advice)] : []), show);
}
