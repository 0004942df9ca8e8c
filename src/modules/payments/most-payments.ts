/** How many payments a document has at most. Each answer with the document shows all of them (ADR 34). */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';

export const paymentsMax = 500;

/**
 * @param count how many there are, with those that were reversed
 * @throws 422 business_rule_violation
 */
export function refuseMorePayments(count: number): void {
  if (count < paymentsMax) return;
  const reason = `una factura tiene ${paymentsMax} cobros o pagos como mucho, con los anulados.`;
  throw fail(c.business_rule_violation, { values: { reason } });
}
