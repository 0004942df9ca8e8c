/** What a line is taxed with. The tax that it names may have another rate, or none, since a line may say its own. */
import type { Language } from '../../app/words.ts';
import { formatPercent } from '../../parts/money.ts';
import type { Invoice } from '../../printed/resources.ts';
import type { invoiceWords } from './words.ts';

type Line = Pick<
  Invoice['lines'][number],
  'tax_kind' | 'tax_rate' | 'surcharge_rate' | 'exemption_reason' | 'qualification'
>;

export function lineTax(line: Line, words: (typeof invoiceWords)[Language], language: Language): string {
  const { tax_kind, tax_rate, surcharge_rate, exemption_reason, qualification } = line;
  if (exemption_reason !== null) return words.exempt(exemption_reason);
  if (qualification === 'S2') return words.reverse_charge;
  if (qualification === 'N1' || qualification === 'N2') return words.not_subject(qualification);
  const rate = `${words.tax_kinds[tax_kind]} ${formatPercent(tax_rate ?? 0, language)}`;
  return surcharge_rate ? `${rate} + RE ${formatPercent(surcharge_rate, language)}` : rate;
}
