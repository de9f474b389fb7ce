// All boards of a club night on one page.

import { Board, colourOf, coloursSeen, swatch } from './board.js';
import { to } from './client.js';
import { follow } from './feed.js';
import { h } from './names.js';
import { waits, where } from './score.js';
import { condition } from './status.js';
import { connection, shell } from './shell.js';
import { t } from './words.js';

const $ = (id) => document.getElementById(id);
const drawn = new Map(); // by board: its list item, its drawing, what it shows

function table(b, match) {
  let d = drawn.get(b.id);
  if (!d) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', 'b-board');
    svg.setAttribute('aria-hidden', 'true');
    const words = h('div', { class: 'words' });
    const li = h('li', { class: 'panel at', 'data-board': b.id }, h('div', { class: 'small-wood' }, svg), words);
    d = { li, words, board: new Board(svg), key: '', of: undefined, colours: {} };
    drawn.set(b.id, d);
  }
  if (d.of !== match?.match) Object.assign(d, { of: match?.match, colours: {} });
  const seen = coloursSeen(b.status, d.colours);
  const colour = (side) => colourOf(match?.sides.find((s) => s.side === side) ?? { side }, seen);
  d.board.use(match?.spec);
  d.board.show(match?.discs ?? (b.status?.discs ?? []).map((x, i) => ({ ...x, id: i })), { colour: (side, x) => (side ? colour(side) : x.colour ?? '#999999') });
  const c = condition(b);
  const asks = match?.questions.length ?? 0;
  const key = JSON.stringify([b.name, c, match?.match, match?.version]);
  if (d.key === key) return d.li;
  d.key = key;
  const player = (seat) => match.sides.flatMap((s) => s.players).find((p) => p.seat === seat)?.name ?? seat;
  const trouble = c.level === 'fault' || c.level === 'off' || asks || match?.paused || match?.desynced;
  d.li.classList.toggle('trouble', Boolean(trouble && (match || c.level !== 'off')));
  d.li.classList.toggle('ended', match?.phase === 'over');
  d.words.replaceChildren(
    h('h2', {}, h('a', { class: 'whole-link', href: to(`boards/${encodeURIComponent(b.id)}`) }, b.name)),
    h('p', { class: 'place' }, match ? where(match) : t('nomatch')),
    ...(match ? [
      h('dl', { class: 'sums' }, ...match.sides.map((s) => h('div', { class: match.winner === s.side ? 'won' : '' },
        h('dt', {}, swatch(colour(s.side)), s.name || t('side', { side: s.side })),
        h('dd', {}, h('strong', {}, String(s.points)), h('span', { class: 'soft' }, match.phase === 'over' ? '' : ` ${s.round.points}`), s.round.twenties ? h('span', { class: 'tag' }, `20 × ${s.round.twenties}`) : '')))),
      h('p', { class: 'waits' }, waits(match, player))] : []),
    asks ? h('p', { class: 'tag ask-tag' }, t('hall.asks', { n: asks })) : '',
    c.level === 'good' || c.level === 'note' ? '' : h('p', { class: `condition ${c.level}` }, h('span', { class: 'lamp', 'aria-hidden': 'true' }), c.text));
  return d.li;
}

function draw(world) {
  connection(world);
  if (!world.known) return;
  const boards = world.all().sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  $('none').hidden = boards.length > 0;
  if (!boards.length && !$('none').firstChild) {
    $('none').append(h('p', {}, t('hall.none')), h('a', { class: 'button primary', href: to('setup') }, t('setup.title')));
  }
  const playing = boards.filter((b) => world.matchOn(b.id) && world.matchOn(b.id).phase !== 'over').length;
  $('total').textContent = boards.length ? t('hall.playing', { n: playing }) : '';
  const items = boards.map((b) => table(b, world.matchOn(b.id)));
  const now = [...$('boards').children];
  if (items.length !== now.length || items.some((li, i) => li !== now[i])) $('boards').replaceChildren(...items);
  for (const id of drawn.keys()) if (!boards.some((b) => b.id === id)) drawn.delete(id);
}

shell('boards', { title: t('nav.boards') });
follow({}, draw);
