/**
 * Turns a company's outbox into deliveries, in order, a bounded number per transaction. Also wakes their
 * endpoints, leases the free ones and removes the events.
 */
import type { Tx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { addDue, lockDueRows, type SharedDue } from '../../platform/leases.ts';
import type { EventRow } from '../events/index.ts';
import { type DeliveryContent, insertDeliveries, type Sendable } from './deliveries.store.ts';
import { eventBody } from './delivery-body.ts';
import {
  endpointKind,
  holdEndpoints,
  type ListeningEndpoint,
  type OutboxEvent,
  readOutbox,
  readOutboxTraces,
  removeFromOutbox,
} from './outbox.store.ts';
import { outboxBatch } from './rules/outbox-batch.ts';
import { isSubscribedTo } from './rules/subscription.ts';
import type { EndpointRow } from './webhooks.rows.ts';

export type FedEndpoint = {
  endpoint: EndpointRow;
  /** Its due row before, if any. */
  before: SharedDue | undefined;
  revision: number;
  lease_id: string | null;
  deliveries: Sendable[];
};

export type FanOut = {
  fed: FedEndpoint[];
  /** Before the transaction. */
  dues: SharedDue[];
  is_more: boolean;
};

const eventsMax = 500;
const lookAhead = 100;
const deliveriesMax = 1000;
/** Of one statement. 500 events of one call, each with a payment, may have 26 MB. */
const insertedLength = 500_000;

type Planned = { content: number; id: string; endpoint_id: string };

/** @param lease for free endpoints; undefined: no room for more */
export function fanOut(
  { db, clock }: { db: Database; clock: Clock },
  company_id: string,
  lease: { id: string; until: Date } | undefined,
): Promise<FanOut> {
  const feed = async (tx: Tx): Promise<FanOut> => {
    const now = clock.now();
    // Do not wait for the disk. A crash of the database loses these deliveries and all later ones, but
    // restores their events to the outbox. Storing a result does wait.
    const unhurried = tx.unsafe('set local synchronous_commit = off').execute();
    // Lock endpoints before due rows, as operations do. Read the outbox last, to see what is left then.
    const [endpoints, dues, rows, traces] = await Promise.all([
      holdEndpoints(tx, company_id),
      lockDueRows(tx, company_id, endpointKind),
      readOutbox(tx, company_id, eventsMax + lookAhead),
      readOutboxTraces(tx, company_id, eventsMax + lookAhead),
      unhurried,
    ]);
    if (rows.length === 0) return { fed: [], dues, is_more: false };
    const events = outboxBatch(rows, sizeOf(rows, endpoints));
    const giveWay = makeGivingWay();
    const contents: DeliveryContent[] = [];
    const planned: Planned[] = [];
    for (const event of events) {
      const wanting = endpoints.filter((endpoint) => isSubscribedTo(endpoint, event));
      if (wanting.length === 0) continue;
      for (const { id: endpoint_id } of wanting)
        planned.push({ id: newId(), endpoint_id, content: contents.length });
      contents.push(contentOf(event, traces.get(event.id) ?? null));
      await giveWay();
    }
    const stamp = stampAfter(dues, now);
    const fed_ids = [...new Set(planned.map((p) => p.endpoint_id))];
    const [made, marked] = await Promise.all([
      insertInTurns(tx, company_id, contents, planned, stamp),
      addDue(tx, company_id, endpointKind, fed_ids, { now, added_at: stamp, lease }),
      removeFromOutbox(
        tx,
        company_id,
        events.map((event) => event.id),
      ),
    ]);
    const by_endpoint = Map.groupBy(
      planned.filter((p) => made.has(p.id)),
      (p) => p.endpoint_id,
    );
    const fed = marked.map(({ id, revision, lease_id }) => ({
      endpoint: endpoints.find((endpoint) => endpoint.id === id) as EndpointRow,
      before: dues.find((due) => due.id === id),
      revision,
      lease_id,
      deliveries: (by_endpoint.get(id) ?? []).map((p) => sendable(p, contents[p.content]!, stamp)),
    }));
    return { fed, dues, is_more: rows.length > events.length || rows.length === eventsMax + lookAhead };
  };
  return db.transaction(company_id, feed, 'background');
}

/** Between two statements others have their turn. @returns as `insertDeliveries` */
async function insertInTurns(
  tx: Tx,
  company_id: string,
  contents: readonly DeliveryContent[],
  planned: readonly Planned[],
  stamp: Date,
): Promise<Set<string>> {
  const made = new Set<string>();
  for (let from = 0, to = 0; from < contents.length; from = to) {
    for (let length = 0; to < contents.length && length < insertedLength; to++)
      length += contents[to]!.request_body.length;
    const part = contents.slice(from, to);
    const of_part = planned
      .filter(({ content }) => content >= from && content < to)
      .map((one) => ({ ...one, content: one.content - from }));
    for (const id of await insertDeliveries(tx, company_id, part, of_part, stamp)) made.add(id);
  }
  return made;
}

/** Deliveries go out by stamp, so each stamp is later than the last, even one from a clock ahead of ours. */
function stampAfter(dues: readonly SharedDue[], now: Date): Date {
  const last = Math.max(...dues.map((due) => due.added_at?.getTime() ?? 0));
  return new Date(Math.max(now.getTime(), last + 1));
}

/** Bounds the deliveries of one transaction. At least one event. */
function sizeOf(rows: readonly OutboxEvent[], endpoints: readonly ListeningEndpoint[]): number {
  let deliveries = 0;
  for (const [at, event] of rows.entries()) {
    deliveries += endpoints.filter((endpoint) => isSubscribedTo(endpoint, event)).length;
    if (at > 0 && (at === eventsMax || deliveries > deliveriesMax)) return at;
  }
  return rows.length;
}

function contentOf(event: EventRow, traceparent: string | null): DeliveryContent {
  return {
    event_id: event.id,
    event_type: event.type,
    aggregate_id: event.aggregate_id,
    is_test: event.is_test,
    request_body: eventBody(event),
    traceparent,
  };
}

function sendable({ id, endpoint_id }: Planned, content: DeliveryContent, now: Date): Sendable {
  const { is_test: _, ...rest } = content;
  return { ...rest, id, endpoint_id, attempt: 0, next_attempt_at: now };
}
