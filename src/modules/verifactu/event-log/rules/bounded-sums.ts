/** Sums of a period as far as EventosSIF.xsd takes them. */
import { fixedText } from '../../../../domain/money/amount.ts';
import { printedToCents } from '../../../../domain/money/printed.ts';
import type { PeriodOfRecords } from '../../record.ts';

/** Each record fits in 12 digits and 2 decimals, and so does its event's sum as a rule. */
const centsMax = 99_999_999_999_999n;

/** An event out of its schema would stay in the log for ever: it holds the largest amount and count that fit. */
export function boundedSums(records: PeriodOfRecords, countMax: number): PeriodOfRecords {
  return {
    ...records,
    altas: Math.min(records.altas, countMax),
    anulaciones: Math.min(records.anulaciones, countMax),
    tax_total: boundedAmount(records.tax_total),
    total: boundedAmount(records.total),
  };
}

/** The sums that do not fit, for the event's note of at most 100 characters. Null when both do. */
export function noteOfSums({ tax_total, total }: PeriodOfRecords): string | null {
  const told = [
    { name: 'SumaCuotaTotalAlta', sum: tax_total },
    { name: 'SumaImporteTotalAlta', sum: total },
  ].filter(({ sum }) => boundedAmount(sum) !== sum);
  return told.length === 0 ? null : told.map(({ name, sum }) => `${name}: ${sum}`).join('; ');
}

function boundedAmount(text: string): string {
  const cents = printedToCents(text);
  if (cents > centsMax) return fixedText(centsMax, 2);
  return cents < -centsMax ? fixedText(-centsMax, 2) : text;
}
