import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import { assertHidesForeignIds, assertNeedsScope, create } from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles) {
  test(`given a ${object}, when it is retrieved, then it is the one created`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const contact = await create(app, path, acme.live_key, { name: 'Uno', is_active: false });
    const answer = await app.get(`${path}/${contact.id}`, { key: acme.live_key });
    assert.deepEqual(answer.body, { data: contact });
    await assertNeedsScope(app, acme, 'contacts:read', 'GET', `${path}/${contact.id}`);
  });

  test(`given another company's ${object}, when it is retrieved, then it does not exist`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const { id } = await create(app, path, other.live_key, { name: 'Uno' });
    await assertHidesForeignIds(app, 'GET', (x) => `${path}/${x}`, id, { key: acme.live_key });
    await assertHidesForeignIds(app, 'GET', (x) => `${path}/${x}`, id, { key: other.test_key });
  });
}

test('given a client, when it is looked for among the suppliers, then it does not exist', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/clients', key, { name: 'Uno' });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/suppliers/${x}`, id, { key });
  await assertHidesForeignIds(app, 'PUT', (x) => `/v1/suppliers/${x}`, id, { key, body: { name: 'Dos' } });
  await assertHidesForeignIds(app, 'DELETE', (x) => `/v1/suppliers/${x}`, id, { key });
});
