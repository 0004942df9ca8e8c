/** Part (a): create and issue in one request, against the same SQL behind a bare server and raw SQL. */
import { connect } from '../src/platform/db.ts';
import { type BegunCompany as Company, beginCompany, createRequest } from './begun.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { bareServer, startBare, startFolio } from './children.ts';
import { type LoadGenerator, makeLoadGenerator } from './load.ts';
import type { Place } from './place.ts';
import { issueRaw } from './raw-sql.ts';
import type { BenchOptions } from './options.ts';
import { type Aim, type Figure, interleave, quantile, ratioOf, spreadOf } from './statistics.ts';

type Run = { per_second: number; ms: number[] };

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
    for (let i = 0; i < 101; i++) companies.push(await beginCompany(place, toFolio, acknowledged));
    const [one, ...hundred] = companies as [Company, ...Company[]];
    const cases = [
      { where: 'one company, 1 caller', among: [one], concurrency: 1, requests: 300 },
      { where: 'one company, 32 callers', among: [one], concurrency: callersMax, requests: 1600 },
      { where: '100 companies, 32 callers', among: hundred, concurrency: callersMax, requests: 1600 },
    ];
    for (const { where, among, concurrency, requests } of cases) {
      const count = (is_warm_up: boolean) => Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
      const http = (load: LoadGenerator) => (is_warm_up: boolean) =>
        issueByHttp(load, among, concurrency, count(is_warm_up), acknowledged);
      const timed = await interleave(options.rounds, {
        folio: http(toFolio),
        bare: http(toBare),
        // One caller's wait, in the crowd's round.
        alone: () => issueByHttp(toFolio, among, 1, Math.ceil(100 * options.scale), acknowledged),
        raw: async (is_warm_up) =>
          issueBySql(raw.slice(0, concurrency), among, count(is_warm_up), acknowledged),
      });
      await checkInvoices(place.owner, acknowledged);
      const rates = {
        folio: timed.folio.map((run) => run.per_second),
        bare: timed.bare.map((run) => run.per_second),
        raw: timed.raw.map((run) => run.per_second),
      };
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
        concurrency > 1 && among.length === 1 ? { at_least: 1.5 } : undefined,
      );
      if (concurrency === 1) continue;
      const at = (runs: readonly Run[], portion: number) => runs.map((run) => quantile(run.ms, portion));
      const slow = at(timed.folio, 0.99);
      const alone = at(timed.alone, 0.5);
      say('Folio, p50', 'ms', spreadOf(at(timed.folio, 0.5)));
      say('Folio, p99', 'ms', spreadOf(slow));
      say('raw SQL, p50', 'ms', spreadOf(at(timed.raw, 0.5)));
      say('raw SQL, p99', 'ms', spreadOf(at(timed.raw, 0.99)));
      say('one caller in the same round, p50', 'ms', spreadOf(alone));
      say(
        'p99 / p50 of one caller',
        'ratio',
        ratioOf(slow, alone),
        among.length === 1 ? { at_most: 8 } : undefined,
      );
    }
    options.say(`${acknowledged.count} invoices checked: no gap, no duplicate, totals right, none missing.`);
  } finally {
    await Promise.all([toFolio.close(), toBare.close(), ...raw.map((sql) => sql.end({ timeout: 2 }))]);
    await Promise.all([folio.stop(), bare.stop()]);
  }
  return figures;
}

async function issueByHttp(
  load: LoadGenerator,
  among: readonly Company[],
  concurrency: number,
  requests: number,
  acknowledged: Acknowledged,
): Promise<Run> {
  const prepared = among.map((company) => createRequest(company));
  const { per_second, answers, ms } = await load.run({
    concurrency,
    requests,
    status: 201,
    make: (i) => prepared[i % prepared.length]!,
  });
  for (const [i, text] of answers.entries())
    acknowledged.addAnswer(among[i % among.length]!.company_id, text);
  return { per_second, ms };
}

async function issueBySql(
  connections: readonly ReturnType<typeof connect>[],
  among: readonly Company[],
  requests: number,
  acknowledged: Acknowledged,
): Promise<Run> {
  const made: { company_id: string; id: string; number: string }[] = [];
  const ms: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    connections.map(async (sql) => {
      for (let i = next++; i < requests; i = next++) {
        const { raw } = among[i % among.length]!;
        const sent = performance.now();
        for (const one of await issueRaw(sql, raw)) made.push({ company_id: raw.company_id, ...one });
        ms.push(performance.now() - sent);
      }
    }),
  );
  const per_second = requests / ((performance.now() - started) / 1000);
  for (const { company_id, id, number } of made) acknowledged.add(company_id, id, number);
  return { per_second, ms };
}
