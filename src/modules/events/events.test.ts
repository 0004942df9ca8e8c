/** Who may read one event and the catalogue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { assertHidesForeignIds, assertRefused, create } from '../../../test/support/resource-checks.ts';

test("given another company's event, when get_event is called, then there is none", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  await create(app, '/v1/clients', other.live_key, { name: 'Uno' });
  const [event] = (await app.get('/v1/events', { key: other.live_key })).body.data;
  assert.deepEqual((await app.get(`/v1/events/${event.id}`, { key: other.live_key })).body, { data: event });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/events/${x}`, event.id, { key: acme.live_key });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/events/${x}`, event.id, { key: other.test_key });
});

test('given a key without events:read, when get_event or list_event_catalog is called, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await create(app, '/v1/clients', acme.live_key, { name: 'Uno' });
  const [event] = (await app.get('/v1/events', { key: acme.live_key })).body.data;
  const without = await app.given.apiKey(acme, { scopes: ['contacts:read'] });
  const just = await app.given.apiKey(acme, { scopes: ['events:read'] });
  for (const path of [`/v1/events/${event.id}`, '/v1/event-catalog']) {
    assertRefused(await app.get(path, { key: without }), 403, 'insufficient_scope');
    assert.equal((await app.get(path, { key: just })).status, 200);
  }
});

test('given the catalogue, when list_event_catalog is called twice, then it answers the same, page by page', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const query = { limit: '100' };
  const first = await app.get('/v1/event-catalog', { key: acme.live_key, query });
  assert.deepEqual([first.body.has_more, first.body.next_cursor], [true, first.body.data.at(-1).id]);
  const second = await app.get('/v1/event-catalog', { key: other.test_key, query });
  assert.deepEqual(second.body, first.body);
});
