// The panel beside the picture: totals, the selected disc, questions, facts.

import { ZONES } from './geometry.js';
import { totals } from './edits.js';
import { cutHole, cutOut } from './picture.js';
import { colourOf, gapText, h, lineOf, nameOf, zoneText } from './names.js';
import { number, percent, t } from './words.js';

const swatch = (side, size = '') => h('span', { class: `swatch ${size}`, '--disc': side.rgb, 'aria-hidden': 'true' });

// drawScore shows the totals, with a stepper for the 20s set aside; mini stays
// in view on a phone.
export function drawScore({ cards, mini, lead, spoken }, state, commit) {
  const sum = totals(state);
  mini.replaceChildren(...sum.sides.map((x) => h('span', {}, swatch(x), String(x.points))));
  const shown = new Map([...cards.children].map((c) => [c.dataset.side, c]));
  for (const side of sum.sides) {
    let card = shown.get(side.side);
    if (!card) {
      card = newCard(side);
      cards.append(card);
    }
    shown.delete(side.side);
    card.classList.toggle('leads', sum.leader?.side === side.side);
    card.querySelector('.swatch').style.setProperty('--disc', side.rgb);
    card.querySelector('.name').textContent = nameOf(side);
    card.querySelector('.points').textContent = side.points;
    card.querySelector('.count').textContent = `${t('photo.discs', { n: side.discs })} · ${side.twenties} × 20`;
    card.querySelector('output').textContent = side.aside;
    const [less, more] = card.querySelectorAll('.step');
    less.disabled = side.aside === 0;
    more.disabled = side.aside >= side.room;
    less.onclick = () => commit({ type: 'twenties', side: side.side, count: side.aside - 1 });
    more.onclick = () => commit({ type: 'twenties', side: side.side, count: side.aside + 1 });
  }
  for (const card of shown.values()) card.remove();
  cards.style.setProperty('--sides', sum.sides.length);
  lead.textContent = sum.leader ? t('photo.leads', { name: nameOf(sum.leader), lead: sum.lead }) : t(sum.sides.some((x) => x.points) ? 'photo.level' : 'photo.nopoints');
  const words = `${sum.sides.map((x) => `${nameOf(x)} ${x.points}`).join(', ')}. ${lead.textContent}.`;
  if (spoken.textContent !== words) spoken.textContent = words;
}

function newCard(side) {
  const name = nameOf(side);
  return h('article', { class: 'card', 'data-side': side.side },
    h('header', {}, swatch(side, 'large'), h('h2', { class: 'name' })),
    h('p', { class: 'points', 'aria-label': t('photo.points.of', { name }) }),
    h('p', { class: 'count' }),
    h('div', { class: 'stepper', role: 'group', 'aria-label': t('photo.aside.of', { name }) },
      h('button', { class: 'step', type: 'button', 'aria-label': t('photo.less', { name }) }, '−'),
      h('p', {}, h('output', {}, '0'), h('span', {}, t('photo.aside'))),
      h('button', { class: 'step', type: 'button', 'aria-label': t('photo.more', { name }) }, '+')));
}

// drawSelected shows what can be done with the selected disc.
export function drawSelected(box, state, id, hooks) {
  const disc = state?.discs.find((d) => d.id === id);
  box.hidden = !disc;
  if (!disc) {
    box.replaceChildren();
    return;
  }
  const held = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const chip = (key, pressed, label, act, ...inner) =>
    h('button', { type: 'button', class: 'chip', 'data-key': key, 'aria-pressed': String(pressed), 'aria-label': label, onclick: act }, ...inner);
  box.replaceChildren(
    h('div', { class: 'row' },
      h('p', { class: 'what' }, h('strong', {}, t('photo.points', { zone: zoneText(disc.zone) })), h('span', {}, gapText(disc, state.board))),
      h('button', { type: 'button', class: 'button small danger', 'data-key': 'remove', onclick: () => hooks.remove(disc.id) }, t('photo.remove')),
      h('button', { type: 'button', class: 'button small quiet', 'data-key': 'done', onclick: () => hooks.select(null) }, t('photo.finish'))),
    h('div', { class: 'row' },
      h('div', { class: 'chips', role: 'group', 'aria-label': t('photo.side') },
        ...state.sides.map((side) => chip(`side-${side.side}`, side.side === disc.side, nameOf(side), () => hooks.commit({ type: 'side', id: disc.id, side: side.side }), swatch(side), nameOf(side)))),
      h('div', { class: 'chips', role: 'group', 'aria-label': t('photo.value') },
        ...ZONES.toReversed().map((zone) => chip(`zone-${zone}`, zone === disc.zone, t('photo.points', { zone: zoneText(zone) }), () => hooks.commit({ type: 'value', id: disc.id, zone }), zoneText(zone))))));
  if (held) box.querySelector(`[data-key="${held}"]`)?.focus();
}

