import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import { assertHidesForeignIds, create } from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles)
  test(`given a ${object}, when it is archived twice, then it is archived once, and its external id is free`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const key = acme.live_key;
    const contact = await create(app, path, key, { name: 'Uno', external_id: 'A' });
    app.clock.advance(1000);
    const archived = { ...contact, is_active: false, updated_at: app.clock.now().toISOString() };
    for (let i = 0; i < 2; i++) {
      const answer = await app.post(`${path}/${contact.id}/archive`, { key });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { data: archived });
      app.clock.advance(1000);
    }
    assert.deepEqual((await app.get(`${path}/${contact.id}`, { key })).body.data, archived);
    const events = object === 'client' ? ['client.created', 'client.deleted'] : [];
    assert.deepEqual(await app.eventTypes(acme, contact.id), events);
    await create(app, path, key, { name: 'Otro', external_id: 'A' });
    const foreign = await create(app, path, other.live_key, { name: 'Ajeno' });
    await assertHidesForeignIds(app, 'POST', (x) => `${path}/${x}/archive`, foreign.id, { key });
  });
