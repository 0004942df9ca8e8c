/** What a paper says of a purchase, whoever its supplier is here. Amounts are texts with a point. */
import {
  type Amount,
  amountLimits,
  type Cents,
  fixedText,
  parseAmount,
  roundTotal,
} from '../../../domain/money/amount.ts';
import { isVatRate } from '../../../domain/tax/spanish-taxes.ts';
import { sameLineBefore } from './same-line.ts';

export type ReadTaxKind = 'vat' | 'igic' | 'ipsi';

export type ReadLine = {
  description: string;
  quantity: string;
  unit_price: string;
  tax_kind: ReadTaxKind;
  /** Null for a line that is exempt. */
  tax_rate: string | null;
  retention_rate: string | null;
};

/** A tax as the paper states it. */
export type ReadTax = { tax_kind: ReadTaxKind; tax_rate: string; base: string; tax: string };

/** The invoice that a corrective names. */
export type ReadCorrected = { number: string; issued_on: string | null };

export type ReadPurchase = {
  /** Spanish ones are valid by their checksum. From a text, all ids that it names. */
  supplier_tax_ids: readonly string[];
  supplier_vat_id: string | null;
  /** From a text, only a labelled id: others may be anybody's. */
  issuer_tax_id: string | null;
  buyer_tax_id: string | null;
  number: string | null;
  kind: 'invoice' | 'simplified' | 'corrective';
  corrects?: ReadCorrected | null;
  /** It names the buyer's tax id and address, and states its taxes apart. */
  has_recipient_data?: boolean;
  /** It says that its supplier is on cash accounting: what is deducted waits for the payment. */
  cash_accounting?: boolean;
  issued_on: string | null;
  operation_on: string | null;
  due_on: string | null;
  currency: string;
  lines: readonly ReadLine[];
  taxes: readonly ReadTax[];
  /** With the taxes, before any retention. */
  total: string;
};

/** Whose paper it is. It is known also where amounts do not reconcile. */
export type ReadPaper = Pick<
  ReadPurchase,
  'supplier_tax_ids' | 'supplier_vat_id' | 'issuer_tax_id' | 'buyer_tax_id' | 'number'
>;

/** As the wire takes it. @returns undefined for no amount, or one beyond the limits */
export function cents(text: string): Cents | undefined {
  return parseAmount(text, amountLimits.money)?.units;
}

export const centsText = (units: Cents) => fixedText(units, 2);

/** Without line ends and other signs that nobody sees: inputs refuse them. Cut between characters. */
export function plainText(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...plain].slice(0, most).join('');
}

/** Counted in characters, as the input does. */
export const isNumber = (text: string) => text.length <= 120 && [...text].length <= 60;

const rateOf = (text: string): Amount | undefined => parseAmount(text, amountLimits.rate);

/** The sum of the bases and taxes is the total, and each tax is that of its base, up to a cent for each line and one more. */
export function reconciles(
  taxes: readonly ReadTax[],
  { untaxed, total, lines }: { untaxed: Cents; total: Cents; lines: number },
): boolean {
  let sum = untaxed;
  for (const { base, tax, tax_rate } of taxes) {
    const [base_cents, tax_cents, rate] = [cents(base), cents(tax), rateOf(tax_rate)];
    if (base_cents === undefined || tax_cents === undefined || rate === undefined) return false;
    const off = tax_cents - roundTotal(base_cents, rate);
    if ((off < 0n ? -off : off) > BigInt(lines + 1)) return false;
    sum += base_cents + tax_cents;
  }
  return sum === total;
}

/** Another state's VAT is not deducted here, nor is the farmers' compensation a VAT. @returns why they are not registered so */
export function otherTaxOf(taxes: readonly ReadTax[]): string | undefined {
  const other = taxes.find(({ tax_kind, tax_rate }) => tax_kind === 'vat' && !isVatRate(rateOf(tax_rate)!));
  return (
    other &&
    `El ${other.tax_rate.replace('.', ',')} % no es un tipo del IVA español: regístrela a mano con el impuesto que lleva.`
  );
}

/** The words of RD 1619/2012, art. 6.1.p, where nothing before them in the line denies it. */
export function saysCashAccounting(text: string): boolean {
  const found = text.matchAll(/r[ée]gimen especial\s+del?\s+criterio\s+de\s+caja/gi);
  const denied = /(?<!\p{L})(?:no|sin|excluid[oa]|renuncia)(?!\p{L})/iu;
  return [...found].some(({ index }) => !denied.test(sameLineBefore(text, index, 60)));
}
