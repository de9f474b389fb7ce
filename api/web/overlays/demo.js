// A match out of a can, to set up an overlay without one: it tells the same
// messages as the service.

const BOARD = { id: 'demo', name: 'Demo', open: true, status: null };
const REST = 12_000; // ms between the match's end and its beginning

// play tells the match again and again. Where it begins is some way into it, so
// that there is something to see at once.
export async function play(board, hear) {
  const steps = await (await fetch(new URL('demo.json', import.meta.url))).json();
  const id = ['all', ''].includes(board) ? 'demo' : board;
  let view = {}, n = 0, number = 1;
  const tell = (type, data) => hear({ id: number++, type, time: new Date().toISOString(), board: id, match: view.match, version: 1, data });
  const snapshot = () => tell('snapshot', { boards: [{ ...BOARD, id, name: id === 'demo' ? 'Demo' : board, match: view.match }], matches: [view] });
  const change = () => {
    view = { ...view, ...steps[n].changed };
    n++;
  };
  const busy = () => view.rounds?.length > 0 && view.discs.length > 2 && view.phase === 'shooting';
  while (n < steps.length && !busy()) change();
  snapshot();
  const next = () => {
    if (n === steps.length) {
      n = 0;
      view = {};
      change();
      view.match = `${view.match}-${number}`; // another, not an older one
      return setTimeout(() => { snapshot(); next(); }, REST);
    }
    return setTimeout(() => {
      const { match } = view;
      change();
      if (n > 1) view.match = match;
      tell('match.changed', view);
      next();
    }, steps[n].after_ms);
  };
  next();
}
