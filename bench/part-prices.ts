/** Part (p): prices of a hundred lines, against a GET of one product, and from a list of any length. */
import { newId } from '../src/kernel/uuid7.ts';
import { startFolio } from './children.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(p) prices of a list';
const lines = 100;

/** Of each product, as many steps as `steps`: item n costs n. */
async function makeList(
  { owner }: Place,
  { company_id }: BenchCompany,
  products: number,
  steps: number,
): Promise<{ list_id: string; product_ids: string[] }> {
  const list_id = newId();
  await owner`
    insert into price_lists (company_id, id, name, currency, prices_include_tax, is_active, created_at, updated_at)
    values (${company_id}, ${list_id}, 'Tarifa', 'EUR', false, true, now(), now())`;
  await owner`
    insert into products (company_id, id, name, unit_price, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), 'Producto ' || n, 1000, now(), now() from generate_series(1, ${products}::int) n`;
  await owner`
    insert into price_list_items (company_id, id, price_list_id, product_id, min_quantity, unit_price, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), ${list_id}, p.id, n, n, now(), now()
      from products p, generate_series(1, ${steps}::int) n where p.company_id = ${company_id}`;
  const rows = await owner<{ id: string }[]>`
    select id from products where company_id = ${company_id} order by id limit ${lines}`;
  return { list_id, product_ids: rows.map(({ id }) => id) };
}

export async function measurePrices(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 1);
  try {
    const [small, large] = [await place.makeCompany(), await place.makeCompany()];
    const few = { company: small, ...(await makeList(place, small, lines, 10)) };
    const products = options.is_quick ? 2000 : 100_000;
    const many = { company: large, ...(await makeList(place, large, products, 10)) };
    await place.owner`vacuum analyze price_list_items`;
    const count = (is_warm_up: boolean) => Math.ceil((400 * options.scale) / (is_warm_up ? 3 : 1));
    const resolve = (of: typeof few) => async (is_warm_up: boolean) => {
      const body = JSON.stringify({
        price_list_id: of.list_id,
        lines: of.product_ids.map((product_id) => ({ product_id, quantity: 5 })),
      });
      const headers = { authorization: `Bearer ${of.company.key}`, 'content-type': 'application/json' };
      const make = () => ({ method: 'POST', path: '/v1/price-lists/resolve', headers, body }) as const;
      const run = await load.run({ concurrency: 1, requests: count(is_warm_up), status: 200, make });
      for (const text of run.answers) check(text);
      return run.per_second;
    };
    const get = async (is_warm_up: boolean) => {
      const headers = { authorization: `Bearer ${small.key}` };
      const make = (i: number) =>
        ({ method: 'GET', path: `/v1/products/${few.product_ids[i % lines]}`, headers }) as const;
      return (await load.run({ concurrency: 1, requests: count(is_warm_up) * 3, status: 200, make }))
        .per_second;
    };
    const rates = await interleave(options.rounds, { get, few: resolve(few), many: resolve(many) });
    const items = `${(products * 10).toLocaleString('en')} items`;
    return [
      { part, what: 'GET of one product', unit: 'requests/s', spread: spreadOf(rates.get) },
      { part, what: '100 lines, 1,000 items', unit: 'requests/s', spread: spreadOf(rates.few) },
      { part, what: `100 lines, ${items}`, unit: 'requests/s', spread: spreadOf(rates.many) },
      {
        part,
        what: 'time of 100 lines / time of a GET of one product',
        unit: 'ratio',
        spread: ratioOf(rates.get, rates.few),
        aim: { at_most: 3 },
      },
      {
        part,
        what: `time with ${items} / time with 1,000`,
        unit: 'ratio',
        spread: ratioOf(rates.few, rates.many),
        aim: { at_most: 1.2 },
      },
    ];
  } finally {
    await load.close();
    await folio.stop();
  }
}

function check(text: string): void {
  const { data } = JSON.parse(text) as { data: { lines: { unit_price: number }[] } };
  const wrong = data.lines.findIndex(({ unit_price }) => unit_price !== 5);
  if (wrong >= 0 || data.lines.length !== lines) throw new WrongResult(`Line ${wrong} has a wrong price.`);
}
