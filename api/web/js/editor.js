// Correcting by touch, mouse and keys: turns gestures on the view into events.

import { apply } from './geometry.js';
import { pixelSize } from './overlay.js';

// A finger that has moved less than this many CSS pixels has tapped.
const TAP = 5;

// edit listens on the view. hooks: state() and adding() to ask, select(id),
// preview(event or null), commit(event), addAt(px), lift(disc or null).
export function edit(view, hooks) {
  let drag = null;

  view.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || !e.isPrimary || !hooks.state()) return;
    const px = toPicture(view, e);
    if (hooks.adding()) {
      e.preventDefault();
      hooks.addAt(px);
      return;
    }
    const g = e.target.closest?.('.disc');
    const disc = g && nearest(hooks.state(), px, 26 * pixelSize(view), g.dataset.id);
    if (!disc) {
      hooks.select(null);
      return;
    }
    e.preventDefault();
    view.setPointerCapture(e.pointerId);
    view.querySelector(`[data-id="${disc.id}"]`)?.focus({ preventScroll: true });
    drag = { pointer: e.pointerId, id: disc.id, at: [e.clientX, e.clientY], grip: [disc.px[0] - px[0], disc.px[1] - px[1]], moved: false };
  });

  // A finger on a disc moves the disc, anywhere else it moves the page. The
  // touch-action property cannot say so: it does not hold inside an SVG.
  view.addEventListener('touchstart', (e) => {
    if (hooks.adding() || e.target.closest?.('.disc')) e.preventDefault();
  }, { passive: false });

  view.addEventListener('pointermove', (e) => {
    if (drag?.pointer !== e.pointerId) return;
    if (!drag.moved && Math.hypot(e.clientX - drag.at[0], e.clientY - drag.at[1]) < TAP) return;
    drag.moved = true;
    const px = toPicture(view, e);
    drag.event = { type: 'move', id: drag.id, px: [px[0] + drag.grip[0], px[1] + drag.grip[1]] };
    hooks.preview(drag.event);
    hooks.lift(drag.id, e);
  });

  const end = (e, keep) => {
    if (drag?.pointer !== e.pointerId) return;
    const { id, moved, event } = drag;
    drag = null;
    hooks.preview(null);
    hooks.lift(null);
    if (moved && keep) hooks.commit(event);
    hooks.select(id);
  };
  view.addEventListener('pointerup', (e) => end(e, true));
  view.addEventListener('pointercancel', (e) => end(e, false));

  view.addEventListener('keydown', (e) => {
    const state = hooks.state();
    const id = e.target.closest?.('.disc')?.dataset.id;
    const disc = state?.discs.find((d) => d.id === id);
    if (!disc || e.ctrlKey || e.metaKey || e.altKey) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (arrow) {
      const step = (e.shiftKey ? 5 : 0.5) * pixelsPerMM(state, disc);
      hooks.commit({ type: 'move', id, px: [disc.px[0] + arrow[0] * step, disc.px[1] + arrow[1] * step] });
      hooks.select(id);
    } else if (e.key === 'Enter' || e.key === ' ') {
      hooks.select(id, true);
    } else if (e.key === 'Delete' || e.key === 'Backspace') {
      hooks.remove(id);
    } else if (e.key.toLowerCase() === 'c') {
      hooks.commit({ type: 'side', id, side: nextSide(state, disc.side) });
    } else if (e.key === 'Escape') {
      hooks.select(null);
    } else {
      return;
    }
    e.preventDefault();
  });
}

export function nextSide(state, side) {
  const letters = state.sides.map((s) => s.side);
  return letters[(letters.indexOf(side) + 1) % letters.length];
}

// nearest is the disc whose centre is nearest to a touch, since fingers are
// larger than discs that lie side by side.
function nearest(state, [u, v], reach, fallback) {
  let best = state.discs.find((d) => d.id === fallback);
  let away = reach;
  for (const d of state.discs) {
    const far = Math.hypot(d.px[0] - u, d.px[1] - v);
    if (far < away) [best, away] = [d, far];
  }
  return best;
}

// toPicture is the picture's place under a pointer.
export function toPicture(view, e) {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(view.getScreenCTM().inverse());
  return [p.x, p.y];
}

function pixelsPerMM(state, disc) {
  const q = apply(state.board.toPx, [disc.mm[0] + 1, disc.mm[1]]);
  const p = apply(state.board.toPx, disc.mm);
  return Math.hypot(q[0] - p[0], q[1] - p[1]);
}
