import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../kernel/uuid7.ts';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertFilters, assertRefused } from '../../../../test/support/resource-checks.ts';

type Case = [query: Record<string, string>, ids: string[]];

const newestFirst = (cases: readonly Case[]): Case[] =>
  cases.map(([query, ids]) => [{ sort: '-created', ...query }, ids]);

const made = async (app: App, key: string, fields: object) => {
  const body = { type: 'F2', lines: [{ description: 'x', unit_price: 10, tax_rate: 0 }], ...fields };
  const answer = await app.post('/v1/invoices', { key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};

const priced = (unit_price: number) => ({ lines: [{ description: 'x', unit_price, tax_rate: 0 }] });

test('given invoices, when filtered, then each filter keeps just its own', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL' } })).body.data.id;
  const make = async (unit_price: number, fields: object) =>
    (
      await app.post('/v1/invoices', {
        key,
        body: { type: 'F2', lines: [{ description: 'x', unit_price, tax_rate: 0 }], ...fields },
      })
    ).body.data;
  const draft = await make(10, { tags: ['web'] });
  const issued = await make(20, {
    client_id: client,
    external_id: 'p-1',
    due_on: '2026-06-30',
    options: { issue: true },
  });
  const full = await make(30, { type: 'F1', client_id: client, issued_on: '2026-05-01' });
  const cases: [Record<string, string>, string[]][] = [
    [{ status: 'draft' }, [full.id, draft.id]],
    [{ 'status[in]': 'issued,paid' }, [issued.id]],
    [{ type: 'F1' }, [full.id]],
    [{ client_id: client }, [full.id, issued.id]],
    [{ series_id: issued.series.id }, [issued.id, draft.id]],
    [{ number: issued.number }, [issued.id]],
    [{ external_id: 'p-1' }, [issued.id]],
    [{ tag: 'web' }, [draft.id]],
    [{ q: 'nortE' }, [full.id, issued.id]],
    [{ q: issued.number.slice(-4) }, [issued.id]],
    [{ q: '100%' }, []],
    [{ 'issued_on[gte]': '2026-05-02' }, [issued.id]],
    [{ 'issued_on[lt]': '2026-05-02' }, [full.id]],
    [{ 'due_on[lte]': '2026-06-30' }, [issued.id]],
    [{ 'total[gte]': '20', 'total[lt]': '30' }, [issued.id]],
    [{ 'created[gt]': '2026-05-20T10:00:00Z' }, []],
    [{ sort: 'total' }, [draft.id, issued.id, full.id]],
    [{ sort: '-number' }, [issued.id, full.id, draft.id]],
  ];
  await assertFilters(app, '/v1/invoices', key, newestFirst(cases));
});

test('given ranges, when an invoice stands on a bound, then gte and lte hold it, gt and lt do not', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const ids: string[] = [];
  const totals = { '2026-05-01': 10.05, '2026-05-02': 20.1, '2026-05-03': 30.15 };
  for (const [day, total] of Object.entries(totals)) {
    app.clock.advance(60_000);
    const fields = { issued_on: day, due_on: day.replace('-05-', '-06-'), ...priced(total) };
    ids.push((await made(app, key, fields)).id);
  }
  const [one, two, three] = ids as [string, string, string];
  const bounds = {
    issued_on: '2026-05-02',
    due_on: '2026-06-02',
    created: '2026-05-20T10:02:00Z',
    total: '20.10',
  };
  for (const [field, at] of Object.entries(bounds)) {
    const range = (suffix: string) => ({ [`${field}[${suffix}]`]: at });
    const cases: Case[] = [
      [range('gte'), [three, two]],
      [range('gt'), [three]],
      [range('lte'), [two, one]],
      [range('lt'), [one]],
      [{ ...range('gte'), ...range('lte') }, [two]],
      [{ ...range('gt'), ...range('lt') }, []],
      [{ ...range('gte'), sort: 'total' }, [two, three]],
      [{ ...range('lte'), sort: '-total', limit: '1' }, [two]],
      [{ ...range('lte'), sort: '-total', starting_after: two }, [one]],
      [{ ...range('gte'), sort: 'created', ending_before: three }, [two]],
    ];
    await assertFilters(app, '/v1/invoices', key, newestFirst(cases));
  }
});

