/**
 * Events are rows written in the transaction of the change (specification, section 6). `sequence` counts
 * 1, 2, 3 … per aggregate: the aggregate's row is locked or new in the same transaction, and a unique key
 * stands behind that. The outbox of the webhooks is filled here, for live companies that have an endpoint.
 */
import type { CompanyContext, EmitOptions, Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import { type Columns, insertRows } from './rows.ts';

export type NewEvent = {
  id: string;
  type: string;
  aggregate_id: string;
  ordinal: number;
  data: Record<string, unknown>;
  correlation_id: string | null;
};

const eventColumns: Columns = {
  id: 'uuid', type: 'text', aggregate_id: 'uuid', sequence: 'integer', api_version: 'text', livemode: 'boolean',
  data: 'jsonb', correlation_id: 'text', created_at: 'timestamptz',
};

/** Who wants to know of each event written; the tests listen here to compare with the catalogue. */
export const eventWatchers = new Set<(type: string) => void>();

/** The thin reference an event carries: `invoice.paid` of an id gives `{ invoice: { id } }`. */
export function thinData(type: string, aggregate_id: string): Record<string, unknown> {
  return { [type.slice(0, type.indexOf('.'))]: { id: aggregate_id } };
}

/** Collects the events of one call, in order. */
export class EventBuffer {
  readonly events: NewEvent[] = [];
  readonly #counts = new Map<string, number>();

  add(type: string, aggregate_id: string, options: EmitOptions = {}): void {
    const ordinal = 1 + (this.#counts.get(aggregate_id) ?? 0);
    this.#counts.set(aggregate_id, ordinal);
    this.events.push({
      id: newId(),
      type,
      aggregate_id,
      ordinal,
      data: options.data ?? thinData(type, aggregate_id),
      correlation_id: options.correlation_id ?? null,
    });
  }
}

export type EventStamp = { company: CompanyContext; version: string; now: Date };

/** Writes the events, and their outbox rows where somebody may be listening. Ordered by id. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[], stamp: EventStamp): Promise<void> {
  if (events.length === 0) return;
  const { company_id, environment, webhook_endpoints_enabled } = stamp.company;
  const livemode = environment === 'live';
  const known = new Map<string, number>();
  const made_here = new Set(events.filter((e) => e.type.endsWith('.created')).map((e) => e.aggregate_id));
  const old = [...new Set(events.map((e) => e.aggregate_id))].filter((id) => !made_here.has(id));
  if (old.length > 0) {
    const rows = await tx<{ aggregate_id: string; last: number }[]>`
      select x.aggregate_id::text,
             coalesce((select max(e.sequence) from events e
                        where e.company_id = ${company_id} and e.aggregate_id = x.aggregate_id::uuid), 0) as last
        from json_array_elements_text(${JSON.stringify(old)}::text::json) as x(aggregate_id)`;
    for (const row of rows) known.set(row.aggregate_id, row.last);
  }
  const created_at = stamp.now.toISOString();
  const rows = events.map((e) => ({
    id: e.id,
    type: e.type,
    aggregate_id: e.aggregate_id,
    sequence: (known.get(e.aggregate_id) ?? 0) + e.ordinal,
    api_version: stamp.version,
    livemode,
    data: e.data,
    correlation_id: e.correlation_id,
    created_at,
  }));
  const writes: Promise<unknown>[] = [insertRows(tx, company_id, 'events', eventColumns, rows)];
  if (livemode && webhook_endpoints_enabled > 0) {
    writes.push(
      insertRows(tx, company_id, 'due_work', { id: 'uuid', kind: 'text', order_key: 'uuid', due_at: 'timestamptz' },
        events.map((e) => ({ id: e.id, kind: 'event', order_key: e.aggregate_id, due_at: created_at }))),
    );
  }
  await Promise.all(writes);
  for (const e of events) for (const watch of eventWatchers) watch(e.type);
}
