// Everything behind a verdict: the camera's picture as it came, with what was
// found in it, from straight above; what the watcher takes the board to be doing;
// the numbers of the last shot.

import { address, get } from './client.js';
import { follow } from './feed.js';
import { h } from './names.js';
import { advice, condition, differences, overdue } from './status.js';
import { connection, explain, parts, say, shell } from './shell.js';
import { number, t, zone } from './words.js';
import * as verdicts from './verdicts.js';

const $ = (id) => document.getElementById(id);
const id = parts[1];
const path = `boards/${encodeURIComponent(id)}`;
const LOG = 60;
let world, seenShot = '';

function stream(view) {
  const img = h('img', { class: 'shot', alt: t(`referee.${view}`) });
  const open = () => { if (img.isConnected) img.src = address(`${path}/stream.mjpeg`, { view, fps: 4 }).href; };
  img.addEventListener('error', () => setTimeout(open, 3000));
  // Streams stop while nobody looks.
  document.addEventListener('visibilitychange', () => { if (document.hidden) img.removeAttribute('src'); else open(); });
  $(view).replaceChildren(img);
  open();
}

const facts = (list) => list.filter(([, v]) => v !== undefined && v !== null && v !== '').flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]);

function table(head, rows) {
  return h('table', {}, h('thead', {}, h('tr', {}, ...head.map((x) => h('th', { scope: 'col' }, x)))), h('tbody', {}, ...rows.map((r) => h('tr', { class: r.cls ?? null }, ...r.cells.map((x) => h('td', {}, x))))));
}

function drawNumbers(b) {
  const s = b.status;
  const c = condition(b);
  $('name').textContent = b.name;
  $('condition').className = `condition ${c.level}`;
  $('condition').replaceChildren(h('span', { class: 'lamp', 'aria-hidden': 'true' }), c.text);
  const q = s?.calibration?.quality;
  const mode = (m) => (m?.width ? `${m.width} × ${m.height}, ${m.fps || '–'} /s ${m.format || ''}` : '');
  $('numbers').replaceChildren(...facts([
    [t('referee.source'), b.source],
    ...(s ? [
      [t('referee.state'), `${t(`state.${s.state}`)}${s.overdue ? ` – ${overdue(s)}` : ''}`],
      [t('referee.got'), mode(s.camera.got)], [t('referee.asked'), mode(s.camera.asked)], [t('referee.rate'), `${number(s.camera.fps, 1)} /s`],
      [t('referee.age'), `${number(s.camera.frame_age_s ?? 0, 2)} s`], [t('referee.analysis'), `${number(s.camera.analysis_ms, 1)} ms`], [t('referee.passed'), `${s.camera.passed_over} / ${s.camera.frames}`], [t('referee.sessions'), String(s.camera.sessions)],
      ...(q ? [[t('setup.fit'), `${number(q.rms_mm ?? 0, 2)} mm`], [t('setup.detail'), `${number(q.mm_per_px ?? 0, 2)} mm`], [t('setup.tilt'), `${number(q.tilt_deg ?? 0, 1)}°`], [t('referee.drift'), `${number(s.calibration.drift_mm ?? 0, 2)} mm`], [t('setup.board'), `${s.calibration.board} (${s.calibration.method})`]] : []),
      [t('referee.waiting'), String(s.waiting ?? 0)], [t('differs'), differences(s.differs).join(' ')],
    ] : []),
  ]));
  if (s?.advice.length) $('numbers').append(h('dd', { class: 'whole' }, advice(s.advice)));
  const discs = s?.discs ?? [];
  $('discs').replaceChildren(discs.length ? table([t('referee.side'), 'x mm', 'y mm', 'σ mm', t('referee.sure'), t('referee.lies')], discs.map((d) => ({
    cells: [h('span', {}, h('span', { class: 'swatch', 'aria-hidden': 'true', '--disc': d.colour ?? '#888' }), d.side || '–'), number(d.x_mm, 1), number(d.y_mm, 1), number(d.sigma_mm ?? 0, 2), number(d.confidence ?? 0, 2), d.rest ? t(`rest.${d.rest}`) : ''],
  }))) : h('p', { class: 'soft' }, t('board.empty')));
}