test('given real time, when filtered by created, then the instant counts and not only the id', async (t) => {
  const app = await startApp(t);
  app.clock.set(new Date());
  const { live_key: key } = await app.given.company();
  const before = await made(app, key, { tags: ['a'] });
  app.clock.advance(20_000);
  const at = app.clock.now().toISOString();
  const after = await made(app, key, { tags: ['a'] });
  await assertFilters(
    app,
    '/v1/invoices',
    key,
    newestFirst([
      [{ 'created[gte]': at }, [after.id]],
      [{ 'created[lt]': at }, [before.id]],
      [{ 'created[lte]': at, tag: 'a' }, [after.id, before.id]],
      [{ 'created[lt]': at, tag: 'a', sort: 'total' }, [before.id]],
      [{ 'created[lt]': at, type: 'F2' }, [before.id]],
      [{ 'created[lt]': at, 'status[in]': 'draft,paid' }, [before.id]],
      [{ 'created[gt]': '2100-01-01T00:00:00Z' }, []],
      [{ 'created[lt]': '1990-01-01T00:00:00Z' }, []],
    ]),
  );
});

test('given tags, when they change or go with their draft, then the filter follows', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const draft = await made(app, key, { tags: ['web', 'Norte'] });
  const issued = await made(app, key, { tags: ['web'], options: { issue: true } });
  const copy = (await app.post(`/v1/invoices/${draft.id}/duplicate`, { key, body: {} })).body.data;
  const expectTagged = (cases: Record<string, string[]>) =>
    assertFilters(
      app,
      '/v1/invoices',
      key,
      Object.entries(cases).flatMap(([tag, ids]): Case[] => [
        [{ tag }, ids],
        [{ tag, sort: 'total' }, ids],
        [{ tag, type: 'F2' }, ids],
      ]),
    );
  await expectTagged({ web: [draft.id, issued.id, copy.id], Norte: [draft.id, copy.id], norte: [], we: [] });
  await app.put(`/v1/invoices/${issued.id}`, { key, body: { tags: ['late', 'web'] } });
  await app.put(`/v1/invoices/${draft.id}`, { key, body: { tags: ['late'] } });
  await expectTagged({ web: [issued.id, copy.id], late: [draft.id, issued.id], Norte: [copy.id] });
  await app.put(`/v1/invoices/${issued.id}`, { key, body: { tags: null } });
  assert.equal((await app.delete(`/v1/invoices/${draft.id}`, { key })).status, 200);
  await expectTagged({ web: [copy.id], late: [] });
  assert.deepEqual((await app.get(`/v1/invoices/${issued.id}`, { key })).body.data.tags, []);
});

