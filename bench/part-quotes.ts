/** Part (l): a quote's draft against an invoice's, and its first number against raw SQL on the same counter. */
import { connect } from '../src/platform/db.ts';
import { startFolio } from './children.ts';
import { draftBody, expected } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import { findQuotes, numberRaw, readNumbered } from './raw-quote.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(l) quotes';
const callersMax = 32;

type Draft = { id: string; number: string | null; total: number };

export async function measureQuotes(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callersMax);
  try {
    const company = await place.makeCompany();
    const created = await measureDrafts(load, company, options);
    return [...created, ...(await measureNumbers(place, load, options))];
  } finally {
    await load.close();
    await folio.stop();
  }
}

/** Drafts of three lines. @returns requests a second, and their ids */
export async function createDrafts(
  load: LoadGenerator,
  { key, client_id }: BenchCompany,
  {
    path,
    concurrency,
    requests,
    more,
  }: { path: string; concurrency: number; requests: number; more?: object },
): Promise<{ per_second: number; ids: string[] }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = draftBody(client_id, more);
  const make = () => ({ method: 'POST', path, headers, body }) as const;
  const { per_second, answers } = await load.run({ concurrency, requests, status: 201, make });
  const ids = answers.map((text) => {
    const { id, total } = (JSON.parse(text) as { data: Draft }).data;
    if (total !== expected.total) throw new WrongResult(`${path} made a total of ${total}.`);
    return id;
  });
  return { per_second, ids };
}

async function measureDrafts(
  load: LoadGenerator,
  company: BenchCompany,
  options: BenchOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [concurrency, count] of [
    [1, 300],
    [callersMax, 1600],
  ] as const) {
    const create = (path: string) => async (is_warm_up: boolean) => {
      const requests = Math.ceil((count * options.scale) / (is_warm_up ? 3 : 1));
      return (await createDrafts(load, company, { path, concurrency, requests })).per_second;
    };
    const rates = await interleave(options.rounds, {
      quote: create('/v1/quotes'),
      invoice: create('/v1/invoices'),
    });
    const where = concurrency === 1 ? '1 caller' : `${concurrency} callers`;
    figures.push(
      { part, what: `${where}: a quote's draft`, unit: 'requests/s', spread: spreadOf(rates.quote) },
      { part, what: `${where}: an invoice's draft`, unit: 'requests/s', spread: spreadOf(rates.invoice) },
      {
        part,
        what: `${where}: quote / invoice`,
        unit: 'ratio',
        spread: ratioOf(rates.quote, rates.invoice),
        // Of many callers, drafts of invoices are committed in groups.
        ...(concurrency === 1 ? { aim: { at_least: 0.9 } } : {}),
      },
    );
  }
  return figures;
}

async function measureNumbers(place: Place, load: LoadGenerator, options: BenchOptions): Promise<Figure[]> {
  const company = await place.makeCompany();
  const raw = Array.from({ length: callersMax }, () =>
    connect({ target: place.target, pool_size: 1, role: null }),
  );
  const headers = { authorization: `Bearer ${company.key}` };
  let numbered = 0;
  const drafts = async (requests: number) =>
    (await createDrafts(load, company, { path: '/v1/quotes', concurrency: callersMax, requests })).ids;
  const mark = async (ids: readonly string[]) => {
    const make = (i: number) =>
      ({ method: 'POST', path: `/v1/quotes/${ids[i]}/mark-pending`, headers }) as const;
    const run = await load.run({ concurrency: callersMax, requests: ids.length, status: 200, make });
    numbered += run.answers.length;
    return run.per_second;
  };
  try {
    const [first] = await drafts(1);
    await mark([first!]);
    const model = await readNumbered(place.owner, company.company_id, first!);
    const count = (is_warm_up: boolean) => Math.ceil((600 * options.scale) / (is_warm_up ? 3 : 1));
    const rates = await interleave(options.rounds, {
      folio: async (is_warm_up) => mark(await drafts(count(is_warm_up))),
      raw: async (is_warm_up) => {
        const ids = await drafts(count(is_warm_up));
        const bundles = await findQuotes(place.owner, company.company_id, ids);
        const started = performance.now();
        let next = 0;
        await Promise.all(
          raw.map(async (sql) => {
            for (let i = next++; i < bundles.length; i = next++) await numberRaw(sql, model, bundles[i]!);
          }),
        );
        numbered += bundles.length;
        return bundles.length / ((performance.now() - started) / 1000);
      },
    });
    await checkNumbers(place, company, numbered);
    options.say(`${numbered} quotes checked: no gap, no duplicate, none missing or in part.`);
    const where = `leave draft with a number, one company, ${callersMax} callers`;
    return [
      { part, what: `${where}: Folio`, unit: 'requests/s', spread: spreadOf(rates.folio) },
      { part, what: `${where}: raw SQL, one round trip`, unit: 'requests/s', spread: spreadOf(rates.raw) },
      {
        part,
        what: `${where}: Folio / raw SQL`,
        unit: 'ratio',
        spread: ratioOf(rates.folio, rates.raw),
        aim: { at_least: 0.5 },
      },
    ];
  } finally {
    await Promise.all(raw.map((sql) => sql.end({ timeout: 2 })));
  }
}

/** @throws WrongResult for the first difference */
async function checkNumbers({ owner }: Place, { company_id }: BenchCompany, count: number): Promise<void> {
  const [found] = await owner<Record<string, number>[]>`
    select count(*)::int as numbered, count(distinct q.number)::int as numbers, max(q.series_number)::int as last,
           count(*) filter (where q.status = 'pending' and q.total = ${expected.total})::int as pending,
           sum((select count(*) from quote_lines l where l.company_id = q.company_id and l.quote_id = q.id))::int as lines,
           sum((select count(*) from quote_tax_rows r where r.company_id = q.company_id and r.quote_id = q.id))::int as tax_rows,
           (select count(*)::int from events where company_id = ${company_id} and type = 'series.number_consumed') as consumed,
           (select count(*)::int from audit_log where company_id = ${company_id} and action = 'quote.mark_pending') as audited,
           (select next_number - 1 from series_counters where company_id = ${company_id}) as counted
      from quotes q where q.company_id = ${company_id} and q.number is not null`;
  const { lines, tax_rows, ...rest } = found!;
  const wrong = Object.entries(rest).find(([, value]) => value !== count);
  if (wrong) throw new WrongResult(`Of ${count} numbered quotes, ${wrong[0]} is ${wrong[1]}.`);
  if (lines !== count * expected.lines || tax_rows !== count * expected.tax_rows)
    throw new WrongResult(`${count} numbered quotes have ${lines} lines and ${tax_rows} rows of taxes.`);
}
