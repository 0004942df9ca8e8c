import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles) {
  test(`given ${object}s, when one is looked for by external id, then only the active one of that role is found`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const key = acme.live_key;
    const find = (external_id: string) =>
      app.post(`${path}/find-by-external-id`, { key, body: { external_id } });
    const contact = await create(app, path, key, { name: 'Uno', tax_id: 'B12345674', external_id: 'ERP-1' });
    await create(app, path, key, { name: 'Archivado', external_id: 'ERP-2', is_active: false });
    await create(app, path, other.live_key, { name: 'Ajeno', external_id: 'ERP-3' });
    const other_role = contactRoles.find((role) => role.path !== path)!;
    await create(app, other_role.path, key, { name: 'Otro papel', external_id: 'ERP-4' });

    const found = await find('ERP-1');
    assert.equal(found.status, 200, found.text);
    assert.deepEqual(found.body, { data: contact });
    for (const external_id of ['ERP-2', 'ERP-3', 'ERP-4', 'B12345674', 'erp-1', 'ERP-', contact.id]) {
      assertRefused(await find(external_id), 404, 'resource_not_found', 'external_id');
    }
  });

  test(`given a body without a proper external id, when a ${object} is looked for, then the field is named`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const where = `${path}/find-by-external-id`;
    for (const body of [
      {},
      { external_id: '' },
      { external_id: null },
      { external_id: 1 },
      { external_id: 'x'.repeat(256) },
    ]) {
      assertRefused(
        await app.post(where, { key: acme.live_key, body }),
        422,
        'parameter_invalid',
        'external_id',
      );
    }
    await assertRefusesUnknownKey(app, 'POST', where, acme.live_key, { external_id: 'A' });
    await create(app, path, acme.live_key, { name: 'Uno', external_id: 'A' });
    await assertNeedsScope(app, acme, 'contacts:read', 'POST', where, { body: { external_id: 'A' } });
  });
}

test('given a limited key, when contacts are looked for, then it counts as a read', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[7,3]}' } });
  const { live_key: key } = await app.given.company();
  const answer = await app.post('/v1/suppliers/find-by-external-id', { key, body: { external_id: 'A' } });
  assert.match(String(answer.headers['ratelimit-policy']), /^"read";q=7;/);
});
