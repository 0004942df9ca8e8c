import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { yearAt } from '../../../../test/support/this-year.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertReadOnly,
  assertRefused,
  assertRefusesUnknownKey,
  assertRoundTrip,
  create,
} from '../../../../test/support/resource-checks.ts';
import { countNumbers } from '../../../../test/support/series-counters.ts';

const body = { code: 'B', name: 'Tienda', document_type: 'invoice', next_number: 5 };

test('given a series without numbers, when it is changed, then all but its kind may change', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series = await create(app, '/v1/series', key, body);
  app.clock.advance(1000);
  const change = { code: 'E', name: null, format: '{code}-{number}', reset: 'never', next_number: 9 };
  const answer = await app.put(`/v1/series/${series.id}`, { key, body: change });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, { ...series, ...change, updated_at: app.clock.now().toISOString() });
  assert.deepEqual((await app.get(`/v1/series/${series.id}`, { key })).body, answer.body);
  assert.deepEqual(await app.eventTypes(acme, series.id), ['series.created', 'series.updated']);
});

test('given what GET gave, when it is sent back, then nothing changes', async (t) => {
  const app = await startApp(t);
  // Its numbers begin anew with a year.
  app.clock.set('2026-06-15T10:00:00Z');
  const acme = await app.given.company();
  const { id } = await create(app, '/v1/series', acme.live_key, body);
  await assertRoundTrip(app, acme, '/v1/series', id);
  const year = String(yearAt(app.clock.now()));
  await countNumbers(app, acme.company_id, id, { [year]: 8 });
  await assertRoundTrip(app, acme, '/v1/series', id);
  await assertReadOnly(app, acme.live_key, `/v1/series/${id}`, {
    id: null,
    object: 'serie',
    document_type: 'quote',
    is_default: true,
    is_archived: true,
    created_at: null,
    updated_at: null,
  });
  await assertRefusesUnknownKey(app, 'PUT', `/v1/series/${id}`, acme.live_key, {});
});

test('given a series with numbers, when what they rest on is changed, then it is refused by name', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await create(app, '/v1/series', key, body);
  const year = String(yearAt(app.clock.now()));
  await countNumbers(app, acme.company_id, id, { [year]: 8 });
  const put = (change: object) => app.put(`/v1/series/${id}`, { key, body: change });
  for (const change of [
    { code: 'E' },
    { format: '{code}{yy}-{number}' },
    { reset: 'never' },
    { next_number: 5 },
  ]) {
    assertRefused(await put(change), 409, 'invalid_status_transition', Object.keys(change)[0]);
  }
  const renamed = await put({ name: 'Otra', next_number: 8 });
  assert.equal(renamed.status, 200, renamed.text);
  assert.deepEqual([renamed.body.data.name, renamed.body.data.next_number], ['Otra', 8]);
});

test('given other series, when one would take their code or repeat their numbers, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/series', key, body);
  const put = (change: object) => app.put(`/v1/series/${id}`, { key, body: change });
  assertRefused(await put({ code: 'P' }), 422, 'business_rule_violation', 'code');
  assertRefused(await put({ code: 'F' }), 422, 'business_rule_violation', 'code');
  assertRefused(await put({ format: 'F{year}-{number:4}' }), 422, 'business_rule_violation', 'format');
  for (const change of [{ code: null }, { format: null }, { format: '{code}' }, { next_number: null }]) {
    assertRefused(await put(change), 422, 'parameter_invalid', Object.keys(change)[0]);
  }
  assert.equal(
    (await put({ format: '{code}{year}-{number:3}' })).status,
    200,
    'its own numbers are no clash',
  );
});

test("given another company's series, when it is changed, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/series', other.live_key, body);
  const options = { key: acme.live_key, body: { name: 'Mía' } };
  await assertHidesForeignIds(app, 'PUT', (x) => `/v1/series/${x}`, id, options);
  await assertNeedsScope(app, other, 'series:write', 'PUT', `/v1/series/${id}`, { body: { name: 'Suya' } });
});

test('given a series by year with a first number of December, when it gives none until January, then that number holds until it is changed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  app.clock.set('2026-12-10T10:00:00Z');
  const quotes = { document_type: 'quote', next_number: 348 };
  const kept = await create(app, '/v1/series', key, { code: 'KK', ...quotes });
  const changed = await create(app, '/v1/series', key, { code: 'KC', ...quotes });
  const client = await create(app, '/v1/clients', key, { name: 'Norte' });
  app.clock.set('2027-01-04T10:00:00Z');
  const answer = await app.put(`/v1/series/${changed.id}`, { key, body: { next_number: 1 } });
  assert.equal(answer.status, 200, answer.text);
  const numberIn = async (series_id: string) => {
    const lines = [{ description: 'Trabajo', unit_price: 10, tax_rate: 21 }];
    const sent = { client_id: client.id, series_id, lines, options: { mark_pending: true } };
    return (await create<{ number: string }>(app, '/v1/quotes', key, sent)).number;
  };
  assert.equal(await numberIn(kept.id), 'KK2027-000348');
  assert.equal(await numberIn(changed.id), 'KC2027-000001');
  app.clock.set('2028-01-04T10:00:00Z');
  assert.equal(await numberIn(kept.id), 'KK2028-000001');
});
