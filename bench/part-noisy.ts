/** Part (k): what one company feels while another does its worst within its limits (ADR 34). */
import { writePng } from '../test/support/png.ts';
import { type Helper, hostileScript, startFolio, startHelper } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { type HostileQuestion, hostileKinds } from './hostile.ts';
import { makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, quantile } from './statistics.ts';

const part = '(k) noisy neighbour';
/** What the quiet company does. */
const calls = ['issue', 'read', 'print', 'upload'] as const;
type Times = Record<(typeof calls)[number], number>;

export async function measureNoise(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 4);
  const hostile = await startHelper(hostileScript, {});
  try {
    const [quiet, noisy] = [await place.makeCompany(), await place.makeCompany()];
    const headers = { authorization: `Bearer ${quiet.key}`, 'content-type': 'application/json' };
    const body = invoiceBody(quiet.client_id);
    const requests = Math.ceil(300 * options.scale);
    const few = Math.ceil(40 * options.scale);
    const p99 = async (): Promise<Times> => {
      const issued = await load.run({
        concurrency: 2,
        requests,
        status: 201,
        make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
      });
      const ids = issued.answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
      const read = await load.run({
        concurrency: 2,
        requests,
        status: 200,
        make: (i) => ({ method: 'GET', path: `/v1/invoices/${ids[i % ids.length]}`, headers }),
      });
      const printed = await load.run({
        concurrency: 1,
        requests: Math.min(few, ids.length),
        status: 200,
        make: (i) => ({ method: 'GET', path: `/v1/invoices/${ids[i]}/pdf`, headers }),
      });
      const uploaded = await load.run({
        concurrency: 1,
        requests: few,
        status: 200,
        make: (i) => ({ method: 'PUT', path: '/v1/account/company', headers, body: logoBody(i % 4) }),
      });
      const all = { issue: issued, read, print: printed, upload: uploaded };
      return Object.fromEntries(calls.map((call) => [call, quantile(all[call].ms, 0.99)])) as Times;
    };
    await p99();
    const alone = await p99();
    const figures: Figure[] = [];
    const tell = (what: string, of: typeof alone) => {
      for (const call of calls) {
        const [ms, ratio] = [of[call], of[call] / alone[call]];
        figures.push(
          { part, what: `${what}: p99 of ${call}`, unit: 'ms', spread: { median: ms, min: ms, max: ms } },
          {
            part,
            what: `${what}: p99 of ${call} / alone`,
            unit: 'ratio',
            spread: { median: ratio, min: ratio, max: ratio },
            aim: { at_most: 3 },
          },
        );
      }
    };
    tell('alone', alone);
    for (const kind of hostileKinds) {
      tell(kind, await under(hostile, { begin: kind, url: folio.url, key: noisy.key }, p99));
    }
    return figures;
  } finally {
    await hostile.stop();
    await load.close();
    await folio.stop();
  }
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
