/** Part (f): a repeated creation, by idempotency key or external id, against a read. */
import { deepStrictEqual } from 'node:assert';
import { type Answered, createRequest, readAnswer, withoutLink } from './begun.ts';
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
    const first = { key: await ask(load, byKey, 201), external: await ask(load, byId, 201) };
    const headers = { authorization: `Bearer ${company.key}` };
    const read = (i: number): LoadRequest => ({
      method: 'GET',
      path: `/v1/invoices/${first.key[i % stored]!.id}`,
      headers,
    });
    // The answer to a creation has blocks that a read leaves out.
    const shown = await ask(load, read, 200);
    for (const [concurrency, requests] of [
      [1, 600],
      [callersMax, 2400],
    ] as const) {
      const send =
        (
          make: (i: number) => LoadRequest,
          status: number,
          expected: readonly Answered[],
          seen: (answered: Answered) => Answered = (answered) => answered,
        ) =>
        async (is_warm_up: boolean) => {
          const count = Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
          const { per_second, answers } = await load.run({ concurrency, requests: count, status, make });
          checkSame(answers.map(readAnswer).map(seen), expected.map(seen));
          return per_second;
        };
      const rates = await interleave(options.rounds, {
        read: send(read, 200, shown),
        key: send(byKey, 201, first.key),
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

/** Once for each that is stored. */
async function ask(
  load: LoadGenerator,
  make: (i: number) => LoadRequest,
  status: number,
): Promise<Answered[]> {
  const { answers } = await load.run({ concurrency: 8, requests: stored, status, make });
  return answers.map(readAnswer);
}

function checkSame(answers: readonly Answered[], expected: readonly Answered[]): void {
  try {
    for (const [i, answered] of answers.entries()) deepStrictEqual(answered, expected[i % stored]);
  } catch (error) {
    throw new WrongResult(`A replay answers otherwise than the first call: ${(error as Error).message}`);
  }
}