test('given several filters, when combined, then only what fits all is listed, in each order', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client_id = (await app.post('/v1/clients', { key, body: { name: 'Río 50% SL' } })).body.data.id;
  const a = await made(app, key, { client_id, tags: ['x'], ...priced(30), options: { issue: true } });
  const b = await made(app, key, { client_id, tags: ['x'], ...priced(10), options: { issue: true } });
  const c = await made(app, key, { client_id, tags: ['y'], ...priced(20) });
  const fits: Case[] = [
    [{ q: 'RÍO 50%', tag: 'x' }, [a.id, b.id]],
    [{ q: 'río', tag: 'x', sort: 'total' }, [b.id, a.id]],
    [{ q: 'río', tag: 'x', sort: '-number' }, [b.id, a.id]],
    [{ q: 'río', client_id, 'status[in]': 'issued,issued,draft' }, [a.id, b.id, c.id]],
    [{ 'status[in]': 'draft,draft' }, [c.id]],
    [{ 'status[in]': 'draft,issued', sort: '-number' }, [b.id, a.id, c.id]],
    [{ status: 'draft', sort: 'number' }, [c.id]],
    [{ status: 'issued', sort: 'number' }, [a.id, b.id]],
    [{ series_id: a.series.id, sort: 'number', status: 'issued' }, [a.id, b.id]],
    [{ series_id: a.series.id, sort: '-number', limit: '1' }, [b.id]],
    [{ tag: 'x', status: 'draft' }, []],
    [{ number: a.number, type: 'F1' }, []],
    [{ number: a.number, tag: 'x', q: a.number.toLowerCase() }, [a.id]],
    [{ client_id, 'total[gt]': '10', 'total[lt]': '30' }, [c.id]],
    [{ 'total[gte]': '-0.5', 'total[lte]': '10' }, [b.id]],
    [{ 'total[gte]': '-000.5', 'total[lte]': '010.0' }, [b.id]],
    [{ 'total[gt]': '29.9', sort: 'total' }, [a.id]],
  ];
  await assertFilters(app, '/v1/invoices', key, fits);
});

test("given another company's invoices, when its ids and texts are asked for, then none is listed", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const body = { name: 'Secreta SL' };
  const client_id = (await app.post('/v1/clients', { key: other.live_key, body })).body.data.id;
  const theirs = await made(app, other.live_key, {
    client_id,
    tags: ['t'],
    external_id: 'e-1',
    options: { issue: true },
  });
  const queries: Record<string, string>[] = [
    { client_id },
    { series_id: theirs.series.id },
    { number: theirs.number },
    { external_id: 'e-1' },
    { tag: 't' },
    { q: 'secreta' },
    { status: 'issued' },
    { 'status[in]': 'issued,paid' },
    { type: 'F2' },
    { 'issued_on[gte]': '2000-01-01' },
    { 'created[gte]': '2000-01-01T00:00:00Z' },
    { 'total[gte]': '0' },
  ];
  const orders = ['-created', 'total', 'number'];
  const cases = queries.flatMap((query) => orders.map((sort): Case => [{ ...query, sort }, []]));
  await assertFilters(app, '/v1/invoices', acme.live_key, cases);
  await assertFilters(
    app,
    '/v1/invoices',
    other.live_key,
    cases.map(([query]): Case => [query, [theirs.id]]),
  );
});

test('given values that no filter knows, when listed, then they are refused by name, or match nothing', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await made(app, key, { tags: ['a'] });
  const refused: Record<string, string> = {
    status: 'lost',
    'status[in]': 'draft,',
    type: 'F9',
    client_id: 'x',
    series_id: '1',
    q: 'ab',
    tag: 'x'.repeat(41),
    'issued_on[gte]': '2026-02-30',
    'due_on[lt]': 'mañana',
    'created[gt]': '2026-05-32',
    'total[lte]': '1,5',
    'total[eq]': '1',
    issued_on: '2026-05-20',
    colour: 'red',
    sort: 'due_on',
  };
  for (const [param, value] of Object.entries(refused)) {
    const answer = await app.get('/v1/invoices', { key, query: { [param]: value } });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  const unknown: Record<string, string>[] = [
    { client_id: newId() },
    { series_id: newId() },
    { number: 'F-0' },
    { external_id: '%' },
    { tag: '{a}' },
    { q: "a'b" },
    { q: '___' },
    { q: '\\\\\\' },
  ];
  await assertFilters(
    app,
    '/v1/invoices',
    key,
    unknown.map((query): Case => [query, []]),
  );
});

