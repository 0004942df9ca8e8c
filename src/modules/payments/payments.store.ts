/** SQL of payments. */
import type { Tx } from '../../kernel/operation.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { PaymentRow } from './payments.schema.ts';

const columns: Columns = {
  id: 'uuid', invoice_id: 'uuid', amount: 'numeric', payment_date: 'date', payment_method: 'text', reference: 'text', notes: 'text',
  created_at: 'timestamptz', updated_at: 'timestamptz',
};

export function insertPayments(tx: Tx, company_id: string, rows: readonly PaymentRow[]) {
  return insertRows(tx, company_id, 'payments', columns, rows);
}

/** The payments of some invoices, oldest first; the index payments_by_invoice serves it. */
export function listPaymentsOf(tx: Tx, company_id: string, invoice_ids: readonly string[]) {
  return tx<PaymentRow[]>`
    select id, invoice_id, amount, payment_date, payment_method, reference, notes, is_reversed, reversed_at,
           reversal_reason, reversal_note, created_at, updated_at
      from payments
     where company_id = ${company_id} and invoice_id = any(${invoice_ids as string[]}::uuid[])
     order by invoice_id, id`;
}
