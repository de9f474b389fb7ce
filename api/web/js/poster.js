// The picture to keep: the board with its marks, and the score below it.

import { boundsOf, circlePath } from './geometry.js';
import { totals } from './edits.js';
import { inkOn, nameOf, zoneText } from './names.js';
import { strokeRings } from './picture.js';
import { t } from './words.js';

const LONGEST = 2000;

export async function poster(picture, report, state) {
  const b = boundsOf(report, 1.14);
  const scale = Math.min(LONGEST / Math.max(b.width, b.height), 1400 / Math.min(b.width, b.height));
  const width = Math.round(b.width * scale), height = Math.round(b.height * scale);
  const strip = Math.round(width * 0.16);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height + strip;
  const c = canvas.getContext('2d');
  c.imageSmoothingQuality = 'high';
  c.save();
  c.beginPath();
  c.rect(0, 0, width, height);
  c.clip();
  c.scale(scale, scale);
  c.translate(-b.x - 0.5, -b.y - 0.5);
  c.drawImage(picture.image, 0, 0, picture.width, picture.height);
  c.translate(0.5, 0.5);
  marks(c, state, 1 / scale, width);
  c.restore();
  score(c, state, width, height, strip);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92));
  return new File([blob], 'crokinole-score.jpg', { type: 'image/jpeg' });
}

function marks(c, state, px, width) {
  const unit = px * Math.max(1, width / 700);
  strokeRings(c, state.board.rings, 3 * unit, 'rgb(0 0 0 / 35%)');
  strokeRings(c, state.board.rings, 1.2 * unit, 'rgb(255 255 255 / 85%)');
  const colours = new Map(state.sides.map((s) => [s.side, s.rgb]));
  c.textAlign = 'center';
  c.lineJoin = 'round';
  for (const d of state.discs) {
    const rim = circlePath(d.mm, state.board.disc, state.board);
    c.beginPath();
    rim.forEach((p, i) => (i ? c.lineTo(...p) : c.moveTo(...p)));
    c.closePath();
    for (const [w, colour] of [[5, 'rgb(0 0 0 / 60%)'], [3.4, '#fff'], [1.8, colours.get(d.side) ?? '#888']]) {
      c.lineWidth = w * unit;
      c.strokeStyle = colour;
      c.stroke();
    }
    const size = Math.max(14 * unit, Math.abs(rim[0][0] - d.px[0]));
    c.font = `700 ${size}px system-ui, sans-serif`;
    c.lineWidth = size * 0.22;
    c.strokeStyle = 'rgb(0 0 0 / 75%)';
    c.strokeText(zoneText(d.zone), d.px[0], d.px[1] + size * 0.36);
    c.fillStyle = '#fff';
    c.fillText(zoneText(d.zone), d.px[0], d.px[1] + size * 0.36);
  }
}

function score(c, state, width, top, height) {
  const sum = totals(state);
  const share = width / sum.sides.length;
  sum.sides.forEach((side, i) => {
    c.fillStyle = side.rgb;
    c.fillRect(i * share, top, share + 1, height);
    c.fillStyle = inkOn(side.rgb);
    c.textAlign = 'left';
    c.font = `600 ${height * 0.22}px system-ui, sans-serif`;
    c.fillText(nameOf(side), i * share + height * 0.3, top + height * 0.45, share * 0.5);
    c.font = `400 ${height * 0.15}px system-ui, sans-serif`;
    c.fillText(t('photo.twenties', { n: side.twenties }), i * share + height * 0.3, top + height * 0.72, share * 0.5);
    c.textAlign = 'right';
    c.font = `800 ${height * 0.72}px system-ui, sans-serif`;
    c.fillText(String(side.points), (i + 1) * share - height * 0.3, top + height * 0.76, share * 0.5);
  });
}

// words is the score in one line, for a message beside the picture.
export function words(state) {
  return totals(state).sides.map((s) => `${nameOf(s)} ${s.points}`).join(' – ');
}
