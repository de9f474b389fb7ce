// The service behind the page.

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? 'The picture could not be scored.');
    this.code = problem.code ?? 'failed';
  }
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Refused({ code: 'unreachable', detail: 'Crokcam could not be reached. Is the computer that runs it on, and in the same network?' });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(body);
  return body;
}

export function score(picture, options, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value) query.set(name, value);
  return answer(fetch(`api/v1/photos?${query}`, { method: 'POST', body: picture, headers: { 'Content-Type': picture.type || 'application/octet-stream' }, signal }));
}

export function example() {
  return answer(fetch('api/v1/example'));
}

export async function boards() {
  return (await answer(fetch('api/v1/boards'))).boards;
}
