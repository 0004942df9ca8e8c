/** Payments of purchases, and what a purchase is compared with. */
import type { Tx } from '../../kernel/operation.ts';
import { textForms } from '../../kernel/text-forms.ts';
import { constraintOf } from '../../platform/db.ts';
import { ofEach } from '../../platform/of-each.ts';
import { type Columns, insertMarked } from '../../platform/rows.ts';
import { readPagePayments } from '../payments/index.ts';
import type { Expense } from '../sales/index.ts';
import type { PurchasePaymentRow, PurchaseRow } from './purchase-invoices.rows.ts';

const insertedColumns: Columns = {
  id: 'uuid',
  purchase_invoice_id: 'uuid',
  amount: 'numeric',
  settled_amount: 'numeric',
  payment_date: 'date',
  payment_method: 'text',
  reference: 'text',
  notes: 'text',
  external_id: 'text',
  metadata: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

const paymentColumns = [
  ...Object.keys(insertedColumns),
  'is_reversed',
  'reversed_at',
  'reversal_reason',
  'reversal_note',
].join(', ');

export function insertPurchasePayment(tx: Tx, company_id: string, row: PurchasePaymentRow) {
  return insertMarked(tx, company_id, 'purchase_invoice_payments', insertedColumns, [row]);
}

/** A unique key allows one. */
export async function findPurchasePaymentByExternalId(
  tx: Tx,
  company_id: string,
  external_id: string,
): Promise<PurchasePaymentRow | undefined> {
  const [row] = await tx<PurchasePaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from purchase_invoice_payments
     where company_id = ${company_id} and external_id = ${external_id}`;
  return row;
}

/** Whether another payment took the external id meanwhile. */
export function isTakenPaymentId(error: unknown): boolean {
  return constraintOf(error) === 'purchase_invoice_payments_external_id';
}

/** One of a purchase, of which others may hold 30 MB. */
export async function findPurchasePayment(
  tx: Tx,
  company_id: string,
  purchase_id: string,
  id: string,
): Promise<PurchasePaymentRow | undefined> {
  const [row] = await tx<PurchasePaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from purchase_invoice_payments
     where company_id = ${company_id} and purchase_invoice_id = ${purchase_id} and id = ${id}`;
  return row;
}

/** Oldest first. */
export function listPurchasePayments(tx: Tx, company_id: string, ids: readonly string[]) {
  return tx<PurchasePaymentRow[]>`
    select ${tx.unsafe(paymentColumns)} from purchase_invoice_payments
     where company_id = ${company_id} and purchase_invoice_id = any(${ids as string[]}::uuid[])
     order by purchase_invoice_id, id`;
}

/** Those of a page of purchases, in the order of the page. */
export function listPagePurchasePayments(tx: Tx, company_id: string, purchase_ids: readonly string[]) {
  return readPagePayments<PurchasePaymentRow>(
    purchase_ids,
    ({ purchase_invoice_id }) => purchase_invoice_id,
    (ids, limit) => {
      const rows = tx`
        select ${tx.unsafe(paymentColumns)} from purchase_invoice_payments
         where company_id = ${company_id} and purchase_invoice_id = d.id`;
      return ofEach(tx, ids, { rows, order: 'id', limit });
    },
  );
}

/** With those that were reversed. Sends at once, so before what is written next. The caller has locked the purchase. */
export async function countPurchasePayments(tx: Tx, company_id: string, id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from purchase_invoice_payments
     where company_id = ${company_id} and purchase_invoice_id = ${id}`.execute();
  return row!.count;
}

/** The row says why and when; the amount stays. */
export function reversePurchasePayment(
  tx: Tx,
  company_id: string,
  row: PurchasePaymentRow,
): Promise<unknown> {
  const { id, reversed_at, reversal_reason, reversal_note, updated_at } = row;
  return tx`
    update purchase_invoice_payments
       set is_reversed = true, reversed_at = ${reversed_at}, reversal_reason = ${reversal_reason},
           reversal_note = ${reversal_note}, updated_at = ${updated_at}
     where company_id = ${company_id} and id = ${id} and not is_reversed`.execute();
}

/**
 * Whether the supplier's number is on a purchase of another day. The order makes the planner take purchase_invoices_paper. Without it
 * and without fresh statistics, another index of the supplier's papers looks as cheap, and all of them would be read.
 */
export async function hasSameNumber(tx: Tx, company_id: string, row: PurchaseRow): Promise<boolean> {
  const found = await Promise.all(
    textForms(row.supplier_number ?? '').map((number) =>
      tx`
      select 1 from purchase_invoices
       where company_id = ${company_id} and client_id = ${row.client_id}
         and supplier_number_key = lower(${number}) and cancelled_at is null and id <> ${row.id}
       order by issued_on limit 1`.execute(),
    ),
  );
  return found.some((rows) => rows.length > 0);
}

/** Whether its paper is here already, as purchase_invoices_paper would refuse it, in whichever form its number is kept. */
export async function isRegistered(
  tx: Tx,
  company_id: string,
  {
    id,
    client_id,
    supplier_number,
    issued_on,
  }: Pick<PurchaseRow, 'id' | 'client_id' | 'supplier_number' | 'issued_on'>,
): Promise<boolean> {
  if (client_id === null || supplier_number === null || issued_on === null) return false;
  const found = await Promise.all(
    textForms(supplier_number).map((number) =>
      tx`
      select 1 from purchase_invoices
       where company_id = ${company_id} and client_id = ${client_id} and supplier_number_key = lower(${number})
         and issued_on = ${issued_on} and cancelled_at is null and id <> ${id}`.execute(),
    ),
  );
  return found.some((rows) => rows.length > 0);
}

/** For lines that charge them on. */
export async function findExpenses(tx: Tx, company_id: string, ids: readonly string[]): Promise<Expense[]> {
  const rows = await tx<Expense[]>`
    select id, coalesce(supplier_number, number) as number from purchase_invoices
     where company_id = ${company_id} and id = any(${ids as string[]}::uuid[]) and number is not null and cancelled_at is null`.execute();
  return [...rows];
}

export async function findCorrected(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<Pick<PurchaseRow, 'client_id'> | undefined> {
  const [found] = await tx<Pick<PurchaseRow, 'client_id'>[]>`
    select client_id from purchase_invoices where company_id = ${company_id} and id = ${id}`.execute();
  return found;
}

/** Locks it. */
export async function isReceivedPurchase(tx: Tx, company_id: string, id: string): Promise<boolean> {
  const [row] = await tx<{ number: string | null }[]>`
    select number from purchase_invoices where company_id = ${company_id} and id = ${id} for update`.execute();
  return row !== undefined && row.number !== null;
}

export async function isCancelledPurchase(tx: Tx, company_id: string, id: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from purchase_invoices
     where company_id = ${company_id} and id = ${id} and cancelled_at is not null`.execute();
  return row !== undefined;
}

/** Not cancelled, the latest days first; ten at most of each form of the number. Found as `hasSameNumber` finds it. */
export async function findSamePaper(
  tx: Tx,
  company_id: string,
  { supplier_id, number }: { supplier_id: string; number: string },
): Promise<string[]> {
  const found = await Promise.all(
    textForms(number).map((form) =>
      tx<{ id: string }[]>`
      select id from purchase_invoices
       where company_id = ${company_id} and client_id = ${supplier_id} and supplier_number_key = lower(${form})
         and cancelled_at is null
       order by issued_on desc, id desc limit 10`.execute(),
    ),
  );
  return found.flatMap((rows) => rows.map(({ id }) => id));
}
