/**
 * A page of documents reads about as many lines and payments as it shows. A document has 500 payments at most, of 27 kB each: a
 * hundred documents would bring a gigabyte into the process for the 2 MB of their page (ADR 34). The same holds of what was read of
 * scans, and of the bodies of deliveries.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoices } from '../../src/modules/invoices/invoices.family.ts';
import { readPage } from '../../src/kernel/page.ts';
import { paymentsMax } from '../../src/modules/payments/index.ts';
import { purchaseInvoices } from '../../src/modules/purchase-invoices/purchase-invoices.family.ts';
import { listPageLines, readPageParts } from '../../src/modules/sales/documents.store.ts';
import type { Family } from '../../src/modules/sales/index.ts';
import { listScans } from '../../src/modules/purchase-scans/purchase-scans.store.ts';
import { listDeliveries } from '../../src/modules/webhooks/deliveries.list.ts';
import { type App, onOwnDatabase } from '../harness.ts';
import { givenPurchases } from '../support/purchases.ts';
import { assertRefused } from '../support/resource-checks.ts';
import { countPiecesRead, countRowsRead } from '../support/rows-read.ts';
import { watchStatements } from '../support/statements.ts';

const startApp = onOwnDatabase();

type Kind = { path: string; family: Family; table: string; document: string };

const kinds: readonly Kind[] = [
  { path: '/v1/invoices', family: invoices as unknown as Family, table: 'payments', document: 'invoice_id' },
  {
    path: '/v1/purchase_invoices',
    family: purchaseInvoices as unknown as Family,
    table: 'purchase_invoice_payments',
    document: 'purchase_invoice_id',
  },
];

const count = 12;

/** Newest first, as a page shows them. */
async function givenDocuments(app: App, { path }: Kind) {
  const { company, key, done, paper } = await givenPurchases(app);
  const lines = [{ description: 'x', unit_price: 900, tax_rate: 21 }];
  const sale = { type: 'F2', lines, options: { issue: true } };
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.unshift((await done(path, path === '/v1/invoices' ? sale : paper())).id as string);
  return { company_id: company.company_id, key, ids };
}

/** Each has a metadata of so many keys. */
function pay(
  app: App,
  { table, document }: Kind,
  company_id: string,
  ids: string[],
  keys: number,
  each: number,
) {
  return app.sql`
    insert into ${app.sql(table)} (company_id, id, ${app.sql(document)}, amount, payment_date, payment_method, metadata,
                                   created_at, updated_at)
    select ${company_id}, gen_random_uuid(), d.id, 1, '2026-01-20', 'cash', (select jsonb_object_agg(k, repeat('y', 500)) from generate_series(1, ${keys}::int) k), now(), now()
      from unnest(${ids}::uuid[]) d (id), generate_series(1, ${each}::int)`;
}

