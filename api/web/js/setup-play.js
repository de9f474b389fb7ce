// The third step: who plays, and by which rules.

import { SEATS } from './board.js';
import { get, post, to } from './client.js';
import { h } from './names.js';
import { choice, explain, field, run } from './shell.js';
import { t } from './words.js';

// LAYOUTS are the seats that are taken, with the side of each.
const LAYOUTS = {
  '2p': { south: 'A', north: 'B' }, '4p': { south: 'A', west: 'B', north: 'A', east: 'B' }, '3p_2v1': { south: 'A', west: 'B', north: 'A' },
  '3p_ffa': { south: 'A', west: 'B', north: 'C' }, '4p_ffa': { south: 'A', west: 'B', north: 'C', east: 'D' },
};
const COLOURS = ['black', 'natural', 'white', 'red', 'blue', 'green', 'yellow', 'brown'];

// choosePlay draws the form, and gives what follows the board and its match.
export function choosePlay(box, id) {
  let profiles = [];
  const key = globalThis.crypto?.randomUUID?.() ?? `setup-${Date.now()}-${Math.random()}`;
  const profile = choice(t('play.rules'), { name: 'profile' }, []);
  const layout = choice(t('play.layout'), { name: 'layout' }, []);
  const people = h('div', { class: 'fields' });
  const colours = h('div', { class: 'fields' });
  const lead = choice(t('play.lead'), { name: 'lead' }, []);
  const state = h('div', {});
  const value = (label) => label.querySelector('select').value;
  const names = {};

  function drawPeople() {
    for (const i of people.querySelectorAll('input')) names[i.name] = i.value;
    const seats = LAYOUTS[value(layout)] ?? LAYOUTS['2p'];
    const taken = SEATS.filter((s) => seats[s]);
    people.replaceChildren(...taken.map((seat) => field(t('play.player', { seat: t(`seat.${seat}`) }), { name: `player-${seat}`, required: true, maxlength: 100, autocomplete: 'off', value: names[`player-${seat}`] ?? '' })));
    const sides = [...new Set(taken.map((s) => seats[s]))].sort();
    colours.replaceChildren(...sides.map((side) => choice(t('play.colour', { side: taken.filter((s) => seats[s] === side).map((s) => t(`seat.${s}`)).join(' & ') }), { name: `colour-${side}` },
      [['', t('play.colour.seen')], ...COLOURS.map((c) => [c, t(`colour.${c}`)])])));
    lead.querySelector('select').replaceChildren(...taken.map((s) => h('option', { value: s }, t(`seat.${s}`))));
  }

  function drawLayouts() {
    const p = profiles.find((x) => x.name === value(profile));
    const was = value(layout);
    layout.querySelector('select').replaceChildren(...Object.keys(LAYOUTS).filter((l) => p?.discs[l]).map((l) => h('option', { value: l, selected: l === was }, t(`layout.${l}`))));
    drawPeople();
  }

  const form = h('form', {
    class: 'stack', onsubmit: (e) => {
      e.preventDefault();
      const f = new FormData(form);
      const seats = LAYOUTS[f.get('layout')];
      const taken = SEATS.filter((s) => seats[s]);
      const sides = [...new Set(taken.map((s) => seats[s]))].filter((s) => f.get(`colour-${s}`)).map((side) => ({ side, colour: f.get(`colour-${side}`) }));
      const figure = (name) => (f.get(name) ? { [name]: Number(f.get(name)) } : {});
      run(e.submitter, () => post('matches', {
        board: id, profile: f.get('profile'), layout: f.get('layout'), lead: f.get('lead'),
        players: taken.map((seat) => ({ seat, name: f.get(`player-${seat}`).trim() })),
        ...(sides.length ? { sides } : {}), ...(f.get('title').trim() ? { title: f.get('title').trim() } : {}),
        ...figure('games'), ...figure('rounds'), ...figure('target'),
      }, { key }), () => location.assign(to(`boards/${encodeURIComponent(id)}`)));
    },
  },
  h('div', { class: 'fields' }, profile, layout), people, colours,
  h('div', { class: 'fields' }, lead, field(t('play.title'), { name: 'title', maxlength: 200 }), field(t('play.games'), { name: 'games', type: 'number', min: 1, max: 99, value: 1, inputmode: 'numeric' })),
  h('details', { class: 'fold' }, h('summary', {}, t('play.more')), h('div', { class: 'fields' },
    field(t('play.rounds'), { name: 'rounds', type: 'number', min: 1, max: 99, inputmode: 'numeric' }),
    field(t('play.target'), { name: 'target', type: 'number', min: 1, max: 1000, inputmode: 'numeric' }))),
  state,
  h('button', { class: 'button primary' }, t('play.start')));
  profile.addEventListener('change', drawLayouts);
  layout.addEventListener('change', drawPeople);
  box.replaceChildren(form);
  get('rules').then((book) => {
    ({ profiles } = book);
    profile.querySelector('select').append(...profiles.map((p) => h('option', { value: p.name, selected: p.name === 'nca' }, p.title)));
    drawLayouts();
  }, explain);

  return (board, match) => {
    const on = match && match.phase !== 'over';
    form.querySelector('.primary').disabled = Boolean(on);
    const says = on ? t('play.on') : board.status?.calibration ? '' : t('play.blind');
    if (state.dataset.says === says) return;
    state.dataset.says = says;
    state.replaceChildren(says ? h('p', { class: 'soft' }, says, ' ', on ? h('a', { href: to(`boards/${encodeURIComponent(id)}`) }, t('nav.live')) : '') : '');
  };
}
