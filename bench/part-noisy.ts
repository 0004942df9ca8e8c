/** Part (k): what one company feels while another does its worst within its limits (ADR 34). */
import type { PlanName } from '../src/kernel/plans.ts';
import { writePng } from '../test/support/png.ts';
import { type Helper, hostileScript, startFolio, startHelper } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { type HostileQuestion, hostileKinds } from './hostile.ts';
import { type LoadGenerator, type LoadResult, makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, quantile, ratioOf, type Spread, spreadOf } from './statistics.ts';

const part = '(k) noisy neighbour';
/** What the quiet company does. */
const calls = ['issue', 'read', 'print', 'upload'] as const;
type Call = (typeof calls)[number];

/** The hostile company has the smallest plan, or the largest, with the requests a minute that everybody has. */
const hostilePlans = ['free', 'scale'] as const satisfies readonly PlanName[];
const quietPlan = 'growth';
const limits = { FOLIO_RATE_LIMITS: JSON.stringify({ [quietPlan]: [100_000_000, 100_000_000] }) };

/** The calls of all rounds are taken together. */
const roundsUsual = 3;

type Times = Record<'alone' | (typeof hostilePlans)[number], number[][]>;

export async function measureNoise(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir, 'all', limits);
  const load = makeLoadGenerator(folio.url, 4);
  const hostile = await startHelper(hostileScript, {});
  try {
    const quiet = await makeQuiet(place, load, options.scale);
    const timesOf = async (call: Call) => {
      await quiet.prepare(call);
      return quiet.times(call);
    };
    // Not kept: what is warmed up by then.
    for (const call of calls) await timesOf(call);
    const figures: Figure[] = [];
    for (const kind of hostileKinds)
      for (const call of calls) {
        const times: Times = { alone: [], free: [], scale: [] };
        for (let round = 0; round < (options.is_quick ? 1 : roundsUsual); round++) {
          times.alone.push(await timesOf(call));
          for (const plan of hostilePlans) {
            // Another each time: it has not yet made a request of its minute.
            const { key } = await place.makeCompany('live', plan);
            await quiet.prepare(call);
            const attack = { begin: kind, url: folio.url, key };
            times[plan].push(await under(hostile, attack, () => quiet.times(call)));
          }
        }
        for (const plan of hostilePlans)
          figures.push(...told(`${kind} (${plan})`, call, times[plan], times.alone));
      }
    return figures;
  } finally {
    await hostile.stop();
    await load.close();
    await folio.stop();
  }
}

type Quiet = {
  /** Makes what the calls need. */
  prepare(call: Call): Promise<void>;
  /** @returns milliseconds of each call */
  times(call: Call): Promise<number[]>;
};

async function makeQuiet(place: Place, load: LoadGenerator, scale: number): Promise<Quiet> {
  const quiet = await place.makeCompany('live', quietPlan);
  const headers = { authorization: `Bearer ${quiet.key}`, 'content-type': 'application/json' };
  const body = invoiceBody(quiet.client_id);
  const requests = Math.ceil(300 * scale);
  // Of forty, the 99th percentile is the slowest: what the machine does once decides it.
  const few = Math.ceil(120 * scale);
  let ids: string[] = [];
  const issue = (requests: number) =>
    load.run({
      concurrency: 2,
      requests,
      status: 201,
      make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
    });
  const get = (concurrency: number, requests: number, more: string) =>
    load.run({
      concurrency,
      requests,
      status: 200,
      make: (i) => ({ method: 'GET', path: `/v1/invoices/${ids[i % ids.length]}${more}`, headers }),
    });
  const made: Record<Call, () => Promise<LoadResult>> = {
    issue: () => issue(requests),
    read: () => get(2, requests, ''),
    print: () => get(1, few, '/pdf'),
    upload: () =>
      load.run({
        concurrency: 1,
        requests: few,
        status: 200,
        make: (i) => ({ method: 'PUT', path: '/v1/account/company', headers, body: logoBody(i % 4) }),
      }),
  };
  return {
    async prepare(call) {
      // Of each a print is the first.
      if (call !== 'read' && call !== 'print') return;
      const { answers } = await issue(few);
      ids = answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
    },
    times: async (call) => (await made[call]()).ms,
  };
}

const p99 = (times: readonly number[]) => quantile(times, 0.99);

/** @param under by round, as `alone` */
function told(what: string, call: Call, under: readonly number[][], alone: readonly number[][]): Figure[] {
  const rounds = (times: readonly number[][]) => times.map(p99);
  const together = (times: readonly number[][]): Spread => ({
    ...spreadOf(rounds(times)),
    median: p99(times.flat()),
  });
  const ratio = { ...ratioOf(rounds(under), rounds(alone)), median: p99(under.flat()) / p99(alone.flat()) };
  return [
    { part, what: `${what}: p99 of ${call}`, unit: 'ms', spread: together(under) },
    { part, what: `${what}: p99 of ${call} alone`, unit: 'ms', spread: together(alone) },
    { part, what: `${what}: p99 of ${call} / alone`, unit: 'ratio', spread: ratio, aim: { at_most: 3 } },
  ];
}

function logoBody(round: number): string {
  const pixels = new Uint8Array(60 * 60 * 4).fill(round * 40);
  return JSON.stringify({ logo: `data:image/png;base64,${writePng(60, 60, pixels).toString('base64')}` });
}

async function under<T>(
  hostile: Helper,
  attack: Extract<HostileQuestion, { begin: string }>,
  measure: () => Promise<T>,
): Promise<T> {
  await hostile.ask(attack);
  try {
    return await measure();
  } finally {
    await hostile.ask({ end: true } satisfies HostileQuestion);
  }
}
