// The last shot: its ruling with the reasons, and what was close.

import { address, to } from './client.js';
import { h } from './names.js';
import { number, t } from './words.js';
import * as verdicts from './verdicts.js';

// told is a turn in words: {ruling, text, reasons, close}.
export function told(turn, sides) {
  if (turn.kind !== 'shot') return { ruling: '', text: t(`turn.${turn.kind}`), reasons: [], close: [] };
  const v = turn.verdict;
  if (!v) return { ruling: '', text: t('phase.judging'), reasons: [], close: [] };
  return {
    ruling: turn.ruling, text: t(`ruling.${turn.ruling}`), reasons: verdicts.reasons(v, sides),
    close: (v.close ?? []).map((c) => verdicts.close(v, c, sides)),
  };
}

export function verdictBody(turn, n) {
  const w = told(turn, n.match.sides);
  const twenties = Object.entries(turn.verdict?.twenties ?? {}).filter(([, k]) => k > 0);
  return [
    turn.kind === 'shot' ? h('p', { class: 'whose' }, t('verdict.of', { number: number(turn.number ?? 0), name: n.player(turn.seat) }), turn.corrected ? h('span', { class: 'tag' }, t('verdict.corrected')) : '') : '',
    h('p', { class: `ruling ${w.ruling}` }, w.text),
    ...twenties.map(([side]) => h('p', { class: 'tag twenty' }, t('twenty.scored', { name: n.name(side) }))),
    h('ul', { class: 'reasons' },
      ...w.reasons.map((r) => h('li', {}, r.text, ' ', h('span', { class: 'rule' }, r.rule))),
      ...w.close.map((text) => h('li', { class: 'close' }, text))),
  ];
}

export function drawVerdict(box, body, n) {
  box.hidden = !n.match;
  if (!n.match) return;
  const last = n.match.last;
  const key = JSON.stringify([n.match.match, last?.seq, last?.ruling, last?.verdict, last?.corrected]);
  if (body.dataset.key === key) return; // what has not changed is not read out again
  body.dataset.key = key;
  if (!last) {
    body.replaceChildren(h('p', { class: 'soft' }, t('verdict.none')));
    return;
  }
  const code = encodeURIComponent(n.match.code ?? n.match.match);
  body.replaceChildren(...verdictBody(last, n),
    last.pictures?.after ? h('details', { class: 'fold' }, h('summary', {}, t('picture.after')),
      h('img', { class: 'shot', loading: 'lazy', alt: t('picture.after'), src: address(`matches/${n.match.match}/shots/${last.seq}/pictures/after`).href })) : '',
    h('a', { class: 'all', href: to(`matches/${code}`) }, t('verdict.all')));
}
