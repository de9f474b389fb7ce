// What pages say, in the reader's language. The sentences about verdicts are the
// service's own, see verdicts.js.

import en from './words-en.js';
import fr from './words-fr.js';
import nl from './words-nl.js';
import th from './words-th.js';

const LANGUAGES = { en: 'English', fr: 'Français', nl: 'Nederlands', th: 'ไทย' };
const CATALOGUES = { en, fr, nl, th };
const KEPT = 'crokcam.language';

const known = (tag) => {
  const short = tag?.toLowerCase().split('-')[0];
  return short && Object.hasOwn(CATALOGUES, short) ? short : null;
};

// choose finds the language: ?lang= of the address, else what was chosen here
// before, else the browser's first that there are words for, else English.
function choose() {
  let kept = null;
  try { kept = localStorage.getItem(KEPT); } catch { /* none is kept in a private window */ }
  for (const tag of [new URLSearchParams(location.search).get('lang'), kept, ...(navigator.languages ?? [])]) if (known(tag)) return known(tag);
  return 'en';
}

export let language = choose();

// keep chooses a language for this browser from now on; the page is loaded anew.
export function keep(lang) {
  try { localStorage.setItem(KEPT, lang); } catch { /* it holds for this page */ }
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) url.searchParams.set('lang', lang);
  location.replace(url);
  if (url.href === location.href) location.reload();
}

// languages is the choice of one.
export function languages() {
  const select = document.createElement('select');
  select.setAttribute('aria-label', t('nav.language'));
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, code, code === language, code === language);
    option.lang = code;
    select.append(option);
  }
  select.addEventListener('change', () => keep(select.value));
  return select;
}

// speaker gives the words of a language: t('turn', {name: 'Ann'}). A key with a
// number n may have forms for one and for more, "left.one" and "left.other".
export function speaker(lang) {
  const words = CATALOGUES[known(lang) ?? 'en'];
  const plural = new Intl.PluralRules(known(lang) ?? 'en');
  return (key, values = {}) => {
    const form = values.n === undefined ? key : `${key}.${plural.select(values.n)}`;
    const text = words[form] ?? words[`${key}.other`] ?? words[key] ?? en[form] ?? en[`${key}.other`] ?? en[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  };
}

export let t = speaker(language);

// speak changes the language of this page alone, as an overlay's ?lang= does.
export function speak(lang) {
  language = known(lang) ?? 'en';
  t = speaker(language);
}

// keyed is a text in which keys stand in brackets, as in "[Ctrl] [Z]".
const keyed = (text) => text.split(/\[([^\]]+)\]/).map((part, i) => {
  if (i % 2 === 0) return part;
  const key = document.createElement('kbd');
  key.textContent = part;
  return key;
});

// has tells whether there are words for a key.
export const has = (key) => key in en;

// told is what the service says in English, in the reader's language where there
// are words for its code and all that they name is among the values.
export function told(key, text, values = {}) {
  const named = (name) => values[name] !== undefined;
  if (text && (language === 'en' || !has(key) || ![...en[key].matchAll(/\{(\w+)\}/g)].every((m) => named(m[1])))) return text;
  const figure = (v) => (typeof v === 'number' ? v.toLocaleString(language, { maximumFractionDigits: 1, useGrouping: false }) : v);
  return t(key, Object.fromEntries(Object.entries(values).map(([name, v]) => [name, figure(v)])));
}

// translate fills in what a page's HTML leaves to the catalogue: data-t is an
// element's text, data-t-label its name for those who do not see it, data-t-title
// what it says when it is pointed at.
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const e of root.querySelectorAll('[data-t]')) e.replaceChildren(...keyed(t(e.dataset.t)));
  for (const e of root.querySelectorAll('[data-t-title]')) e.title = t(e.dataset.tTitle);
  for (const e of root.querySelectorAll('[data-t-label]')) e.setAttribute('aria-label', t(e.dataset.tLabel));
  for (const e of root.querySelectorAll('[data-t-hint]')) e.setAttribute('placeholder', t(e.dataset.tHint));
}

// zone is the name of a zone of the board.
export const zone = (name) => (name === 'out' ? t('zone.out') : name);

// number writes one as people of the language do.
export const number = (value, digits = 0) => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const percent = (rate, digits = 0) => rate.toLocaleString(language, { style: 'percent', maximumFractionDigits: digits });

export const day = (time) => new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
