import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../kernel/uuid7.ts';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];

async function issue(app: App, key: string) {
  const body = { type: 'F2', lines, options: { issue: true } };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data as { id: string; public_url: string };
}

const statusOf = async (app: App, url: string, headers = {}) =>
  (await app.get(new URL(url).pathname, { headers })).status;

test('given a public address, when its owner replaces it, then those of before have ended and the new one opens', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id, public_url: first } = await issue(app, key);
  const other = await issue(app, key);
  const day = (await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data.url;
  assert.deepEqual([await statusOf(app, first), await statusOf(app, day)], [200, 200]);

  const seen = [first];
  for (let times = 0; times < 2; times++) {
    const revoked = await app.post(`/v1/invoices/${id}/public-link/revoke`, { key });
    assert.equal(revoked.status, 200, revoked.text);
    const { public_url } = revoked.body.data;
    assert.ok(!seen.includes(public_url), 'another address');
    assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.public_url, public_url);
    for (const url of [...seen, ...seen.map((one) => `${one}/pdf`), day]) {
      const ended = await app.get(new URL(url).pathname);
      assert.equal(ended.status, 410, url);
      assert.match(ended.text, /Este enlace ha caducado/);
      assert.ok(!ended.text.includes('Café'));
    }
    assert.equal(await statusOf(app, public_url), 200);
    assert.equal(await statusOf(app, `${public_url}/pdf`), 200);
    seen.push(public_url);
  }
  assert.equal(await statusOf(app, other.public_url), 200, 'no other document is touched');
  app.clock.advance(1000);
  const later = (await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data.url;
  assert.equal(await statusOf(app, later), 200);
  const log = await app.get('/v1/audit-log', { key, query: { action: 'invoice.public_link_revoked' } });
  assert.equal(log.body.data.length, 2);
  const events = await app.eventTypes(acme, id);
  assert.equal(events.filter((type) => type === 'invoice.updated').length, 2, 'public_url is another');
  // Whatever writes the invoice later keeps it.
  await app.post(`/v1/invoices/${id}/mark-sent`, { key });
  assert.equal(await statusOf(app, first), 410);
});

test('given a setting of months, when they are over, then addresses end, old ones too, and a new one begins anew', async (t) => {
  const app = await startApp(t, { fresh: true });
  app.clock.set('2026-01-15T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id, public_url } = await issue(app, key);
  app.clock.set('2026-03-16T10:00:00Z');
  assert.equal(await statusOf(app, public_url), 200, 'for good, as long as nothing is set');
  const put = await app.put('/v1/account/company', { key, body: { public_link_months: 2 } });
  assert.deepEqual([put.status, put.body.data.public_link_months], [200, 2]);
  assert.equal(await statusOf(app, public_url), 410);
  const renewed = (await app.post(`/v1/invoices/${id}/public-link/revoke`, { key })).body.data.public_url;
  app.clock.set('2026-05-16T09:59:59Z');
  assert.equal(await statusOf(app, renewed), 200);
  app.clock.set('2026-05-16T10:00:01Z');
  assert.equal(await statusOf(app, renewed), 410);
  // Dated back beyond the months, as invoices and quotes are in January.
  const client = await create(app, '/v1/clients', key, { name: 'Norte SL', tax_id: 'A58818501' });
  const late = { client_id: client.id, lines, issued_on: '2026-03-10' };
  const dated = [
    await create(app, '/v1/invoices', key, { ...late, options: { issue: true } }),
    await create(app, '/v1/quotes', key, {
      ...late,
      valid_until: '2026-12-31',
      options: { mark_pending: true },
    }),
  ];
  for (const { public_url } of dated) assert.equal(await statusOf(app, String(public_url)), 200);
  app.clock.set('2026-07-16T10:00:02Z');
  for (const { public_url } of dated) assert.equal(await statusOf(app, String(public_url)), 410);
  await app.put('/v1/account/company', { key, body: { public_link_months: null } });
  assert.equal(await statusOf(app, renewed), 200);
  for (const public_link_months of [0, 121, 1.5, '2'])
    assertRefused(
      await app.put('/v1/account/company', { key, body: { public_link_months } }),
      422,
      'parameter_invalid',
      'public_link_months',
    );
});

test('given a draft, or an invoice of another company or none, when its address is replaced, then it is refused', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const key = acme.live_key;
  const draft = (await app.post('/v1/invoices', { key, body: { type: 'F2', lines } })).body.data;
  const path = (id: string) => `/v1/invoices/${id}/public-link/revoke`;
  assertRefused(await app.post(path(draft.id), { key }), 409, 'invalid_status_transition', 'invoice');
  const { id, public_url } = await issue(app, key);
  for (const [id_asked, asker] of [
    [id, other.live_key],
    [id, acme.test_key],
    [newId(), key],
  ] as const)
    assertRefused(await app.post(path(id_asked), { key: asker }), 404, 'resource_not_found');
  assert.equal(await statusOf(app, public_url), 200);
});
