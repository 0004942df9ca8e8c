import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recurrence } from '../../../../test/support/recurrences.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';
import { countNumbers } from '../../../../test/support/series-counters.ts';
import { insertDraftInvoice } from '../../../../test/support/stored-invoice.ts';

const body = { code: 'B', document_type: 'invoice' };

test('given a series without numbers, when it is deleted, then it is gone and its code free', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await create(app, '/v1/series', key, body);
  const answer = await app.delete(`/v1/series/${id}`, { key });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { data: { id, object: 'series', deleted: true } });
  assertRefused(await app.get(`/v1/series/${id}`, { key }), 404, 'resource_not_found');
  assert.deepEqual(await app.eventTypes(acme, id), ['series.created', 'series.deleted']);
  await create(app, '/v1/series', key, body);
});

test('given a series that is the default, gave numbers or is named by a draft, when it is deleted, then it stays', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const counted = await create(app, '/v1/series', key, body);
  await countNumbers(app, acme.company_id, counted.id, { '2020': 2 });
  const drafted = await create(app, '/v1/series', key, { ...body, code: 'E' });
  await insertDraftInvoice(app, acme.company_id, { series_id: drafted.id });
  const recurring = await create(app, '/v1/series', key, {
    ...body,
    code: 'Q',
    document_type: 'simplified_invoice',
  });
  await create(app, '/v1/recurring_invoices', key, recurrence({ series_id: recurring.id }));
  const refused = await app.delete(`/v1/series/${recurring.id}`, { key });
  assert.match(refused.body.error.message, /una factura recurrente/);
  const defaults = await app.get('/v1/series', { key, query: { code: 'F' } });
  for (const id of [counted.id, drafted.id, recurring.id, defaults.body.data[0].id]) {
    assertRefused(await app.delete(`/v1/series/${id}`, { key }), 409, 'invalid_status_transition');
    assert.equal((await app.get(`/v1/series/${id}`, { key })).status, 200);
  }
});

test("given another company's series, when it is deleted, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/series', other.live_key, body);
  await assertHidesForeignIds(app, 'DELETE', (x) => `/v1/series/${x}`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'series:write', 'DELETE', `/v1/series/${id}`);
});