// drawAsks shows the questions. A question that is still open keeps its place
// on the page, so that nothing jumps under a finger.
export function drawAsks(section, list, asked, picture, state, hooks) {
  section.hidden = asked.length === 0;
  const shown = new Map([...list.children].map((li) => [li.dataset.id, li]));
  for (const ask of asked) {
    const key = `${ask.kind}-${ask.id}`;
    if (shown.delete(key)) continue;
    list.append(newAsk(key, ask, picture, state, hooks));
  }
  for (const li of shown.values()) li.remove();
}

function newAsk(key, ask, picture, state, hooks) {
  const side = state.sides.find((x) => x.side === ask.disc?.side) ?? { name: '', side: '', rgb: '#888888' };
  const canvas = h('canvas', { width: 1, height: 1 });
  let marks = true;
  const paint = () => (ask.kind === 'line' ? cutOut(canvas, picture, state, ask.disc, 320, marks) : cutHole(canvas, picture, state, 320, marks));
  const look = h('button', {
    type: 'button', class: 'cut', 'aria-label': t('photo.marks.hint'),
    onclick: () => { marks = !marks; paint(); },
  }, canvas);
  paint();

  const colour = colourOf(side) || nameOf(side);
  let question, answers;
  if (ask.kind === 'line') {
    const d = ask.disc;
    const [high, low] = [d.zone, d.other].sort((a, b) => ZONES.indexOf(b) - ZONES.indexOf(a));
    const leaning = d.lies === 'leaning';
    question = t(leaning ? 'photo.flat' : 'photo.touches', { colour, line: lineOf(high) });
    answers = [
      [low, t(leaning ? 'photo.flat.no' : 'answer.touches'), { type: 'value', id: d.id, zone: low }],
      [high, t(leaning ? 'photo.flat.yes' : 'answer.clear'), { type: 'value', id: d.id, zone: high }],
    ];
  } else if (ask.disc) {
    question = t('photo.hole.disc');
    answers = [['–', t('photo.hole.empty'), { type: 'delete', id: ask.disc.id }], ['20', t('yes'), { type: 'value', id: ask.disc.id, zone: '20' }]];
  } else {
    question = t('photo.hole');
    answers = [['–', t('photo.hole.empty'), { type: 'hole', side: null }], ...state.sides.map((x) => ['20', t('photo.hole.of', { colour: colourOf(x) || nameOf(x) }), { type: 'hole', side: x.side }, x])];
  }
  return h('li', { class: 'ask', 'data-id': key },
    look,
    h('div', { class: 'words' },
      h('p', { class: 'question' }, question),
      ask.kind === 'line' ? h('p', { class: 'fine' }, t('ask.close.hint')) : '',
      h('div', { class: 'answers' }, ...answers.map(([value, text, event, who]) =>
        h('button', { type: 'button', class: 'answer', onclick: () => hooks.answer(event, ask.id) },
          who ? swatch(who) : '', h('strong', {}, zoneText(value)), h('span', {}, text)))),
      ask.disc ? h('button', { type: 'button', class: 'link', onclick: () => hooks.show(ask.disc.id) }, t('photo.show')) : ''));
}

// drawList lists every disc in words.
export function drawList(box, state, select) {
  const names = new Map(state.sides.map((x) => [x.side, x]));
  box.replaceChildren(h('table', {},
    h('thead', {}, h('tr', {}, ...['disc', 'side', 'value', 'place'].map((key) => h('th', { scope: 'col' }, t(`photo.${key}`))))),
    h('tbody', {}, ...state.discs.map((d, i) => {
      const side = names.get(d.side) ?? { side: d.side, name: '', rgb: '#888888' };
      return h('tr', { class: d.close ? 'close' : null },
        h('td', {}, h('button', { type: 'button', class: 'link', 'aria-label': t('photo.select', { number: i + 1 }), onclick: () => select(d.id) }, String(i + 1))),
        h('td', {}, swatch(side), nameOf(side)), h('td', {}, zoneText(d.zone)), h('td', {}, gapText(d, state.board)));
    }))));
}

// drawFacts tells how the picture was read.
export function drawFacts(list, report) {
  const c = report.calibration;
  const facts = [
    [t('photo.board'), c.board],
    [t('photo.fit'), `${number(c.rms_mm, 2)} mm`],
    [t('photo.from'), t('photo.tilt', { degrees: Math.round(c.tilt_deg) })],
    [t('photo.seen'), c.coverage ? percent(c.coverage) : ''],
    [t('photo.lens'), ['picture', 'exif', 'prior'].includes(c.focal_source) ? t(`photo.lens.${c.focal_source}`) : ''],
    [t('photo.ditch'), String(report.ditch ?? 0)],
    [t('photo.picture'), `${report.image.width} × ${report.image.height}`],
  ];
  list.replaceChildren(...facts.filter(([, v]) => v).flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]));
}

