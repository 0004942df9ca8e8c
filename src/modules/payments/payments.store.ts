import type { Tx } from '../../kernel/operation.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { PaymentRow } from './payments.schema.ts';

const columns: Columns = {
  id: 'uuid',
  invoice_id: 'uuid',
  amount: 'numeric',
  payment_date: 'date',
  payment_method: 'text',
  reference: 'text',
  notes: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

export function insertPayments(tx: Tx, company_id: string, rows: readonly PaymentRow[]) {
  return insertRows(tx, company_id, 'payments', columns, rows);
}

/** The rows say why and when; amounts stay. */
export async function reversePayments(
  tx: Tx,
  company_id: string,
  rows: readonly PaymentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const text = `update payments as t set is_reversed = true, reversed_at = x.reversed_at, reversal_reason = x.reversal_reason,
           reversal_note = x.reversal_note, updated_at = x.updated_at
      from json_to_recordset($2::text::json)
        as x(id uuid, reversed_at timestamptz, reversal_reason text, reversal_note text, updated_at timestamptz)
     where t.company_id = $1 and t.id = x.id and not t.is_reversed`;
  await tx.unsafe(text, [company_id, JSON.stringify(rows)], { prepare: true }).execute();
}

/** Oldest first. The index payments_by_invoice serves it. */
export function listPaymentsOf(tx: Tx, company_id: string, invoice_ids: readonly string[]) {
  return tx<PaymentRow[]>`
    select id, invoice_id, amount, payment_date, payment_method, reference, notes, is_reversed, reversed_at,
           reversal_reason, reversal_note, created_at, updated_at
      from payments
     where company_id = ${company_id} and invoice_id = any(${invoice_ids as string[]}::uuid[])
     order by invoice_id, id`;
}
