/**
 * Events are rows, written in the change's transaction. `sequence` counts 1, 2, 3 … per aggregate: the transaction
 * holds the aggregate's row, and a unique key guards it.
 */
import type { CompanyContext, EmitOptions, Tx } from '../kernel/operation.ts';
import { currentTraceparent } from '../kernel/tracing.ts';
import { newId } from '../kernel/uuid7.ts';
import { noteCommit, outboxNote } from './commit-notes.ts';
import { giveWayNow } from './give-way.ts';
import { type Columns, insertRows } from './rows.ts';

export type NewEvent = {
  id: string;
  type: string;
  aggregate_id: string;
  data: Record<string, unknown>;
  correlation_id: string | null;
  /** Its aggregate may have earlier events. */
  is_known?: boolean;
  /** Of the call or job that it happened in. */
  traceparent?: string | null;
};

const eventColumns: Columns = {
  id: 'uuid',
  type: 'text',
  aggregate_id: 'uuid',
  sequence: 'integer',
  api_version: 'text',
  livemode: 'boolean',
  data: 'jsonb',
  correlation_id: 'text',
  created_at: 'timestamptz',
};

const outboxColumns: Columns = {
  id: 'uuid',
  kind: 'text',
  order_key: 'uuid',
  due_at: 'timestamptz',
  traceparent: 'text',
  settings_version: 'integer',
};

export type WrittenEvent = NewEvent & {
  sequence: number;
  api_version: string;
  livemode: boolean;
  created_at: string;
};

/** Tests compare events with the catalogue and its schemas. */
export const eventWatchers = new Set<(event: WrittenEvent) => void>();

/** `invoice.paid` gives `{ invoice: { id } }`. */
export function thinData(type: string, aggregate_id: string): Record<string, unknown> {
  return { [type.slice(0, type.indexOf('.'))]: { id: aggregate_id } };
}

/** They share the call's correlation id. */
export class EventBuffer {
  readonly events: NewEvent[] = [];
  readonly #correlation_id: string | null;

  constructor(correlation_id: string | null) {
    this.#correlation_id = correlation_id;
  }

  add(type: string, aggregate_id: string, options: EmitOptions = {}): void {
    this.events.push({
      id: newId(),
      type,
      aggregate_id,
      data: options.data ?? thinData(type, aggregate_id),
      correlation_id: options.correlation_id ?? this.#correlation_id,
      traceparent: currentTraceparent(),
      ...(options.is_known ? { is_known: true } : {}),
    });
  }
}

export type EventStamp = { company: CompanyContext; version: string; now: Date };

/** 0 for an aggregate without events. With an array in place of JSON PostgreSQL would plan each call anew (docs/sql-rules.md). */
export async function lastSequences(
  tx: Tx,
  company_id: string,
  aggregate_ids: readonly string[],
): Promise<Map<string, number>> {
  if (aggregate_ids.length === 0) return new Map();
  const rows = await tx<{ aggregate_id: string; last: number }[]>`
    select x.aggregate_id::text,
           coalesce((select max(e.sequence) from events e
                      where e.company_id = ${company_id} and e.aggregate_id = x.aggregate_id), 0) as last
      from companies h, (select v::uuid as aggregate_id
                           from json_array_elements_text(${JSON.stringify(aggregate_ids)}::text::json) as v) as x
     where h.company_id = ${company_id}`.execute();
  return new Map(rows.map((row) => [row.aggregate_id, row.last]));
}

const names = Object.keys(eventColumns);
/** The numbers of an aggregate that `goes_on` follow those that are stored. */
const insertGoingOn =
  `insert into events as t (company_id, ${names.join(', ')}) ` +
  `select h.company_id, ${names.map((name) => (name === 'sequence' ? sequenceText() : `x.${name}`)).join(', ')} ` +
  `from companies h, json_to_recordset($2::text::json) as x(${Object.entries(eventColumns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}, goes_on boolean) where h.company_id = $1 returning t.id, t.sequence`;

function sequenceText(): string {
  const last =
    'select max(e.sequence) from events e where e.company_id = $1 and e.aggregate_id = x.aggregate_id';
  return `x.sequence + case when x.goes_on then coalesce((${last}), 0) else 0 end`;
}

/** So few are not weighed, as an issue writes two or three. */
const fewEvents = 20;

