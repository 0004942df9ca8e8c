/** The days of operation and issue. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

/** Works certificates and continuous supplies may be invoiced before the operation. */
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

/** @throws 422 business_rule_violation for a day in the future */
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

/**
 * Nothing is corrected or replaced before it exists.
 * @throws 422 business_rule_violation
 */
export function checkFollowsReferences(
  {
    corrected_invoices,
    substituted_invoices,
  }: Pick<InvoiceRow, 'corrected_invoices' | 'substituted_invoices'>,
  issued_on: string,
): void {
  const later = [...corrected_invoices, ...substituted_invoices].find((one) => issued_on < one.issued_on);
  if (!later) return;
  throw fail(c.business_rule_violation, {
    param: 'issued_on',
    values: {
      reason: `la fecha de expedición, ${issued_on}, es anterior a la de la factura ${later.number} que rectifica o sustituye, ${later.issued_on}.`,
    },
  });
}
