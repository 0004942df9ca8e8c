import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertFilters,
  assertNeedsScope,
  assertPages,
  create,
} from '../../../../test/support/resource-checks.ts';
import { countNumbers } from '../../../../test/support/series-counters.ts';
import { defaultSeries } from '../../../domain/sales/default-series.ts';

test('given a new company, when its series are listed, then each kind of document has one, the default', async (t) => {
  const app = await startApp(t);
  const { live_key, test_key } = await app.given.company();
  for (const key of [live_key, test_key]) {
    const { body } = await app.get('/v1/series', { key, query: { sort: 'created' } });
    const { id: _, created_at: __, updated_at: ___, ...first } = body.data[0];
    const shared = { object: 'series', next_number: 1, is_default: true, is_archived: false };
    assert.deepEqual(first, { ...shared, ...defaultSeries[0] });
    const kinds = body.data.map((series: { document_type: string }) => series.document_type);
    assert.deepEqual(
      kinds,
      defaultSeries.map((series) => series.document_type),
    );
    assert.ok(body.data.every((series: { is_default: boolean }) => series.is_default));
  }
});

test('given series of two companies, when one lists, then each order has only its own, in both directions', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  await create(app, '/v1/series', other.live_key, { code: 'B', document_type: 'proforma' });
  const ids: Record<string, string> = {};
  const { body } = await app.get('/v1/series', { key: acme.live_key, query: { document_type: 'proforma' } });
  ids.PF = body.data[0].id;
  for (const code of ['D', 'A1', 'B']) {
    ids[code] = (await create(app, '/v1/series', acme.live_key, { code, document_type: 'proforma' })).id;
  }
  const of = (...codes: string[]) => codes.map((code) => ids[code] ?? '');
  await assertPages(
    app,
    '/v1/series',
    acme.live_key,
    { document_type: 'proforma' },
    {
      created: of('PF', 'D', 'A1', 'B'),
      code: of('A1', 'B', 'D', 'PF'),
    },
  );
  await app.post(`/v1/series/${ids.D}/archive`, { key: acme.live_key });
  await assertFilters(app, '/v1/series', acme.live_key, [
    [{ code: 'B' }, of('B')],
    [{ code: 'c' }, []],
    [{ is_archived: 'true' }, of('D')],
    [{ is_archived: 'false', document_type: 'proforma' }, of('PF', 'A1', 'B')],
  ]);
});

test('given series with numbers, when they are listed, then each shows the next of its own period', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  app.clock.set('2026-12-31T23:30:00Z'); // already 2027-01-01 in Madrid
  const made = async (code: string, reset: string) =>
    (await create(app, '/v1/series', key, { code, reset, document_type: 'quote', next_number: 50 })).id;
  const [never, year, month, unused] = [
    await made('V', 'never'),
    await made('Y', 'year'),
    await made('M', 'month'),
    await made('U', 'year'),
  ];
  await countNumbers(app, acme.company_id, never, { '': 61 });
  await countNumbers(app, acme.company_id, year, { '2026': 71 });
  await countNumbers(app, acme.company_id, month, { '2026-12': 81, '2027-01': 3 });
  const { body } = await app.get('/v1/series', { key, query: { document_type: 'quote' } });
  const next = Object.fromEntries(
    body.data.map((s: { id: string; next_number: number }) => [s.id, s.next_number]),
  );
  assert.deepEqual([next[never], next[year], next[month], next[unused]], [61, 1, 3, 50]);
});

test('given a key without series:read, when series are listed, then it is refused', async (t) => {
  const app = await startApp(t);
  await assertNeedsScope(app, await app.given.company(), 'series:read', 'GET', '/v1/series');
});
