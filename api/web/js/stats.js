// What players did: rates with how sure they are, zones, and where their discs
// came to rest.

import { Board, s } from './board.js';
import { get } from './client.js';
import { h } from './names.js';
import { percent, t, zone } from './words.js';

const ZONES = ['20', '15', '10', '5', 'out'];

// share is a rate with its interval, as a bar.
function share(name, x) {
  if (!x.of) return h('div', { class: 'share' }, h('dt', {}, name), h('dd', { class: 'soft' }, '–'));
  return h('div', { class: 'share' }, h('dt', {}, name),
    h('dd', {}, h('strong', {}, percent(x.rate)), h('span', { class: 'soft' }, ` ${x.count} / ${x.of}`)),
    h('dd', { class: 'bar-of', title: t('stats.between', { low: percent(x.low), high: percent(x.high) }), '--from': `${100 * x.low}%`, '--to': `${100 * x.high}%`, '--at': `${100 * x.rate}%` },
      h('i', {}), h('b', {}), h('span', { class: 'away' }, t('stats.between', { low: percent(x.low), high: percent(x.high) }))));
}

// heatMap draws where shot discs came to rest, the player's own seat below.
function heatMap(heat, name) {
  const svg = s('svg', { class: 'b-board heat', role: 'img', 'aria-label': t('stats.heat', { name }) });
  const board = new Board(svg, { spec: heat.spec, ditch: false });
  const most = Math.max(1, ...heat.bins);
  const half = (heat.side * heat.bin_mm) / 2;
  heat.bins.forEach((n, i) => {
    if (!n) return;
    const x = (i % heat.side) * heat.bin_mm - half, y = Math.floor(i / heat.side) * heat.bin_mm - half;
    board.over.append(s('rect', { class: 'bin', x, y: -y - heat.bin_mm, width: heat.bin_mm, height: heat.bin_mm, rx: 6, 'fill-opacity': (0.18 + 0.77 * Math.sqrt(n / most)).toFixed(2) }));
  });
  return svg;
}

function zones(rests) {
  const all = ZONES.reduce((sum, z) => sum + (rests[z] ?? 0), 0);
  return h('table', { class: 'zones' }, h('caption', {}, t('stats.rests')),
    h('tbody', {}, ...ZONES.map((z) => h('tr', {}, h('th', { scope: 'row' }, zone(z)),
      h('td', { class: 'meter', '--share': `${all ? (100 * (rests[z] ?? 0)) / all : 0}%` }, h('span', { 'aria-hidden': 'true' })), h('td', { class: 'num' }, String(rests[z] ?? 0))))));
}

// drawStats shows the players of some matches, or of all.
export async function drawStats(box, query) {
  const { players } = await get('statistics', query);
  const played = players.filter((p) => p.shots > 0);
  box.replaceChildren(...(played.length ? [] : [h('p', { class: 'panel soft' }, t('stats.none'))]), ...played.map((p) => h('article', { class: 'panel player', 'data-player': p.name },
    h('h3', {}, p.name),
    h('p', { class: 'soft' }, [t('stats.matches', { n: p.matches }), t('stats.won', { n: p.won }), t('stats.shots', { n: p.shots }), t('stats.failed', { n: p.failed })].join(' · ')),
    h('div', { class: 'of-player' },
      h('div', {}, h('dl', { class: 'shares' }, share(t('stats.twenties'), p.twenties), share(t('stats.open'), p.open_twenties), share(t('stats.hits'), p.hits)), zones(p.rests)),
      h('figure', {}, heatMap(p.heat, p.name), h('figcaption', { class: 'soft' }, t('stats.heat.hint'), p.heat.mixed ? ` ${t('stats.heat.mixed')}` : ''))))));
}
