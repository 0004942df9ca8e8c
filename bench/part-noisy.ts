/** Part (k): what one company feels while another does its worst within its limits (ADR 34). */
import type { PlanName } from '../src/kernel/plans.ts';
import { writePng } from '../test/support/png.ts';
import { type Helper, hostileScript, startFolio, startHelper } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { type HostileQuestion, hostileKinds } from './hostile.ts';
import { type LoadGenerator, type LoadResult, makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, quantile } from './statistics.ts';

const part = '(k) noisy neighbour';
/** What the quiet company does. */
const calls = ['issue', 'read', 'print', 'upload'] as const;
type Call = (typeof calls)[number];

/** The hostile company has the smallest plan, or the largest, with the requests a minute that everybody has. */
const hostilePlans = ['free', 'scale'] as const satisfies readonly PlanName[];
const quietPlan = 'growth';
const limits = { FOLIO_RATE_LIMITS: JSON.stringify({ [quietPlan]: [100_000_000, 100_000_000] }) };

export async function measureNoise(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir, 'all', limits);
  const load = makeLoadGenerator(folio.url, 4);
  const hostile = await startHelper(hostileScript, {});
  try {
    const quiet = await makeQuiet(place, load, options.scale);
    const alone = {} as Record<Call, number>;
    // The first round is not kept.
    for (const call of [...calls, ...calls]) {
      await quiet.prepare(call);
      alone[call] = await quiet.p99(call);
    }
    const figures = calls.flatMap((call) => told('alone', call, alone[call], alone));
    for (const plan of hostilePlans)
      for (const kind of hostileKinds)
        for (const call of calls) {
          // Another each time: it has not yet made a request of its minute.
          const { key } = await place.makeCompany('live', plan);
          await quiet.prepare(call);
          const ms = await under(hostile, { begin: kind, url: folio.url, key }, () => quiet.p99(call));
          figures.push(...told(`${kind} (${plan})`, call, ms, alone));
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
  /** @returns the 99th percentile of the calls' milliseconds */
  p99(call: Call): Promise<number>;
};

async function makeQuiet(place: Place, load: LoadGenerator, scale: number): Promise<Quiet> {
  const quiet = await place.makeCompany('live', quietPlan);
  const headers = { authorization: `Bearer ${quiet.key}`, 'content-type': 'application/json' };
  const body = invoiceBody(quiet.client_id);
  const requests = Math.ceil(300 * scale);
  const few = Math.ceil(40 * scale);
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
    p99: async (call) => quantile((await made[call]()).ms, 0.99),
  };
}

function told(what: string, call: Call, ms: number, alone: Readonly<Record<Call, number>>): Figure[] {
  const ratio = ms / alone[call];
  return [
    { part, what: `${what}: p99 of ${call}`, unit: 'ms', spread: { median: ms, min: ms, max: ms } },
    {
      part,
      what: `${what}: p99 of ${call} / alone`,
      unit: 'ratio',
      spread: { median: ratio, min: ratio, max: ratio },
      aim: { at_most: 3 },
    },
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
