/** A list long enough for every way to read a page (ADR 16). Each page equals the one computed here from all rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, onOwnDatabase } from '../harness.ts';

const startApp = onOwnDatabase();

type Row = {
  id: string;
  type: string;
  status: string;
  total: number;
  number: string;
  issued_on: string;
  tags: string[];
  name: string;
  currency: string;
  pending: number;
  order: string | null;
};

const old = 23_000;
const recent = 4_000;

type Loaded = { company_id: string; key: string };

let loaded: Promise<Loaded> | undefined;

/** No test changes its invoices, so all share them. */
async function givenLongList(app: App): Promise<Loaded> {
  loaded ??= app.given.company().then(async ({ company_id, live_key: key }) => {
    await load(app, company_id);
    return { company_id, key };
  });
  return loaded;
}

/** Ten days of mostly paid F1, then one day of new ones that are neither. */
async function load(app: App, company_id: string): Promise<void> {
  const first_ms = Date.parse('2026-01-01T00:00:00Z');
  await app.sql.begin(async (sql) => {
    await sql.unsafe(`set local app.company = '${company_id}'`);
    await sql.unsafe(`
      insert into invoices (company_id, id, type, status, number, issued_on, client_name, currency, prices_include_tax, subtotal,
                            discount_total, taxes_total, surcharge_total, retention_total, total, amount_due, tags, metadata, created_at, updated_at)
      select h.company_id, (lpad(to_hex(${first_ms} + i * 1000::bigint), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
             case when i <= ${old} then 'F1' else 'F2' end, case when i <= ${old} then 'paid' else 'issued' end,
             case when i <= ${old} then 'Z' else 'A' end || lpad(i::text, 6, '0'),
             case when i <= ${old} then date '2026-01-01' + i % 10 else date '2026-03-01' end,
             case when i % 5000 = 7 then 'Ébano SL' else 'Norte SL' end, case when i % 3000 = 9 then 'USD' else 'EUR' end, false, 0, 0, 0, 0, 0, i % 700,
             case when i <= ${old} then 0 else i % 700 end,
             case when i = 11 then '{old}' when i <= ${old} then '{web}' else '{}' end::text[],
             case when i % 1000 = 13 then jsonb_build_object('pedido', (i / 1000)::text) else '{}' end,
             to_timestamp(${first_ms / 1000} + i), to_timestamp(${first_ms / 1000} + i)
        from companies h, generate_series(1, ${old + recent}) i where h.company_id = '${company_id}'`);
    await sql.unsafe(`
      insert into invoice_tags (company_id, tag, invoice_id)
      select t.company_id, unnest(t.tags), t.id from invoices t where t.company_id = '${company_id}'`);
  });
  await app.sql.unsafe('analyze invoices');
}

const readRows = (app: App, company_id: string): Promise<Row[]> =>
  app.db.read(company_id, async (tx) => [
    ...(await tx<Row[]>`
      select id, type, status, total::float8 as total, number, issued_on, tags, client_name as name,
             currency, pending_cents::float8 / 100 as pending, metadata ->> 'pedido' as order
        from invoices where company_id = ${company_id} order by id`),
  ]);

