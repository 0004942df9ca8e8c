import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

const body = { type: 'F2', lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }] };

test('given no e-mail configured, when a draft is sent, then it is issued, says so and is not marked as sent', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const draft = await app.post('/v1/invoices', { key, body });
  const path = `/v1/invoices/${draft.body.data.id}/send`;
  const res = await app.post(path, { key, body: { to: ['ana@example.com'] } });
  assert.deepEqual(
    [res.status, res.body.data.status, res.body.data.email],
    [200, 'issued', { status: 'not_configured' }],
  );
  assert.ok(!(await app.eventTypes(acme, draft.body.data.id)).includes('invoice.sent'));
  const again = await app.post(path, { key, body: { to: ['ana@example.com'] } });
  assert.deepEqual([again.body.data.number, again.body.data.status], [res.body.data.number, 'issued']);
});

const refusals: [string, unknown, string, string][] = [
  ['no address', {}, 'missing_required_param', 'to'],
  ['something that is no address', { to: ['ana@example.com', 'ana'] }, 'parameter_invalid', 'to.1'],
  ['a copy to no address', { to: ['ana@example.com'], cc: ['@'] }, 'parameter_invalid', 'cc.0'],
];
for (const [name, sent, code, param] of refusals) {
  test(`given ${name}, when sent, then ${code} names ${param} and the draft stays`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const draft = await app.post('/v1/invoices', { key, body });
    const res = await app.post(`/v1/invoices/${draft.body.data.id}/send`, { key, body: sent });
    assert.deepEqual([res.status, res.body.error.code, res.body.error.param], [422, code, param]);
    assert.equal((await app.get(`/v1/invoices/${draft.body.data.id}`, { key })).body.data.status, 'draft');
  });
}

test('given a client with an address, when sent without one, then the client is written to; an annulled one is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = await app.post('/v1/clients', {
    key,
    body: { name: 'Norte SL', email: 'norte@example.com' },
  });
  const made = await app.post('/v1/invoices', {
    key,
    body: { ...body, type: 'F1', client_id: client.body.data.id, options: { issue: true } },
  });
  const path = `/v1/invoices/${made.body.data.id}`;
  assert.equal((await app.post(`${path}/send`, { key })).status, 200);
  await app.post(`${path}/annul`, { key });
  assert.deepEqual((await app.post(`${path}/send`, { key })).body.error.code, 'invalid_status_transition');
});