test('given invoices, when filtered by what is pending, currency, operation day, product or metadata, then each keeps its own', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const product = (await app.post('/v1/products', { key, body: { name: 'Silla', unit_price: 30 } })).body
    .data;
  const issue = { options: { issue: true } };
  const sold = { product_id: product.id, unit_price: 30, tax_rate: 0 };
  const paid = await made(app, key, {
    ...priced(10),
    payment: { method: 'cash' },
    operation_on: '2026-05-19',
  });
  const open = await made(app, key, { ...priced(20.5), ...issue, metadata: { pedido: '7', 'a"b': 'c\\d%' } });
  const dollars = await made(app, key, {
    lines: [sold, sold],
    currency: 'USD',
    exchange_rate: 0.9,
    ...issue,
    metadata: { pedido: '77', note: '"pedido": "7"' },
  });
  const draft = await made(app, key, { lines: [sold], operation_on: '2026-05-01' });
  const cases: Case[] = [
    [{ 'pending_amount[gt]': '0' }, [draft.id, dollars.id, open.id]],
    [{ 'pending_amount[gte]': '20.50', 'pending_amount[lt]': '30' }, [open.id]],
    [{ 'pending_amount[lte]': '0' }, [paid.id]],
    [{ 'pending_amount[lt]': '0' }, []],
    [{ currency: 'USD' }, [dollars.id]],
    [{ currency: 'EUR' }, [draft.id, open.id, paid.id]],
    [{ currency: 'GBP' }, []],
    [{ 'operation_on[gte]': '2026-05-02' }, [paid.id]],
    [{ 'operation_on[lte]': '2026-05-19' }, [draft.id, paid.id]],
    [{ product_id: product.id }, [draft.id, dollars.id]],
    [{ product_id: product.id, status: 'draft' }, [draft.id]],
    [{ product_id: product.id, sort: 'total' }, [draft.id, dollars.id]],
    [{ product_id: newId() }, []],
    [{ 'metadata[pedido]': '7' }, [open.id]],
    [{ 'metadata[pedido]': '77' }, [dollars.id]],
    [{ 'metadata[a"b]': 'c\\d%' }, [open.id]],
    [{ 'metadata[pedido]': '7', 'metadata[a"b]': 'c\\d%' }, [open.id]],
    [{ 'metadata[pedido]': '7', 'metadata[a"b]': 'c' }, []],
    [{ 'metadata[b]': 'c\\d%' }, []],
    [{ 'metadata[a][0]': 'x' }, []],
    [{ 'metadata[pedido]': '7', q: open.number }, [open.id]],
  ];
  await assertFilters(app, '/v1/invoices', key, newestFirst(cases));
  await app.put(`/v1/invoices/${open.id}`, { key, body: { metadata: { pedido: '8' } } });
  await assertFilters(
    app,
    '/v1/invoices',
    key,
    newestFirst([
      [{ 'metadata[pedido]': '7' }, []],
      [{ 'metadata[pedido]': '8' }, [open.id]],
    ]),
  );
  for (const [query, param] of [
    [{ currency: 'euro' }, 'currency'],
    [{ product_id: 'x' }, 'product_id'],
    [{ 'pending_amount[gt]': '1.234' }, 'pending_amount[gt]'],
    [{ 'metadata[]': 'x' }, 'metadata[]'],
    [{ metadata: 'x' }, 'metadata'],
    [{ [`metadata[${'k'.repeat(41)}]`]: 'x' }, `metadata[${'k'.repeat(41)}]`],
    [{ 'metadata[k]': 'x'.repeat(501) }, 'metadata[k]'],
    [{ 'metadata[pedido][in]': '7,8' }, 'metadata[pedido][in]'],
    [{ 'metadata[pedido][gte]': '7' }, 'metadata[pedido][gte]'],
    [{ 'metadata[pedido][]': '7' }, 'metadata[pedido][]'],
    [Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`metadata[k${i}]`, 'x'])), 'metadata'],
  ] as const)
    assertRefused(await app.get('/v1/invoices', { key, query }), 422, 'parameter_invalid', param);
});
