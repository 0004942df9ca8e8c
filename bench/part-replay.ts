/** Part (f): a repeated creation, by idempotency key or external id, against a read. */
import { deepStrictEqual } from 'node:assert';
import { createRequest, invoiceIn, readAnswer, withoutLink } from './begun.ts';
import { startFolio } from './children.ts';
import { type LoadGenerator, type LoadRequest, makeLoadGenerator, WrongResult } from './load.ts';
import type { Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(f) replay';
const stored = 200;
const callersMax = 32;

export async function measureReplay(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callersMax);
  const figures: Figure[] = [];
  try {
    const company = await place.makeCompany();
    const byKey = (i: number): LoadRequest => {
      const request = createRequest(company);
      return { ...request, headers: { ...request.headers, 'idempotency-key': `bench-${i % stored}` } };
    };
    const byId = (i: number): LoadRequest => createRequest(company, `order-${i % stored}`);
    const first = { key: await create(load, byKey), external: await create(load, byId) };
    const headers = { authorization: `Bearer ${company.key}` };
    const ids = first.key.map((text) => readAnswer(text).id);
    const read = (i: number): LoadRequest => ({
      method: 'GET',
      path: `/v1/invoices/${ids[i % stored]}`,
      headers,
    });
    for (const [concurrency, requests] of [
      [1, 600],
      [callersMax, 2400],
    ] as const) {
      const send =
        (
          make: (i: number) => LoadRequest,
          status: number,
          created: readonly string[],
          seen: (text: string) => unknown,
        ) =>
        async (is_warm_up: boolean) => {
          const count = Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
          const { per_second, answers } = await load.run({ concurrency, requests: count, status, make });
          checkSame(answers.map(seen), created.map(seen));
          return per_second;
        };
      const rates = await interleave(options.rounds, {
        read: send(read, 200, first.key, invoiceIn),
        key: send(byKey, 201, first.key, readAnswer),
        external: send(byId, 200, first.external, withoutLink),
      });
      const where = concurrency === 1 ? '1 caller' : `${concurrency} callers`;
      figures.push(
        { part, what: `${where}: GET`, unit: 'requests/s', spread: spreadOf(rates.read) },
        { part, what: `${where}: by idempotency key`, unit: 'requests/s', spread: spreadOf(rates.key) },
        { part, what: `${where}: by external_id`, unit: 'requests/s', spread: spreadOf(rates.external) },
        {
          part,
          what: `${where}: by idempotency key / GET`,
          unit: 'ratio',
          spread: ratioOf(rates.key, rates.read),
          aim: { at_least: 0.7 },
        },
        {
          part,
          what: `${where}: by external_id / GET`,
          unit: 'ratio',
          spread: ratioOf(rates.external, rates.read),
        },
      );
    }
    const [row] = await place.owner<{ count: number }[]>`
      select count(*)::int as count from invoices where company_id = ${company.company_id}`;
    if (row!.count !== 2 * stored) throw new WrongResult(`Replays made ${row!.count - 2 * stored} invoices.`);
  } finally {
    await load.close();
    await folio.stop();
  }
  return figures;
}

/** @returns the answers as they came */
async function create(load: LoadGenerator, make: (i: number) => LoadRequest): Promise<readonly string[]> {
  const { answers } = await load.run({ concurrency: 8, requests: stored, status: 201, make });
  return answers;
}

function checkSame(answers: readonly unknown[], expected: readonly unknown[]): void {
  try {
    for (const [i, answered] of answers.entries()) deepStrictEqual(answered, expected[i % stored]);
  } catch (error) {
    throw new WrongResult(`A replay answers otherwise than the first call: ${(error as Error).message}`);
  }
}
