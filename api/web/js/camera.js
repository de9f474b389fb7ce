// Where places of the board are in a camera's picture, by its calibration
// (crokcam.calibration/1), and pieces of pictures cut out and enlarged.

import { address, get } from './client.js';

// project gives the pixel of a place of the board, z mm above its surface, in a
// picture that is width pixels wide.
export function project(calibration, [x, y, z = 0], width = calibration.camera.width) {
  const { r, t, f, k1, cx, cy } = calibration.camera;
  const [a, b, c] = [0, 1, 2].map((i) => r[i][0] * x + r[i][1] * y + r[i][2] * z + t[i]);
  const u = a / c, v = b / c, d = 1 + k1 * (u * u + v * v);
  const scale = width / calibration.camera.width;
  // Pixel centres are at whole numbers, in pictures of every size.
  return [(f * u * d + cx + 0.5) * scale - 0.5, (f * v * d + cy + 0.5) * scale - 0.5];
}

// circle is one on the board as corners in the picture.
export function circle(calibration, [x, y, z], radius, width, corners = 72) {
  return Array.from({ length: corners }, (_, i) => {
    const a = (2 * Math.PI * i) / corners;
    return project(calibration, [x + radius * Math.cos(a), y + radius * Math.sin(a), z], width);
  });
}

// calibrationOf is where a board is taken to lie, or null.
export async function calibrationOf(board) {
  const { calibrations } = await get(`boards/${encodeURIComponent(board)}/calibrations`);
  const [c] = calibrations;
  return c?.camera?.f > 0 && c.camera.r ? c : null;
}

// picture loads one and gives the image, null when there is none.
export async function picture(path, query) {
  const image = new Image();
  image.src = address(path, query).href;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return image;
}

const INK = '#ffb224';

// enlarge draws the surroundings of a place of the board (mm) into a canvas, with
// the lines and outlines of the discs at given places. span is how much is shown, mm.
export function enlarge(canvas, image, calibration, at, { span = 90, marks = true, discs = [] } = {}) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const size = Math.round(380 * ratio);
  canvas.width = canvas.height = size;
  const c = canvas.getContext('2d');
  c.fillStyle = '#111';
  c.fillRect(0, 0, size, size);
  if (!image) return;
  const width = image.naturalWidth;
  const { board } = calibration;
  const top = board.disc.thickness ?? 9.5;
  const here = project(calibration, [...at, top / 2], width);
  const edge = project(calibration, [at[0] + span / 2, at[1], top / 2], width);
  const scale = size / (2 * Math.hypot(edge[0] - here[0], edge[1] - here[1]));
  c.imageSmoothingQuality = 'high';
  c.translate(size / 2, size / 2);
  c.scale(scale, scale);
  c.translate(-here[0] - 0.5, -here[1] - 0.5);
  c.drawImage(image, 0, 0);
  c.translate(0.5, 0.5);
  const trace = (points, colour, dashes) => {
    c.beginPath();
    points.forEach(([u, v], i) => (i ? c.lineTo(u, v) : c.moveTo(u, v)));
    c.closePath();
    c.lineWidth = (1.6 * ratio) / scale;
    c.strokeStyle = colour;
    c.setLineDash(dashes ? [(5 * ratio) / scale, (4 * ratio) / scale] : []);
    c.stroke();
  };
  if (!marks) return;
  for (const ring of ['fifteen', 'ten', 'start']) trace(circle(calibration, [0, 0, 0], board[ring].outer - board[ring].width, width, 180), INK);
  for (const disc of discs) trace(circle(calibration, [...disc, top], board.disc.radius, width), '#ffffff', true);
}
