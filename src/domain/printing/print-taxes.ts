import type { TaxKind } from '../tax/spanish-taxes.ts';
import { centsText, percentText } from './numbers.ts';
import type { LineAmounts, PrintedAmounts, RowAmounts } from './print-amounts.ts';
import type { PrintedLineSource, PrintedTaxSource } from './print-source.ts';
import type { PrintedLanguage, PrintedTaxRow } from './printed-document.ts';
import { printedWords } from './words.ts';

const none = '–';

/** Short, for a table. The mention spells it out. */
const references: Partial<Record<string, Record<string, string>>> = {
  vat: {
    E1: 'art. 20 LIVA',
    E2: 'art. 21 LIVA',
    E3: 'art. 22 LIVA',
    E4: 'arts. 23-24 LIVA',
    E5: 'art. 25 LIVA',
  },
  igic: {
    E1: 'Ley 4/2012',
    E2: 'art. 11 Ley 20/1991',
    E3: 'art. 12 Ley 20/1991',
    E4: 'art. 13 Ley 20/1991',
    E5: 'art. 25 Ley 19/1994',
    E6: 'art. 47 Ley 19/1994',
  },
};

export function taxName(kind: string, language: PrintedLanguage): string {
  return printedWords[language].taxes[kind as TaxKind];
}

export function taxHeading(kinds: readonly string[], language: PrintedLanguage): string {
  const [first, ...others] = new Set(kinds);
  return first === undefined || others.length > 0
    ? printedWords[language].taxes_together
    : taxName(first, language);
}

type Taxed = Pick<
  PrintedLineSource,
  'tax_kind' | 'tax_rate' | 'surcharge_rate' | 'qualification' | 'exemption_reason'
>;

const isZero = (rate: string | null) => rate === null || Number(rate) === 0;

export function hasSurcharge(row: Pick<PrintedTaxSource, 'surcharge_rate' | 'qualification'>): boolean {
  return row.qualification === 'S1' && !isZero(row.surcharge_rate);
}

/** undefined where the line shows a rate. */
function insteadOfRate(of: Taxed, language: PrintedLanguage): string | undefined {
  const words = printedWords[language];
  if (of.exemption_reason !== null) return words.exempt;
  if (of.qualification === 'N1' || of.qualification === 'N2') return words.not_subject;
  return of.qualification === 'S2' ? words.reverse_charge : undefined;
}

/** @param is_one_tax the heading names the only tax, so the line does not */
export function lineTax(
  { line, hides_tax }: LineAmounts,
  language: PrintedLanguage,
  is_one_tax: boolean,
): string {
  const words = printedWords[language];
  const name = taxName(line.tax_kind, language);
  if (hides_tax) return words.tax_included(name);
  const other = insteadOfRate(line, language);
  if (other !== undefined) return other;
  const rate = percentText(line.tax_rate ?? '0', language);
  const text = hasSurcharge(line)
    ? words.with_surcharge(rate, percentText(line.surcharge_rate ?? '0', language))
    : rate;
  return is_one_tax ? text : `${name} ${text}`;
}

function rowLabel({ row }: RowAmounts, language: PrintedLanguage): string {
  const words = printedWords[language];
  const name = taxName(row.tax_kind, language);
  if (row.exemption_reason !== null) {
    const reference = references[row.tax_kind]?.[row.exemption_reason];
    return reference === undefined ? words.exempt : words.exempt_by(reference);
  }
  if (row.qualification === 'S2') return `${name} (${words.reverse_charge})`;
  return insteadOfRate(row, language) ?? `${name} ${percentText(row.tax_rate ?? '0', language)}`;
}

/** The paper's only row, if it says just its rate: then the sums say as much (RD 1619/2012, art. 6.1.f to h). */
export function onlyRate({ rows, within }: Pick<PrintedAmounts, 'rows' | 'within'>): PrintedTaxSource | null {
  const [only, ...others] = rows;
  if (!only || others.length > 0 || within !== 0n) return null;
  const { row } = only;
  return row.exemption_reason === null && row.qualification === 'S1' ? row : null;
}

/** What bears no tax names the one that it does not bear, where several do so in the same words. */
function rowLabels(rows: readonly RowAmounts[], language: PrintedLanguage): string[] {
  const labels = rows.map((row) => rowLabel(row, language));
  return rows.map(({ row }, at) => {
    const label = labels[at] ?? '';
    const is_shared = rows.some(
      (other, index) => labels[index] === label && other.row.tax_kind !== row.tax_kind,
    );
    return is_shared ? `${label} (${taxName(row.tax_kind, language)})` : label;
  });
}

/** Rows with the same label but different regimes add their key. */
export function breakdownRows(rows: readonly RowAmounts[], language: PrintedLanguage): PrintedTaxRow[] {
  const labels = rowLabels(rows, language);
  const has_surcharges = rows.some(({ row }) => hasSurcharge(row));
  return rows.map((one, at) => {
    const { row } = one;
    const label = labels[at] ?? '';
    const is_told_apart = rows.every(
      (other, index) => labels[index] !== label || other.row.regime_key === row.regime_key,
    );
    const has_rate = insteadOfRate(row, language) === undefined;
    const has_surcharge = hasSurcharge(row);
    return {
      label:
        is_told_apart || row.regime_key === null
          ? label
          : printedWords[language].with_regime(label, row.regime_key),
      base: centsText(one.base, language),
      rate: has_rate ? percentText(row.tax_rate ?? '0', language) : none,
      tax: has_rate ? centsText(one.tax, language) : none,
      surcharge_rate: has_surcharges
        ? has_surcharge
          ? percentText(row.surcharge_rate ?? '0', language)
          : none
        : null,
      surcharge: has_surcharges ? (has_surcharge ? centsText(one.surcharge, language) : none) : null,
    };
  });
}
