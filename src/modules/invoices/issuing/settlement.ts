/** Reads the invoices through which money goes from one that is corrected or replaced to the one that is paid. */
import type { Tx } from '../../../kernel/operation.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { findInvoices, lockInvoice } from '../stored-invoices.ts';
import { hasCorrectiveInForce } from '../invoices.store.ts';
import { isReplaced } from '../rules/settlement.ts';

/** Longer than any honest chain of correctives of correctives. */
const stepsMax = 100;

async function follow(
  from: InvoiceRow,
  goesOn: (row: InvoiceRow) => boolean,
  find: (id: string) => Promise<InvoiceRow | undefined>,
): Promise<InvoiceRow[]> {
  const passed: InvoiceRow[] = [];
  let row = from;
  while (row.settled_in_id !== null && goesOn(row) && passed.length < stepsMax) {
    const next = await find(row.settled_in_id);
    if (!next) throw new Error('The invoice in which another is settled vanished.');
    passed.push(next);
    row = next;
  }
  return passed;
}

/**
 * The invoices above a corrective by differences, nearest first: a change of it is one of them all. The way ends
 * with one that is replaced.
 */
export function findCorrectedAbove(tx: Tx, company_id: string, row: InvoiceRow): Promise<InvoiceRow[]> {
  const find = async (id: string) => (await findInvoices(tx, company_id, [id]))[0];
  return follow(row, (one) => !isReplaced(one), find);
}

/**
 * Whether others stand on the invoice and are withdrawn before it: its correctives, which would correct nothing, or the
 * full invoice in the place of the ticket that it corrects, which has the amount as it was corrected.
 */
export async function isReliedOn(tx: Tx, company_id: string, row: InvoiceRow): Promise<boolean> {
  if (await hasCorrectiveInForce(tx, company_id, row)) return true;
  const above = await findCorrectedAbove(tx, company_id, row);
  return above.some(({ substituted_by_id }) => substituted_by_id !== null);
}

/**
 * The invoices that took the place of a replaced one, each that of the one before, locked: each was made after the one
 * before, so they are locked in the order of their ids.
 */
export function lockReplacements(tx: Tx, company_id: string, row: InvoiceRow): Promise<InvoiceRow[]> {
  return follow(row, isReplaced, (id) => lockInvoice(tx, company_id, id));
}
