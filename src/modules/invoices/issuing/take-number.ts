/** Numbers, each from a counter whose row is locked, and the events that only a number brings. */
import { renderNumber } from '../../../domain/series-format.ts';
import { EventBuffer, type NewEvent } from '../../../platform/events.ts';
import { type IssuingCall, PlanStale } from '../../../platform/issuing-call.ts';
import { numberFault } from '../../verifactu/index.ts';
import { checkSeriesDay } from '../rules/dates.ts';
import { checkSeriesIssuer } from '../rules/series-by-issuer.ts';
import type { Part } from './group.ts';
import { counterName, type Locked } from './lock-group.ts';
import { type InvoicePlan, numbered } from './plan.ts';

/**
 * Takes the next number of the counter, whose row is locked.
 * @param today the company's day now: the plan may have been prepared before midnight
 * @throws Problem for a date before the series' last, or a series in which another issues
 */
export function takeNumber(
  plan: InvoicePlan,
  locked: Locked,
  issued_at: string,
  today: string,
): InvoicePlan['bundle'] {
  const { numbering, bundle } = plan;
  if (!numbering) return bundle;
  const { series, period, issued_on } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const is_late = counter.last_issued_on !== null && issued_on < counter.last_issued_on;
  if (is_late && !numbering.is_day_asked && issued_on < today) throw new PlanStale('The day has turned.');
  checkSeriesIssuer(numbering, counter.issued_by);
  checkSeriesDay(numbering, counter.last_issued_on);
  const series_number = counter.next_number;
  const number = renderNumber(series.parts, { code: series.code, on: issued_on, number: series_number });
  const inadmissible = plan.record ? numberFault(number) : undefined;
  if (inadmissible) throw inadmissible;
  counter.next_number += 1;
  counter.taken += 1;
  for (const row of locked.counters.values()) {
    if (row.series_id === series.id)
      Object.assign(row, { last_issued_on: issued_on, issued_by: numbering.issued_by });
  }
  return { ...bundle, invoice: numbered(bundle.invoice, { number, series_number, period, issued_at }) };
}

/** All events of a part: its own, and those that only the number brings. The plan's stay as they are, for it may run again. */
export function eventsOf(part: Part, call: IssuingCall['call'], locked: Locked): readonly NewEvent[] {
  const { numbering } = part.plan;
  if (!numbering) return part.events;
  const { series, period } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const events = new EventBuffer(call.request_id);
  if (counter.is_new_period && counter.taken === 1 && series.reset !== 'never') {
    events.add(series.reset === 'year' ? 'series.year_reset' : 'series.month_reset', series.id);
  }
  events.add('series.number_consumed', series.id, {
    data: { series: { id: series.id }, invoice: { id: part.plan.bundle.invoice.id } },
  });
  return [...part.events, ...events.events];
}
