/**
 * Records a check (Orden HAC/1177/2024, arts. 6, 8 and 9) by events 03 to 06 in no-verifactu mode, and by the alarm.
 * The alarm stays until a check of everything finds no fault.
 */
import { countCharacters, isLongerThan } from '../../../kernel/text-length.ts';
import type { LogContext, NewEvent } from '../event-log/event-log.ts';
import { logOrKeepEvents } from '../event-log/pending-events.ts';
import type { EventLink, IntegrityCounts, InvoiceRef } from '../record.ts';
import { findRegistration, setAlarm } from '../records/registration.store.ts';
import type { Fault } from './rules/faults.ts';
import { beginDueMode } from '../settings/change-mode.ts';
import { modeOn } from '../settings/rules/mode.ts';

/** `events` is null when only a part of the records was checked. */
export type CheckFindings = {
  records: IntegrityCounts;
  events: IntegrityCounts | null;
  /** The first; `fault_count` counts all. */
  faults: readonly Fault[];
  fault_count: number;
  is_whole: boolean;
};

const integrityAlarm = 'integrity_faults';
/** So many faults get an event each. One more event counts the rest. */
const eventsMax = 20;
const textMax = 100;

export async function recordCheck(ctx: LogContext, found: CheckFindings): Promise<string | null> {
  const { tx, company, now, today } = ctx;
  const registration = await findRegistration(tx, company.company_id);
  if (!registration) return null;
  const has_begun = await beginDueMode(ctx);
  if (has_begun && modeOn(company, today) === 'no_verifactu') await logOrKeepEvents(ctx, eventsOf(found));
  const { alarm } = registration;
  if (found.fault_count > 0) {
    if (alarm !== integrityAlarm) await setAlarm(tx, company.company_id, integrityAlarm, now);
    return integrityAlarm;
  }
  if (alarm === null || !found.is_whole) return alarm;
  await setAlarm(tx, company.company_id, null, now);
  return null;
}

function eventsOf({ records, events, faults, fault_count }: CheckFindings): NewEvent[] {
  const told = faults.slice(0, eventsMax);
  const rest = fault_count - told.length;
  return [
    { details: { type: '03', checked: atMost(records, 9_999_999) } },
    ...(events === null ? [] : [{ details: { type: '05' as const, checked: atMost(events, 99_999) } }]),
    ...told.map(eventOf),
    ...(rest > 0
      ? [
          {
            details: {
              type: '04' as const,
              anomaly: '90' as const,
              text: `Y ${rest} anomalías más.`,
              record: null,
            },
          },
        ]
      : []),
  ];
}

function eventOf(fault: Fault): NewEvent {
  const text = fault.what.slice(0, textMax);
  const { anomaly } = fault;
  if (fault.kind.startsWith('event_'))
    return { details: { type: '06', anomaly, text, event: isLink(fault.event) ? fault.event : null } };
  return { details: { type: '04', anomaly, text, record: isRef(fault.invoice) ? fault.invoice : null } };
}

function atMost(counts: IntegrityCounts, max: number): IntegrityCounts {
  const bound = (count: number | null) => (count === null ? null : Math.min(count, max));
  return {
    huellas: bound(counts.huellas),
    signatures: bound(counts.signatures),
    links: bound(counts.links),
    dates: bound(counts.dates),
  };
}

/** The schema of events may refuse a damaged record's values. The event then names no record. */
function isRef(ref: InvoiceRef | null): ref is InvoiceRef {
  return (
    ref !== null &&
    countCharacters(ref.tax_id) === 9 &&
    ref.number.length >= 1 &&
    !isLongerThan(ref.number, 60) &&
    /^\d{4}-\d\d-\d\d$/.test(ref.issued_on)
  );
}

function isLink(link: EventLink | null): link is EventLink {
  return (
    link !== null &&
    /^\d\d$/.test(link.type) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(link.stamped_at) &&
    /^[0-9A-F]{64}$/.test(link.huella)
  );
}
