/** Each filter of the list of records has its index (migrations 0007 and 0029). */
import type { Fragment } from 'postgres';
import type { Tx } from '../../../kernel/operation.ts';
import { valuesOf } from '../../../kernel/list-filters.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import { idAt, timeOfId } from '../../../kernel/uuid7.ts';
import type { Finders, PageWalk } from '../../../platform/bounded-page.ts';
import { dayBounds, type IdBounds } from '../../../platform/day-bounds.ts';
import { hasRange, readPageRows, rangeCondition } from '../../../platform/page-rows.ts';
import { type ShownRow, shownFields } from './records.reads.ts';
import type { RecordStatus } from './rules/record-block.ts';
import { waitingStatuses } from '../sending/rules/blocking.ts';
import { sendingStatuses } from './records.rows.ts';

export type RecordFilter = {
  status?: RecordStatus;
  kind?: string;
  mode?: string;
  is_blocked?: boolean;
  number?: string;
  invoice_id?: string;
} & Record<string, unknown>;

/** `sql` begins with `and`, of the alias t. The sources together give all matching ids. */
type Condition = { field: string; sql: Fragment; sources: Fragment[]; bounds?: IdBounds };

/**
 * The cost of a page depends on the filters, not on the number of records.
 * @param block by `companyBlock`; it blocks all that waits
 */
export async function listRecords(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  filter: RecordFilter,
  block: string | null,
): Promise<ShownRow[]> {
  const created = hasRange(filter, 'created') ? await readPositions(tx, company_id, filter) : null;
  if (created && created.from > created.to) return [];
  const conditions = conditionsOf(tx, company_id, filter, block);
  if (created) conditions.push(await createdCondition(tx, company_id, filter, created));
  return readPageRows(tx, company_id, page, {
    table: 'verifactu_records',
    columns: shownFields(tx, company_id),
    where: conditions.reduce((all, { sql }) => tx`${all} ${sql}`, tx``),
    finders: findersOf(tx, company_id, conditions),
  });
}

function conditionsOf(tx: Tx, company_id: string, filter: RecordFilter, block: string | null): Condition[] {
  const conditions: Condition[] = [];
  const records = (sql: Fragment) => tx`from verifactu_records t where t.company_id = ${company_id} ${sql}`;
  const sendings = (sql: Fragment) =>
    tx`from (select company_id, record_id as id, status, is_blocked from verifactu_sendings) t
      where t.company_id = ${company_id} ${sql}`;
  const sent = (sql: Fragment) =>
    tx`(select 1 from verifactu_sendings s where s.company_id = ${company_id} and s.record_id = t.id ${sql})`;
  const kept = records(tx`and t.mode = 'no_verifactu'`);
  const add = (field: string, sql: Fragment, sources: Fragment[] = []) =>
    conditions.push({ field, sql, sources });
  const { number, invoice_id, status, is_blocked, kind, mode } = filter;
  if (invoice_id !== undefined) {
    const sql = tx`and t.invoice_id = ${invoice_id}`;
    add('invoice_id', sql, [records(sql)]);
  }
  if (number !== undefined) {
    const sql = tx`and t.number = ${number}`;
    add('number', sql, [records(sql)]);
  }
  if (status === 'kept') add('status', tx`and t.mode = 'no_verifactu'`, [kept]);
  else if (status !== undefined)
    add('status', tx`and exists ${sent(tx`and s.status = ${status}`)}`, [
      sendings(tx`and t.status = ${status}`),
    ]);
  if (is_blocked !== undefined && block === null) {
    const found = sent(tx`and s.is_blocked`);
    if (is_blocked) add('is_blocked', tx`and exists ${found}`, [sendings(tx`and t.is_blocked`)]);
    else add('is_blocked', tx`and not exists ${found}`);
  } else if (is_blocked !== undefined) {
    // The company's block holds for exactly the waiting records.
    const of = sendingStatuses.filter((one) => waitingStatuses.some((w) => w === one) === is_blocked);
    const found = sent(tx`and s.status = any(${of})`);
    const sources = of.map((one) => sendings(tx`and t.status = ${one}`));
    if (is_blocked) add('is_blocked', tx`and exists ${found}`, sources);
    else add('is_blocked', tx`and (t.mode = 'no_verifactu' or exists ${found})`, [...sources, kept]);
  }
  // Written out, so that the partial index serves it.
  if (kind === 'anulacion')
    add('kind', tx`and t.kind = 'anulacion'`, [records(tx`and t.kind = 'anulacion'`)]);
  else if (kind !== undefined) add('kind', tx`and t.kind = ${kind}`);
  if (mode === 'no_verifactu') add('mode', tx`and t.mode = 'no_verifactu'`, [kept]);
  else if (mode !== undefined) add('mode', tx`and t.mode = ${mode}`, [sendings(tx``)]);
  const any = (field: string, each: (value: string) => { sql: Fragment; source?: Fragment }) => {
    const parts = valuesOf(filter, field)?.map(each);
    if (!parts) return;
    const either = parts.reduce((all, { sql }) => tx`${all} or (true ${sql})`, tx`false`);
    const sources = parts.flatMap(({ source }) => source ?? []);
    add(`${field}[in]`, tx`and (${either})`, sources.length === parts.length ? sources : []);
  };
  const column = (name: 'invoice_id' | 'number') => (value: string) => {
    const sql = tx`and t.${tx(name)} = ${value}`;
    return { sql, source: records(sql) };
  };
  any('invoice_id', column('invoice_id'));
  any('number', column('number'));
  any('status', (one) =>
    one === 'kept'
      ? { sql: tx`and t.mode = 'no_verifactu'`, source: kept }
      : {
          sql: tx`and exists ${sent(tx`and s.status = ${one}`)}`,
          source: sendings(tx`and t.status = ${one}`),
        },
  );
  any('kind', (one) => ({ sql: tx`and t.kind = ${one}` }));
  any('mode', (one) => ({ sql: tx`and t.mode = ${one}` }));
  if (hasRange(filter, 'updated')) {
    const last = `greatest(t.recorded_at, (select greatest(s.sent_at, s.answered_at) from verifactu_sendings s
      where s.company_id = t.company_id and s.record_id = t.id))`;
    const changed = tx`from (select company_id, record_id as id, greatest(created_at, sent_at, answered_at) as changed_at
        from verifactu_sendings) t
      where t.company_id = ${company_id} ${rangeCondition(tx, 't.changed_at', filter, 'updated')}`;
    const unsent = tx`and t.mode = 'no_verifactu' ${rangeCondition(tx, 't.recorded_at', filter, 'updated')}`;
    add('updated', rangeCondition(tx, last, filter, 'updated'), [changed, records(unsent)]);
  }
  if (hasRange(filter, 'issued_on')) {
    const sql = rangeCondition(tx, 't.issued_on', filter, 'issued_on');
    conditions.push({
      field: 'issued_on',
      sql,
      sources: [records(sql)],
      bounds: dayBounds(tx, { table: 'verifactu_records', company_id, column: 'issued_on', condition: sql }),
    });
  }
  return conditions;
}

