// The score: a card for each side, and in one line what the match waits for.

import { swatch } from './board.js';
import { h } from './names.js';
import { t } from './words.js';

// waits says what a match waits for.
export function waits(match, player) {
  if (match.phase === 'over') return match.winner ? t('winner', { name: match.sides.find((s) => s.side === match.winner)?.name ?? match.winner }) : t('phase.over');
  if (match.paused) return t('phase.paused');
  if (match.desynced) return t('phase.desynced');
  return t(`phase.${match.phase}`, { name: match.next.map(player).join(' / ') });
}

// where is the place in the match: game and round.
export function where(match) {
  const many = match.games.length > 0 || match.game > 1;
  return [match.title, many ? t('game', { n: match.game }) : '', t('round', { n: match.round })].filter(Boolean).join(' · ');
}

export function drawState(box, n) {
  const line = n.match ? waits(n.match, n.player) : t('nomatch');
  const place = n.match ? where(n.match) : n.board.name;
  if (box.dataset.says === line + place) return;
  box.dataset.says = line + place;
  box.classList.toggle('halted', Boolean(n.match && (n.match.paused || n.match.desynced)));
  box.replaceChildren(h('p', { class: 'place' }, n.match ? `${n.board.name} · ${place}` : place), h('p', { class: 'waits' }, line));
}

// pips are the discs not yet shot.
const pips = (left) => h('span', { class: 'pips', 'aria-hidden': 'true' }, ...Array.from({ length: left }, () => h('i', {})));

export function drawCards(box, n) {
  if (!n.match) {
    box.replaceChildren();
    return;
  }
  const { match } = n;
  box.style.setProperty('--sides', match.sides.length);
  box.replaceChildren(...match.sides.map((side) => {
    const seats = side.players.map((p) => p.seat);
    const turn = match.phase === 'shooting' && !match.paused && match.next.some((s) => seats.includes(s));
    const hammer = match.hammer && seats.includes(match.hammer);
    const playing = !['between', 'over', 'shootout'].includes(match.phase);
    return h('article', { class: `card ${turn ? 'turn' : ''} ${match.winner === side.side ? 'won' : ''}`, 'data-side': side.side, '--disc': n.colour(side.side) },
      h('header', {}, swatch(n.colour(side.side)), h('h3', { class: 'name' }, n.name(side.side)), hammer ? h('span', { class: 'tag', title: t('hammer') }, t('hammer')) : ''),
      h('p', { class: 'points' }, String(side.points), match.games.length || match.game > 1 ? h('span', { class: 'won-games', title: t('games') }, String(side.games)) : ''),
      h('dl', { class: 'figures' },
        h('div', {}, h('dt', {}, t('thisround')), h('dd', { class: 'round-points' }, String(side.round.points))),
        h('div', {}, h('dt', {}, t('twenties')), h('dd', { class: 'twenties' }, String(side.round.twenties)))),
      playing ? h('p', { class: 'left' }, pips(side.round.left), h('span', {}, t('left', { n: side.round.left }))) : '');
  }));
}
