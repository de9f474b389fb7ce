// Words for people.

import { has, number, t } from './words.js';

// colourOf is a side's colour in words, as the service names it.
export function colourOf(side) {
  return has(`colour.${side.name}`) ? t(`colour.${side.name}`) : side.name;
}

export function nameOf(side) {
  const name = side.name && colourOf(side);
  return name ? name[0].toUpperCase() + name.slice(1) : t('side', { side: side.side });
}

export function mm(value) {
  return `${number(Math.abs(value), Math.abs(value) < 10 ? 1 : 0)} mm`;
}

export function zoneText(zone) {
  return zone === 'out' ? '0' : zone;
}

// lineOf names the line that bounds a zone.
export function lineOf(zone) {
  return zone === '5' ? t('line.start') : t('line.of', { zone });
}

// gapText says where a disc stands to the nearest line.
export function gapText(disc, board) {
  if (disc.zone === '20') return t('gap.hole');
  if (disc.lies === 'leaning') return t('gap.leaning');
  if (disc.gap > 0) return t('gap.clear', { mm: mm(disc.gap), line: lineOf(disc.zone) });
  const beyond = -disc.gap - 2 * board.disc;
  return t(beyond > 0 ? 'gap.outside' : 'gap.over', { mm: mm(beyond > 0 ? beyond : disc.gap), line: lineOf(disc.other) });
}

// inkOn is black or white, whichever reads better on a colour.
export function inkOn(rgb) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(rgb.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#101413' : '#ffffff';
}

export function h(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (name.startsWith('--')) e.style.setProperty(name, value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}
