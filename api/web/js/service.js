// The service behind the page that scores photos.

import { Refused } from './client.js';
import { t } from './words.js';

export { Refused };

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Refused({ code: 'unreachable', detail: t('problem.unreachable') });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused({ detail: t('photo.failed'), ...body }, response.status);
  return body;
}

// score sends a picture with what is known of it; points are named places of
// the board, such as {name: 'start@45', px: [812, 64]}.
export function score(picture, options, points, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value) query.set(name, value);
  for (const { name, px } of points) query.append('point', `${name}=${px.map((x) => x.toFixed(2)).join(',')}`);
  return answer(fetch(`api/v1/photos?${query}`, { method: 'POST', body: picture, headers: { 'Content-Type': picture.type || 'application/octet-stream' }, signal }));
}

export function example() {
  return answer(fetch('api/v1/example'));
}

export async function boards() {
  return (await answer(fetch('api/v1/presets'))).boards;
}

// tables are the boards that a camera watches, none where that cannot be known.
export async function tables() {
  try {
    return (await answer(fetch('api/v1/boards'))).boards.filter((b) => b.open);
  } catch (e) {
    if (e instanceof Refused) return [];
    throw e;
  }
}
