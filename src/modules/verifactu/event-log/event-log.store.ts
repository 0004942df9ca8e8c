import type { Tx } from '../../../kernel/operation.ts';
import { type Columns, insertMarked } from '../../../platform/rows.ts';
import type { EventLink, EventType } from '../record.ts';

export type EventRow = {
  id: string;
  position: number;
  type: EventType;
  stamped_at: string;
  occurred_at: Date | string;
  huella: string;
  previous_huella: string | null;
  xml: string;
};

const columns = {
  id: 'uuid',
  position: 'bigint',
  type: 'text',
  stamped_at: 'text',
  occurred_at: 'timestamptz',
  huella: 'text',
  previous_huella: 'text',
  xml: 'text',
} as const satisfies Columns & Record<keyof EventRow, string>;

export function insertEvents(tx: Tx, company_id: string, rows: readonly EventRow[]) {
  return insertMarked(tx, company_id, 'verifactu_events', columns, rows);
}

export type EventHead = { position: number; previous: EventLink | null; last_event_at: Date | null };

/** Locks the end of the log, which is in the issuing head. */
export async function lockEventHead(tx: Tx, company_id: string): Promise<EventHead> {
  const [row] = await tx<
    {
      event_position: string;
      event_type: EventType | null;
      event_stamped_at: string | null;
      event_huella: string | null;
      last_event_at: Date | null;
    }[]
  >`
    select event_position, event_type, event_stamped_at, event_huella, last_event_at
      from issuing_heads where company_id = ${company_id} for update`.execute();
  if (!row) throw new Error('The company has no issuing head.');
  const { event_type, event_stamped_at, event_huella } = row;
  return {
    position: Number(row.event_position),
    previous:
      event_type && event_stamped_at && event_huella
        ? { type: event_type, stamped_at: event_stamped_at, huella: event_huella }
        : null,
    last_event_at: row.last_event_at,
  };
}

export function saveEventHead(tx: Tx, company_id: string, { position, previous, last_event_at }: EventHead) {
  return tx`
    update issuing_heads
       set event_position = ${position}, event_type = ${previous?.type ?? null},
           event_stamped_at = ${previous?.stamped_at ?? null}, event_huella = ${previous?.huella ?? null},
           last_event_at = ${last_event_at}
     where company_id = ${company_id}`.execute();
}
