// The service as pages use it: requests, what it refuses, and who is let in.

import { t, told } from './words.js';

// base is where the service is, whatever path a proxy shows it under.
export const base = new URL('..', import.meta.url);

export const to = (path) => new URL(path, base).href;

// Refused is a request that was not carried out: a problem of the service in
// the reader's words, or no answer at all (code "unreachable").
export class Refused extends Error {
  constructor(problem, status = 0) {
    super(told(`problem.${problem.code}`, problem.detail ?? problem.title ?? t('problem.failed'), { ...problem.values, ...problem.names }));
    this.code = problem.code ?? 'failed';
    this.status = status;
    this.errors = (problem.errors ?? []).map((x) => told(`wrong.${(x.pointer ?? '').slice(2)}`, x.detail));
  }

  // changed: somebody else was quicker, or the match does not allow it (any more).
  get changed() {
    return this.status === 409 || this.status === 412;
  }
}

let token = '';

// bear makes all requests show a link's token, as overlays have it in their address.
export function bear(secret) {
  token = secret ?? '';
}

// address is one of the API, for requests and pictures, with the token if there
// is one.
export function address(path, query = {}) {
  const url = new URL(`api/v1/${path}`, base);
  for (const [name, value] of Object.entries(query)) {
    for (const v of [value].flat()) if (v !== undefined && v !== null && v !== '') url.searchParams.append(name, v);
  }
  if (token) url.searchParams.set('token', token);
  return url;
}

// request sends one and gives its answer. expect is the version that the sender
// has seen: if it is another now, nothing is done. With a key it is done once,
// however often it is sent. Errors: Refused.
export async function request(method, path, { query, body, expect, key, signal } = {}) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (expect) headers['If-Match'] = `"${expect}"`;
  if (key) headers['Idempotency-Key'] = key;
  let response;
  try {
    response = await fetch(address(path, query), { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Refused({ code: 'unreachable', detail: t('problem.unreachable') });
  }
  const answer = response.status === 204 ? null : await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer ?? {}, response.status);
  return answer;
}

export const get = (path, query, signal) => request('GET', path, { query, signal });
export const post = (path, body, more) => request('POST', path, { body: body ?? {}, ...more });
