// The drawing over the picture: lines, discs and their values, as SVG in the
// picture's own pixels.

import { circlePath } from './geometry.js';
import { gapText, nameOf, zoneText } from './names.js';
import { t } from './words.js';

const NS = 'http://www.w3.org/2000/svg';

export function s(tag, attributes = {}, ...children) {
  const e = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined && value !== false) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

// build puts the picture and its rings into the view; discs are drawn apart,
// as they change.
export function build(view, picture, report) {
  // An image's first pixel has its centre at 0, 0 in a report.
  const rings = report
    ? report.calibration.rings_px.map((r) =>
        s('ellipse', { class: `ring ${r.ring}`, cx: r.cx, cy: r.cy, rx: r.a, ry: r.b, transform: `rotate(${r.angle_deg} ${r.cx} ${r.cy})` }))
    : [];
  view.replaceChildren(
    s('image', { href: picture.url, x: -0.5, y: -0.5, width: picture.width, height: picture.height, 'aria-hidden': 'true' }),
    s('g', { class: 'rings', 'aria-hidden': 'true' }, ...rings),
    s('g', { class: 'discs' }),
  );
}

// drawDiscs brings the drawn discs in line with the state. Elements are kept
// from one drawing to the next, so that focus and a drag under way survive.
export function drawDiscs(view, state, selected) {
  const layer = view.querySelector('.discs');
  if (!layer) return;
  const old = new Map([...layer.children].map((g) => [g.dataset.id, g]));
  const pixel = pixelSize(view);
  const sides = new Map(state.sides.map((x) => [x.side, x]));
  state.discs.forEach((d, i) => {
    const side = sides.get(d.side) ?? { side: d.side, name: '', rgb: '#888888' };
    const g = old.get(d.id) ?? create(layer, d.id);
    old.delete(d.id);
    const path = circlePath(d.mm, state.board.disc, state.board);
    const data = `M${path.map((p) => p.map((x) => x.toFixed(2)).join(' ')).join('L')}Z`;
    const radius = Math.sqrt(area(path) / Math.PI);
    for (const rim of g.querySelectorAll('.rim')) rim.setAttribute('d', data);
    g.querySelector('.colour').setAttribute('stroke', side.rgb);
    const hit = g.querySelector('.hit');
    hit.setAttribute('cx', d.px[0]);
    hit.setAttribute('cy', d.px[1]);
    hit.setAttribute('r', Math.max(radius, 20 * pixel));
    const text = g.querySelector('text');
    const size = Math.max(radius * 1.02, 9.5 * pixel);
    text.setAttribute('x', d.px[0]);
    text.setAttribute('y', d.px[1] + size * 0.36);
    text.setAttribute('font-size', size);
    text.textContent = zoneText(d.zone);
    g.setAttribute('class', `disc${d.close ? ' close' : ''}${d.said ? ' said' : ''}${d.id === selected ? ' selected' : ''}${d.zone === 'out' ? ' out' : ''}`);
    g.setAttribute('aria-label', t('photo.disc.says', { number: i + 1, name: nameOf(side), zone: zoneText(d.zone), place: gapText(d, state.board) }) + (d.close ? t('photo.disc.look') : ''));
    g.setAttribute('aria-pressed', d.id === selected ? 'true' : 'false');
  });
  for (const g of old.values()) g.remove();
}

function create(layer, id) {
  const g = s('g', { role: 'button', tabindex: '0' },
    s('path', { class: 'rim mark' }), s('path', { class: 'rim casing' }), s('path', { class: 'rim white' }), s('path', { class: 'rim colour' }),
    s('text', { 'text-anchor': 'middle' }), s('circle', { class: 'hit' }));
  g.dataset.id = id;
  layer.append(g);
  return g;
}

// pixelSize is how many of the picture's pixels one CSS pixel covers.
export function pixelSize(view) {
  const m = view.getScreenCTM();
  return m ? 1 / Math.hypot(m.a, m.b) : 1;
}

function area(path) {
  let sum = 0;
  path.forEach(([x, y], i) => {
    const [nx, ny] = path[(i + 1) % path.length];
    sum += x * ny - nx * y;
  });
  return Math.abs(sum) / 2;
}
