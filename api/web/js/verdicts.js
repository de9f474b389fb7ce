// Verdicts as sentences, from the same catalogues as everywhere in the program.

import { base } from './client.js';
import { language, number } from './words.js';

let texts = {};

// load gets the sentences of the page's language.
export async function load() {
  const answer = await fetch(new URL(`words/${language}.json`, base));
  if (answer.ok) texts = await answer.json();
}

// say fills a sentence's places %[1]s, %[2]s…
const say = (key, ...args) => (texts[key] ?? key).replace(/%\[(\d)\]s/g, (_, n) => args[n - 1] ?? '');

// clock is the direction of a place as an hour, twelve being away from south.
const clock = ({ x_mm, y_mm }) => String(((Math.round(Math.atan2(x_mm, y_mm) / (Math.PI / 6)) + 23) % 12) + 1);

function place(o) {
  if (o.rest === 'leaning') return say('place.leaning');
  if (o.line === '5') return say('place.start', clock(o));
  if (o.line !== 'out') return say('place.line', o.line, clock(o));
  return o.lies === 'out' ? say('place.out', clock(o)) : say('place.zone', o.lies, clock(o));
}

// disc names the i-th disc of a verdict as players would. sides are those of the
// match's view.
function disc(verdict, i, sides) {
  const o = verdict.outcomes?.[i];
  if (!o) return '?';
  const side = sides.find((x) => x.side === o.side);
  const suffix = o.before < 0 ? '_shot' : '';
  const name = side?.colour ? say(`disc.coloured${suffix}`, texts[`colour.${side.colour}`] ?? side.colour) : say(`disc.side${suffix}`, side?.name || o.side);
  return (o.after < 0 && o.before < 0) || o.rest === 'hole' ? name : say('disc.placed', name, place(o));
}

function discs(verdict, list, sides) {
  return list.map((i) => disc(verdict, i, sides)).reduce((all, one, k) => (k === 0 ? one : say(k === list.length - 1 ? 'list.and' : 'list.comma', all, one)), '');
}

// reasons are why a verdict is as it is, each {rule, text}.
export function reasons(verdict, sides) {
  return (verdict.reasons ?? []).map((r) => ({ rule: r.rule, text: say(r.key, ...[r.disc, r.other].filter((i) => i >= 0).map((i) => disc(verdict, i, sides))) }));
}

// question is what to ask about one of a verdict's doubts.
export function question(verdict, doubt, sides) {
  return say(`doubt.${doubt.kind}`, discs(verdict, doubt.discs ?? [], sides));
}

// effect is what an answer to a doubt would mean: "good shot; to the ditch: …".
export function effect(verdict, answer, sides) {
  const parts = [say(`effect.${answer.ruling}`)];
  const which = (holds) => (answer.outcomes ?? []).flatMap((o, i) => (holds(o) ? [i] : []));
  for (const [key, list] of [['removed', which((o) => o.fate === 'ditch')], ['twenty', which((o) => o.fate === 'twenty')], ['restored', which((o) => o.restored && o.fate !== 'ditch' && o.fate !== 'twenty')]]) {
    if (list.length) parts.push(say(`effect.${key}`, discs(verdict, list, sides)));
  }
  return parts.join('; ');
}

export const close = (verdict, c, sides) => say('close.call', disc(verdict, c.disc, sides), number(Math.abs(c.gap_mm), 1), c.zone, c.other);
