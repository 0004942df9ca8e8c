/**
 * What a corrective adds to what is owed, or takes off it (ADR 103). One for insolvency (R2) or bad debt (R3), by differences, gives the
 * supplier the tax back and forgives nothing: its base, less retention, stays owed.
 */
import { type Cents, fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

type Corrective = Pick<InvoiceRow, 'type' | 'correction_type' | 'amount_due' | 'corrected_invoices'>;

const isForDebt = ({ type, correction_type }: Pick<Corrective, 'type' | 'correction_type'>) =>
  (type === 'R2' || type === 'R3') && correction_type === 'differences';

const storedPart = ({ corrected_invoices }: Pick<Corrective, 'corrected_invoices'>) =>
  corrected_invoices[0]?.debt;

/** Without its own correctives. */
export function debtPart(row: Pick<Corrective, 'amount_due' | 'corrected_invoices'>): Cents {
  return printedToCents(storedPart(row) ?? row.amount_due);
}

/** What of its amount due stays owed, with the other sign; zero for most. */
export function keptOwed(row: Pick<Corrective, 'amount_due' | 'corrected_invoices'>): Cents {
  return debtPart(row) - printedToCents(row.amount_due);
}

/** Also one that corrects such a corrective. Those of before took their whole amount, and so does what corrects them. */
function movesTaxAlone(corrective: Corrective, original: Corrective | null): boolean {
  if (original && storedPart(original) !== undefined) return true;
  return isForDebt(corrective) && !(original && isForDebt(original));
}

/**
 * The new corrective, which keeps its part: it is undone as it was done, also by a version that knows nothing of it.
 * @param original null when the service does not hold it
 */
export function withDebtPart(row: InvoiceRow, original: InvoiceRow | null): InvoiceRow {
  const [first, ...others] = row.corrected_invoices;
  if (first === undefined || !movesTaxAlone(row, original)) return row;
  const debt = fixedText(printedToCents(row.taxes_total) + printedToCents(row.surcharge_total), 2);
  const kept: InvoiceRow = { ...row, corrected_invoices: [{ ...first, debt }, ...others] };
  return { ...kept, corrected_amount: fixedText(keptOwed(kept), 2) };
}
