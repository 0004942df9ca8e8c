/** Part (n): a night on which very many quotes of one company expire, and what its reads feel of it. */
import { startFolio } from './children.ts';
import { addJobs, copyRows, makeDue } from './copies.ts';
import { invoiceBody } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { part, untilNoneDue } from './part-recurring.ts';
import type { BenchCompany, Place } from './place.ts';
import { type Figure, quantile, spreadOf } from './statistics.ts';

const expireKind = 'quotes.expire';
const rowsMax = 500;

async function post(load: LoadGenerator, { key }: BenchCompany, path: string, body: string, status: number) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const make = () => ({ method: 'POST', path, headers, body }) as const;
  const { answers } = await load.run({ concurrency: 1, requests: 1, status, make });
  return (JSON.parse(answers[0]!) as { data: { id: string } }).data.id;
}

/** They were valid until yesterday. */
async function loadQuotes(place: Place, company: BenchCompany, model: string, count: number) {
  const own = `t.company_id = '${company.company_id}'`;
  await place.owner.unsafe(
    `create table bench_quotes as select gen_random_uuid() as id, i from generate_series(1, ${count}) i`,
  );
  const of = 'select * from bench_quotes';
  const changes = `jsonb_build_object('id', x.id, 'number', 'B-' || x.i, 'series_number', 1000000 + x.i,
    'issued_on', current_date - 2, 'valid_until', current_date - 2, 'is_valid_until_stated', true)`;
  await makeDue(place.owner, async (sql) => {
    await copyRows(sql, 'quotes', { model: `${own} and t.id = '${model}'`, of, changes });
    for (const table of ['quote_lines', 'quote_tax_rows'])
      await copyRows(sql, table, {
        model: `${own} and t.quote_id = '${model}'`,
        of,
        changes: `jsonb_build_object('quote_id', x.id)`,
      });
  });
  await place.owner.unsafe('drop table bench_quotes');
  await place.owner.unsafe('vacuum analyze quotes, quote_lines, quote_tax_rows');
}

/** Rows of the largest transaction. @throws WrongResult unless each has expired */
async function largest({ owner }: Place, company_id: string, count: number): Promise<number> {
  const batches = await owner<{ rows: number }[]>`
    select count(*)::int as rows from quotes where company_id = ${company_id} and status = 'expired' group by xmin::text`;
  const all = batches.reduce((sum, { rows }) => sum + rows, 0);
  const [events] = await owner<{ count: number }[]>`
    select count(*)::int as count from events where company_id = ${company_id} and type = 'quote.expired'`;
  if (all !== count || events!.count !== count)
    throw new WrongResult(`${all} quotes have expired with ${events!.count} events, not ${count}.`);
  return Math.max(...batches.map(({ rows }) => rows));
}

export async function measureExpiry(place: Place, options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 10_000 : 100_000;
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 1);
  try {
    const company = await place.makeCompany();
    const { company_id, key, client_id } = company;
    const invoice = await post(load, company, '/v1/invoices', invoiceBody(client_id), 201);
    const { lines } = JSON.parse(invoiceBody(client_id)) as { lines: object[] };
    const quote = await post(load, company, '/v1/quotes', JSON.stringify({ client_id, lines }), 201);
    await post(load, company, `/v1/quotes/${quote}/mark-pending`, '{}', 200);
    await loadQuotes(place, company, quote, count);

    const headers = { authorization: `Bearer ${key}` };
    const read = async (isOver: (reads: number) => boolean): Promise<number> => {
      const ms: number[] = [];
      while (!isOver(ms.length)) {
        const make = () => ({ method: 'GET', path: `/v1/invoices/${invoice}`, headers }) as const;
        ms.push(...(await load.run({ concurrency: 1, requests: 50, status: 200, make })).ms);
      }
      return quantile(ms, 0.5);
    };
    const enough = (reads: number) => reads >= 1500 * options.scale;
    await read(enough);
    const before = await read(enough);
    const job = `select '${company_id}'::uuid as company_id, gen_random_uuid() as id`;
    await place.owner.unsafe(`create table bench_job as ${job}`);
    const of = 'select * from bench_job';
    const started = await makeDue(place.owner, (sql) =>
      addJobs(sql, { kind: expireKind, of, at: "now() - interval '1 second'" }),
    );
    await place.owner.unsafe('drop table bench_job');
    let ended = 0;
    const over = untilNoneDue(place, expireKind).then((at) => {
      ended = at;
    });
    const [beside] = await Promise.all([read(() => ended > 0), over]);
    const idle = [before, await read(enough)];
    const one = (value: number) => spreadOf([value]);
    const what = `${count.toLocaleString('en')} quotes expire`;
    return [
      { part, what, unit: 's', spread: one((ended - started) / 1000) },
      {
        part,
        what: `${what}: rows of the largest transaction`,
        unit: 'rows',
        spread: one(await largest(place, company_id, count)),
        aim: { at_most: rowsMax },
      },
      { part, what: 'GET beside nothing: p50', unit: 'ms', spread: spreadOf(idle) },
      { part, what: 'GET beside it: p50', unit: 'ms', spread: one(beside) },
      {
        part,
        what: 'GET beside it / beside nothing',
        unit: 'ratio',
        spread: spreadOf(idle.map((ms) => beside / ms)),
        aim: { at_most: 2 },
      },
    ];
  } finally {
    await load.close();
    await folio.stop();
  }
}
