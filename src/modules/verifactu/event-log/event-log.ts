/**
 * The log of events of no-verifactu mode (Orden HAC/1177/2024, art. 9).
 * The transaction of what happened signs, chains and writes its event.
 */
import { instantIn } from '../../../kernel/dates.ts';
import type { CompanyContext, Tx } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { chainStamp } from '../records/chain.ts';
import { insertEvents, lockEventHead, saveEventHead } from './event-log.store.ts';
import { openSigner } from '../identity/signer.ts';
import { systemOf } from '../records/recorder.ts';
import { taxpayerOf } from '../records/rules/taxpayer.ts';
import type { EventDetails, EventLink } from '../record.ts';
import { findRegistration } from '../records/registration.store.ts';

/** `now` and `today` are the company's. */
export type LogContext = { tx: Tx; ports: Ports; company: CompanyContext; now: Date; today: string };

export type NewEvent = { id?: string; details: EventDetails; note?: string | null };

/**
 * Locks the issuing head.
 * @throws Problem verifactu_not_eligible when nobody can sign for the company
 */
export async function logEvents(
  { tx, ports, company, now, today }: LogContext,
  events: readonly NewEvent[],
): Promise<EventLink[]> {
  const [head, registration] = await Promise.all([
    lockEventHead(tx, company.company_id),
    findRegistration(tx, company.company_id),
  ]);
  if (!registration) throw new Error('A company that never turned VeriFactu on has no log of events.');
  const signer = await openSigner(ports, company, registration, now, today);
  const stamp = chainStamp(head.last_event_at, now);
  const stamped_at = instantIn(company.time_zone, stamp);
  const links: EventLink[] = [];
  let { previous, position } = head;
  const rows = [];
  for (const { id = newId(), details, note = null } of events) {
    const { xml, huella } = ports.records.writeEvent({
      details,
      note,
      taxpayer: taxpayerOf(company),
      system: systemOf(ports, registration),
      previous,
      stamped_at,
    });
    position += 1;
    rows.push({
      id,
      position,
      type: details.type,
      stamped_at,
      occurred_at: stamp.toISOString(),
      huella,
      previous_huella: previous?.huella ?? null,
      xml: await ports.records.sign(xml, signer, stamped_at),
    });
    previous = { type: details.type, stamped_at, huella };
    links.push(previous);
  }
  await Promise.all([
    insertEvents(tx, company.company_id, rows),
    saveEventHead(tx, company.company_id, { position, previous, last_event_at: stamp }),
  ]);
  return links;
}
