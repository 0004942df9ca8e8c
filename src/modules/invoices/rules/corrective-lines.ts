/**
 * The lines of a corrective. An absent key comes from the original's line of the same index; null means none. Without lines, a
 * corrective by differences undoes the original, and one by substitution repeats it.
 */
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

export function correctiveLines(
  original: readonly LineRow[],
  sent: readonly LineInput[] | undefined,
  type: 'differences' | 'substitution',
): LineInput[] {
  if (sent === undefined) {
    return original.map(type === 'differences' ? undone : takenOver);
  }
  return sent.map((line, index) => {
    const row = original[index];
    if (!row) return line;
    return { ...baseOf(keptOf(takenOver(row), line), line), ...line };
  });
}
