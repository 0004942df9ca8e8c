/** The days of a purchase: when it was issued, received, and when its tax may be deducted (LIVA, art. 99). */
import { isCalendarDay } from '../../../kernel/dates.ts';
import { brokenRule } from '../../../kernel/resource-input.ts';
import type { PurchaseRow } from '../purchase-invoices.rows.ts';

export type Days = Pick<PurchaseRow, 'issued_on' | 'operation_on' | 'received_on'>;

/** @throws 422 business_rule_violation unless issued, received and today follow one another */
export function checkDays({ issued_on, received_on }: Days, today: string): void {
  if (received_on !== null && received_on > today)
    throw brokenRule('received_on', 'la fecha de recepción no puede ser futura.');
  if (issued_on !== null && issued_on > today) throw brokenRule('issued_on', 'la fecha no puede ser futura.');
  if (issued_on !== null && received_on !== null && issued_on > received_on)
    throw brokenRule('received_on', 'la recepción no puede ser anterior a la expedición.');
}

/** The same day four years later; the 29th of February may become the 28th. */
function fourYearsAfter(day: string): string {
  const later = `${String(Number(day.slice(0, 4)) + 4).padStart(4, '0')}${day.slice(4)}`;
  return isCalendarDay(later) ? later : `${later.slice(0, 8)}28`;
}

/**
 * The first and the last day on which the tax may be deducted: once the paper is there (99.Cuatro), and within four years of the
 * operation (99.Tres). Null while a day is missing.
 */
export function deductionPeriod({ issued_on, operation_on, received_on }: Days): {
  first: string;
  last: string;
  has_ended: boolean;
} | null {
  const operated = operation_on ?? issued_on;
  if (operated === null || received_on === null) return null;
  const last = fourYearsAfter(operated);
  const both = received_on > operated ? received_on : operated;
  return { first: both < last ? both : last, last, has_ended: both > last };
}

/**
 * @param stated null: the first day
 * @throws 422 business_rule_violation for a day outside the period
 */
export function deductDay(stated: string | null, days: Days): string | null {
  const period = deductionPeriod(days);
  if (period === null || stated === null) return stated ?? period?.first ?? null;
  if (stated < period.first)
    throw brokenRule(
      'deduct_on',
      'no se deduce antes de la operación ni de recibir la factura (LIVA, art. 99).',
    );
  if (stated > period.last)
    throw brokenRule(
      'deduct_on',
      'el derecho a deducir caduca a los cuatro años de la operación (LIVA, art. 99).',
    );
  return stated;
}
