// What the player says about a result, as a list of events. The result as it
// was seen is never overwritten: the discs shown are the events' fold over it,
// so undoing is leaving the last event out.
//
//   {type: 'move', id, px}             the disc lies there
//   {type: 'add', id, px, side}        there is another disc
//   {type: 'delete', id}               there is no such disc
//   {type: 'side', id, side}           it is that side's
//   {type: 'value', id, zone}          it counts for that zone
//   {type: 'hole', side}               that side's disc is in the hole; side null: the hole is empty
//   {type: 'twenties', side, count}    20s set aside

import { apply, boardOf, callAt, pointsOf } from './geometry.js';

// MOST is the number of discs a side plays with.
export const MOST = 12;

export function fold(report, events) {
  const board = boardOf(report);
  const state = {
    board,
    sides: report.sides.map(({ side, name, rgb }) => ({ side, name, rgb })),
    discs: report.discs.map((d, i) => ({
      id: `seen-${i + 1}`,
      px: d.px,
      mm: [d.x_mm, d.y_mm],
      side: d.side,
      zone: d.zone,
      gap: d.gap_mm,
      other: d.other_zone ?? callAt([d.x_mm, d.y_mm], board).other,
      close: d.too_close,
      lies: d.state,
      said: false,
    })),
    aside: Object.fromEntries(report.sides.map((s) => [s.side, asideOf(report, s)])),
    holeSaid: false,
  };
  // A side must be there for every disc to be given to, even on a board with
  // discs of one colour only, or none.
  for (const [side, name, rgb] of [['A', 'dark', '#2b2622'], ['B', 'light', '#e2c48f']]) {
    if (state.sides.length < 2 && !state.sides.some((s) => s.side === side)) {
      state.sides.push({ side, name, rgb });
      state.aside[side] = 0;
    }
  }
  state.sides.sort((a, b) => a.side.localeCompare(b.side));
  for (const e of events) step(state, e, report);
  return state;
}

// asideOf is how many of a side's 20s the caller told of before scoring.
function asideOf(report, side) {
  const inHole = report.discs.filter((d) => d.side === side.side && d.state === 'hole').length;
  return Math.max(0, side.twenties - inHole);
}

function step(state, e, report) {
  const disc = state.discs.find((d) => d.id === e.id);
  switch (e.type) {
    case 'move':
      if (disc) place(disc, e.px, state.board);
      break;
    case 'add': {
      const added = { id: e.id, side: e.side };
      place(added, e.px, state.board);
      state.discs.push(added);
      break;
    }
    case 'delete':
      state.discs = state.discs.filter((d) => d !== disc);
      break;
    case 'side':
      if (disc) disc.side = e.side;
      break;
    case 'value':
      if (disc) Object.assign(disc, { zone: e.zone, close: false, said: true, lies: e.zone === '20' ? 'hole' : 'surface' });
      break;
    case 'hole':
      state.holeSaid = true;
      if (e.side) {
        const px = apply(state.board.toPx, [0, 0]);
        state.discs.push({ id: 'hole', px: report.calibration.centre_px ?? px, mm: [0, 0], side: e.side, zone: '20', gap: 0, other: '15', close: false, lies: 'hole', said: true });
      }
      break;
    case 'twenties':
      state.aside[e.side] = e.count;
      break;
  }
}

// place puts a disc down where the player wants it. A hand on a picture is no
// finer than the camera, so a place near a line is shown as close but not asked
// about again.
function place(disc, px, board) {
  const mm = apply(board.toMM, px);
  const call = callAt(mm, board);
  Object.assign(disc, { px, mm, zone: call.zone, gap: call.gap, other: call.other, close: false, lies: 'surface', said: true });
}

// totals adds up each side, in the sides' order.
export function totals(state) {
  const sides = state.sides.map((s) => {
    const discs = state.discs.filter((d) => d.side === s.side);
    const sunk = discs.filter((d) => d.zone === '20').length;
    const aside = state.aside[s.side] ?? 0;
    return {
      ...s,
      aside,
      twenties: sunk + aside,
      discs: discs.length,
      room: Math.max(0, MOST - discs.length),
      points: discs.reduce((sum, d) => sum + pointsOf(d.zone), 0) + 20 * aside,
    };
  });
  const ranked = [...sides].sort((a, b) => b.points - a.points);
  const lead = ranked.length > 1 ? ranked[0].points - ranked[1].points : 0;
  return { sides, leader: lead > 0 ? ranked[0] : null, lead };
}

// asks lists what only the player can tell.
export function asks(state, report) {
  const list = state.discs.filter((d) => d.close).map((d) => ({ kind: 'line', id: d.id, disc: d }));
  for (const w of report.warnings) {
    if (w.code !== 'hole_unclear' || state.holeSaid) continue;
    const disc = w.disc === undefined || w.disc === null ? null : state.discs.find((d) => d.id === `seen-${w.disc + 1}`);
    if (disc?.said || disc?.close || (w.disc !== undefined && w.disc !== null && !disc)) continue;
    list.push({ kind: 'hole', id: disc?.id ?? 'hole', disc });
  }
  return list;
}
