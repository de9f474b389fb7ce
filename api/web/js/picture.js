// The picture itself: reading it, and cutting pieces out of it.

import { apply } from './geometry.js';

export async function load(blob) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
  return { blob, url, image, width: image.naturalWidth, height: image.naturalHeight };
}

// sharp makes a canvas as fine as the screen and returns its context, scaled
// to CSS pixels.
function sharp(canvas, width, height) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.imageSmoothingQuality = 'high';
  return c;
}

// strokeRings draws the lines' inner edges, in picture coordinates.
export function strokeRings(c, rings, width, colour) {
  c.lineWidth = width;
  c.strokeStyle = colour;
  for (const r of rings) {
    c.beginPath();
    c.ellipse(r.cx, r.cy, r.a, r.b, (r.angle_deg * Math.PI) / 180, 0, 2 * Math.PI);
    c.stroke();
  }
}

// cutOut shows the place where a disc comes closest to its line, enlarged and
// turned so that the board's centre is below.
export function cutOut(canvas, picture, state, disc, size, withMarks) {
  const { board } = state;
  const r = Math.hypot(...disc.mm) || 1;
  const out = [disc.mm[0] / r, disc.mm[1] / r];
  const from = disc.px;
  const rim = apply(board.toPx, [disc.mm[0] + out[0] * board.disc, disc.mm[1] + out[1] * board.disc]);
  const span = Math.hypot(rim[0] - from[0], rim[1] - from[1]);
  const centre = [from[0] + (rim[0] - from[0]) * 0.72, from[1] + (rim[1] - from[1]) * 0.72];
  const turn = -Math.atan2(rim[1] - from[1], rim[0] - from[0]) - Math.PI / 2;
  draw(canvas, picture, centre, size / (2.5 * span), turn, size, (c, px) => {
    if (!withMarks) return;
    strokeRings(c, board.rings.filter((ring) => ring.ring !== 'surface' && ring.ring !== 'hole'), 1.5 * px, '#ffb224');
    outline(c, state, disc, px);
  });
}

// cutHole shows the hole, enlarged.
export function cutHole(canvas, picture, state, size, withMarks) {
  const hole = state.board.rings.find((r) => r.ring === 'hole');
  const centre = hole ? [hole.cx, hole.cy] : apply(state.board.toPx, [0, 0]);
  const radius = hole ? hole.a : 20;
  draw(canvas, picture, centre, size / (4.4 * radius), 0, size, (c, px) => {
    if (withMarks && hole) strokeRings(c, [hole], 1.5 * px, '#ffb224');
  });
}

// loupe shows what lies under the finger that moves a disc.
export function loupe(canvas, picture, state, disc, size) {
  const { board } = state;
  const rim = apply(board.toPx, [disc.mm[0] + board.disc, disc.mm[1]]);
  const span = Math.max(4, Math.hypot(rim[0] - disc.px[0], rim[1] - disc.px[1]));
  draw(canvas, picture, disc.px, size / (3.6 * span), 0, size, (c, px) => {
    strokeRings(c, board.rings.filter((ring) => ring.ring !== 'surface'), 1.2 * px, '#ffb224');
    outline(c, state, disc, px);
  });
}

// magnify shows a place that is being pointed at, enlarged, under a cross, with
// what is drawn over it there.
export function magnify(canvas, picture, px, scale, size, line) {
  draw(canvas, picture, px, scale, 0, size, (c, dot) => {
    c.lineWidth = 1.4 * dot;
    c.strokeStyle = '#ffb224';
    c.beginPath();
    line.forEach((q, i) => (i ? c.lineTo(...q) : c.moveTo(...q)));
    c.stroke();
    for (const [width, colour] of [[4, 'rgb(0 0 0 / 60%)'], [1.6, '#fff']]) {
      c.lineWidth = width * dot;
      c.strokeStyle = colour;
      c.beginPath();
      for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        c.moveTo(px[0] + 5 * x * dot, px[1] + 5 * y * dot);
        c.lineTo(px[0] + 24 * x * dot, px[1] + 24 * y * dot);
      }
      c.stroke();
    }
  });
}

function outline(c, state, disc, px) {
  const rim = [];
  for (let i = 0; i < 48; i++) {
    const a = (2 * Math.PI * i) / 48;
    const q = apply(state.board.toPx, [disc.mm[0] + state.board.disc * Math.cos(a), disc.mm[1] + state.board.disc * Math.sin(a)]);
    rim.push(q);
  }
  c.beginPath();
  rim.forEach((q, i) => (i ? c.lineTo(...q) : c.moveTo(...q)));
  c.closePath();
  c.lineWidth = 1.2 * px;
  c.strokeStyle = '#ffffff';
  c.setLineDash([4 * px, 4 * px]);
  c.stroke();
  c.setLineDash([]);
}

function draw(canvas, picture, [u, v], scale, turn, size, over) {
  const c = sharp(canvas, size, size);
  c.fillStyle = '#111';
  c.fillRect(0, 0, size, size);
  c.translate(size / 2, size / 2);
  c.rotate(turn);
  c.scale(scale, scale);
  // Pixel centres are at whole numbers in a report, at halves on a canvas.
  c.translate(-u - 0.5, -v - 0.5);
  c.drawImage(picture.image, 0, 0, picture.width, picture.height);
  c.translate(0.5, 0.5);
  over(c, 1 / scale);
}
