// The first step: which camera looks at which board.

import { get, post, request } from './client.js';
import { h } from './names.js';
import { choice, explain, field, run } from './shell.js';
import { t } from './words.js';

const DEMO = 'sim:?size=1280x720&hasty=1';

let drawn = null;

// chooseSource draws the form; opened is called with a board that is there.
export function chooseSource(box, board, opened) {
  const key = JSON.stringify(board && [board.id, board.version, board.open]);
  if (drawn === key) return;
  const first = drawn === null;
  drawn = key;
  if (board?.open) {
    box.replaceChildren(h('p', { class: 'done' }, h('strong', {}, board.name), h('span', { class: 'soft' }, ` · ${board.source}`)),
      board.fixed ? h('p', { class: 'soft' }, t('setup.fixed'))
        : h('details', { class: 'fold organise' }, h('summary', {}, t('setup.change')), change(board)));
    return;
  }
  if (board) {
    box.replaceChildren(h('p', {}, h('strong', {}, board.name), ` · ${board.source} · ${t('camera.off')}`),
      board.fixed ? '' : h('button', { type: 'button', class: 'button primary', 'data-do': 'on', onclick: (e) => run(e.currentTarget, () => edit(board, { open: true }), opened) }, t('camera.on')));
    return;
  }
  if (!first) return;
  const list = h('div', { class: 'picks', role: 'radiogroup', 'aria-label': t('setup.source') });
  const own = h('input', { name: 'own', autocomplete: 'off', spellcheck: 'false', placeholder: 'rtsp://', 'aria-label': t('setup.own'), maxlength: 2000 });
  const pick = (value, name, note, checked) => h('label', { class: 'pick-one' }, h('input', { type: 'radio', name: 'source', value, checked, required: true }), h('span', {}, h('strong', {}, name), note ? h('small', {}, note) : ''));
  own.addEventListener('input', () => { list.querySelector('[value=""]').checked = true; });
  const form = h('form', {
    class: 'stack', onsubmit: (e) => {
      e.preventDefault();
      const f = new FormData(form);
      const source = f.get('source') || own.value.trim();
      if (!source) {
        own.focus();
        return;
      }
      run(e.submitter, () => post('boards', { name: f.get('name').trim(), source, preset: f.get('preset'), open: true }), opened);
    },
  }, list, h('div', { class: 'fields' }, field(t('setup.name'), { name: 'name', required: true, maxlength: 100, value: t('setup.name.first') }), presets()),
  h('button', { class: 'button primary' }, t('setup.next')));
  box.replaceChildren(form);
  const rest = [pick('', t('setup.own'), t('setup.own.hint'), false), own, pick(DEMO, t('setup.demo'), t('setup.demo.hint'), false)];
  list.append(...rest);
  get('sources').then(({ sources }) => {
    list.replaceChildren(...sources.map((s, i) => pick(s.source, s.name, s.source, i === 0)), ...(sources.length ? [] : [h('p', { class: 'soft' }, t('setup.nocamera'))]), ...rest);
  }, explain);
}

function presets(now = 'auto') {
  const label = choice(t('setup.board'), { name: 'preset' }, [['auto', t('setup.board.auto'), now === 'auto']]);
  get('presets').then(({ boards }) => label.querySelector('select').append(...boards.map((b) => h('option', { value: b, selected: b === now }, b))), () => { /* measured always works */ });
  return label;
}

// edit changes a board as it was seen here.
const edit = (board, what) => request('PATCH', `boards/${encodeURIComponent(board.id)}`, { body: what, expect: board.version });

function change(board) {
  const form = h('form', {
    class: 'stack', onsubmit: (e) => {
      e.preventDefault();
      const f = new FormData(form);
      const what = { name: f.get('name').trim(), preset: f.get('preset'), size: f.get('size'), focus: f.get('focus'), exposure: f.get('exposure'), power_line: Number(f.get('power_line')) };
      if (f.get('source').trim()) what.source = f.get('source').trim();
      run(e.submitter, () => edit(board, what));
    },
  }, h('div', { class: 'fields' },
    field(t('setup.name'), { name: 'name', required: true, maxlength: 100, value: board.name }),
    field(t('setup.source.other'), { name: 'source', maxlength: 2000, placeholder: board.source }),
    presets(board.preset),
    field(t('setup.size'), { name: 'size', maxlength: 12, placeholder: '1280x720', value: board.size ?? '' }),
    field(t('setup.focus'), { name: 'focus', maxlength: 12, placeholder: 'auto, hold, 40', value: board.focus ?? '' }),
    field(t('setup.exposure'), { name: 'exposure', maxlength: 12, placeholder: 'auto, hold, 200', value: board.exposure ?? '' }),
    choice(t('setup.mains'), { name: 'power_line' }, [[0, '–', !board.power_line], [50, '50 Hz', board.power_line === 50], [60, '60 Hz', board.power_line === 60]])),
  h('div', { class: 'row' }, h('button', { class: 'button' }, t('save')),
    h('button', { type: 'button', class: 'button', onclick: (e) => run(e.currentTarget, () => edit(board, { open: false })) }, t('camera.switchoff'))));
  return form;
}
