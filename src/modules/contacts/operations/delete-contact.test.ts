import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';
import { insertDraftInvoice } from '../../../../test/support/stored-invoice.ts';

for (const { object, path } of contactRoles) {
  test(`given a ${object} without documents, when it is deleted, then it is gone and its external id free`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const { id } = await create(app, path, key, { name: 'Uno', external_id: 'A' });
    const answer = await app.delete(`${path}/${id}`, { key });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { data: { id, object, deleted: true } });
    assertRefused(await app.get(`${path}/${id}`, { key }), 404, 'resource_not_found');
    assertRefused(await app.delete(`${path}/${id}`, { key }), 404, 'resource_not_found');
    assert.deepEqual(
      await app.eventTypes(acme, id),
      object === 'client' ? ['client.created', 'client.deleted'] : [],
    );
    await create(app, path, key, { name: 'Otro', external_id: 'A' });
  });

  test(`given another company's ${object}, when it is deleted, then it does not exist`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const { id } = await create(app, path, other.live_key, { name: 'Uno' });
    await assertHidesForeignIds(app, 'DELETE', (x) => `${path}/${x}`, id, { key: acme.live_key });
    await assertNeedsScope(app, other, 'contacts:delete', 'DELETE', `${path}/${id}`);
  });
}

test('given a client on an invoice, when it is deleted, then it is archived, and still there to see', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = await create(app, '/v1/clients', key, { name: 'Uno', external_id: 'A' });
  await insertDraftInvoice(app, acme.company_id, { client_id: client.id });
  app.clock.advance(1000);
  const headers = { 'idempotency-key': 'archiva' };
  for (let i = 0; i < 2; i++) {
    const answer = await app.delete(`/v1/clients/${client.id}`, { key, headers });
    assert.deepEqual(answer.body, { data: { id: client.id, object: 'client', deleted: true } });
  }
  const archived = { ...client, is_active: false, updated_at: app.clock.now().toISOString() };
  assert.deepEqual((await app.get(`/v1/clients/${client.id}`, { key })).body.data, archived);
  assert.deepEqual((await app.get('/v1/clients', { key })).body.data, [archived]);
  await create(app, '/v1/clients', key, { name: 'Otro', external_id: 'A' });
  assert.equal((await app.delete(`/v1/clients/${client.id}`, { key })).status, 200);
  assert.deepEqual(await app.eventTypes(acme, client.id), ['client.created', 'client.deleted']);
});
