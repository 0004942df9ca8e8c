/**
 * What holds after any failure (docs/request-path.md): numbers without gap or duplicate, dates in order, invoices
 * complete, events once, no orphans.
 */
import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';

export type Asked = { answer?: { id: string; number: string } };

type Issued = {
  id: string;
  number: string;
  series_id: string;
  series_period: string;
  series_number: number;
  issued_on: string;
  issued_at: Date;
};

type Told = { type: string; data: { invoice?: { id: string }; [key: string]: unknown } };

/** Expects simplified invoices, each created and issued in one call. */
export async function assertIssuedWhole(
  app: App,
  { company_id }: TestCompany,
  all: readonly Asked[],
): Promise<void> {
  const issued = await app.sql<Issued[]>`
    select id, number, series_id, series_period, series_number, issued_on, issued_at from invoices
     where company_id = ${company_id} order by series_id, issued_on, series_period, series_number`;
  const stored = new Map(issued.map((row) => [row.id, row.number]));
  assert.equal(new Set(stored.values()).size, issued.length, 'each number once');
  for (const { answer } of all)
    if (answer) assert.equal(stored.get(answer.id), answer.number, 'nothing acknowledged is lost');
  for (const rows of Map.groupBy(issued, (row) => `${row.series_id} ${row.series_period}`).values()) {
    const { series_id, series_period } = rows[0]!;
    assert.deepEqual(
      rows.map((r) => r.series_number),
      rows.map((_, i) => i + 1),
      'no gap and no duplicate, in the order of the dates',
    );
    const [counter] = await app.sql<{ next_number: number }[]>`
      select next_number from series_counters
       where company_id = ${company_id} and series_id = ${series_id} and period = ${series_period}`;
    assert.equal(counter?.next_number, rows.length + 1);
  }
  for (const rows of Map.groupBy(issued, (row) => row.series_id).values()) {
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1];
      assert.ok(!before || before.issued_at <= row.issued_at, 'stamps in order');
    }
  }
  const [head] = await app.sql`select issued_count from issuing_heads where company_id = ${company_id}`;
  assert.equal(Number(head?.issued_count), issued.length);
  await assertEvents(app, company_id, issued);
  // Every invoice has lines and a breakdown, and no others exist.
  const [parts] = await app.sql`
    select (select count(distinct invoice_id)::integer from invoice_lines where company_id = ${company_id}) as lines,
           (select count(distinct invoice_id)::integer from invoice_tax_rows where company_id = ${company_id}) as rows`;
  assert.deepEqual({ ...parts }, { lines: issued.length, rows: issued.length });
}

async function assertEvents(app: App, company_id: string, issued: readonly Issued[]): Promise<void> {
  const events = await app.sql<{ aggregate_id: string; sequences: number[]; told: Told[] }[]>`
    select aggregate_id, array_agg(sequence order by sequence) as sequences,
           json_agg(json_build_object('type', type, 'data', data) order by sequence) as told
      from events where company_id = ${company_id} group by 1`;
  for (const { sequences } of events)
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => i + 1),
    );
  const of = new Map(events.map((e) => [e.aggregate_id, e.told]));
  for (const { id } of issued) {
    assert.deepEqual(
      of.get(id)?.map((e) => e.type),
      ['invoice.created', 'invoice.number_assigned', 'invoice.simplified_created'],
      'the events of an invoice, once',
    );
  }
  const ids = new Set(issued.map((row) => row.id));
  for (const { aggregate_id, told } of events) {
    for (const { type, data } of told)
      if (type.startsWith('invoice.')) assert.ok(ids.has(aggregate_id), `${type} of nothing`);
      else if (data.invoice) assert.ok(ids.has(data.invoice.id), `${type} names nothing`);
  }
  for (const [series_id, rows] of Map.groupBy(issued, (row) => row.series_id)) {
    const consumed = of.get(series_id)?.filter((e) => e.type === 'series.number_consumed');
    assert.deepEqual(
      consumed?.map((e) => e.data.invoice?.id),
      rows.map((row) => row.id),
    );
  }
}