const filters: [query: Record<string, string>, fits: (row: Row) => boolean][] = [
  [{}, () => true],
  [{ type: 'F1' }, (r) => r.type === 'F1'],
  [{ status: 'paid' }, (r) => r.status === 'paid'],
  [{ 'status[in]': 'paid,issued' }, () => true],
  [{ status: 'issued', type: 'F1' }, () => false],
  [{ tag: 'web' }, (r) => r.tags.includes('web')],
  [{ tag: 'old' }, (r) => r.tags.includes('old')],
  [{ tag: 'web', type: 'F1' }, (r) => r.tags.includes('web')],
  [{ 'issued_on[lte]': '2026-01-10' }, (r) => r.issued_on <= '2026-01-10'],
  [
    { 'issued_on[lt]': '2026-02-01', 'status[in]': 'paid,sent' },
    (r) => r.issued_on < '2026-02-01' && r.status === 'paid',
  ],
  [{ 'issued_on[gte]': '2026-01-04', 'issued_on[lt]': '2026-01-05' }, (r) => r.issued_on === '2026-01-04'],
  [{ 'total[gt]': '690', type: 'F1' }, (r) => r.total > 690 && r.type === 'F1'],
  [{ 'total[lte]': '699', tag: 'web' }, (r) => r.tags.includes('web')],
  [{ 'created[lt]': '2026-01-01T00:10:00Z' }, (r) => Number(r.number.slice(1)) < 600],
  [
    { 'created[gte]': '2026-01-01T00:10:00Z', type: 'F1' },
    (r) => r.type === 'F1' && Number(r.number.slice(1)) >= 600,
  ],
  [{ currency: 'USD' }, (r) => r.currency === 'USD'],
  [{ currency: 'EUR', 'total[gt]': '690' }, (r) => r.currency === 'EUR' && r.total > 690],
  [{ 'pending_amount[gt]': '0' }, (r) => r.pending > 0],
  [{ 'pending_amount[gte]': '0', type: 'F2' }, (r) => r.type === 'F2'],
  [{ 'pending_amount[gt]': '690', status: 'paid' }, () => false],
  [{ 'metadata[pedido]': '3' }, (r) => r.order === '3'],
  [{ 'metadata[pedido]': '30' }, () => false],
  [{ 'metadata[pedido]': '3', tag: 'web' }, (r) => r.order === '3' && r.tags.includes('web')],
  [{ q: 'ébano' }, (r) => r.name === 'Ébano SL'],
  [{ q: 'EBANO' }, (r) => r.name === 'Ébano SL'],
  [{ q: 'NORTE', status: 'paid' }, (r) => r.name === 'Norte SL' && r.status === 'paid'],
  [{ q: '02300' }, (r) => r.number.includes('02300')],
];

const sorts: Record<string, (a: Row, b: Row) => number> = {
  created: () => 0,
  total: (a, b) => a.total - b.total,
  number: (a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : 0),
};

test('given a long list, when pages of any filter are read in any order, then they are those of all rows', async (t) => {
  const app = await startApp(t);
  const { company_id, key } = await givenLongList(app);
  const rows = await readRows(app, company_id);
  for (const [query, fits] of filters) {
    const matching = rows.filter(fits);
    for (const [field, compare] of Object.entries(sorts)) {
      const ascending = matching.toSorted((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1)).map((r) => r.id);
      for (const sign of ['', '-']) {
        const ids = sign ? ascending.toReversed() : ascending;
        const page = async (more: Record<string, string>) => {
          const all = { ...query, sort: sign + field, limit: '3', ...more };
          const answer = await app.get('/v1/invoices', { key, query: all });
          assert.equal(answer.status, 200, answer.text);
          return { all: JSON.stringify(all), ids: answer.body.data.map((row: { id: string }) => row.id) };
        };
        const first = await page({});
        assert.deepEqual(first.ids, ids.slice(0, 3), first.all);
        const middle = Math.floor(ids.length / 2);
        if (middle < 4) continue;
        const next = await page({ starting_after: ids[middle - 1]! });
        assert.deepEqual(next.ids, ids.slice(middle, middle + 3), next.all);
        const before = await page({ ending_before: ids[middle]! });
        assert.deepEqual(before.ids, ids.slice(middle - 3, middle), before.all);
      }
    }
  }
});

test('given a text, when it is looked for in a long list, then the trigrams find it', async (t) => {
  const app = await startApp(t);
  const { company_id } = await givenLongList(app);
  await app.sql.unsafe(`
    insert into contacts (company_id, id, role, name, created_at, updated_at)
    select h.company_id, gen_random_uuid(), 'client', 'Cliente ' || i, now(), now()
      from companies h, generate_series(1, 25000) i where h.company_id = '${company_id}'`);
  await app.sql.unsafe('analyze contacts');
  const froms = ['invoices t where', `contacts t where t.client_state is not null and`];
  const conditions: [condition: string, used: RegExp][] = [
    [`t.search like '%23456%'`, /Index Cond: .*search ~~/],
    [`t.search ~ 'cli[eé]nt[eé] 23456'`, /Index Cond: .*search ~ /],
  ];
  for (const [from, [condition, used]] of froms.flatMap((one) =>
    conditions.map((other) => [one, other] as const),
  )) {
    const lines = await app.db.read(company_id, async (tx) => {
      // Leaves the planner a choice between indexes only.
      await tx.unsafe('set local enable_seqscan = off');
      return tx.unsafe<Record<string, string>[]>(
        `explain select t.id from ${from} t.company_id = '${company_id}' and ${condition}`,
      );
    });
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, used, plan);
  }
});
