/** The billing records of a group. */
import type { Tx } from '../../../kernel/operation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { EventBuffer, type NewEvent } from '../../../platform/events.ts';
import { type IssuingCall, PlanStale } from '../../../platform/issuing-call.ts';
import {
  chainRecords,
  type KeptRecord,
  makeRecorder,
  modeOn,
  type Recorder,
  storeRecords,
  summaryOfKept,
  wakeSender,
} from '../../verifactu/index.ts';
import type { LockedGroup } from './lock-group.ts';
import type { InvoicePlan } from './plan.ts';

/** A record that breaks the authority's schema is kept and never sent. This event says so at once. */
export function recordEvents(kept: KeptRecord | null, call: IssuingCall['call']): readonly NewEvent[] {
  if (!kept?.sending?.is_blocked) return [];
  const events = new EventBuffer(call.request_id);
  events.add('invoice.verifactu_failed', kept.row.invoice_id);
  return events.events;
}

/** Null while VeriFactu is off, or when nothing is recorded. */
export async function recorderOf(
  current: IssuingCall,
  locked: LockedGroup,
  now: Date,
  today: string,
): Promise<Recorder | Problem | null> {
  const { company } = current.loaded;
  const mode = modeOn(company, today);
  if (mode === null || !locked.registration) return null;
  try {
    return await makeRecorder(current.ports, company, mode, locked.registration, now, today);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Chains the record of a numbered invoice.
 * @throws PlanStale when the calendar turned VeriFactu on or off since the plan was made
 */
export function record(
  plan: InvoicePlan,
  bundle: InvoicePlan['bundle'],
  recorder: Recorder | null,
  locked: LockedGroup,
  call: IssuingCall,
  { now, today }: { now: Date; today: string },
): { bundle: InvoicePlan['bundle']; record: KeptRecord | null } {
  if (plan.record === null) {
    const is_recording = modeOn(call.loaded.company, today) !== null;
    if (plan.numbering !== null && is_recording) throw new PlanStale('VeriFactu was turned on.');
    return { bundle, record: null };
  }
  if (recorder === null) throw new PlanStale('VeriFactu was turned off.');
  const { document: invoice } = bundle;
  const { content, follows_id, qr_url, qr_mode } = plan.record;
  const seed = {
    invoice_id: invoice.id,
    follows_id,
    qr_url,
    qr_mode,
    content: { ...content, number: invoice.number ?? '', issued_on: invoice.issued_on ?? '' },
  };
  const [kept] = chainRecords(call.ports, recorder, locked.head!, now, [seed]);
  if (!kept) throw new Error('A record was not made.');
  return {
    bundle: { ...bundle, document: { ...invoice, has_record: true, record: summaryOfKept(kept) } },
    record: kept,
  };
}

/** So many waiting records are sent at once, whatever the authority's waiting time (Orden HAC/1177/2024, art. 16.2). */
const fullBatch = 1000;

/** Wakes the sender once, and again when a batch is full. */
export function writeRecords(
  tx: Tx,
  company_id: string,
  { loaded, clock }: IssuingCall,
  recorder: Recorder | Problem | null,
  { head }: LockedGroup,
  records: readonly KeptRecord[],
  now: Date,
): Promise<unknown>[] {
  if (records.length === 0 || head === null || recorder === null || recorder instanceof Problem) return [];
  const writes = storeRecords(tx, company_id, records);
  if (recorder.mode === 'verifactu') {
    const is_full = head.unsent_count < fullBatch && head.unsent_count + records.length >= fullBatch;
    if (!head.is_sender_due || is_full) {
      const { send_after } = recorder;
      const is_waiting = !is_full && send_after !== null && send_after > now && !loaded.clock.clock_frozen_at;
      writes.push(...wakeSender(tx, company_id, is_waiting ? send_after : now, loaded.clock, clock.now()));
    }
  }
  return writes;
}
