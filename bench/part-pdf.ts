/** Part (j): an invoice's PDF against its GET, with and without a logo. */
import { crc32, deflateSync } from 'node:zlib';
import { startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(j) PDF of an invoice, printed before';
const stored = 50;

export async function measurePdfs(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 32);
  const figures: Figure[] = [];
  try {
    for (const [whose, logo] of [
      ['', null],
      [', a logo of 30 kB', logoOf(30_000)],
    ] as const) {
      const { key, client_id } = await place.makeCompany();
      const authorization = `Bearer ${key}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const put = {
        method: 'PUT',
        path: '/v1/account/company',
        headers,
        body: JSON.stringify({ logo }),
      } as const;
      await load.run({ concurrency: 1, requests: 1, status: 200, make: () => put });
      const body = invoiceBody(client_id);
      const made = await load.run({
        concurrency: 8,
        requests: stored,
        status: 201,
        make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
      });
      const ids = made.answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
      const ask = (concurrency: number, requests: number, end: string) =>
        load.run({
          concurrency,
          requests,
          status: 200,
          make: (i) => ({
            method: 'GET',
            path: `/v1/invoices/${ids[i % stored]}${end}`,
            headers: { authorization },
          }),
          keep: (bytes) => `${bytes.length} ${crc32(bytes)}`,
        });
      const expected = {
        '': (await ask(4, stored, '')).answers,
        '/pdf': (await ask(4, stored, '/pdf')).answers,
      };
      for (const [concurrency, requests] of [
        [1, 600],
        [32, 3000],
      ] as const) {
        const read = async (end: keyof typeof expected, is_warm_up: boolean) => {
          const count = Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
          const { per_second, answers } = await ask(concurrency, count, end);
          if (answers.some((answer, i) => answer !== expected[end][i % stored]))
            throw new WrongResult(`GET …${end} gave other bytes than at first.`);
          return per_second;
        };
        const rates = await interleave(options.rounds, {
          pdf: (is_warm_up) => read('/pdf', is_warm_up),
          plain: (is_warm_up) => read('', is_warm_up),
        });
        const where = `${concurrency === 1 ? '1 caller' : `${concurrency} callers`}${whose}`;
        figures.push(
          { part, what: `${where}: GET the PDF`, unit: 'requests/s', spread: spreadOf(rates.pdf) },
          { part, what: `${where}: GET the invoice`, unit: 'requests/s', spread: spreadOf(rates.plain) },
          {
            part,
            what: `${where}: PDF / invoice`,
            unit: 'ratio',
            spread: ratioOf(rates.pdf, rates.plain),
            aim: { at_least: 0.5 },
          },
        );
      }
    }
  } finally {
    await load.close();
    await folio.stop();
  }
  return figures;
}

/** A grey PNG of about `size` bytes, incompressible. */
function logoOf(size: number): string {
  const width = 400;
  const height = Math.ceil(size / width);
  // Pseudo-random, the same each time.
  let state = 1;
  const rows = Buffer.from(
    Array.from({ length: (width + 1) * height }, (_, i) => {
      state = (state * 48_271) % 2_147_483_647;
      return i % (width + 1) === 0 ? 0 : state & 255;
    }),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
