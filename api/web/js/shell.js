// What all pages of a club night have in common: where one is, the language,
// whether the service is there, signing in, and what to say when it refuses.

import { Refused, get, post, request, to } from './client.js';
import { h } from './names.js';
import { languages, t, translate } from './words.js';

const $ = (id) => document.getElementById(id);

// parts are the words of the page's address under the service, such as
// ["boards", "table-3"].
export const parts = location.pathname.slice(new URL(to('.')).pathname.length).split('/').filter(Boolean).map(decodeURIComponent);

// shell fills a page's header. here is the page's own place in it; board adds the
// pages of one board.
export function shell(here, { board = null, title = null } = {}) {
  translate();
  if (title) document.title = `${title} – Crokcam`;
  const link = (key, path, mark = key) => h('a', { href: to(path), 'aria-current': mark === here ? 'page' : null }, t(`nav.${key}`));
  const of = board && encodeURIComponent(board);
  $('top').replaceChildren(
    h('a', { class: 'brand', href: to('boards'), 'aria-label': 'Crokcam' }, h('img', { src: to('icon.svg'), alt: '', width: 32, height: 32 }), h('span', {}, 'Crokcam')),
    h('nav', { class: 'nav', 'aria-label': t('nav.label') },
      link('boards', 'boards'),
      ...(board ? [link('live', `boards/${of}`), link('setup', `setup?board=${of}`), link('referee', `boards/${of}/referee`)] : [link('setup', 'setup')]),
      link('matches', 'matches'), link('photo', '.')),
    h('label', { class: 'language' }, languages()));
  // On a narrow screen the row of pages is rolled to where one is.
  const row = document.querySelector('.nav'), current = row.querySelector('[aria-current]');
  if (current) row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  // Who may only look on is not shown what others may enter.
  get('session').then((who) => { document.body.dataset.role = who.role; }, () => { /* the page's other requests tell */ });
}

// say shows what has happened, and is read out; a fault stays until the next.
export function say(text, fault = false) {
  const box = $('said');
  box.textContent = text;
  box.classList.toggle('fault', fault);
  box.hidden = !text;
}

// connection shows whether what is on the page is how things stand.
export function connection(world) {
  const box = $('line');
  box.hidden = world.connected && !world.refused;
  document.body.classList.toggle('stale', !world.connected);
  if (world.refused) {
    signIn(world.refused);
    return;
  }
  if (!world.connected) box.textContent = world.known ? t('line.waiting') : t('loading');
}

// run carries something out for a button: one press, one request. What was
// changed meanwhile is explained and shown as it is now.
export async function run(button, action, after = () => {}) {
  if (button?.getAttribute('aria-busy') === 'true') return;
  button?.setAttribute('aria-busy', 'true');
  try {
    const answer = await action();
    say('');
    after(answer);
  } catch (e) {
    explain(e);
  } finally {
    button?.removeAttribute('aria-busy');
  }
}

// explain tells what went wrong.
export function explain(e) {
  if (!(e instanceof Refused)) throw e;
  if (e.status === 401) signIn(e);
  else if (e.status === 412 || e.code === 'changed_meanwhile') {
    say(t('changed'), true);
    dispatchEvent(new Event('changed-meanwhile'));
  } else {
    say(t('failed', { why: [e.message, ...e.errors].join(' ') }), true);
    if (e.changed) dispatchEvent(new Event('changed-meanwhile'));
  }
}

let signing = null;

function signIn(why) {
  if (signing?.isConnected) return;
  const field = h('input', { type: 'password', autocomplete: 'current-password', required: true, id: 'token' });
  const wrong = h('p', { class: 'fault', role: 'alert', hidden: true });
  signing = h('form', {
    class: 'sign', 'aria-labelledby': 'sign-title', onsubmit: async (e) => {
      e.preventDefault();
      try {
        await post('session', { token: field.value.trim() });
        location.reload();
      } catch (fault) {
        wrong.hidden = false;
        wrong.textContent = fault.message;
      }
    },
  },
  h('h2', { id: 'sign-title' }, t('sign.title')), h('p', {}, why.status === 403 ? why.message : t('line.refused'), ' ', t('sign.why')),
  h('label', {}, t('sign.token'), field), wrong, h('button', { class: 'button primary' }, t('sign.in')));
  const main = document.querySelector('main');
  main.prepend(signing);
  field.focus();
}

// ask opens a dialog with a form and calls send with what was entered. fields are
// elements; send may refuse.
export function ask(title, fields, action, send) {
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title', onclose: () => dialog.remove() });
  const go = h('button', { class: 'button primary' }, action);
  dialog.append(h('form', {
    onsubmit: (e) => {
      e.preventDefault();
      const entered = new FormData(e.target);
      dialog.close();
      send(entered);
    },
  }, h('h2', { id: 'dialog-title' }, title), ...fields,
  h('div', { class: 'acts' }, go, h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, t('cancel')))));
  document.body.append(dialog);
  dialog.showModal();
}

// field is a labelled input.
export function field(label, attributes) {
  return h('label', { class: 'field' }, label, h('input', attributes));
}

// choice is a labelled select of [value, text] pairs.
export function choice(label, attributes, options) {
  return h('label', { class: 'field' }, label, h('select', attributes, ...options.map(([value, text, selected]) => h('option', { value, selected }, text))));
}

export { get, post, request };