/** Of one statement: events of one annulment, each with a payment, may have 32 MB. */
const insertedLength = 500_000;

/**
 * Also writes the outbox where an endpoint may listen.
 * @param known last sequence numbers, read under the aggregates' locks; raised as events are written
 */
export async function insertEvents(
  tx: Tx,
  events: readonly NewEvent[],
  stamp: EventStamp,
  known: Map<string, number> = new Map(),
): Promise<void> {
  if (events.length === 0) return;
  const { company_id, environment, webhook_endpoints_enabled, settings_version } = stamp.company;
  const livemode = environment === 'live';
  const is_first = ({ type, is_known }: NewEvent) => type.endsWith('.created') && !is_known;
  const made_here = new Set(events.filter(is_first).map((e) => e.aggregate_id));
  const unread = [...new Set(events.map((e) => e.aggregate_id))].filter(
    (id) => !made_here.has(id) && !known.has(id),
  );
  const going_on = new Set(unread);
  const created_at = stamp.now.toISOString();
  const rows = events.map((e) => {
    const sequence = (known.get(e.aggregate_id) ?? 0) + 1;
    known.set(e.aggregate_id, sequence);
    const { id, type, aggregate_id, data, correlation_id } = e;
    return {
      id,
      type,
      aggregate_id,
      sequence,
      api_version: stamp.version,
      livemode,
      data,
      correlation_id,
      created_at,
    };
  });
  const inserted =
    rows.length > fewEvents && isLong(rows)
      ? insertInTurns(tx, company_id, rows, going_on)
      : insertTogether(tx, company_id, rows, going_on);
  const writes: Promise<unknown>[] = [inserted];
  if (livemode && webhook_endpoints_enabled > 0) {
    noteCommit(tx, outboxNote);
    writes.push(
      insertRows(
        tx,
        company_id,
        'due_work',
        outboxColumns,
        events.map((e) => ({
          id: e.id,
          kind: 'event',
          order_key: e.aggregate_id,
          due_at: created_at,
          traceparent: e.traceparent ?? null,
          settings_version,
        })),
      ),
    );
  }
  await Promise.all(writes);
  for (const row of rows) if (going_on.has(row.aggregate_id)) known.set(row.aggregate_id, row.sequence);
  for (const row of rows) for (const watch of eventWatchers) watch(row);
}

const lengthOf = ({ data }: WrittenEvent): number => JSON.stringify(data).length;

/** It looks no further than it has to. */
function isLong(rows: readonly WrittenEvent[]): boolean {
  let length = 0;
  return rows.some((row) => {
    length += lengthOf(row);
    return length > insertedLength;
  });
}

/** As `insertTogether`. Between two statements others have their turn. */
async function insertInTurns(
  tx: Tx,
  company_id: string,
  rows: readonly WrittenEvent[],
  going_on: ReadonlySet<string>,
): Promise<void> {
  // Before the first of them: a later statement would count what an earlier one stored.
  const stored = await lastSequences(tx, company_id, [...going_on]);
  for (const row of rows) row.sequence += stored.get(row.aggregate_id) ?? 0;
  let held: WrittenEvent[] = [];
  let length = 0;
  for (const row of rows) {
    const more = lengthOf(row);
    if (held.length > 0 && length + more > insertedLength) {
      await insertRows(tx, company_id, 'events', eventColumns, held);
      await giveWayNow();
      held = [];
      length = 0;
    }
    held.push(row);
    length += more;
  }
  await insertRows(tx, company_id, 'events', eventColumns, held);
}

/** Under the locks of the aggregates. Gives the rows the numbers that were stored. Sent at once. */
async function insertTogether(
  tx: Tx,
  company_id: string,
  rows: readonly WrittenEvent[],
  going_on: ReadonlySet<string>,
): Promise<void> {
  if (going_on.size === 0) {
    await insertRows(tx, company_id, 'events', eventColumns, rows);
    return;
  }
  const sent = rows.map((row) => ({ ...row, goes_on: going_on.has(row.aggregate_id) }));
  const stored = await tx
    .unsafe<{ id: string; sequence: number }[]>(insertGoingOn, [company_id, JSON.stringify(sent)], {
      prepare: true,
    })
    .execute();
  const byId = new Map(stored.map(({ id, sequence }) => [id, sequence]));
  for (const row of rows) row.sequence = byId.get(row.id) ?? row.sequence;
}
