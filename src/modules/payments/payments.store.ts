import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { constraintOf } from '../../platform/db.ts';
import { ofEach } from '../../platform/of-each.ts';
import { type Columns, insertMarked } from '../../platform/rows.ts';
import { readPagePayments } from './page-payments.ts';
import type { PaymentRow } from './payments.schema.ts';

const columns: Columns = {
  id: 'uuid',
  invoice_id: 'uuid',
  client_id: 'uuid',
  names_client: 'boolean',
  amount: 'numeric',
  payment_date: 'date',
  payment_method: 'text',
  reference: 'text',
  notes: 'text',
  external_id: 'text',
  metadata: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

export function insertPayments(tx: Tx, company_id: string, rows: readonly PaymentRow[]) {
  const named = rows.map((row) => ({ ...row, names_client: true }));
  return insertMarked(tx, company_id, 'payments', columns, named);
}

/** The rows say why and when; amounts stay. */
export async function reversePayments(
  tx: Tx,
  company_id: string,
  rows: readonly PaymentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  // Whole rows of an invoice may be 26 MB of metadata.
  const changes = rows.map(({ id, reversed_at, reversal_reason, reversal_note, updated_at }) => ({
    id,
    reversed_at,
    reversal_reason,
    reversal_note,
    updated_at,
  }));
  const text = `update payments as t set is_reversed = true, reversed_at = x.reversed_at, reversal_reason = x.reversal_reason,
           reversal_note = x.reversal_note, updated_at = x.updated_at
      from json_to_recordset($2::text::json)
        as x(id uuid, reversed_at timestamptz, reversal_reason text, reversal_note text, updated_at timestamptz)
     where t.company_id = $1 and t.id = x.id and not t.is_reversed`;
  await tx.unsafe(text, [company_id, JSON.stringify(changes)], { prepare: true }).execute();
}

export const paymentColumns = [
  'id',
  'invoice_id',
  'client_id',
  'amount',
  'payment_date',
  'payment_method',
  'reference',
  'notes',
  'external_id',
  'metadata',
  'is_reversed',
  'reversed_at',
  'reversal_reason',
  'reversal_note',
  'created_at',
  'updated_at',
]
  .map((name) => `t.${name}`)
  .join(', ');

/**
 * In force. SQL of a table with the columns id, invoice_id, payment_date, payment_method and amount.
 * @param invoices selects their ids
 */
export function livePaymentsOf(tx: Tx, company_id: string, invoices: Fragment): Fragment {
  return tx`(select l.id, l.invoice_id, l.payment_date, l.payment_method, l.amount from payments l
              where l.company_id = ${company_id} and l.invoice_id in (${invoices}) and not l.is_reversed)`;
}

/** A unique key allows one. */
export async function findPaymentByExternalId(
  tx: Tx,
  company_id: string,
  external_id: string,
): Promise<PaymentRow | undefined> {
  const [row] = await tx<PaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from payments t
     where t.company_id = ${company_id} and t.external_id = ${external_id}`;
  return row;
}

/** Whether another payment took the external id meanwhile. */
export function isTakenId(error: unknown): boolean {
  return constraintOf(error) === 'payments_external_id';
}

/** One of a document, of which others may hold 30 MB. */
export async function findPaymentOf(
  tx: Tx,
  company_id: string,
  invoice_id: string,
  id: string,
): Promise<PaymentRow | undefined> {
  const [row] = await tx<PaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from payments t
     where t.company_id = ${company_id} and t.invoice_id = ${invoice_id} and t.id = ${id}`;
  return row;
}

/** Oldest first. The index payments_by_invoice serves it. */
export function listPaymentsOf(tx: Tx, company_id: string, invoice_ids: readonly string[]) {
  return tx<PaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from payments t
     where company_id = ${company_id} and invoice_id = any(${invoice_ids as string[]}::uuid[])
     order by invoice_id, id`;
}

/** Those of a page of invoices, in the order of the page. */
export function listPagePayments(
  tx: Tx,
  company_id: string,
  invoice_ids: readonly string[],
  bytes_max?: number,
) {
  return readPagePayments<PaymentRow>(
    invoice_ids,
    ({ invoice_id }) => invoice_id,
    (ids, limit) => {
      const rows = tx`
        select ${tx.unsafe(paymentColumns)} from payments t where t.company_id = ${company_id} and t.invoice_id = d.id`;
      return ofEach(tx, ids, { rows, order: 'id', limit });
    },
    bytes_max,
  );
}

/** With those that were reversed. Sends at once, so before what is written next. The caller has locked the invoice. */
export async function countPaymentsOf(tx: Tx, company_id: string, invoice_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from payments where company_id = ${company_id} and invoice_id = ${invoice_id}`.execute();
  return row!.count;
}
