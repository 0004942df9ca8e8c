import { parseSpanishTaxId } from '../spain/tax-id.ts';
import { percentText } from './numbers.ts';
import type { PrintedIssuer } from './print-source.ts';
import type { PrintedLanguage } from './printed-document.ts';
import { printedWords } from './words.ts';

/** Persons, and communities of property through their members, pay income tax. Companies pay another tax. */
function paysIncomeTax({ tax_id }: PrintedIssuer): boolean {
  const id = parseSpanishTaxId(tax_id ?? '');
  return id !== undefined && (id.kind !== 'entity' || id.value.startsWith('E'));
}

/** Only income tax has them (RD 439/2007, art. 95). 19 is also a company's rate. */
const incomeTaxRates: ReadonlySet<number> = new Set([1, 2, 7, 15]);

/** Names IRPF when every rate is of it, and the rate when there is one. */
export function retentionLabel(
  rates: readonly string[],
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): string {
  const words = printedWords[language];
  const is_income_tax = paysIncomeTax(issuer) || rates.every((rate) => incomeTaxRates.has(Number(rate)));
  const label = is_income_tax ? words.income_tax_retention : words.retention;
  const [rate, ...others] = rates;
  return rate !== undefined && others.length === 0 ? `${label} ${percentText(rate, language)}` : label;
}
