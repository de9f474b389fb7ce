// The matches that were played, and what their players did.

import { get, to } from './client.js';
import { h } from './names.js';
import { explain, shell } from './shell.js';
import { drawStats } from './stats.js';
import { day, t } from './words.js';

const $ = (id) => document.getElementById(id);
let next = '';

function row(m) {
  const s = m.summary;
  const names = s.sides.map((x) => x.name || t('side', { side: x.side })).join(' – ');
  const many = s.sides.some((x) => x.games > 0) && s.game > 1;
  return h('tr', { 'data-match': m.code },
    h('td', {}, h('a', { href: to(`matches/${encodeURIComponent(m.code)}`) }, names), m.title ? h('span', { class: 'soft' }, ` · ${m.title}`) : ''),
    h('td', { class: 'num' }, h('strong', {}, s.sides.map((x) => (many ? x.games : x.points)).join(' – '))),
    h('td', {}, s.phase === 'over' ? (s.winner ? t('winner', { name: s.sides.find((x) => x.side === s.winner)?.name ?? s.winner }) : t(s.closed ? 'matches.closed' : 'drawn')) : h('span', { class: 'tag' }, t('matches.playing'))),
    h('td', { class: 'soft' }, day(m.started)), h('td', { class: 'soft' }, m.code));
}

async function more() {
  const page = await get('matches', { cursor: next, limit: 50 });
  let body = $('matches').querySelector('tbody');
  if (!body) {
    if (page.matches.length === 0) {
      $('matches').replaceChildren(h('p', { class: 'soft' }, t('matches.none')));
      return;
    }
    body = h('tbody', {});
    $('matches').replaceChildren(h('table', { class: 'wide' }, h('thead', {}, h('tr', {}, ...['matches.who', 'score', 'matches.result', 'matches.when', 'matches.code'].map((k) => h('th', { scope: 'col' }, t(k))))), body));
  }
  body.append(...page.matches.map(row));
  ({ next } = page);
  $('older').hidden = !next;
}

shell('matches', { title: t('nav.matches') });
$('matches').setAttribute('tabindex', '0');
$('matches').setAttribute('role', 'region');
$('matches').setAttribute('aria-label', t('matches.list'));
$('older').addEventListener('click', () => more().catch(explain));
more().catch(explain);
drawStats($('players'), {}).catch(explain);
