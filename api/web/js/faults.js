// What does not fit any more since something earlier was corrected or undone:
// each with the way to where it can be looked at.

import { to } from './client.js';
import { h } from './names.js';
import { t, told } from './words.js';

export function drawFaults(box, match) {
  const faults = match?.problems ?? [];
  const key = JSON.stringify([match?.match, faults]);
  if (box.dataset.key === key) return; // what has not changed is not read out again
  box.dataset.key = key;
  box.hidden = !faults.length;
  const code = encodeURIComponent(match?.code ?? match?.match ?? '');
  box.replaceChildren(...(faults.length ? [h('h2', {}, t('faults')), h('ul', {}, ...faults.map((f) => h('li', { 'data-code': f.code },
    told(`faults.${f.code}`, f.text), ' ', h('a', { href: `${to(`matches/${code}`)}#shot-${f.seq}` }, t('faults.look')))))] : []));
}
