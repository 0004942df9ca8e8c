/** Part (b), small answers: what it costs that a caller takes compression, where nothing is compressed. */
import { makeInvoice } from './begun.ts';
import { startFolio } from './children.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(b) small answers to who takes compression';
const callers = 32;

export async function measureSmallAnswers(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callers);
  try {
    const company = await place.makeCompany();
    const { id } = await makeInvoice(load, company);
    const authorization = `Bearer ${company.key}`;
    const figures: Figure[] = [];
    for (const [what, path] of [
      ['an invoice', `/v1/invoices/${id}`],
      ['a list of one client', '/v1/clients?limit=1'],
    ] as const) {
      const seen = new Set<string>();
      const ask = (more: Record<string, string>) => async (is_warm_up: boolean) => {
        const { per_second, answers } = await load.run({
          concurrency: callers,
          requests: Math.ceil((4000 * options.scale) / (is_warm_up ? 3 : 1)),
          status: 200,
          make: () => ({ method: 'GET', path, headers: { authorization, ...more } }),
        });
        for (const answer of answers) seen.add(answer);
        return per_second;
      };
      const rates = await interleave(options.rounds, {
        plain: ask({}),
        taking: ask({ 'accept-encoding': 'br, gzip' }),
      });
      if (seen.size !== 1) throw new WrongResult(`${what}: an answer depends on who takes compression.`);
      figures.push(
        { part, what: `${what}: not asked for`, unit: 'requests/s', spread: spreadOf(rates.plain) },
        {
          part,
          what: `${what}: brotli or gzip taken / not`,
          unit: 'ratio',
          spread: ratioOf(rates.taking, rates.plain),
          aim: { at_least: 0.95 },
        },
      );
    }
    return figures;
  } finally {
    await load.close();
    await folio.stop();
  }
}
