/** Follows money from a corrected or replaced invoice to the one that is paid. */
import type { Tx } from '../../../kernel/operation.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { findInvoices, lockInvoice } from '../stored-invoices.ts';
import { hasCorrectiveInForce } from '../invoices.store.ts';
import { isWithdrawn } from '../rules/pending.ts';
import { isReplaced } from '../rules/settlement.ts';

/** Longer than any real chain of correctives. */
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

/** The invoices above a corrective by differences, nearest first. It changes them all. A replaced invoice ends the list. */
export function findCorrectedAbove(tx: Tx, company_id: string, row: InvoiceRow): Promise<InvoiceRow[]> {
  const find = async (id: string) => (await findInvoices(tx, company_id, [id]))[0];
  return follow(row, (one) => !isReplaced(one), find);
}

/**
 * Whether other invoices must be withdrawn first: its own correctives, or the full invoice that replaced the ticket it corrects.
 * The full invoice includes the correction.
 */
export async function isReliedOn(tx: Tx, company_id: string, row: InvoiceRow): Promise<boolean> {
  if (await hasCorrectiveInForce(tx, company_id, row)) return true;
  const above = await findCorrectedAbove(tx, company_id, row);
  return above.some(({ substituted_by_id }) => substituted_by_id !== null);
}

/** Locks the chain of replacements. Each is younger than the one before, so the locks follow the order of ids. */
export function lockReplacements(tx: Tx, company_id: string, row: InvoiceRow): Promise<InvoiceRow[]> {
  return follow(row, isReplaced, (id) => lockInvoice(tx, company_id, id));
}

/**
 * An invoice with the correctives by differences that are in force, and theirs. A corrective that another replaced gives way to
 * that one. A full invoice has those of its tickets too, whose lines it took as they were.
 */
export async function findInForce(tx: Tx, company_id: string, invoice: InvoiceRow): Promise<InvoiceRow[]> {
  const find = async (ids: readonly string[]) => (ids.length === 0 ? [] : findInvoices(tx, company_id, ids));
  const tickets = await find(invoice.substituted_invoices.flatMap((one) => one.id ?? []));
  const in_force = [invoice];
  let next = [invoice, ...tickets].flatMap((row) => row.corrective_ids);
  for (let step = 0; next.length > 0 && step < stepsMax; step++) {
    const rows = (await find(next)).filter((row) => !isWithdrawn(row));
    in_force.push(...rows.filter((row) => !isReplaced(row)));
    next = rows.flatMap((row) => (isReplaced(row) ? (row.settled_in_id ?? []) : row.corrective_ids));
  }
  return in_force;
}
