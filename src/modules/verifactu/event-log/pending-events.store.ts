import type { Tx } from '../../../kernel/operation.ts';
import { insertRows } from '../../../platform/rows.ts';
import type { EventDetails, EventType } from '../record.ts';

export type PendingEventRow = {
  id: string;
  type: EventType;
  details: EventDetails;
  note: string | null;
  occurred_at: Date | string;
  attempts: number;
  last_error: string;
};

const columns = {
  id: 'uuid',
  type: 'text',
  details: 'jsonb',
  note: 'text',
  occurred_at: 'timestamptz',
  attempts: 'integer',
  last_error: 'text',
} as const satisfies Record<keyof PendingEventRow, string>;

export function insertPendingEvents(tx: Tx, company_id: string, rows: readonly PendingEventRow[]) {
  return insertRows(tx, company_id, 'verifactu_pending_events', columns, rows);
}

export function lockPendingEvents(tx: Tx, company_id: string, limit: number) {
  return tx<PendingEventRow[]>`
    select id, type, details, note, occurred_at, attempts, last_error from verifactu_pending_events
     where company_id = ${company_id} order by id limit ${limit} for update`;
}

export async function findPendingEvent(tx: Tx, company_id: string, id: string) {
  const [row] = await tx<PendingEventRow[]>`
    select id, type, details, note, occurred_at, attempts, last_error from verifactu_pending_events
     where company_id = ${company_id} and id = ${id}`;
  return row;
}

export function deletePendingEvents(tx: Tx, company_id: string, ids: readonly string[]) {
  return tx`delete from verifactu_pending_events
             where company_id = ${company_id} and id = any(${ids as string[]}::uuid[])`;
}

export function countAttempt(tx: Tx, company_id: string, id: string, last_error: string) {
  return tx`update verifactu_pending_events set attempts = attempts + 1, last_error = ${last_error}
             where company_id = ${company_id} and id = ${id}`;
}
