// Questions that the match has: each with the place enlarged and a button for
// each answer.

import { picture, enlarge } from './camera.js';
import { get, post } from './client.js';
import { h } from './names.js';
import { run } from './shell.js';
import { t } from './words.js';
import * as verdicts from './verdicts.js';

const ORDER = ['out', '5', '10', '15', '20'];

// pictures of shots, by match and shot, as promises: each is fetched once.
const pictures = new Map();

function after(match, turn) {
  const key = `matches/${match}/shots/${turn}/pictures/after`;
  if (!pictures.has(key)) pictures.set(key, picture(key));
  return pictures.get(key);
}

const turns = new Map();

// turnOf is the shot that a question is about, with its verdict.
function turnOf(match, seq) {
  if (match.last?.seq === seq) return Promise.resolve(match.last);
  const key = `${match.match} ${seq} ${match.version}`;
  if (!turns.has(key)) turns.set(key, get(`matches/${match.match}/shots/${seq}`).then((a) => a.shot, () => null));
  return turns.get(key);
}

// places are what a question is about, mm.
function placesOf(q, turn, match) {
  if (q.about === 'twenty') return [[0, 0]];
  const known = new Map([...(turn?.removed ?? []), ...(turn?.discs ?? []), ...match.discs].map((d) => [String(d.id), d]));
  const named = (q.discs ?? []).map((id) => known.get(String(id))).filter(Boolean).map((d) => [d.x_mm, d.y_mm]);
  if (named.length || q.about !== 'doubt') return named;
  const doubt = turn?.verdict?.doubts?.[q.doubt ?? 0];
  return (doubt?.discs ?? []).map((i) => turn.verdict.outcomes[i]).filter((o) => o && o.after >= 0).map((o) => [o.x_mm, o.y_mm]);
}

// wording is a question in words with its answers: {text, hint, answers: [{key, big, text}]}.
export function wording(q, turn, n) {
  const { sides } = n.match;
  switch (q.about) {
    case 'close': {
      const zones = q.choices.map((c) => c.key).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      return { text: t('ask.close'), hint: t('ask.close.hint'), answers: zones.map((key, i) => ({ key, big: key === 'out' ? '0' : key, text: t(i === 0 ? 'answer.touches' : 'answer.clear') })) };
    }
    case 'twenty':
      return { text: t('ask.twenty'), hint: '', answers: q.choices.map(({ key }) => ({ key, big: key === 'yes' ? '20' : '–', text: t(key) })) };
    case 'shooter':
      return { text: t('ask.shooter'), hint: '', answers: q.choices.map(({ key }) => ({ key, text: n.player(key) })) };
    case 'removal': {
      const gone = q.choices.some((c) => c.key === 'put_back');
      return { text: t(gone ? 'ask.removal.gone' : 'ask.removal.stays'), hint: '', answers: q.choices.map(({ key }) => ({ key, text: t(`answer.${key}`) })) };
    }
    case 'doubt': {
      const doubt = turn?.verdict?.doubts?.[q.doubt ?? 0];
      const effect = (key) => doubt?.answers?.find((a) => a.key === key);
      return {
        text: doubt && q.choices.some((c) => c.key === 'yes') ? verdicts.question(turn.verdict, doubt, sides) : t('ask.doubt'), hint: '',
        answers: q.choices.map(({ key }) => ({ key, big: ['yes', 'no'].includes(key) ? t(key) : '', text: effect(key) ? verdicts.effect(turn.verdict, effect(key), sides) : t(`answer.${key}`) })),
      };
    }
    default:
      return { text: t('ask.board'), hint: '', answers: q.choices.map(({ key }) => ({ key, text: key })) };
  }
}

function look(q, turn, n) {
  const canvas = h('canvas', {});
  const frame = h('button', { type: 'button', class: 'cut', 'aria-pressed': 'true', 'aria-label': t('picture.near'), title: t('picture.marks') }, canvas);
  const image = h('img', { class: 'shot', alt: t('picture.after'), hidden: true });
  after(n.match.match, q.turn).then((pic) => {
    const places = placesOf(q, turn, n.match);
    if (!pic) {
      frame.hidden = true;
    } else if (!n.calibration || places.length === 0) {
      frame.hidden = true;
      image.hidden = false;
      image.src = pic.src;
    } else {
      const middle = [0, 1].map((k) => places.reduce((sum, p) => sum + p[k] / places.length, 0));
      const reach = Math.max(...places.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1])));
      // At a line the place is where the disc comes nearest to it.
      const r = Math.hypot(...middle) || 1;
      const at = q.about === 'close' ? middle.map((x) => x * (1 + n.calibration.board.disc.radius * 0.6 / r)) : middle;
      const span = q.about === 'close' ? 50 : Math.max(90, 2.6 * reach + 60);
      // The marks cover what they point at: a tap takes them away.
      const draw = (marks) => enlarge(canvas, pic, n.calibration, at, { span, marks, discs: places });
      draw(true);
      frame.addEventListener('click', () => {
        const marks = frame.getAttribute('aria-pressed') !== 'true';
        frame.setAttribute('aria-pressed', String(marks));
        draw(marks);
      });
    }
  });
  return h('div', { class: 'look' }, frame, image);
}

export async function drawAsks(box, list, n) {
  const open = n.match?.questions ?? [];
  const key = JSON.stringify([n.match?.match, open, Boolean(n.calibration)]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const items = await Promise.all(open.map(async (q) => {
    const turn = await turnOf(n.match, q.turn);
    const w = wording(q, turn, n);
    return h('li', { class: 'ask', 'data-question': q.seq },
      look(q, turn, n),
      h('div', { class: 'words' },
        h('p', { class: 'question' }, w.text),
        w.hint ? h('p', { class: 'fine' }, w.hint) : '',
        h('div', { class: 'answers' }, ...w.answers.map((a) => h('button', {
          type: 'button', class: 'answer', 'data-choice': a.key,
          onclick: (e) => run(e.currentTarget, () => post(`matches/${n.match.match}/questions/${q.seq}/answer`, { choice: a.key })),
        }, a.big ? h('strong', {}, a.big) : '', h('span', {}, a.text)))),
        h('p', { class: 'fine' }, t(q.blocking ? 'ask.holds' : 'ask.offer'))));
  }));
  if (box.dataset.key !== key) return; // another came meanwhile
  box.hidden = items.length === 0;
  box.classList.toggle('holds', open.some((q) => q.blocking));
  list.replaceChildren(...items);
}
