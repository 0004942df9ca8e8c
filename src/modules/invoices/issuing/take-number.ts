/** Takes numbers from locked counters, and makes their events. */
import { EventBuffer, type NewEvent } from '../../../platform/events.ts';
import { type IssuingCall, PlanStale } from '../../../platform/issuing-call.ts';
import { checkSeriesDay, emitNumberEvents, takeNumber as takeFromCounter } from '../../series/index.ts';
import { numberFault } from '../../verifactu/index.ts';
import { checkSeriesIssuer } from '../rules/series-by-issuer.ts';
import type { Part } from './group.ts';
import { counterName, type LockedGroup } from './lock-group.ts';
import { type InvoicePlan, numbered } from './plan.ts';

/**
 * @param newest_day the company's day by now: the plan may have been prepared before midnight, or by a clock that is behind
 * @throws Problem for a date before the series' last, or a series in which another issues; PlanStale when the day has turned
 */
export function takeNumber(
  plan: InvoicePlan,
  locked: LockedGroup,
  issued_at: string,
  newest_day: string,
): InvoicePlan['bundle'] {
  const { numbering, bundle } = plan;
  if (!numbering) return bundle;
  const { series, period, issued_on } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const is_late = counter.last_issued_on !== null && issued_on < counter.last_issued_on;
  if (is_late && !numbering.is_day_asked && issued_on < newest_day)
    throw new PlanStale('The day has turned.');
  checkSeriesIssuer(numbering, counter.issued_by);
  checkSeriesDay(numbering, counter.last_issued_on);
  const taken = takeFromCounter(counter, { series, issued_on }, (number) => {
    const inadmissible = plan.record ? numberFault(number) : undefined;
    if (inadmissible) throw inadmissible;
  });
  for (const row of locked.counters.values()) {
    if (row.series_id === series.id)
      Object.assign(row, { last_issued_on: issued_on, issued_by: numbering.issued_by });
  }
  return { ...bundle, document: numbered(bundle.document, { ...taken, period, issued_at }) };
}

/** Leaves the plan unchanged, because it may run again. */
export function eventsOf(part: Part, call: IssuingCall['call'], locked: LockedGroup): readonly NewEvent[] {
  const { numbering } = part.plan;
  if (!numbering) return part.events;
  const { series, period } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const events = new EventBuffer(call.request_id);
  const document = { object: 'invoice', id: part.plan.bundle.document.id };
  emitNumberEvents(counter, series, document, (type, id, options) => events.add(type, id, options));
  return [...part.events, ...events.events];
}