/** For all but ranges, an index gives the matching ids in order. */
const isStream = ({ field, sources }: Condition) =>
  sources.length > 0 && !['issued_on', 'created', 'updated'].includes(field);

function findersOf(tx: Tx, company_id: string, conditions: readonly Condition[]): Finders {
  const leading = conditions.find(isStream);
  const joined = (parts: readonly Fragment[]) => parts.reduce((all, one) => tx`${all} union all ${one}`);
  return {
    walk: ({ after, order, limit }: PageWalk) => {
      const [only, ...more] = leading?.sources ?? [];
      if (!only) return tx`from verifactu_records t where t.company_id = ${company_id}`;
      if (more.length === 0) return only;
      // An index gives no order over several values: each value is walked, and the walks are joined.
      const walks = [only, ...more].map(
        (source) => tx`(select t.id ${source} ${after} order by ${order} ${limit})`,
      );
      return tx`from (${joined(walks)}) t where true`;
    },
    walks_ids: leading !== undefined,
    is_whole: conditions.every((condition) => condition === leading),
    matches: conditions.flatMap(({ sources }) => {
      if (sources.length < 2) return sources;
      return [tx`from (${joined(sources.map((source) => tx`(select t.id ${source})`))}) t where true`];
    }),
    text: null,
    bounds: conditions.flatMap(({ bounds }) => bounds ?? []),
  };
}

/** Both included; none when `from` is the greater. */
type Positions = { from: number; to: number };

/** Stamps never run backwards in a chain: halving finds the positions. */
async function readPositions(tx: Tx, company_id: string, filter: RecordFilter): Promise<Positions> {
  const asked = (suffix: string) => {
    const value = filter[`created[${suffix}]`];
    return typeof value === 'string' ? [Date.parse(value)] : [];
  };
  // Rounded outwards; the condition itself decides.
  const from = Math.max(...asked('gte'), ...asked('gt'));
  const end = Math.min(...asked('lt'), ...asked('lte')) + 1;
  const [first, after] = await Promise.all([
    Number.isFinite(from) ? firstPositionFrom(tx, company_id, from) : 1,
    firstPositionFrom(tx, company_id, Number.isFinite(end) ? end : null),
  ]);
  return { from: first, to: after - 1 };
}

/** The first record at the instant or later; one past the last when there is none. */
async function firstPositionFrom(tx: Tx, company_id: string, ms: number | null): Promise<number> {
  const instant = ms === null ? 'infinity' : new Date(ms);
  const [row] = await tx<{ lo: string }[]>`
    with recursive half as (
      select 1::bigint as lo, 1 + coalesce((select position from verifactu_records where company_id = ${company_id}
                                             order by position desc limit 1), 0) as hi
      union all
      select case when r.recorded_at < ${instant}::timestamptz then r.position + 1 else h.lo end,
             case when r.recorded_at < ${instant}::timestamptz then h.hi else r.position end
        from half h
       cross join lateral (select m.position, m.recorded_at from verifactu_records m
                            where m.company_id = ${company_id} and m.position = (h.lo + h.hi) / 2 limit 1) r
       where h.lo < h.hi
    )
    select lo from half where lo >= hi limit 1`;
  return Number(row!.lo);
}

/** How far the clocks of a company's processes may differ. */
const clocksMs = 3_600_000;

/** Ids hold the real time: they follow the chain closely, not exactly. */
async function createdCondition(
  tx: Tx,
  company_id: string,
  filter: RecordFilter,
  { from, to }: Positions,
): Promise<Condition> {
  const sql = tx`and t.position >= ${from} and t.position <= ${to} ${rangeCondition(tx, 't.recorded_at', filter, 'created')}`;
  const ends = await tx<{ id: string }[]>`
    select id from verifactu_records where company_id = ${company_id} and position in (${from}, ${to}) order by position`;
  const lo = idAt(timeOfId(ends[0]!.id) - clocksMs, 'first');
  const hi = idAt(timeOfId(ends.at(-1)!.id) + clocksMs, 'last');
  return {
    field: 'created',
    sql,
    sources: [tx`from verifactu_records t where t.company_id = ${company_id} ${sql}`],
    bounds: { first: tx`(select ${lo}::uuid as id)`, last: tx`(select ${hi}::uuid as id)` },
  };
}
