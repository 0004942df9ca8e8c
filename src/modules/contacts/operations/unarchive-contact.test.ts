import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import { assertHidesForeignIds, assertRefused, create } from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles)
  test(`given an archived ${object}, when it is brought back twice, then it is back, once, if its external id is free`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const key = acme.live_key;
    const contact = await create(app, path, key, { name: 'Uno', external_id: 'A' });
    const unarchive = () => app.post(`${path}/${contact.id}/unarchive`, { key });
    await app.post(`${path}/${contact.id}/archive`, { key });
    const taken = await create(app, path, key, { name: 'Otro', external_id: 'A' });
    assertRefused(await unarchive(), 422, 'business_rule_violation', 'external_id');
    await app.delete(`${path}/${taken.id}`, { key });
    app.clock.advance(1000);
    const back = { ...contact, updated_at: app.clock.now().toISOString() };
    for (let i = 0; i < 2; i++) {
      const answer = await unarchive();
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { data: back });
      app.clock.advance(1000);
    }
    const events = object === 'client' ? ['client.created', 'client.deleted', 'client.updated'] : [];
    assert.deepEqual(await app.eventTypes(acme, contact.id), events);
    const foreign = await create(app, path, other.live_key, { name: 'Ajeno' });
    await assertHidesForeignIds(app, 'POST', (x) => `${path}/${x}/unarchive`, foreign.id, { key });
  });
