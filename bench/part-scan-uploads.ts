/** Part (q): the memory of the API process while files arrive, and what its callers feel while files are read. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Child, startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { forgetPeak, peakOf } from './peak-memory.ts';
import type { BenchCompany, Place } from './place.ts';
import { fullPdf, photograph, uploadBody } from './scan-files.ts';
import { type Figure, quantile, ratioOf, spreadOf } from './statistics.ts';

const part = '(q) scans';
const path = '/v1/purchase_scans';
/** Nearly all that a body may hold. */
const bytes_large = 15_000_000;
/** Each company has a few, whatever room it is given. */
const filesOfOne = 10;

const headersOf = ({ key }: BenchCompany) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

export async function measureScanUploads(place: Place, options: BenchOptions): Promise<Figure[]> {
  return [...(await followMemory(place, options)), ...(await besideReading(place, options))];
}

async function upload(load: LoadGenerator, company: BenchCompany, bytes: Buffer): Promise<void> {
  const request = { method: 'POST', path, headers: headersOf(company), body: uploadBody(bytes) } as const;
  await load.run({ concurrency: 1, requests: 1, status: 201, make: () => request });
}

/** The scans of a company, with what waits to read them. */
async function forget({ owner, data_dir }: Place, { company_id }: BenchCompany): Promise<void> {
  await owner`delete from jobs where company_id = ${company_id}`;
  rmSync(join(data_dir, 'blobs', 'scans', company_id), { recursive: true, force: true });
}

/** One after the other. The process reads no files. */
async function followMemory(place: Place, options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 50 : 500;
  const folio = await startFolio(place.data_dir, options.profile_dir, 'api');
  const load = makeLoadGenerator(folio.url, 1);
  const peaks: number[] = [];
  let company = await place.makeCompany();
  try {
    await readInvoices(load, company);
    const idle = folio.resident();
    if (idle === null || peakOf(folio.pid) === null) return [];
    for (let at = 0; at < count; at++) {
      if (at % filesOfOne === 0 && at > 0) {
        await forget(place, company);
        company = await place.makeCompany();
      }
      forgetPeak(folio.pid);
      await upload(load, company, fullPdf(bytes_large));
      peaks.push(peakOf(folio.pid)!);
    }
    await forget(place, company);
    return memoryFigures(peaks, (idle * 1024 * 1024) / 1_000_000, options);
  } finally {
    await load.close();
    await folio.stop();
  }
}

function memoryFigures(peaks: readonly number[], idle: number, options: BenchOptions): Figure[] {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    Math.max(...peaks.slice((peaks.length * tenth) / 10, (peaks.length * (tenth + 1)) / 10)),
  );
  options.say(
    `Memory while files arrive, by tenths: ${tenths.map(Math.round).join(', ')} MB; ${Math.round(idle)} MB before.`,
  );
  const file = bytes_large / 1_000_000;
  const what = `${peaks.length} uploads of ${file} MB`;
  return [
    { part, what: `${what}: most memory of the API process`, unit: 'MB', spread: spreadOf(tenths) },
    {
      part,
      what: `${what}: growth while one lasts / the file`,
      unit: 'ratio',
      spread: spreadOf(peaks.map((peak) => (peak - idle) / file)),
      aim: { at_most: 4 },
    },
    {
      part,
      what: `${what}: last fifth / first fifth`,
      unit: 'ratio',
      spread: spreadOf([Math.max(...tenths.slice(-2)) / Math.max(...tenths.slice(0, 2))]),
      aim: { at_most: 1.25 },
    },
  ];
}

/** Issues and reads them back. @returns the p99 of each */
async function readInvoices(load: LoadGenerator, company: BenchCompany, requests = 50) {
  const [headers, body] = [headersOf(company), invoiceBody(company.client_id)];
  const post = { method: 'POST', path: '/v1/invoices', headers, body } as const;
  const issued = await load.run({ concurrency: 2, requests, status: 201, make: () => post });
  const ids = issued.answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
  const get = (i: number) =>
    ({ method: 'GET', path: `/v1/invoices/${ids[i % ids.length]}`, headers }) as const;
  const read = await load.run({ concurrency: 2, requests, status: 200, make: get });
  return { issue: quantile(issued.ms, 0.99), read: quantile(read.ms, 0.99) };
}

/** Companies whose files wait, so that the lane is never empty. */
const waitingMin = 12;

async function besideReading(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 2);
  const [quiet, ...others] = await Promise.all(Array.from({ length: 4 }, () => place.makeCompany()));
  const requests = Math.ceil(400 * options.scale);
  const times: Record<'issue' | 'read', { idle: number[]; beside: number[] }> = {
    issue: { idle: [], beside: [] },
    read: { idle: [], beside: [] },
  };
  const keep = (when: 'idle' | 'beside', found: Record<'issue' | 'read', number>) => {
    for (const call of ['issue', 'read'] as const) times[call][when].push(found[call]);
  };
  try {
    await readInvoices(load, quiet!, requests);
    for (let round = 0; round < options.rounds; round++) {
      keep('idle', await readInvoices(load, quiet!, requests));
      keep('beside', await whileReading(place, folio, others, () => readInvoices(load, quiet!, requests)));
    }
    for (const company of others) await forget(place, company);
  } finally {
    await load.close();
    await folio.stop();
  }
  return (['issue', 'read'] as const).flatMap((call): Figure[] => {
    const { idle, beside } = times[call];
    return [
      { part, what: `p99 of ${call}, idle`, unit: 'ms', spread: spreadOf(idle) },
      { part, what: `p99 of ${call}, beside a full reading lane`, unit: 'ms', spread: spreadOf(beside) },
      {
        part,
        what: `p99 of ${call}, beside / idle`,
        unit: 'ratio',
        spread: ratioOf(beside, idle),
        aim: { at_most: 3 },
      },
    ];
  });
}

/** The lane is filled before, and empty after. */
async function whileReading<T>(
  { owner }: Place,
  folio: Child,
  others: readonly BenchCompany[],
  measure: () => Promise<T>,
): Promise<T> {
  const load = makeLoadGenerator(folio.url, 1);
  const ids = others.map(({ company_id }) => company_id);
  let next = 0;
  let is_over = false;
  let least = Number.POSITIVE_INFINITY;
  const waiting = async () => {
    const [row] = await owner<{ count: number }[]>`
      select count(*)::int as count from purchase_scans
       where company_id = any(${ids}) and status in ('uploaded', 'processing')`;
    return row!.count;
  };
  const fill = async () => {
    while ((await waiting()) < waitingMin) await upload(load, others[next++ % others.length]!, photograph());
  };
  try {
    await fill();
    const filling = (async () => {
      for (; !is_over; await wait(50)) {
        least = Math.min(least, await waiting());
        await fill();
      }
    })();
    const found = await measure();
    is_over = true;
    await filling;
    if (least === 0) throw new WrongResult('The reading lane ran empty.');
    while ((await waiting()) > 0) await wait(50);
    return found;
  } finally {
    is_over = true;
    await load.close();
  }
}
