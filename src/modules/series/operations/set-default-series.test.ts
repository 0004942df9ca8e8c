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

test('given a series, when it is made the default, then the one that was steps back', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const old = (await app.get('/v1/series', { key, query: { code: 'F' } })).body.data[0];
  const series = await create(app, '/v1/series', key, body);
  app.clock.advance(1000);
  const updated_at = app.clock.now().toISOString();
  for (let i = 0; i < 2; i++) {
    const answer = await app.post(`/v1/series/${series.id}/set-default`, { key });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, { ...series, is_default: true, updated_at });
  }
  const was = (await app.get(`/v1/series/${old.id}`, { key })).body.data;
  assert.deepEqual(was, { ...old, is_default: false, updated_at });
  assert.deepEqual(await app.eventTypes(acme, series.id), ['series.created', 'series.marked_as_default']);
  assert.deepEqual(await app.eventTypes(acme, old.id), ['series.demoted_from_default']);
  const { body: events } = await app.get('/v1/events', { key });
  assert.deepEqual(
    events.data.map(({ type }: { type: string }) => type),
    ['series.marked_as_default', 'series.demoted_from_default', 'series.created'],
  );
  assert.equal(
    (await app.post(`/v1/series/${old.id}/archive`, { key })).status,
    200,
    'no longer the default',
  );
});

test('given a draft of the former default, when another series is, then it keeps its own until its edit takes the new one', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const draft = await create(app, '/v1/invoices', key, { type: 'F2', lines });
  const next = { code: 'S27', document_type: 'simplified_invoice' };
  const series = await create(app, '/v1/series', key, next);
  assert.equal((await app.post(`/v1/series/${series.id}/set-default`, { key })).status, 200);
  const codes: string[] = [];
  for (const body of [{ notes: 'Gracias' }, { series_id: null }])
    codes.push((await app.put(`/v1/invoices/${draft.id}`, { key, body })).body.data.series.code);
  assert.deepEqual(codes, ['S', 'S27']);
});

test('given an archived series, when it is made the default, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/series', key, body);
  await app.post(`/v1/series/${id}/archive`, { key });
  assertRefused(
    await app.post(`/v1/series/${id}/set-default`, { key }),
    409,
    'invalid_status_transition',
    'series',
  );
});

test('given several at once, when each is made the default, then exactly one is', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const ids: string[] = [];
  for (const code of ['B', 'D', 'E']) ids.push((await create(app, '/v1/series', key, { ...body, code })).id);
  const answers = await Promise.all(ids.map((id) => app.post(`/v1/series/${id}/set-default`, { key })));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200],
  );
  const { body: list } = await app.get('/v1/series', { key, query: { document_type: 'invoice' } });
  assert.equal(list.data.filter((series: { is_default: boolean }) => series.is_default).length, 1);
});

test("given another company's series, when it is made the default, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/series', other.live_key, body);
  await assertHidesForeignIds(app, 'POST', (x) => `/v1/series/${x}/set-default`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'series:write', 'POST', `/v1/series/${id}/set-default`);
});
