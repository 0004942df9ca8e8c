/** Part (c): a page of 25 invoices, against a bare server with the same statements and `JSON.stringify`. */
import { deepStrictEqual } from 'node:assert';
import { bareServer, startBare, startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(c) list';
const stored = 60;
const page = 25;

type Shown = { data: Record<string, unknown>[] };

/** Addresses differ by server, but not in length. */
const content = (text: string) =>
  (JSON.parse(text) as Shown).data.map((one) => ({ ...one, public_url: typeof one.public_url }));

export async function measurePages(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const bare = await startBare(bareServer, place.target);
  const toFolio = makeLoadGenerator(folio.url, 8);
  const toBare = makeLoadGenerator(bare.url, 8);
  try {
    const { company_id, key, client_id } = await place.makeCompany();
    const authorization = `Bearer ${key}`;
    await toFolio.run({
      concurrency: 8,
      requests: stored,
      status: 201,
      make: () => ({
        method: 'POST',
        path: '/v1/invoices',
        headers: { authorization, 'content-type': 'application/json' },
        body: invoiceBody(client_id),
      }),
    });
    const figures: Figure[] = [];
    for (const concurrency of [1, 8]) {
      const requests = Math.ceil((concurrency === 1 ? 200 : 600) * options.scale);
      let wanted: ReturnType<typeof content> | undefined;
      const read = async (load: typeof toFolio, path: string, headers: Record<string, string>) => {
        const call = { method: 'GET', path, headers } as const;
        const { per_second, answers } = await load.run({
          concurrency,
          requests,
          status: 200,
          make: () => call,
        });
        const shown = content(answers[0]!);
        wanted ??= shown;
        if (shown.length !== page) throw new WrongResult(`A page has ${shown.length} invoices.`);
        try {
          deepStrictEqual(shown, wanted);
        } catch (error) {
          throw new WrongResult(`The two servers show other invoices: ${(error as Error).message}`);
        }
        return per_second;
      };
      const rates = await interleave(options.rounds, {
        folio: () => read(toFolio, `/v1/invoices?limit=${page}`, { authorization }),
        bare: () => read(toBare, `/pages/${company_id}/${page}`, {}),
      });
      const where = `a page of ${page} invoices with three lines, ${concurrency === 1 ? '1 caller' : `${concurrency} callers`}`;
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
    return figures;
  } finally {
    await Promise.all([toFolio.close(), toBare.close()]);
    await Promise.all([folio.stop(), bare.stop()]);
  }
}
