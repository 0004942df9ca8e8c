/** Part (o): purchases of five lines registered and numbered, against raw SQL with the same rows in one round trip. */
import type { Sql } from 'postgres';
import { newId } from '../src/kernel/uuid7.ts';
import { purchaseInvoices } from '../src/modules/purchase-invoices/index.ts';
import { findDocuments, insertParts, withParts } from '../src/modules/sales/documents.store.ts';
import { auditColumns } from '../src/platform/audit.ts';
import { connect, setCompanyText } from '../src/platform/db.ts';
import { insertRows } from '../src/platform/rows.ts';
import { startFolio } from './children.ts';
import { eventColumns } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { insertSeriesEvent, numberedInsert } from './raw-sql.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(o) purchases';
const path = '/v1/purchase_invoices';
const callersMax = 32;

/** By hand: 5 x 100 and their tax, of which half of the last one is deducted. */
const expected = { total: 605, deductible_total: '94.50', lines: 5 } as const;
const lines = Array.from({ length: expected.lines }, (_, i) => ({
  description: `Papel ${i}`,
  unit_price: 100,
  tax_rate: 21,
  ...(i === 4 ? { deductible_percent: 50 } : {}),
}));

type Row = Record<string, unknown>;
type Written = { model: Awaited<ReturnType<typeof findPurchase>>; audit: Row; events: readonly Row[] };

async function findPurchase(owner: Sql, company_id: string, id: string) {
  const rows = await findDocuments(owner, purchaseInvoices, company_id, [id]);
  const [bundle] = await withParts(owner, purchaseInvoices, company_id, rows);
  if (!bundle) throw new WrongResult('A purchase is gone.');
  return bundle;
}

/** What the service wrote for one purchase. */
async function readWritten(owner: Sql, company_id: string, id: string): Promise<Written> {
  const [audit] = await owner<Row[]>`
    select id, actor, actor_id, actor_name, actor_key_id, action, object, object_id, details, ip, request_id, created_at
      from audit_log where company_id = ${company_id} and object_id = ${id}`;
  const events = await owner<Row[]>`
    select id, type, aggregate_id, sequence, api_version, livemode, data, correlation_id, created_at
      from events where company_id = ${company_id} and correlation_id = ${String(audit?.request_id)}`;
  if (!audit || events.length !== 3) throw new WrongResult(`A purchase left ${events.length} events.`);
  return { model: await findPurchase(owner, company_id, id), audit, events: [...events] };
}

const { tables, written_columns } = purchaseInvoices;
const insertNumbered = numberedInsert({ tables, columns: written_columns });

/** One transaction, with a number of the same counter. */
async function registerRaw(sql: Sql, company_id: string, { model, audit, events }: Written): Promise<void> {
  const id = newId();
  const { series_id, series_period } = model.document;
  const document = { ...model.document, id, supplier_number: id, series_number: 0, created_at: new Date() };
  const bundle = {
    lines: model.lines.map((line) => ({ ...line, id: newId(), document_id: id })),
    tax_rows: model.tax_rows.map((row) => ({ ...row, document_id: id })),
  };
  const all = events.map(
    (event): Row =>
      event.aggregate_id === series_id
        ? { ...event, id: newId(), sequence: 0 }
        : { ...event, id: newId(), aggregate_id: id },
  );
  const of_series = JSON.stringify(all.filter(({ aggregate_id }) => aggregate_id === series_id));
  const own = all.filter(({ aggregate_id }) => aggregate_id === id);
  const done = await Promise.all([
    sql.unsafe('begin').execute(),
    sql.unsafe(setCompanyText(company_id)).execute(),
    sql`update series_counters set next_number = next_number + 1
         where company_id = ${company_id} and series_id = ${series_id} and period = ${series_period}`.execute(),
    sql.unsafe(insertNumbered, [company_id, JSON.stringify([document]), 1], { prepare: true }).execute(),
    ...insertParts(sql, purchaseInvoices, company_id, [bundle]),
    insertRows(sql, company_id, 'events', eventColumns, own),
    sql.unsafe(insertSeriesEvent, [company_id, of_series, series_period, 1], { prepare: true }).execute(),
    insertRows(sql, company_id, 'audit_log', auditColumns, [{ ...audit, id: newId(), object_id: id }]),
    sql.unsafe('commit').execute(),
  ]);
  if ((done.at(-1) as { command: string }).command !== 'COMMIT')
    throw new WrongResult('The raw transaction was rolled back.');
}

