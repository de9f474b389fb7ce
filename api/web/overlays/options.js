// What an overlay's address says: which board, which kind, and the options after
// the question mark. What cannot be is passed over, and told with debug=1.

export const KINDS = ['scorebug', 'board', 'rounds', 'lower-third', 'all', 'wall'];

const PLACES = {
  tl: 'tl', t: 't', tr: 'tr', l: 'l', c: 'c', r: 'r', bl: 'bl', b: 'b', br: 'br',
  'top-left': 'tl', top: 't', 'top-right': 'tr', left: 'l', centre: 'c', center: 'c', right: 'r', 'bottom-left': 'bl', bottom: 'b', 'bottom-right': 'br',
};
export const THEMES = ['dark', 'light', 'contrast'];

const flag = (v) => ({ '': true, 1: true, true: true, yes: true, 0: false, false: false, no: false })[v];

function within(low, high) {
  return (v) => {
    const n = v.trim() === '' ? NaN : Number(v);
    return n >= low && n <= high ? n : undefined;
  };
}

// A colour may be written without its #, which would have to be escaped.
function colour(v) {
  const c = /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(v) ? `#${v}` : v;
  return CSS.supports('color', c) ? c : undefined;
}

const READ = {
  theme: (v) => (THEMES.includes(v) ? v : undefined),
  bg: (v) => (v === 'none' ? 'transparent' : colour(v)),
  accent: colour,
  left: colour,
  right: colour,
  font: (v) => (/^[\p{L}\p{N} _-]{1,60}$/u.test(v) ? v : undefined),
  scale: within(0.25, 4),
  pos: (v) => PLACES[v],
  swap: flag,
  rotate: within(-360, 360),
  delay: within(0, 600_000),
  lang: (v) => (/^(en|fr|nl|th)\b/i.test(v) ? v.slice(0, 2).toLowerCase() : undefined),
  hide: (v) => v.split(',').map((s) => s.trim()).filter(Boolean),
  safe: within(0, 20),
  demo: flag,
  debug: flag,
  token: (v) => v || undefined,
};

const USUAL = { theme: 'dark', scale: 1, swap: false, rotate: 0, delay: 0, hide: [], safe: 3, demo: false, debug: false };

// read gives the options of an address, and what was wrong with it.
export function read(address) {
  const [board = '', kind = ''] = address.pathname.split('/overlay/').pop().split('/').map(decodeURIComponent);
  const options = { ...USUAL, board, kind, wrong: [] };
  for (const [name, text] of address.searchParams) {
    const value = Object.hasOwn(READ, name) ? READ[name](text) : undefined;
    if (value !== undefined) options[name] = value;
    else options.wrong.push(Object.hasOwn(READ, name) ? `${name}=${text} cannot be` : `there is no option ${name}`);
  }
  return options;
}
