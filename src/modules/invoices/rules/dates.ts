/** The dates of an invoice: operation, issue, due (specification, section 4; decisions, section 3). */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { addDays } from '../../../kernel/dates.ts';
import { fail } from '../../../kernel/problem.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';

/** Regime keys of operations whose date may lie after the issue: works certificates and continuous supplies. */
const lateOperationKeys = new Set(['14', '15']);

/**
 * @param regime_keys of the lines that declare one, in order; the first decides
 * @throws 422 operation_date_after_issue_date
 */
export function checkOperationDate(
  operation_on: string | null,
  issued_on: string,
  regime_keys: readonly string[],
): void {
  if (operation_on === null || operation_on <= issued_on) return;
  if (lateOperationKeys.has(regime_keys[0] ?? '')) return;
  throw fail(e.operation_date_after_issue_date, { param: 'operation_on' });
}

/** The day of issue: the one asked for, else today; never in the future. @throws 422 business_rule_violation */
export function issueDay(asked: string | null, today: string): string {
  const issued_on = asked ?? today;
  if (issued_on > today) {
    throw fail(c.business_rule_violation, {
      param: 'issued_on',
      values: { reason: 'la fecha de expedición no puede ser futura.' },
    });
  }
  return issued_on;
}

/** The due day: the one asked for, else the client's terms. @throws 422 business_rule_violation when before the issue */
export function dueDay(asked: string | null, issued_on: string, terms_days: number | null): string | null {
  const due_on = asked ?? (terms_days === null ? null : addDays(issued_on, terms_days));
  if (due_on !== null && due_on < issued_on) {
    throw fail(c.business_rule_violation, {
      param: 'due_on',
      values: { reason: 'el vencimiento no puede ser anterior a la expedición.' },
    });
  }
  return due_on;
}

/** Dates never run backwards within a series. @throws 422 business_rule_violation */
export function checkSeriesDay(
  numbering: { issued_on: string; series: { code: string } },
  last_issued_on: string | null,
): void {
  if (last_issued_on === null || numbering.issued_on >= last_issued_on) return;
  const reason = `la serie ${numbering.series.code} ya tiene una factura del ${last_issued_on}, y las fechas no pueden retroceder.`;
  throw fail(c.business_rule_violation, { param: 'issued_on', values: { reason } });
}
