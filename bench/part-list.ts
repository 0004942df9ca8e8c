/** Part (c): first and last page of a long list, for one caller. */
import { loadInvoices } from './bulk-load.ts';
import { startFolio } from './children.ts';
import { makeLoadGenerator } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import { checkPage } from './check-page.ts';
import type { BenchOptions } from './options.ts';
import { measureFilters } from './part-list-filters.ts';
import { measurePages } from './part-page.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(c) list';
const page = 20;

/** The cursor of an amount needs a look at its row. */
const orders = [
  { name: 'newest first', sort: '', last_by: 'id', first_by: 'id desc' },
  {
    name: 'largest total first',
    sort: '&sort=-total',
    last_by: 'total, id',
    first_by: 'total desc, id desc',
  },
] as const;

export async function measureLists(place: Place, options: BenchOptions): Promise<Figure[]> {
  const figures: Figure[] = await measurePages(place, options);
  const sizes = options.is_quick ? [100_000] : [100_000, 1_000_000];
  const companies: { size: number; company: BenchCompany }[] = [];
  for (const size of sizes) {
    const company = await place.makeCompany();
    const seconds = await loadInvoices(place.owner, company, size);
    options.say(`${size} invoices with ${3 * size} parts loaded in ${seconds.toFixed(0)} s.`);
    figures.push({
      part,
      what: `${thousands(size)} invoices: bulk load`,
      unit: 's',
      spread: { median: seconds, min: seconds, max: seconds },
    });
    companies.push({ size, company });
  }
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 1);
  try {
    for (const { size, company } of companies) {
      for (const order of orders) {
        const { first, last } = await measureOrder(place, options, load, company, order);
        const where = `${thousands(size)} invoices, ${order.name}`;
        figures.push(
          { part, what: `${where}: first page`, unit: 'ms', spread: first.time },
          { part, what: `${where}: last page`, unit: 'ms', spread: last.time },
          {
            part,
            what: `${where}: last / first page`,
            unit: 'ratio',
            spread: last.ratio,
            aim: { at_most: 1.2 },
          },
        );
      }
      figures.push(...(await measureFilters(place, options, load, { size, company })));
    }
  } finally {
    await load.close();
    await folio.stop();
  }
  return figures;
}

async function measureOrder(
  place: Place,
  options: BenchOptions,
  load: ReturnType<typeof makeLoadGenerator>,
  { company_id, key }: BenchCompany,
  order: (typeof orders)[number],
) {
  const idsBy = async (by: string, offset: number, limit: number) => {
    const rows = await place.owner.unsafe<{ id: string }[]>(
      `select id from invoices where company_id = '${company_id}' order by ${by} offset ${offset} limit ${limit}`,
    );
    return rows.map((row) => row.id);
  };
  const [cursor] = await idsBy(order.last_by, page, 1);
  const wanted = {
    first: await idsBy(order.first_by, 0, page),
    last: (await idsBy(order.last_by, 0, page)).reverse(),
  };
  const paths = {
    first: `/v1/invoices?limit=${page}${order.sort}`,
    last: `/v1/invoices?limit=${page}${order.sort}&starting_after=${cursor}`,
  };
  const read = (which: 'first' | 'last') => async (is_warm_up: boolean) => {
    const requests = Math.ceil((400 * options.scale) / (is_warm_up ? 3 : 1));
    const headers = { authorization: `Bearer ${key}` };
    const { per_second, answers } = await load.run({
      concurrency: 1,
      requests,
      status: 200,
      make: () => ({ method: 'GET', path: paths[which], headers }),
    });
    for (const text of answers) checkPage(text, wanted[which], which === 'first');
    return 1000 / per_second;
  };
  const times = await interleave(options.rounds, { first: read('first'), last: read('last') });
  return {
    first: { time: spreadOf(times.first) },
    last: { time: spreadOf(times.last), ratio: ratioOf(times.last, times.first) },
  };
}

function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
