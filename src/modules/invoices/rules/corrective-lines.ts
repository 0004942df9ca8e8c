/**
 * The lines of a corrective. An absent key comes from the original's line that it names, or else of the same index; null means
 * none. Without lines, a corrective by differences undoes what is in force, and one by substitution repeats the original.
 */
import { invalidInLine } from '../../../domain/sales/lines.errors.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { amountText, amountLimits, parseAmount } from '../../../domain/money/amount.ts';
import { trimZeros } from '../../../domain/money/printed.ts';
import { ExactNumber } from '../../../kernel/json.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import { baseOf, keptOf, takenOver } from '../../../domain/sales/merge-lines.ts';

function undone(row: LineRow): LineInput {
  const line = takenOver(row);
  const quantity = parseAmount(trimZeros(row.quantity), amountLimits.quantity);
  if (!quantity) throw new Error('A stored quantity cannot be read.');
  const text = amountText({ ...quantity, units: -quantity.units });
  return { ...line, quantity: text.length <= 15 ? Number(text) : new ExactNumber(text) };
}

/** `original_line_id`: the line of the original that it stands for; absent: that of its own place; null: none. */
export type CorrectiveLine = LineInput & { original_line_id?: string | null };

/** @param in_force of the original and its correctives by differences */
export function undoingLines(in_force: readonly LineRow[]): LineInput[] {
  return in_force.map(undone);
}

/**
 * A key that the original did not state follows from its exemption, so another exemption would bring its own. That of exports is
 * inherited like any stated key, whatever the exemption becomes. A line that becomes taxed, or sells something else, does not take it.
 */
function exportKeyOf({ regime_key }: LineRow, sent: LineInput): Pick<LineInput, 'regime_key'> {
  const { exemption_reason, taxes_id, tax_kind, product_id } = sent;
  const is_other_sale = [taxes_id, tax_kind, product_id].some((said) => said !== undefined);
  return regime_key === '02' && exemption_reason && !is_other_sale ? { regime_key } : {};
}

/** @throws 422 parameter_invalid for a line that the original does not have */
export function correctiveLines(
  original: readonly LineRow[],
  sent: readonly CorrectiveLine[] | undefined,
): LineInput[] {
  if (sent === undefined) return original.map(takenOver);
  return sent.map(({ original_line_id, ...line }, index) => {
    const row =
      original_line_id === undefined ? original[index] : original.find(({ id }) => id === original_line_id);
    if (!row && original_line_id)
      throw invalidInLine(
        index,
        'original_line_id',
        'La factura original no tiene ninguna línea con este id.',
      );
    if (!row) return line;
    return { ...baseOf(keptOf(takenOver(row), line), line), ...exportKeyOf(row, line), ...line };
  });
}
