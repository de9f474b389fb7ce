// The page of one board: its match as it stands, what is asked, and all that
// people at the table may say.

import { Board, colourOf, coloursSeen } from './board.js';
import { drawAsks } from './asks.js';
import { calibrationOf } from './camera.js';
import { Corrector } from './correct.js';
import { drawFaults } from './faults.js';
import { follow } from './feed.js';
import { drawCamera } from './status.js';
import { drawCards, drawState } from './score.js';
import { drawTools } from './tools.js';
import { connection, explain, get, parts, say, shell } from './shell.js';
import { t, zone } from './words.js';
import * as verdicts from './verdicts.js';
import { drawVerdict } from './verdict.js';

const $ = (id) => document.getElementById(id);
const id = parts[1];

const board = new Board($('board'));
const known = new Map(); // the sides' colours as seen, by match
let world, calibration = null, calibrating = '';

// now is what the page shows: the board, its match if there is one, the sides'
// colours.
function now() {
  const b = world.at(id);
  const match = world.matches.get(b?.match);
  if (!known.has(match?.match)) known.set(match?.match, {});
  const seen = coloursSeen(b?.status, known.get(match?.match));
  const sides = new Map((match?.sides ?? []).map((s) => [s.side, s]));
  return {
    id, board: b, match, status: b?.status ?? null, sides, calibration,
    colour: (side) => colourOf(sides.get(side) ?? { side }, seen),
    name: (side) => sides.get(side)?.name || t('side', { side }),
    player: (seat) => match?.sides.flatMap((s) => s.players).find((p) => p.seat === seat)?.name ?? t(`seat.${seat}`),
  };
}

const corrector = new Corrector($('correct'), board, now, draw);

// leaving is where discs lie that a verdict sends off the board.
const leaving = (match) => (match.phase !== 'removing' ? [] : (match.last?.verdict?.outcomes ?? [])
  .filter((o) => o.after >= 0 && (o.fate === 'ditch' || o.fate === 'twenty')).map((o, i) => ({ ...o, id: `leaving-${i}` })));

function drawBoard(n) {
  board.use(n.match?.spec);
  const discs = n.match?.discs ?? (n.status?.discs ?? []).map((d, i) => ({ ...d, id: `seen-${i}` }));
  const off = n.match ? leaving(n.match) : [];
  const extra = n.match && n.status?.differs ? (n.status.differs.extra ?? []).map((d, i) => ({ ...d, id: `extra-${i}` })) : [];
  const asked = new Set((n.match?.questions ?? []).flatMap((q) => q.discs ?? []));
  board.show([...off, ...extra, ...discs], {
    colour: (side, d) => (side ? n.colour(side) : d.colour ?? '#999999'),
    mark: (d) => [
      String(d.id).startsWith('leaving') && 'leaving', String(d.id).startsWith('extra') && 'extra',
      d.id === corrector.chosen && 'chosen', asked.has(d.id) && 'asked', n.match?.last && d.id === String(n.match.last.seq) && 'fresh',
    ].filter(Boolean).join(' '),
    label: n.match ? (d) => t('disc.says', { name: n.name(d.side), zone: zone(d.zone) }) : null,
  });
  $('board-says').textContent = discs.length ? t('board.says', { n: discs.length }) : t('board.empty');
}

function draw() {
  connection(world);
  if (!world.known) return;
  const n = now();
  if (!n.board) {
    say(t('missing'), true);
    return;
  }
  $('name').textContent = n.board.name;
  document.body.classList.toggle('no-match', !n.match);
  drawState($('state'), n);
  drawCards($('cards'), n);
  drawBoard(n);
  drawVerdict($('verdict'), $('verdict-body'), n);
  drawAsks($('asks'), $('asks-list'), n);
  drawFaults($('faults'), n.match);
  drawTools($('tools'), n);
  drawCamera($('camera-body'), n);
  corrector.draw();
  calibrate(n);
}

// calibrate gets where the board lies, again when that has changed. Links may not
// have it; their pictures are shown whole.
async function calibrate(n) {
  const q = n.status?.calibration;
  const mark = q ? JSON.stringify([q.method, q.quality]) : '';
  if (mark === calibrating) return;
  calibrating = mark;
  try {
    calibration = mark ? await calibrationOf(id) : null;
  } catch {
    calibration = null;
  }
  draw();
}

async function reload() {
  try {
    world.put(await get(`boards/${encodeURIComponent(id)}/match`));
    draw();
  } catch (e) {
    if (e.status !== 404) explain(e);
  }
}

shell('live', { board: id, title: id });
addEventListener('changed-meanwhile', reload);
const words = verdicts.load();
({ world } = follow({ boards: [id] }, async () => { await words; draw(); }));
