/** Why an issued invoice cannot be withdrawn. Annul, void and can-annul share these checks. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Problem, fail } from '../../../kernel/problem.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { invoiceStates } from './states.ts';

export function livePayments(payments: readonly PaymentRow[]): PaymentRow[] {
  return payments.filter((payment) => !payment.is_reversed);
}

/** `revert_collections`: its payments are reversed. `is_relied_on`: others must be withdrawn first. */
export function withdrawalFaults(
  invoice: InvoiceRow,
  payments: readonly PaymentRow[],
  move: 'annul' | 'void',
  { revert_collections, is_relied_on }: { revert_collections: boolean; is_relied_on: boolean },
): Problem[] {
  const cell = invoiceStates.peek(invoice.status, move);
  if (typeof cell !== 'string') return [invoiceStates.refusal(invoice.status, move, cell)];
  if (is_relied_on) {
    const reason = 'otra factura vigente depende de ella, como una rectificativa.';
    return [fail(c.invalid_status_transition, { values: { reason } })];
  }
  if (livePayments(payments).length > 0 && !revert_collections) {
    const param = move === 'annul' ? 'revert_collections' : null;
    return [fail(c.invalid_status_transition, { param, values: { reason: 'tiene cobros sin anular.' } })];
  }
  return [];
}
