/** Part (p), first half: resolve-selection of a product at its limits, against a GET of that product. */
import { largeProduct } from '../test/support/large-product.ts';
import { startFolio } from './children.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(p) resolve-selection';

type Part = { id: string };
type Product = Part & { variants: Part[]; option_groups: (Part & { values: Part[] })[] };

export async function measureSelection(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 8);
  try {
    const { key } = await place.makeCompany();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const send = async (path: string, body: object): Promise<Product & { status: string }> => {
      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const;
      const [answer] = await load.burst([request]);
      if (!answer || answer.status >= 300)
        throw new WrongResult(`${path} answered ${answer?.text.slice(0, 500)}`);
      return (JSON.parse(answer.text) as { data: Product & { status: string } }).data;
    };
    const product = await send('/v1/products', largeProduct());
    const path = `/v1/products/${product.id}`;
    const chosen = {
      variant_id: product.variants[250]?.id,
      options: product.option_groups.map(({ id, values }) => ({ group_id: id, value_id: values[7]?.id })),
    };
    const asked = [
      ['nothing chosen', {}, 'ambiguous'],
      ['all chosen', chosen, 'resolved'],
    ] as const;
    const requests = (is_warm_up: boolean) => Math.ceil((300 * options.scale) / (is_warm_up ? 3 : 1));
    const figures: Figure[] = [];
    for (const [what, body, status] of asked) {
      const found = await send(`${path}/resolve-selection`, body);
      if (found.status !== status) throw new WrongResult(`A selection is ${found.status}, not ${status}.`);
      const rate = async (method: 'GET' | 'POST', at: string, sent: string | null, is_warm_up: boolean) => {
        const make = () => ({ method, path: at, headers, ...(sent === null ? {} : { body: sent }) });
        return (await load.run({ concurrency: 8, requests: requests(is_warm_up), status: 200, make }))
          .per_second;
      };
      const rates = await interleave(options.rounds, {
        selection: (is_warm_up) =>
          rate('POST', `${path}/resolve-selection`, JSON.stringify(body), is_warm_up),
        get: (is_warm_up) => rate('GET', path, null, is_warm_up),
      });
      figures.push(
        { part, what: `${what}: resolve-selection`, unit: 'requests/s', spread: spreadOf(rates.selection) },
        { part, what: `${what}: GET of the product`, unit: 'requests/s', spread: spreadOf(rates.get) },
        {
          part,
          what: `${what}: resolve-selection / GET`,
          unit: 'ratio',
          spread: ratioOf(rates.selection, rates.get),
          aim: { at_least: 0.5 },
        },
      );
    }
    return figures;
  } finally {
    await load.close();
    await folio.stop();
  }
}