for (const kind of kinds) {
  const shown = async (app: App, key: string, limit: number, after?: string) => {
    const more: Record<string, string> = after === undefined ? {} : { starting_after: after };
    const page = await app.get(kind.path, { key, query: { limit: String(limit), ...more } });
    const data = page.body.data as { id: string; payments: { detail: unknown[] } }[];
    return {
      ids: data.map(({ id }) => id),
      counts: data.map(({ payments }) => payments.detail.length),
      has_more: page.body.has_more as boolean,
    };
  };

  test(`given as many large payments as documents have, when ${kind.path} is listed, then a page reads little more than it shows`, async (t) => {
    const app = await startApp(t);
    const { company_id, key, ids } = await givenDocuments(app, kind);
    await pay(app, kind, company_id, ids, 4, paymentsMax);
    const { read, found } = await countRowsRead(app, company_id, kind.table, (tx) =>
      readPageParts(tx, kind.family, company_id, ids),
    );
    // A document has a megabyte. The statement that reads one looks at the next, too.
    assert.equal(found.whole, 2);
    assert.ok(read <= 4 * paymentsMax + 2, `${read} rows`);
    const pages = [];
    for (let after: string | undefined; ; ) {
      const page = await shown(app, key, 100, after);
      pages.push(...page.ids);
      assert.deepEqual(page.counts, [paymentsMax]);
      if (!page.has_more) break;
      after = page.ids.at(-1);
    }
    assert.deepEqual(pages, ids);
  });

  test(`given small payments, some documents of which have none, when ${kind.path} is listed, then each has its own`, async (t) => {
    const app = await startApp(t);
    const { company_id, key, ids } = await givenDocuments(app, kind);
    await pay(app, kind, company_id, ids.slice(2, 4), 1, paymentsMax);
    await pay(app, kind, company_id, ids.slice(4, 5), 1, 3);
    // From before there was a limit.
    await pay(app, kind, company_id, ids.slice(6, 7), 1, paymentsMax + 100);
    const counts = [0, 0, paymentsMax, paymentsMax, 3, 0, paymentsMax + 100, 0, 0, 0, 0, 0];
    assert.deepEqual(await shown(app, key, 100), { ids, counts, has_more: false });
    assert.deepEqual(await shown(app, key, 4), {
      ids: ids.slice(0, 4),
      counts: counts.slice(0, 4),
      has_more: true,
    });
    const back = await app.get(kind.path, { key, query: { limit: '3', ending_before: ids.at(-1)! } });
    assert.deepEqual(
      back.body.data.map((one: { payments: { detail: unknown[] } }) => one.payments.detail.length),
      counts.slice(-4, -1),
    );
  });

  test(`given many payments of one of ${kind.path}, when one is reversed, then it alone is read, and another document's is not found`, async (t) => {
    const app = await startApp(t);
    const { key, ids } = await givenDocuments(app, kind);
    const [one, other] = ids as [string, string];
    const paid = async (id: string) => {
      const body = { amount: 1, payment_method: 'cash' };
      const answer = await app.post(`${kind.path}/${id}/payments`, { key, body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data.id as string;
    };
    const [, asked] = [await paid(one), await paid(one), await paid(one)];
    const path = (id: string) => `${kind.path}/${id}/payments/${asked}/reversal`;
    const body = { reason: 'recording_error' };
    assertRefused(await app.post(path(other), { key, body }), 404, 'resource_not_found');
    const send = await watchStatements(t, app, key);
    const sent = await send(path(one), body);
    const reading = sent.filter((text) => new RegExp(`from ${kind.table}\\b`).test(text));
    assert.equal(reading.length, 1, sent.join('\n'));
    assert.match(reading[0]!, /\bid = \$3/);
    const { detail } = (await app.get(`${kind.path}/${one}`, { key })).body.data.payments;
    const told = detail.map((payment: { id: string; is_reversed: boolean }) => payment.is_reversed);
    assert.deepEqual(told, [false, true, false]);
  });
}

test('given documents of 500 lines, when a page of them is read, then no more lines are read than it shows, but for one document', async (t) => {
  const app = await startApp(t);
  const { company_id, key, ids } = await givenDocuments(app, kinds[0]!);
  await app.sql`
    insert into invoice_lines
    select copy.* from invoice_lines l, generate_series(1, 499) i,
           jsonb_populate_record(l, jsonb_build_object('position', i, 'id', gen_random_uuid())) copy
     where l.company_id = ${company_id} and l.position = 0`;
  const { read, found } = await countRowsRead(app, company_id, 'invoice_lines', (tx) =>
    listPageLines(tx, invoices as unknown as Family, company_id, ids),
  );
  assert.deepEqual([found.whole, found.lines.length], [6, 3001]);
  assert.ok(read <= 4000, `${read} rows`);
  const page = await app.get('/v1/invoices', { key, query: { limit: '100' } });
  const shown = page.body.data as { id: string; lines: unknown[] }[];
  assert.deepEqual(
    shown.map(({ id, lines }) => [id, lines.length]),
    ids.slice(0, 6).map((id) => [id, 500]),
  );
  assert.equal(page.body.has_more, true);
});

/** Nothing that PostgreSQL could shorten. */
const longText = (pieces: number) =>
  `(select string_agg(md5(random()::text), '') from generate_series(1, ${pieces}))`;

test('given scans of which much was read, when they are listed, then a page reads little more than it shows', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  const field = `jsonb_build_object('name', 'number', 'value', ${longText(16_000)}, 'page', null)`;
  await app.sql.unsafe(`
    insert into purchase_scans (company_id, id, version, status, file_name, media_type, size, sha256, possible_duplicate_ids,
                                supplier_candidates, extraction, created_at, updated_at)
    select '${company_id}', gen_random_uuid(), 1, 'processed', i || '.xml', 'application/xml', 1, md5(i::text), '{}', '[]',
           jsonb_build_object('method', 'facturae', 'fields', jsonb_build_array(${field}), 'warnings', '[]'::jsonb), now(), now()
      from generate_series(1, 24) i`);
  const all = await countPiecesRead(
    app,
    company_id,
    'purchase_scans',
    (tx) => tx`select extraction from purchase_scans where company_id = ${company_id}`,
  );
  const read = await countPiecesRead(app, company_id, 'purchase_scans', (tx) =>
    listScans(tx, company_id, {}, readPage({ limit: 100 })),
  );
  assert.ok(all > 4000 && read < all / 2, `${read} pieces of ${all}`);
  const ids: string[] = [];
  for (let is_after = true; is_after; ) {
    const after: Record<string, string> = ids.length > 0 ? { starting_after: ids.at(-1)! } : {};
    const { body } = await app.get('/v1/purchase_scans', { key, query: { limit: '100', ...after } });
    for (const { id, extraction } of body.data) {
      assert.equal(extraction.fields[0].value.length, 512_000);
      ids.push(id);
    }
    is_after = body.has_more;
  }
  const stored = await app.sql<{ id: string }[]>`
    select id from purchase_scans where company_id = ${company_id} order by id desc`;
  assert.deepEqual(
    ids,
    stored.map(({ id }) => id),
  );
});

test('given deliveries with long bodies, when they are listed, then no body is read, and one of them has its own', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  const made = await app.post('/v1/webhook_endpoints', {
    key,
    body: { url: 'https://example.com/hooks', enabled_events: ['*'] },
  });
  const { id } = made.body.data;
  await app.sql.unsafe(`
    insert into webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, request_body, created_at)
    select '${company_id}', gen_random_uuid(), '${id}', gen_random_uuid(), 'invoice.paid', 'delivered', ${longText(1000)}, now()
      from generate_series(1, 5)`);
  const read = await countPiecesRead(app, company_id, 'webhook_deliveries', (tx) =>
    listDeliveries(tx, company_id, id, readPage({}), {}),
  );
  assert.equal(read, 0);
  const path = `/v1/webhook_endpoints/${id}/deliveries`;
  const [first] = (await app.get(path, { key })).body.data;
  const one = await app.get(`${path}/${first.id}`, { key });
  assert.equal(one.body.data.request_body.length, 32_000);
});
