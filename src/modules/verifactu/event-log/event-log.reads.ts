import type { Tx } from '../../../kernel/operation.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../../platform/page-rows.ts';
import type { EventRow } from './event-log.store.ts';
import type { ListedEvent } from './event-log.schema.ts';
import type { PendingEventRow } from './pending-events.store.ts';

type EventFilter = { type?: string } & Record<string, unknown>;

/** No event changes: it has one time. */
const conditions = (tx: Tx, filter: EventFilter) => tx`${valueCondition(tx, 't.type', filter, 'type')}
  ${rangeCondition(tx, 't.occurred_at', filter, 'occurred')} ${rangeCondition(tx, 't.occurred_at', filter, 'created')}
  ${rangeCondition(tx, 't.occurred_at', filter, 'updated')}`;

/** Ids grow with time, so the primary key serves a page. */
export function listLogged(tx: Tx, company_id: string, page: PageRequest, filter: EventFilter) {
  return readPageRows<ListedEvent>(tx, company_id, page, {
    table: 'verifactu_events',
    columns: tx`t.id, t.position, t.type, t.stamped_at, t.occurred_at, t.huella, t.previous_huella`,
    where: conditions(tx, filter),
  });
}

export function listPending(tx: Tx, company_id: string, page: PageRequest, filter: EventFilter) {
  return readPageRows<PendingEventRow>(tx, company_id, page, {
    table: 'verifactu_pending_events',
    where: conditions(tx, filter),
  });
}

export async function findLogged(tx: Tx, company_id: string, id: string): Promise<EventRow | undefined> {
  const [row] = await tx<(Omit<EventRow, 'position'> & { position: string })[]>`
    select id, position, type, stamped_at, occurred_at, huella, previous_huella, xml
      from verifactu_events where company_id = ${company_id} and id = ${id}`;
  return row && { ...row, position: Number(row.position) };
}
