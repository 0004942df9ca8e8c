import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';

const body = { code: 'B', document_type: 'invoice' };

test('given a series, when it is archived twice, then it is archived once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series = await create(app, '/v1/series', key, body);
  app.clock.advance(1000);
  const archived = { ...series, is_archived: true, updated_at: app.clock.now().toISOString() };
  for (let i = 0; i < 2; i++) {
    const answer = await app.post(`/v1/series/${series.id}/archive`, { key });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, archived);
    app.clock.advance(1000);
  }
  assert.deepEqual((await app.get(`/v1/series/${series.id}`, { key })).body.data, archived);
  assert.deepEqual(await app.eventTypes(acme, series.id), ['series.created', 'series.archived']);
});

test('given the default of its kind, when it is archived, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { body: list } = await app.get('/v1/series', { key });
  for (const { id } of list.data) {
    assertRefused(
      await app.post(`/v1/series/${id}/archive`, { key }),
      409,
      'invalid_status_transition',
      'series',
    );
  }
});

test("given another company's series, when it is archived, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/series', other.live_key, body);
  await assertHidesForeignIds(app, 'POST', (x) => `/v1/series/${x}/archive`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'series:write', 'POST', `/v1/series/${id}/archive`);
});
