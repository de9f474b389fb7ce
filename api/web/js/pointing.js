// Pointing at the board: the player puts a point where each quadrant line ends,
// by touch, mouse or keys. The circle through the points shows how they fit.

import { CORNERS, apply, inTurn, throughCorners } from './geometry.js';
import { toPicture } from './editor.js';
import { lifted } from './keys.js';
import { pixelSize, s } from './overlay.js';
import { magnify } from './picture.js';
import { t } from './words.js';

const COUNT = CORNERS.length;
const REACH = 26; // CSS pixels from a point within which a finger takes it up
const LENS = 150; // CSS pixels

// Where the cross for keys waits for each point: from the picture's middle, in
// its shorter sides.
const WAITS = [[0.3, -0.3], [-0.3, -0.3], [-0.3, 0.3], [0.3, 0.3]];

// pointing makes the mode; it does nothing until it is begun. parts: view,
// loupe, and the buttons score, undo, cancel. hooks: say(text), score(points)
// with named points, cancel().
export function pointing({ view, loupe, score, undo, cancel }, hooks) {
  let picture = null;
  let points = [];
  let past = []; // earlier points, each with what changed them
  let drag = null;
  let cross = null;

  const layer = () => view.querySelector('.pins');
  const pin = (i) => layer()?.querySelector(`.pin[data-point="${i}"]`);
  const within = ([u, v]) => [Math.min(Math.max(u, 0), picture.width - 1), Math.min(Math.max(v, 0), picture.height - 1)];

  // change keeps the points as they were, but not each of a row of small steps.
  function change(next, step = null) {
    if (!step || past.at(-1)?.step !== step) past.push({ points, step });
    points = next;
    draw();
  }

  const moved = (i, px) => points.map((p, k) => (k === i ? within(px) : p));

  function put(px) {
    change([...points, within(px)]);
    tell();
  }

  function back() {
    if (past.length === 0) return;
    points = past.pop().points;
    loupe.hidden = true;
    draw();
    tell();
  }

  function tell() {
    const left = COUNT - points.length;
    if (left === 0) hooks.say(t('photo.point.fits'));
    else hooks.say(t(points.length ? 'photo.point.next' : 'photo.point.first', { point: points.length + 1, of: COUNT }));
  }

  // circle is the starting line as the points have it, in the picture.
  function circle() {
    const map = points.length === COUNT && throughCorners(inTurn(points));
    if (!map) return [];
    return Array.from({ length: 121 }, (_, i) => apply(map, [Math.cos((i * Math.PI) / 60), Math.sin((i * Math.PI) / 60)]));
  }

  function draw() {
    if (!picture) return;
    const pixel = pixelSize(view);
    const old = [...layer().querySelectorAll('.pin')];
    points.forEach((p, i) => {
      const g = pin(i) ?? layer().appendChild(newPin(i));
      g.setAttribute('transform', `translate(${p[0]} ${p[1]}) scale(${pixel})`);
    });
    for (const g of old.slice(points.length)) {
      if (g === document.activeElement) view.focus({ preventScroll: true });
      g.remove();
    }
    layer().querySelector('.guess').setAttribute('d', `M${circle().map((p) => p.map((x) => x.toFixed(1)).join(' ')).join('L')}`.replace(/^M$/, ''));
    const wait = layer().querySelector('.cross');
    wait.classList.toggle('none', points.length === COUNT);
    wait.setAttribute('transform', `translate(${cross[0]} ${cross[1]}) scale(${pixel})`);
    score.disabled = points.length < COUNT;
    undo.disabled = past.length === 0;
  }

  // look holds the magnifier beside a place, where the finger does not hide it.
  function look(px) {
    const stage = loupe.parentElement.getBoundingClientRect();
    const at = new DOMPoint(...px).matrixTransform(view.getScreenCTM());
    const x = at.x - stage.left, y = at.y - stage.top;
    const gap = 34;
    const above = y > LENS + gap;
    const left = above ? x - LENS / 2 : x > stage.width / 2 ? x - LENS - gap : x + gap;
    const top = above ? y - LENS - gap : y - LENS / 2;
    const fit = (v, room) => `${Math.min(Math.max(v, 4), Math.max(4, room - LENS - 4))}px`;
    Object.assign(loupe.style, { left: fit(left, stage.width), top: fit(top, stage.height), right: 'auto' });
    loupe.hidden = false;
    magnify(loupe, picture, px, 3.5 / pixelSize(view), LENS, circle());
  }

  view.addEventListener('pointerdown', (e) => {
    if (!picture || e.button !== 0 || !e.isPrimary) return;
    e.preventDefault();
    const px = toPicture(view, e);
    const away = points.map((p) => Math.hypot(p[0] - px[0], p[1] - px[1]) / pixelSize(view));
    let i = away.indexOf(Math.min(...away));
    const taken = i >= 0 && away[i] < REACH;
    if (!taken) {
      if (points.length === COUNT) return;
      i = points.length;
      change([...points, within(px)]);
    }
    drag = { pointer: e.pointerId, i, from: px, grip: [points[i][0] - px[0], points[i][1] - px[1]], kept: !taken };
    view.setPointerCapture(e.pointerId);
    look(points[i]);
  });
  // A finger on the picture points; elsewhere it moves the page.
  view.addEventListener('touchstart', (e) => { if (picture && e.touches.length === 1) e.preventDefault(); }, { passive: false });
  view.addEventListener('pointermove', (e) => {
    if (drag?.pointer !== e.pointerId) return;
    const px = toPicture(view, e);
    const next = moved(drag.i, [px[0] + drag.grip[0], px[1] + drag.grip[1]]);
    if (drag.kept) points = next;
    else if (Math.hypot(px[0] - drag.from[0], px[1] - drag.from[1]) < 2 * pixelSize(view)) return;
    else change(next);
    drag.kept = true;
    draw();
    look(points[drag.i]);
  });
  view.addEventListener('pointerup', (e) => {
    if (drag?.pointer !== e.pointerId) return;
    pin(drag.i)?.focus({ preventScroll: true });
    drag = null;
    loupe.hidden = true;
    cross = waiting();
    draw();
    tell();
  });
  view.addEventListener('pointercancel', (e) => {
    if (drag?.pointer !== e.pointerId) return;
    const { kept } = drag;
    drag = null;
    if (kept) back();
    loupe.hidden = true;
  });

  const waiting = () => {
    const [x, y] = WAITS[Math.min(points.length, COUNT - 1)];
    const short = Math.min(picture.width, picture.height);
    return [picture.width / 2 + x * short, picture.height / 2 + y * short];
  };

  view.addEventListener('keydown', (e) => {
    if (!picture || e.ctrlKey || e.metaKey || e.altKey) return;
    const mine = e.target.closest?.('.pin')?.dataset.point;
    const i = mine === undefined ? -1 : Number(mine);
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (arrow) {
      const step = (e.shiftKey ? 20 : 1) * pixelSize(view);
      const [u, v] = i < 0 ? cross : points[i];
      const to = within([u + arrow[0] * step, v + arrow[1] * step]);
      if (i >= 0) change(moved(i, to), `key-${i}`);
      else if (points.length === COUNT) return;
      else cross = to;
      draw();
      look(to);
    } else if (e.key === 'Enter' || e.key === ' ') {
      if (i < 0 && points.length < COUNT && !e.repeat) {
        put(cross);
        cross = waiting();
        draw();
      }
      loupe.hidden = true;
      lifted(() => picture && (points.length < COUNT ? view : score).focus({ preventScroll: true }));
    } else if (i >= 0 && (e.key === 'Delete' || e.key === 'Backspace')) {
      change(points.filter((_, k) => k !== i));
      loupe.hidden = true;
      tell();
    } else {
      return;
    }
    e.preventDefault();
  });
  view.addEventListener('focusout', () => { if (picture && !drag) loupe.hidden = true; });

  score.addEventListener('click', () => hooks.score(inTurn(points).map((px, i) => ({ name: `start@${CORNERS[i]}`, px }))));
  undo.addEventListener('click', back);
  cancel.addEventListener('click', () => hooks.cancel());

  return {
    active: () => picture !== null,
    draw,
    undo: back,
    // begin starts over a picture, with the points of the last time.
    begin(over, last = []) {
      picture = over;
      points = last.map((p) => p.px);
      past = points.map((_, i) => ({ points: points.slice(0, i) }));
      cross = waiting();
      view.append(s('g', { class: 'pins' }, s('path', { class: 'guess' }), s('g', { class: 'cross', 'aria-hidden': 'true' }, ...sight())));
      view.setAttribute('tabindex', '0');
      draw();
      tell();
    },
    end() {
      picture = drag = null;
      layer()?.remove();
      view.removeAttribute('tabindex');
      loupe.hidden = true;
      loupe.removeAttribute('style');
    },
  };
}

// sight is a cross with its middle left open, drawn in CSS pixels.
function sight() {
  const d = 'M0-5V-17M0 5V17M-5 0H-17M5 0H17';
  return [s('path', { class: 'casing', d }), s('path', { class: 'white', d })];
}

function newPin(i) {
  const g = s('g', { class: 'pin', role: 'button', tabindex: '0', 'aria-label': `Point ${i + 1}: move it with the arrow keys, Delete removes it` },
    s('circle', { class: 'hit', r: REACH - 4 }), s('circle', { class: 'rim casing', r: 12 }), s('circle', { class: 'rim white', r: 12 }), ...sight());
  g.dataset.point = i;
  return g;
}
