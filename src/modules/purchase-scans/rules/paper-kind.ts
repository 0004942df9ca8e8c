/** What a paper calls itself: a credit, a corrective, a simplified invoice, or no invoice at all. */
import { numbersIn } from './paper-number.ts';
import type { ReadPurchase } from './read-purchase.ts';

/** What programs call a credit. The word alone is also a way to pay. */
export const creditName =
  /factura (?:de )?abono|nota de (?:abono|cr[eé]dito)|credit (?:note|memo)|^[^\S\n]*abono(?:[^\S\n]*$|[^\S\n]+n[.ºo°])/im;
/** But not one that the conditions of a supplier speak of. */
const correctiveName =
  /(?<!(?<!\p{L})(?:mediante|sin|un|una|(?<!(?:n[úu]mero|fecha|serie|[º°]) de )las?|sus?|con|solicit\p{L}{1,4}|correspondiente|oportuna) (?:facturas? )?)rectificativa|rectifica (?:a )?la factura|corrective (?:simplified )?invoice|^[^\S\n]*faktura (?:erraztu )?zuzentzailea/imu;
/** But not the one that an invoice replaces. */
const simplifiedName =
  /(?<!(?<!\p{L})(?:sustituye(?: a)?|sustituci[óo]n(?: de)?|canje(?: de)?|por|de)(?: la| su)? )factura simplificada|^[^\S\n]*(?:simplified invoice|faktura erraztua(?!\p{L}))/imu;
/** As a heading: an invoice may name the pro-forma that it follows. */
export const proformaName = /^[^\S\n]*(?:factura )?pro-?forma\b/im;

/** As headings, too: an invoice may begin a line with the quote or delivery note that it follows. */
const earlierPapers = [
  [
    'un presupuesto',
    /^[^\S\n]*(?:(?:presupuesto|pressupost|orzamento|aurrekontua|cotizaci[óo]n|quotation|quote)(?!\p{L})|oferta (?:comercial|econ[óo]mica|n\.|n[º°]|n[úu]m))/imu,
  ],
  ['un albarán', /^[^\S\n]*(?:albar(?:[áa]n|[àáa]|ana)|delivery note)(?!\p{L})/imu],
] as const;
const invoiceName =
  /^[^\S\n]*(?:factura|invoice)\b|\bfra\b|(?:n\.?\s?[º°]\.?|no\.|n[úu]m\.|n[úu]mero|fecha|serie|total)\s{0,3}(?:de\s{1,3}(?:la\s{1,3})?)?factura\b/im;

/** @returns what a paper calls itself that comes before an invoice, and names none */
export function earlierPaper(text: string): string | undefined {
  const found = earlierPapers.find(([, heading]) => heading.test(text));
  return found && !invoiceName.test(text) && numbersIn(text).length === 0 ? found[0] : undefined;
}

export function kindOf(text: string): ReadPurchase['kind'] {
  if (correctiveName.test(text) || creditName.test(text)) return 'corrective';
  return simplifiedName.test(text) ? 'simplified' : 'invoice';
}

/** Across the page, in a line of their own, in the languages that documents are printed in. */
const voidMark =
  /^[^\S\n]*(?:borrador|esborrany|zirriborroa|draft|anulad[ao]|factura anulada|anul·lada|baliogabetua|annulled|cancelled|void)[^\S\n]*(?:·[^\n]*)?$/imu;

export const isVoid = (text: string): boolean => voidMark.test(text);
