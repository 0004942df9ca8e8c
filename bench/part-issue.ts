/** Part (a): create and issue in one request, against the same SQL behind a bare server and against raw SQL. */
import { findBundle } from '../src/modules/invoices/invoices.store.ts';
import { connect } from '../src/platform/db.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { bareServer, startBare, startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import { issueRaw, type RawTarget } from './raw-sql.ts';
import type { BenchOptions } from './run.ts';
import { type Aim, type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

type Company = BenchCompany & { raw: RawTarget };

const callersMax = 32;
const part = '(a) create and issue';

export async function measureIssuing(place: Place, options: BenchOptions): Promise<Figure[]> {
  const acknowledged = new Acknowledged();
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const bare = await startBare(bareServer, place.target);
  const raw = Array.from({ length: callersMax }, () =>
    connect({ target: place.target, pool_size: 1, role: null }),
  );
  const toFolio = makeLoadGenerator(folio.url, callersMax);
  const toBare = makeLoadGenerator(bare.url, callersMax);
  const figures: Figure[] = [];
  try {
    const companies: Company[] = [];
    for (let i = 0; i < 101; i++) companies.push(await begin(place, toFolio, acknowledged));
    const [one, ...hundred] = companies as [Company, ...Company[]];
    const cases = [
      { where: 'one company, 1 caller', among: [one], concurrency: 1, requests: 300 },
      { where: 'one company, 32 callers', among: [one], concurrency: callersMax, requests: 1600 },
      { where: '100 companies, 32 callers', among: hundred, concurrency: callersMax, requests: 1600 },
    ];
    for (const { where, among, concurrency, requests } of cases) {
      const count = (is_warm_up: boolean) => Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
      const http = (load: LoadGenerator) => async (is_warm_up: boolean) =>
        issueByHttp(load, among, concurrency, count(is_warm_up), acknowledged);
      const rates = await interleave(options.rounds, {
        folio: http(toFolio),
        bare: http(toBare),
        raw: async (is_warm_up) =>
          issueBySql(raw.slice(0, concurrency), among, count(is_warm_up), acknowledged),
      });
      await checkInvoices(place.owner, acknowledged);
      const say = (what: string, unit: Figure['unit'], spread: Figure['spread'], aim?: Aim) =>
        figures.push({ part, what: `${where}: ${what}`, unit, spread, ...(aim ? { aim } : {}) });
      say('Folio', 'requests/s', spreadOf(rates.folio));
      say('bare server, same SQL', 'requests/s', spreadOf(rates.bare));
      say('raw SQL, one round trip', 'requests/s', spreadOf(rates.raw));
      say(
        'Folio / bare server',
        'ratio',
        ratioOf(rates.folio, rates.bare),
        concurrency === 1 ? { at_least: 0.5 } : undefined,
      );
      say(
        'Folio / raw SQL',
        'ratio',
        ratioOf(rates.folio, rates.raw),
        concurrency > 1 && among.length === 1 ? { at_least: 1 } : undefined,
      );
    }
    options.say(`${acknowledged.count} invoices checked: no gap, no duplicate, totals right, none missing.`);
  } finally {
    await Promise.all([toFolio.close(), toBare.close(), ...raw.map((sql) => sql.end({ timeout: 2 }))]);
    await Promise.all([folio.stop(), bare.stop()]);
  }
  return figures;
}

/** A company with its first invoice, which starts the counter of the series. */
async function begin(place: Place, load: LoadGenerator, acknowledged: Acknowledged): Promise<Company> {
  const company = await place.makeCompany();
  const { answers } = await load.run({
    concurrency: 1,
    requests: 1,
    status: 201,
    make: () => createRequest(company),
  });
  acknowledged.addAnswer(company.company_id, answers[0]!);
  const { company_id, client_id } = company;
  const { id } = (JSON.parse(answers[0]!) as { data: { id: string } }).data;
  const model = await findBundle(place.owner, company_id, id);
  if (!model) throw new WrongResult('The first invoice of a company is missing.');
  const [counter] = await place.owner<{ series_id: string; period: string; last_issued_on: string }[]>`
    select series_id, period, last_issued_on from series_counters where company_id = ${company_id}`;
  const { series_id, period, last_issued_on } = counter!;
  return {
    ...company,
    raw: { company_id, model, client_id, series_id, series_code: 'F', period, issued_on: last_issued_on },
  };
}

function createRequest({ key, client_id }: BenchCompany) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', path: '/v1/invoices', headers, body: invoiceBody(client_id) } as const;
}

async function issueByHttp(
  load: LoadGenerator,
  among: readonly Company[],
  concurrency: number,
  requests: number,
  acknowledged: Acknowledged,
): Promise<number> {
  const prepared = among.map(createRequest);
  const { per_second, answers } = await load.run({
    concurrency,
    requests,
    status: 201,
    make: (i) => prepared[i % prepared.length]!,
  });
  for (const [i, text] of answers.entries())
    acknowledged.addAnswer(among[i % among.length]!.company_id, text);
  return per_second;
}

async function issueBySql(
  connections: readonly ReturnType<typeof connect>[],
  among: readonly Company[],
  requests: number,
  acknowledged: Acknowledged,
): Promise<number> {
  const made: { company_id: string; id: string; number: string }[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    connections.map(async (sql) => {
      for (let i = next++; i < requests; i = next++) {
        const { raw } = among[i % among.length]!;
        made.push({ company_id: raw.company_id, ...(await issueRaw(sql, raw)) });
      }
    }),
  );
  const per_second = requests / ((performance.now() - started) / 1000);
  for (const { company_id, id, number } of made) acknowledged.add(company_id, id, number);
  return per_second;
}
