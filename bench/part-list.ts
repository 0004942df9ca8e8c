/** Part (c): first and last page of a long list, for one caller. */
import { type ListedKind, loadDocuments } from './bulk-load.ts';
import { startFolio } from './children.ts';
import { makeLoadGenerator } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import { checkPage } from './check-page.ts';
import { listedInvoices, otherKinds } from './listed-kinds.ts';
import type { BenchOptions } from './options.ts';
import { measureFilters } from './part-list-filters.ts';
import { measurePages } from './part-page.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const page = 20;

/** What is measured, and for how many requests a round. */
type Lists = {
  part: string;
  requests: number;
  asked: readonly { kind: ListedKind; size: number; orders: readonly Order[] }[];
};

/** `by`: SQL of the key. The first page goes down from its end, but where it is `ascending`. */
type Order = { name: string; sort: string; by: string; ascending?: boolean };

/** The cursor of an amount needs a look at its row. */
const usual: readonly Order[] = [
  { name: 'newest first', sort: '', by: 'id' },
  { name: 'largest total first', sort: '&sort=-total', by: 'total, id' },
];

/** Every field in both directions. */
function everyOrder({ list: { sorts, shared_sorts = ['total', 'number'] } }: ListedKind['family']): Order[] {
  const keys = Object.entries({
    created: 'id',
    ...Object.fromEntries(shared_sorts.map((name) => [name, `${name}, id`])),
    ...Object.fromEntries(Object.keys(sorts).map((name) => [name, `${name}, id`])),
  });
  return keys.flatMap(([name, by]) => [
    { name: `by ${name}, down`, sort: `&sort=-${name}`, by },
    { name: `by ${name}, up`, sort: `&sort=${name}`, by, ascending: true },
  ]);
}

export async function measureLists(place: Place, options: BenchOptions): Promise<Figure[]> {
  const figures = await measurePages(place, options);
  const sizes = options.is_quick ? [100_000] : [100_000, 1_000_000];
  const asked = sizes.map((size) => ({ kind: listedInvoices, size, orders: usual }));
  const lists = { part: '(c) list', requests: 400, asked };
  return [...figures, ...(await measureKinds(place, options, lists))];
}

/** The other kinds, every order. */
export async function measureFamilyLists(place: Place, options: BenchOptions): Promise<Figure[]> {
  const size = options.is_quick ? 20_000 : 200_000;
  const asked = otherKinds.map((kind) => ({ kind, size, orders: everyOrder(kind.family) }));
  return measureKinds(place, options, { part: '(c) lists of other kinds', requests: 100, asked });
}

async function measureKinds(
  place: Place,
  options: BenchOptions,
  { part, requests, asked }: Lists,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const loaded: ((typeof asked)[number] & { company: BenchCompany })[] = [];
  for (const one of asked) {
    const { kind, size } = one;
    const company = await place.makeCompany();
    const seconds = await loadDocuments(place.owner, company, kind, size);
    options.say(`${size} ${kind.many} with ${3 * size} parts loaded in ${seconds.toFixed(0)} s.`);
    figures.push({
      part,
      what: `${thousands(size)} ${kind.many}: bulk load`,
      unit: 's',
      spread: { median: seconds, min: seconds, max: seconds },
    });
    loaded.push({ ...one, company });
  }
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 1);
  try {
    for (const { kind, size, orders, company } of loaded) {
      for (const order of orders) {
        const { first, last } = await measureOrder(place, options, load, { kind, company, order, requests });
        const where = `${thousands(size)} ${kind.many}, ${order.name}`;
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
      figures.push(...(await measureFilters(place, options, load, { part, kind, size, company })));
    }
  } finally {
    await load.close();
    await folio.stop();
  }
  return figures;
}

type Asked = { kind: ListedKind; company: BenchCompany; order: Order; requests: number };

async function measureOrder(
  place: Place,
  options: BenchOptions,
  load: ReturnType<typeof makeLoadGenerator>,
  { kind: { family }, company: { company_id, key }, order, requests: usual_count }: Asked,
) {
  const idsBy = async (by: string, offset: number, limit: number) => {
    const rows = await place.owner.unsafe<{ id: string }[]>(
      `select id from ${family.tables.documents} where company_id = '${company_id}' order by ${by} offset ${offset} limit ${limit}`,
    );
    return rows.map((row) => row.id);
  };
  const down = order.by.replace(/\b(?=,|$)/g, ' desc');
  const [there, back] = order.ascending ? [order.by, down] : [down, order.by];
  const [cursor] = await idsBy(back, page, 1);
  const wanted = {
    first: await idsBy(there, 0, page),
    last: (await idsBy(back, 0, page)).reverse(),
  };
  const path = `/v1/${family.collection}?limit=${page}${order.sort}`;
  const paths = { first: path, last: `${path}&starting_after=${cursor}` };
  const read = (which: 'first' | 'last') => async (is_warm_up: boolean) => {
    const requests = Math.ceil((usual_count * options.scale) / (is_warm_up ? 3 : 1));
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
