/** The tax is converted at the rate of the day on which it falls due (LIVA, art. 79.11), which is not after the issue. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

type Dated = Pick<InvoiceRow, 'exchange_rate' | 'exchange_rate_on' | 'operation_on'>;

/**
 * The day said, else that of the operation, else that of the issue; null in euros.
 * @throws 422 business_rule_violation
 */
export function exchangeRateDay(
  { exchange_rate, exchange_rate_on, operation_on }: Dated,
  issued_on: string,
): string | null {
  if (exchange_rate === null) return null;
  if (exchange_rate_on !== null && exchange_rate_on > issued_on)
    throw fail(c.business_rule_violation, {
      param: 'exchange_rate_on',
      values: { reason: 'el día del tipo de cambio no puede ser posterior al de expedición.' },
    });
  const is_done = operation_on !== null && operation_on <= issued_on;
  return exchange_rate_on ?? (is_done ? operation_on : issued_on);
}
