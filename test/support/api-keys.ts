import assert from 'node:assert/strict';
import type { Answer, App } from '../harness.ts';

export type NewKey = {
  object: string;
  id: string;
  name: string;
  prefix: string;
  secret: string;
  scopes: string[];
  tier: string;
  environment: 'live' | 'test';
};

/** By default a live key that reads the account. */
export async function newKey(app: App, key: string, body: Record<string, unknown> = {}): Promise<NewKey> {
  const answer = await app.post('/v1/account/api-keys', {
    key,
    body: { name: 'Prueba', scopes: ['account:read'], ...body },
  });
  assert.equal(answer.status, 201, answer.text);
  const made = answer.body.data as NewKey;
  app.given.secrets.push(made.secret);
  return made;
}

export async function rotateKey(
  app: App,
  key: string,
  id: string,
): Promise<{ id: string; prefix: string; secret: string }> {
  const answer = await app.post(`/v1/account/api-keys/${id}/rotate_secret`, { key });
  assert.equal(answer.status, 200, answer.text);
  app.given.secrets.push(answer.body.data.secret);
  return answer.body.data;
}

/** Fails unless the key is usable. */
export async function idOf(app: App, secret: string): Promise<string> {
  const answer = await app.get('/v1/account', { key: secret });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id;
}

export async function keyWorks(app: App, secret: string): Promise<boolean> {
  const answer = await app.get('/v1/account', { key: secret });
  if (answer.status === 200) return true;
  assertInvalidKey(answer);
  return false;
}

/** Every unusable key gets the same answer, except for the request id. */
export function assertInvalidKey(answer: Answer): void {
  assert.equal(answer.status, 401, answer.text);
  const { request_id, doc_url, ...rest } = answer.body.error;
  assert.match(request_id, /^req_/);
  assert.match(doc_url, /\/docs\/errors\/invalid_api_key$/);
  const message = 'La clave de API no es válida.';
  assert.deepEqual(rest, { type: 'authentication_error', code: 'invalid_api_key', message, param: null });
}
