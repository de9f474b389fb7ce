// From nothing to the first shot: a camera, where the board lies in its picture,
// who plays and by which rules.

import { chooseSource } from './setup-source.js';
import { Look } from './setup-look.js';
import { choosePlay } from './setup-play.js';
import { follow } from './feed.js';
import { connection, say, shell } from './shell.js';
import { t } from './words.js';

const $ = (id) => document.getElementById(id);

let id = new URLSearchParams(location.search).get('board');
let look = null, line = null, playing = null;

// opened goes on with a board that is there.
function opened(board) {
  id = board.id;
  const url = new URL(location.href);
  url.searchParams.set('board', id);
  history.replaceState(null, '', url);
  begin();
}

function begin() {
  line?.close();
  shell('setup', { board: id, title: t('setup.title') });
  line = follow({ boards: id ? [id] : ['-'] }, draw);
}

function draw(world) {
  connection(world);
  if (!world.known) return;
  const board = id ? world.boards.get(id) : null;
  if (id && !board) {
    say(t('missing'), true);
    return;
  }
  chooseSource($('source'), board, opened);
  $('step-look').hidden = !board?.open;
  $('step-play').hidden = !board?.open;
  if (!board?.open) return;
  look ??= new Look($('look'), id);
  look.draw(board);
  playing ??= choosePlay($('play'), id);
  playing(board, world.matchOn(id));
}

shell('setup', { board: id, title: t('setup.title') });
begin();
