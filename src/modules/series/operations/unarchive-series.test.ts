import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertNeedsScope, create } from '../../../../test/support/resource-checks.ts';

const body = { code: 'B', document_type: 'invoice' };

test('given an archived series, when it is unarchived twice, then it is back, once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series = await create(app, '/v1/series', key, body);
  await app.post(`/v1/series/${series.id}/archive`, { key });
  for (let i = 0; i < 2; i++) {
    const answer = await app.post(`/v1/series/${series.id}/unarchive`, { key });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, series);
  }
  const events = ['series.created', 'series.archived', 'series.unarchived'];
  assert.deepEqual(await app.eventTypes(acme, series.id), events);
});

test("given another company's series, when it is unarchived, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/series', other.live_key, body);
  await assertHidesForeignIds(app, 'POST', (x) => `/v1/series/${x}/unarchive`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'series:write', 'POST', `/v1/series/${id}/unarchive`);
});