export async function measurePurchases(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callersMax);
  const raw = Array.from({ length: callersMax }, () =>
    connect({ target: place.target, pool_size: 1, role: null }),
  );
  const company = await place.makeCompany();
  const { company_id, key } = company;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const supplier_id = newId();
  let named = 0;
  let made = 0;
  const bodyOf = () =>
    JSON.stringify({
      supplier_id,
      number: `A-${named++}`,
      issued_on: '2026-01-12',
      lines,
      expected_total: expected.total,
    });
  const create = async (concurrency: number, requests: number) => {
    const bodies = Array.from({ length: requests }, bodyOf);
    const make = (i: number) => ({ method: 'POST', path, headers, body: bodies[i]! }) as const;
    const done = await load.run({ concurrency, requests, status: 201, make });
    // On a slow machine not all are sent.
    made += done.answers.length;
    return done;
  };
  try {
    await place.owner`
      insert into contacts (company_id, id, role, name, tax_id, created_at, updated_at)
      values (${company_id}, ${supplier_id}, 'supplier', 'Papelera del Sur', 'B12345674', now(), now())`;
    const first = await create(1, 1);
    const { id } = (JSON.parse(first.answers[0]!) as { data: { id: string } }).data;
    const model = await readWritten(place.owner, company_id, id);
    const figures: Figure[] = [];
    for (const [concurrency, count] of [
      [1, 200],
      [callersMax, 800],
    ] as const) {
      const requests = (is_warm_up: boolean) => Math.ceil((count * options.scale) / (is_warm_up ? 3 : 1));
      const rates = await interleave(options.rounds, {
        folio: async (is_warm_up) => (await create(concurrency, requests(is_warm_up))).per_second,
        raw: async (is_warm_up) => {
          const total = requests(is_warm_up);
          const started = performance.now();
          let next = 0;
          await Promise.all(
            raw.slice(0, concurrency).map(async (sql) => {
              for (; next < total; ) {
                next++;
                await registerRaw(sql, company_id, model);
              }
            }),
          );
          made += total;
          return total / ((performance.now() - started) / 1000);
        },
      });
      const where = `a purchase of five lines, one company, ${concurrency === 1 ? '1 caller' : `${concurrency} callers`}`;
      figures.push(
        { part, what: `${where}: Folio`, unit: 'requests/s', spread: spreadOf(rates.folio) },
        { part, what: `${where}: raw SQL, one round trip`, unit: 'requests/s', spread: spreadOf(rates.raw) },
        {
          part,
          what: `${where}: Folio / raw SQL`,
          unit: 'ratio',
          spread: ratioOf(rates.folio, rates.raw),
          aim: { at_least: 0.5 },
        },
      );
    }
    await checkPurchases(place, company, made);
    options.say(`${made} purchases checked: no gap, no duplicate, none missing or in part.`);
    return figures;
  } finally {
    await Promise.all(raw.map((sql) => sql.end({ timeout: 2 })));
    await load.close();
    await folio.stop();
  }
}

/** @throws WrongResult for the first difference */
async function checkPurchases({ owner }: Place, { company_id }: BenchCompany, count: number): Promise<void> {
  const [found] = await owner<Record<string, number>[]>`
    select count(*)::int as purchases, count(distinct p.number)::int as numbers, max(p.series_number)::int as last,
           count(*) filter (where p.status = 'received' and p.total = ${expected.total}
                              and p.deductible_total = ${expected.deductible_total})::int as received,
           (select count(*)::int from purchase_invoice_lines where company_id = ${company_id}) / ${expected.lines}::int as lines,
           (select count(*)::int from events where company_id = ${company_id} and type = 'series.number_consumed') as consumed,
           (select count(*)::int from audit_log where company_id = ${company_id}
             and action = 'purchase_invoice.mark_received') as audited
      from purchase_invoices p where p.company_id = ${company_id}`;
  const wrong = Object.entries(found!).find(([, value]) => value !== count);
  if (wrong) throw new WrongResult(`Of ${count} purchases, ${wrong[0]} is ${wrong[1]}.`);
}
