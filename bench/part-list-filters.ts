/** Part (c): the first page of each filter, as a ratio to the one without filter. */
import { common, days, type ListedKind, rare } from './bulk-load.ts';
import type { LoadGenerator } from './load.ts';
import { checkPage } from './check-page.ts';
import type { BenchCompany, Place } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const page = 20;

type Case = {
  what: string;
  query: Record<string, string>;
  where: string;
  by?: string;
};

/** Filters match nearly all documents, or at most ten far from the page's start. */
function casesOf(client_id: string, { status, equal: own, day: other, family }: ListedKind): Case[] {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const [half, then] = [day(days / 2), day(days - 100)];
  const equal = (field: string, value: string) => ({
    query: { [field]: value },
    where: `${field} = '${value}'`,
  });
  const { shared_sorts: [sort = ''] = ['total'] } = family.list;
  const party = `${family.party}_id`;
  const tag = (value: string) => ({ query: { tag: value }, where: `'${value}' = any(tags)` });
  const text = (value: string) => ({ query: { q: value }, where: `client_name ilike '%${value}%'` });
  return [
    ...Object.entries({ status, ...own }).flatMap(([field, values]) => [
      { what: `${field}, all`, ...equal(field, values.common) },
      { what: `${field}, ten`, ...equal(field, values.rare) },
    ]),
    { what: 'client, all', query: { [party]: client_id }, where: `client_id = '${client_id}'` },
    { what: 'tag, all', ...tag(common.tag) },
    { what: 'tag, ten', ...tag(rare.tag) },
    { what: 'issued_on, older half', query: { 'issued_on[lt]': half }, where: `issued_on < '${half}'` },
    {
      what: 'issued_on, a day',
      query: { 'issued_on[gte]': then, 'issued_on[lte]': then },
      where: `issued_on = '${then}'`,
    },
    { what: `${other}, older half`, query: { [`${other}[lt]`]: half }, where: `${other} < '${half}'` },
    {
      what: 'total, one in 450',
      query: { 'total[gte]': '1207.58' },
      where: 'total >= 1207.58',
    },
    { what: 'text, all', ...text('norte') },
    { what: 'text, ten', ...text('Ébano') },
    {
      what: `status, ten, by ${sort}`,
      query: { ...equal('status', status.rare).query, sort: `-${sort}` },
      where: equal('status', status.rare).where,
      by: `${sort} desc, id desc`,
    },
    {
      what: 'tag and older half',
      query: { tag: common.tag, 'issued_on[lt]': half },
      where: `'${common.tag}' = any(tags) and issued_on < '${half}'`,
    },
    {
      what: 'text and tag, ten',
      query: { q: 'SUR SL', tag: rare.tag },
      where: `'${rare.tag}' = any(tags)`,
    },
  ];
}

export async function measureFilters(
  place: Place,
  options: BenchOptions,
  load: LoadGenerator,
  { part, kind, size, company }: { part: string; kind: ListedKind; size: number; company: BenchCompany },
): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${company.key}` };
  const all: Case = { what: 'none', query: {}, where: 'true' };
  const read = async ({ query, where, by = 'id desc' }: Case) => {
    const rows = await place.owner.unsafe<{ id: string }[]>(
      `select id from ${kind.family.tables.documents} where company_id = '${company.company_id}' and ${where} order by ${by} limit ${page + 1}`,
    );
    const ids = rows.map((row) => row.id);
    const path = `/v1/${kind.family.collection}?${new URLSearchParams({ limit: String(page), ...query })}`;
    return async (is_warm_up: boolean) => {
      const requests = Math.ceil((100 * options.scale) / (is_warm_up ? 3 : 1));
      const make = () => ({ method: 'GET', path, headers }) as const;
      const { per_second, answers } = await load.run({ concurrency: 1, requests, status: 200, make });
      for (const text of answers) checkPage(text, ids.slice(0, page), ids.length > page);
      return 1000 / per_second;
    };
  };
  const figures: Figure[] = [];
  const unfiltered = await read(all);
  for (const one of casesOf(company.client_id, kind)) {
    const times = await interleave(options.rounds, { filtered: await read(one), unfiltered });
    const what = `${size.toLocaleString('en-US')} ${kind.many}, filter ${one.what}`;
    figures.push(
      { part, what: `${what}: first page`, unit: 'ms', spread: spreadOf(times.filtered) },
      {
        part,
        what: `${what}: filtered / unfiltered`,
        unit: 'ratio',
        spread: ratioOf(times.filtered, times.unfiltered),
        aim: { at_most: 4 },
      },
    );
  }
  return figures;
}
