/**
 * While the credential is looked up, a read starts in the company that its secret last opened (ADR 12). This memory
 * decides nothing, and no refusal keeps a connection.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startApp, type TestCompany } from '../harness.ts';

/** Fewer connections than refusals, so that a leak would exhaust them. */
const options = { fresh: true, env: { FOLIO_POOL_SIZE: '2' } };
const refusals = 6;

async function startWithInvoice(t: Parameters<typeof startApp>[0], env: Record<string, string> = {}) {
  const app = await startApp(t, { ...options, env: { ...options.env, ...env } });
  const acme: TestCompany = await app.given.company();
  const secret = await app.given.apiKey(acme, { scopes: ['invoices:read'] });
  const made = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { type: 'F2', lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }] },
  });
  const path = `/v1/invoices/${made.body.data.id}`;
  // The first call teaches the process where the secret belongs.
  for (let i = 0; i < 2; i++) assert.equal((await app.get(path, { key: secret })).status, 200);
  return { app, acme, secret, path };
}

test('given a key that reads, when it is revoked, then its very next read is refused like that of a key that never was', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t);
  const [key] = await app.sql<{ id: string }[]>`
    select id from api_keys where company_id = ${acme.company_id} and scopes = array['invoices:read']`;
  await app.post(`/v1/account/api-keys/${key!.id}/revoke`, { key: acme.live_key });

  const refused = await app.get(path, { key: secret });
  assert.equal(refused.status, 401);
  const unknown = await app.get(path, { key: `svc_live_${'x'.repeat(24)}` });
  const { request_id: _, ...told } = refused.body.error;
  const { request_id: __, ...wanted } = unknown.body.error;
  assert.deepEqual(told, wanted);
  for (let i = 0; i < refusals; i++) assert.equal((await app.get(path, { key: secret })).status, 401);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
});

test('given reads that are refused after they began, when others follow, then no connection was kept', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t);
  const refused = [
    { path: '/v1/clients', key: secret, status: 403 },
    { path: `/v1/invoices/${randomUUID()}`, key: secret, status: 404 },
    { path: '/v1/invoices/none', key: secret, status: 404 },
    { path: `${path}?unknown=1`, key: secret, status: 422 },
    { path, key: secret, headers: { 'Service-Version': '1999-01-01' }, status: 400 },
  ];
  for (const { status, path: at, ...rest } of refused) {
    for (let i = 0; i < refusals; i++) assert.equal((await app.get(at, rest)).status, status, at);
  }
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.get(path, { key: acme.live_key })));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array(8).fill(200),
  );
});

test('given a key at its limit, when it goes on reading, then it is told to wait and no connection is kept', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t, { FOLIO_RATE_LIMITS: '{"scale":[3,100]}' });
  assert.equal((await app.get(path, { key: secret })).status, 200);
  for (let i = 0; i < refusals; i++) assert.equal((await app.get(path, { key: secret })).status, 429);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
});

test('given a company that changed, when it reads again, then it is read as it is now', async (t) => {
  const { app, acme, path } = await startWithInvoice(t);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
  const changed = await app.put('/v1/account/company', {
    key: acme.live_key,
    body: { name: 'Acme Nueva SL' },
  });
  assert.equal(changed.status, 200);
  const read = await app.get('/v1/account/company', { key: acme.live_key });
  assert.equal(read.body.data.name, 'Acme Nueva SL');
});
