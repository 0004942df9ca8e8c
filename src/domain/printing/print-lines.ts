import { centsText, numberText, percentText, priceText } from './numbers.ts';
import type { LineAmounts, PrintedAmounts } from './print-amounts.ts';
import { retentionLabel } from './print-retention.ts';
import type { PrintedIssuer, PrintedLineSource } from './print-source.ts';
import { lineTax, taxHeading } from './print-taxes.ts';
import type { PrintedLanguage, PrintedLine } from './printed-document.ts';
import { printedWords } from './words.ts';

export function printLines(
  amounts: PrintedAmounts,
  issuer: PrintedIssuer,
  currency: string,
  language: PrintedLanguage,
): PrintedLine[] {
  const is_one_tax = new Set(amounts.lines.map(({ line }) => line.tax_kind)).size === 1;
  const retained = namesRetention(amounts.lines.map(({ line }) => line)) ? issuer : null;
  let carried = 0n;
  return amounts.lines.map((one) => {
    const { line } = one;
    carried += one.amount;
    return {
      description: line.description,
      details: detailsOf(one, retained, currency, language),
      quantity: numberText(line.quantity, language, 0),
      unit: line.unit,
      unit_price: numberText(one.unit_price, language, 2),
      discount: isDiscounted(line) ? percentText(line.discount_percent ?? '0', language) : null,
      tax: lineTax(one, language, is_one_tax),
      amount: centsText(one.amount, language),
      carried: centsText(carried, language),
    };
  });
}

/**
 * @param retained whose tax the retention is; null when lines do not name it
 */
function detailsOf(
  { line, agreed_price }: LineAmounts,
  retained: PrintedIssuer | null,
  currency: string,
  language: PrintedLanguage,
): string[] {
  const words = printedWords[language];
  const details = soldTexts(line, language);
  if (agreed_price !== null) {
    const price = priceText(agreed_price, currency, language);
    details.push(words.price_with(price, taxHeading([line.tax_kind], language)));
  }
  if (line.exemption_reason !== null && line.exemption_reason_text) details.push(line.exemption_reason_text);
  if (retained && hasRetention(line))
    details.push(retentionLabel([line.retention_rate ?? '0'], retained, language));
  return details;
}

/** The details without amounts or taxes: what is sold. */
export function soldTexts(line: PrintedLineSource, language: PrintedLanguage): string[] {
  return [chosenText(line), packText(line, language)].filter((text) => text !== null);
}

/** What was chosen of the product: `Azul mediana · Caja · Grabado: Láser`. */
function chosenText({ details }: PrintedLineSource): string | null {
  const { variant, presentation, options = [] } = details ?? {};
  const names = [
    ...[variant, presentation].flatMap((one) => one?.name ?? []),
    ...options.map(({ group, value }) => `${group.name}: ${value.name}`),
  ];
  return names.length === 0 ? null : names.join(' · ');
}

/** What a pack of a single line holds: `2 × Novela, 1 × Taza`. */
function packText({ details }: PrintedLineSource, language: PrintedLanguage): string | null {
  const components = details?.original_pack_data?.components;
  if (!Array.isArray(components)) return null;
  return components
    .map(
      ({ name, quantity }: { name: string; quantity: number }) =>
        `${numberText(String(quantity), language, 0)} × ${name}`,
    )
    .join(', ');
}

const isDiscounted = ({ discount_percent }: PrintedLineSource) =>
  discount_percent !== null && Number(discount_percent) !== 0;

function hasRetention({ retention_rate }: PrintedLineSource): boolean {
  return retention_rate !== null && Number(retention_rate) !== 0;
}

/** The sums name a single rate of all lines. With several, or beside lines without one, each line says its own. */
function namesRetention(lines: readonly PrintedLineSource[]): boolean {
  const rates = retentionRates(lines);
  const is_of_all = lines.every((line) => hasRetention(line) || Number(line.subtotal) === 0);
  return rates.length > 1 || (rates.length === 1 && !is_of_all);
}

export function retentionRates(lines: readonly PrintedLineSource[]): string[] {
  const rates = new Map<number, string>();
  for (const line of lines.filter(hasRetention)) {
    const rate = line.retention_rate ?? '0';
    if (!rates.has(Number(rate))) rates.set(Number(rate), rate);
  }
  return [...rates.values()];
}
