import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertNeedsScope, create } from '../../../../test/support/resource-checks.ts';
import { countNumbers } from '../../../../test/support/series-counters.ts';

test('given a series, when the years go by, then its next number is that of the current one', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  app.clock.set('2026-06-01T10:00:00Z');
  const series = await create(app, '/v1/series', key, {
    code: 'B',
    document_type: 'invoice',
    next_number: 40,
  });
  const next = async () => (await app.get(`/v1/series/${series.id}`, { key })).body.data.next_number;
  assert.equal(await next(), 40);
  await countNumbers(app, acme.company_id, series.id, { '2026': 42 });
  assert.equal(await next(), 42);
  app.clock.set('2027-06-01T10:00:00Z');
  assert.equal(await next(), 1, 'only the first period ever starts at the number chosen');
});

test("given another company's series, when it is retrieved, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const series = await create(app, '/v1/series', other.live_key, { code: 'B', document_type: 'invoice' });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/series/${x}`, series.id, { key: acme.live_key });
  const answer = await app.get(`/v1/series/${series.id}`, { key: other.live_key });
  assert.deepEqual(answer.body, { data: series });
  await assertNeedsScope(app, other, 'series:read', 'GET', `/v1/series/${series.id}`);
});
