// The board's geometry: between picture and millimetres, and what a disc is
// worth where it lies. A homography is a list of nine numbers, row by row.

export const ZONES = ['out', '5', '10', '15', '20'];

export function pointsOf(zone) {
  return ZONES.indexOf(zone) * 5;
}

export function apply(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

export function invert([a, b, c, d, e, f, g, h, i]) {
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const det = a * A + b * B + c * C;
  return [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d].map((v) => v / det);
}

// boardOf takes from a report what the page needs to know of the board.
export function boardOf(report) {
  const c = report.calibration;
  const toMM = c.homography_px_to_mm.flat();
  return { toMM, toPx: invert(toMM), inner: c.lines_inner_mm, disc: c.radii_mm.disc, radii: c.radii_mm, rings: c.rings_px };
}

// callAt values a disc that lies flat at a place by the lower-value rule: one
// that touches a line, even a hair of its inner printed edge, counts for the
// zone outside it. gap is the distance to the nearest line, negative when it
// touches; other is what the disc would count across that line.
export function callAt([x, y], board) {
  const edge = Math.hypot(x, y) + board.disc;
  const call = { zone: 'out', gap: -Infinity, other: '5' };
  for (const [line, inside] of [['fifteen', 3], ['ten', 2], ['start', 1]]) {
    const gap = board.inner[line] - edge;
    if (Math.abs(gap) < Math.abs(call.gap)) {
      call.gap = gap;
      call.other = ZONES[gap > 0 ? inside - 1 : inside];
    }
    if (gap > 0 && inside > ZONES.indexOf(call.zone)) call.zone = ZONES[inside];
  }
  return call;
}

// circlePath is a circle on the board's discs' plane as the picture shows it.
export function circlePath([x, y], radius, board, corners = 40) {
  const points = [];
  for (let i = 0; i < corners; i++) {
    const a = (2 * Math.PI * i) / corners;
    points.push(apply(board.toPx, [x + radius * Math.cos(a), y + radius * Math.sin(a)]));
  }
  return points;
}

// boundsOf is the part of the picture that shows the board, with a margin.
export function boundsOf(report, margin = 1.06) {
  const ring = report.calibration.rings_px.find((r) => r.ring === 'surface') ?? report.calibration.rings_px.find((r) => r.ring === 'start');
  const { width, height } = report.image;
  if (!ring) return { x: 0, y: 0, width, height };
  const a = (ring.angle_deg * Math.PI) / 180;
  const half = [Math.hypot(ring.a * Math.cos(a), ring.b * Math.sin(a)) * margin, Math.hypot(ring.a * Math.sin(a), ring.b * Math.cos(a)) * margin];
  const x = Math.max(0, ring.cx - half[0]), y = Math.max(0, ring.cy - half[1]);
  return { x, y, width: Math.min(width, ring.cx + half[0]) - x, height: Math.min(height, ring.cy + half[1]) - y };
}

// CORNERS are where the quadrant lines meet the starting line, in degrees
// counter-clockwise from the right, as the service names places.
export const CORNERS = [45, 135, 225, 315];

const radians = (degrees) => (degrees * Math.PI) / 180;

// inTurn sorts four places in a picture into the order of the corners, in
// whatever order they were pointed at: around their middle, beginning with the
// one that is most up and to the right. By which quarter a board is turned
// makes no difference to its score.
export function inTurn(places) {
  const middle = [0, 1].map((k) => places.reduce((sum, p) => sum + p[k] / places.length, 0));
  const angle = (p) => Math.atan2(middle[1] - p[1], p[0] - middle[0]);
  const around = [...places].sort((a, b) => angle(a) - angle(b));
  const from = (k) => around.map((_, i) => around[(i + k) % around.length]);
  const upright = (list) => list.reduce((sum, p, i) => sum + Math.cos(angle(p) - radians(CORNERS[i])), 0);
  return around.map((_, k) => from(k)).reduce((best, list) => (upright(list) > upright(best) ? list : best));
}

// throughCorners is the map from a board whose starting line has the radius 1
// to a picture in which its corners are seen at four places, in their order.
// null: no view of a board has them there.
export function throughCorners(places) {
  const rows = places.flatMap(([u, v], i) => {
    const x = Math.cos(radians(CORNERS[i])), y = Math.sin(radians(CORNERS[i]));
    return [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]];
  });
  const h = solve(rows);
  // All of the board lies before the camera, and is not seen from below.
  if (!h || Math.hypot(h[6], h[7]) >= 1 || h[0] * h[4] - h[1] * h[3] + h[6] * (h[1] * h[5] - h[2] * h[4]) + h[7] * (h[2] * h[3] - h[0] * h[5]) >= 0) return null;
  return [...h, 1];
}

// solve eliminates; each row is an equation's factors and what they add up to.
function solve(rows) {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    const best = rows.slice(i).reduce((b, r) => (Math.abs(r[i]) > Math.abs(b[i]) ? r : b));
    const k = rows.indexOf(best);
    [rows[i], rows[k]] = [rows[k], rows[i]];
    if (!(Math.abs(rows[i][i]) > 1e-9)) return null;
    for (const r of rows) {
      if (r === rows[i]) continue;
      const f = r[i] / rows[i][i];
      for (let j = i; j <= n; j++) r[j] -= f * rows[i][j];
    }
  }
  return rows.map((r, i) => r[n] / r[i]);
}