// drawVerdict tells the last shot with every number it rests on.
async function drawVerdict(match) {
  const key = match?.last ? `${match.match} ${match.last.seq} ${match.version}` : 'none';
  if (key === seenShot) return;
  seenShot = key;
  if (!match?.last) {
    $('verdict').replaceChildren(h('p', { class: 'soft' }, t(match ? 'verdict.none' : 'nomatch')));
    return;
  }
  const { shot, seen } = await get(`matches/${match.match}/shots/${match.last.seq}`);
  if (key !== seenShot) return;
  const v = shot.verdict;
  const out = [h('p', { class: `ruling ${shot.ruling ?? ''}` }, v ? t(`ruling.${shot.ruling}`) : t(shot.kind === 'shot' ? 'phase.judging' : `turn.${shot.kind}`))];
  if (v) {
    out.push(h('p', { class: 'soft' }, t(`basis.${v.basis}`), v.open_shot ? ` · ${t('referee.openshot')}` : '', shot.corrected ? ` · ${t('verdict.corrected')}` : ''),
      h('ul', { class: 'reasons' }, ...verdicts.reasons(v, match.sides).map((r) => h('li', {}, r.text, ' ', h('span', { class: 'rule' }, r.rule))),
        ...(v.close ?? []).map((c) => h('li', { class: 'close' }, verdicts.close(v, c, match.sides))),
        ...(v.doubts ?? []).map((d) => h('li', { class: 'close' }, verdicts.question(v, d, match.sides), ' ', h('span', { class: 'rule' }, d.rule)))));
    if (v.outcomes?.length) out.push(h('div', { class: 'list', tabindex: 0, role: 'region', 'aria-label': t('referee.outcomes') }, table([t('referee.side'), 'x mm', 'y mm', 'σ mm', t('referee.zone'), t('referee.fate'), t('referee.why')],
      v.outcomes.map((o) => ({ cells: [`${o.side}${o.struck ? ' *' : ''}`, number(o.x_mm, 1), number(o.y_mm, 1), number(o.sigma_mm ?? 0, 2), zone(o.zone), t(`fate.${o.fate}`), o.why ? t(`why.${o.why}`) : ''] })))));
  }
  if (seen?.moved_at && seen.rested_at) out.push(h('p', { class: 'soft' }, t('referee.took', { seconds: number((new Date(seen.rested_at) - new Date(seen.moved_at)) / 1000, 2) })));
  if (seen?.evidence && Object.keys(seen.evidence).length) out.push(h('details', { class: 'fold' }, h('summary', {}, t('referee.evidence')), h('pre', { class: 'raw', tabindex: 0 }, JSON.stringify(seen.evidence, null, 1))));
  $('verdict').replaceChildren(...out);
}

function log(m) {
  if (!m || ['snapshot', 'board.changed', 'match.changed'].includes(m.type)) return;
  const d = m.data ?? {};
  const note = d.note || d.reason || (d.from && d.to ? `${t(`state.${d.from}`)} → ${t(`state.${d.to}`)}` : '') || d.data?.ruling || '';
  $('log').prepend(h('li', {}, h('time', { datetime: m.time }, new Date(m.captured_at ?? m.time).toLocaleTimeString()), ' ', h('code', {}, m.type), note ? ` ${note}` : ''));
  while ($('log').children.length > LOG) $('log').lastChild.remove();
}

async function draw(m) {
  connection(world);
  if (!world.known) return;
  const b = world.boards.get(id);
  if (!b) {
    say(t('missing'), true);
    return;
  }
  log(m);
  drawNumbers(b);
  await drawVerdict(world.matchOn(id)).catch(explain);
}

shell('referee', { board: id, title: t('nav.referee') });
for (const view of ['raw', 'annotated', 'rectified']) stream(view);
// A browser has six connections to a host: this picture takes one while it is open.
$('edges-fold').addEventListener('toggle', () => {
  if ($('edges-fold').open) stream('edges');
  else if ($('edges').firstChild) {
    $('edges').firstChild.removeAttribute('src');
    $('edges').replaceChildren();
  }
});
const words = verdicts.load();
({ world } = follow({ boards: [id] }, async (_, m) => { await words; await draw(m); }));
