/**
 * Invoices take their numbers together, under the issuing head. Any other document locks series, counter and
 * document, in this order, and touches no chain.
 */
import { periodKey, renderNumber } from '../../domain/series-format.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import {
  type CounterRow,
  lockCounters,
  raiseCounter,
  saveCounters,
  startCounters,
} from './series.counters.ts';
import { lockSeriesToNumber, type SeriesForNumbering } from './series.numbering.ts';

export type TakenNumber = { number: string; series_number: number };

/** Lock the counter first. @param check throws to refuse a number before it is taken */
export function takeNumber(
  counter: CounterRow,
  { series, issued_on }: { series: SeriesForNumbering; issued_on: string },
  check?: (number: string) => void,
): TakenNumber {
  const series_number = counter.next_number;
  const number = renderNumber(series.parts, { code: series.code, on: issued_on, number: series_number });
  check?.(number);
  counter.next_number += 1;
  counter.taken += 1;
  return { number, series_number };
}

/** The first number of a period has its own event. */
export function emitNumberEvents(
  counter: CounterRow,
  series: SeriesForNumbering,
  document: { object: string; id: string },
  emit: Ctx['emit'],
): void {
  if (counter.is_new_period && counter.taken === 1 && series.reset !== 'never')
    emit(series.reset === 'year' ? 'series.year_reset' : 'series.month_reset', series.id);
  const data = { series: { id: series.id }, [document.object]: { id: document.id } };
  emit('series.number_consumed', series.id, { data });
}

/**
 * Gives a document its number. A counter that does not exist yet is started. The lock of the series and the raising of the counter
 * are sent together, because the next caller waits until both are over. An existing document may be locked only after them.
 * @param asked the series as it was read, without its lock
 * @param lock sends the lock of the document, right after those of series and counter
 * @returns `saved`: to be awaited with the document's own writes
 * @throws 422 business_rule_violation when the series was archived or deleted meanwhile
 */
export async function numberDocument(
  { tx, company: { company_id }, emit }: Pick<Ctx, 'tx' | 'company' | 'emit'>,
  document: { object: string; id: string },
  { series: read, issued_on }: { series: Pick<SeriesForNumbering, 'id' | 'reset'>; issued_on: string },
  lock: () => void = () => undefined,
): Promise<TakenNumber & { series_code: string; period: string; saved: Promise<void> }> {
  const series_id = read.id;
  const keyBy = ({ reset }: Pick<SeriesForNumbering, 'reset'>) => ({
    series_id,
    period: periodKey(reset, issued_on),
  });
  const [series, raised] = await Promise.all([
    lockSeriesToNumber(tx, company_id, series_id),
    raiseCounter(tx, company_id, { ...keyBy(read), reset: read.reset, issued_on }),
    lock(),
  ]);
  if (!series || series.is_archived)
    throw fail(c.business_rule_violation, {
      param: 'series_id',
      values: { reason: 'la serie está archivada.' },
    });
  const key = keyBy(series);
  const asked = { series, issued_on };
  if (raised) {
    const taken = takeNumber(raised, asked);
    emitNumberEvents(raised, series, document, emit);
    return { ...taken, series_code: series.code, period: key.period, saved: Promise.resolve() };
  }
  const [found] = await lockCounters(tx, company_id, [key]);
  const first = new Map([[series_id, series.first_number]]);
  const [counter = found] = found ? [found] : await startCounters(tx, company_id, [key], first);
  if (!counter) throw new Error('A counter could not be started.');
  const taken = takeNumber(counter, asked);
  const last_issued_on = [counter.last_issued_on ?? issued_on, issued_on].sort().at(-1)!;
  const saved = saveCounters(tx, company_id, [
    { ...counter, last_issued_on, issued_by: counter.issued_by ?? 'issuer' },
  ]);
  // A refusal after this leaves it to the rollback.
  saved.catch(() => undefined);
  emitNumberEvents(counter, series, document, emit);
  return { ...taken, series_code: series.code, period: key.period, saved };
}
