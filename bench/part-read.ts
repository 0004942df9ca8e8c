/** Part (b): GET one invoice, against a bare server with the same pipeline and read. */
import { deepStrictEqual } from 'node:assert';
import { invoiceIn, readAnswer } from './begun.ts';
import { bareServer, startBare, startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(b) GET one invoice';
const stored = 200;

export async function measureReading(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const bare = await startBare(bareServer, place.target);
  const toFolio = makeLoadGenerator(folio.url, 32);
  const toBare = makeLoadGenerator(bare.url, 32);
  const figures: Figure[] = [];
  try {
    const { company_id, key, client_id } = await place.makeCompany();
    const authorization = `Bearer ${key}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const body = invoiceBody(client_id);
    const made = await toFolio.run({
      concurrency: 8,
      requests: stored,
      status: 201,
      make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
    });
    const ids = made.answers.map((text) => readAnswer(text).id);
    // Addresses differ by server, but not in length.
    const content = (text: string) => {
      const invoice = invoiceIn(text);
      return { ...invoice, public_url: typeof invoice.public_url };
    };
    const expected = made.answers.map(content);
    const check = (answers: readonly string[]) => {
      try {
        for (const [i, text] of answers.entries()) deepStrictEqual(content(text), expected[i % stored]);
      } catch (error) {
        throw new WrongResult(
          `An invoice was read otherwise than it was issued: ${(error as Error).message}`,
        );
      }
    };
    for (const [concurrency, requests] of [
      [1, 1000],
      [32, 4000],
    ] as const) {
      const count = (is_warm_up: boolean) => Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
      const read = async (
        load: typeof toFolio,
        folder: string,
        sent: Record<string, string>,
        is_warm_up: boolean,
      ) => {
        const { per_second, answers } = await load.run({
          concurrency,
          requests: count(is_warm_up),
          status: 200,
          make: (i) => ({ method: 'GET', path: `${folder}/${ids[i % stored]}`, headers: sent }),
        });
        check(answers);
        return per_second;
      };
      const rates = await interleave(options.rounds, {
        folio: (is_warm_up) => read(toFolio, '/v1/invoices', { authorization }, is_warm_up),
        bare: (is_warm_up) => read(toBare, `/invoices/${company_id}`, {}, is_warm_up),
      });
      const where = concurrency === 1 ? '1 caller' : `${concurrency} callers`;
      figures.push(
        { part, what: `${where}: Folio`, unit: 'requests/s', spread: spreadOf(rates.folio) },
        { part, what: `${where}: bare server`, unit: 'requests/s', spread: spreadOf(rates.bare) },
        {
          part,
          what: `${where}: Folio / bare server`,
          unit: 'ratio',
          spread: ratioOf(rates.folio, rates.bare),
          aim: { at_least: 0.6 },
        },
      );
    }
  } finally {
    await Promise.all([toFolio.close(), toBare.close()]);
    await Promise.all([folio.stop(), bare.stop()]);
  }
  return figures;
}
