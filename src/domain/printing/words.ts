/**
 * A language that lacks a word does not compile. Functions take numbers, days and names as printed.
 * Prescribed words are in prescribed.ts.
 */
import type { ExemptionReason } from '../tax/record-codes.ts';
import type { TaxKind } from '../tax/spanish-taxes.ts';
import type { StatutoryMention } from './prescribed.ts';
import type { PrintedLanguage } from './printed-document.ts';
import { ca } from './words/ca.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { eu } from './words/eu.ts';
import { gl } from './words/gl.ts';

export type PrintedIdKind =
  | 'nif'
  | 'vat_id'
  | 'passport'
  | 'tax_id_foreign'
  | 'official_id'
  | 'residence_certificate'
  | 'other';

export type PrintedPaymentMethod =
  | 'bank_transfer'
  | 'direct_debit'
  | 'card'
  | 'cash'
  | 'check'
  | 'promissory_note'
  | 'bizum'
  | 'other';

export type InvoiceTitle =
  | 'invoice'
  | 'simplified_invoice'
  | 'substitute_invoice'
  | 'corrective_invoice'
  | 'corrective_simplified_invoice';

export type PrintedWords = {
  titles: Record<InvoiceTitle, string>;
  draft: string;
  annulled: string;
  issuer: string;
  client: string;
  ids: Record<PrintedIdKind, string>;

  number: string;
  series: string;
  issued_on: string;
  operation_on: string;
  due_on: string;
  subject: string;
  corrects: string;
  substitutes: string;
  /** `F-1 del 21/11/2026`. */
  reference(number: string, day: string): string;
  /** Above the lines of an invoice that a note delivered. */
  delivery_note(number: string, day: string | null): string;
  /** Replaces a list too long for the head of the page. */
  several_invoices(count: number): string;
  correction: string;
  correction_types: Record<'differences' | 'substitution', string>;

  description: string;
  quantity: string;
  unit_price: string;
  unit_price_with(tax: string): string;
  discount: string;
  amount: string;
  amount_with(tax: string): string;
  in_currency(label: string, currency: string): string;
  forward: string;
  brought: string;

  taxes: Record<TaxKind, string>;
  taxes_together: string;
  exempt: string;
  exempt_by(reference: string): string;
  not_subject: string;
  reverse_charge: string;
  /** The amount includes a tax that is not shown. */
  tax_included(tax: string): string;
  with_surcharge(rate: string, surcharge_rate: string): string;
  with_regime(label: string, regime_key: string): string;
  price_with(price: string, tax: string): string;

  breakdown: string;
  tax: string;
  base: string;
  rate: string;
  tax_amount: string;
  surcharge_rate: string;
  surcharge: string;

  before_discounts: string;
  discounts: string;
  subtotal: string;
  total: string;
  /** Of a company: it pays another tax. */
  retention: string;
  /** Names IRPF, which is PFEZ in Basque. */
  income_tax_retention: string;
  amount_due: string;

  /** Translations of the prescribed mentions; null in Spanish. */
  statutory: Record<StatutoryMention, string> | null;
  exemptions: Record<'vat', Record<Exclude<ExemptionReason, 'E7' | 'E8'>, string>> &
    Record<'igic', Record<ExemptionReason, string>>;
  exempt_from(tax: string): string;
  /** N1: not subject under that tax's law. N2: because of the place of the operation. */
  not_subject_mentions: Record<'N1' | 'N2', (tax: string) => string>;
  one_stop_shop: string;
  /** For agencies that act on behalf of others (RD 1619/2012, fourth additional provision). */
  travel_mediation: string;
  igic_retailer: string;
  igic_small_business: string;
  tax_not_due_works: string;
  tax_not_due_continuous: string;
  qualified_simplified: string;
  no_recipient: string;
  by_third_party(name: string, tax_id: string): string;
  correction_reason(reason: string): string;
  /** Used when nobody gave a reason. */
  corrective_causes: Record<'R1' | 'R2' | 'R3' | 'R4' | 'R5', string>;
  corrected_list(invoices: string): string;
  substituted_list(invoices: string): string;
  /** A corrective by substitution states what it replaces, and the difference (RD 1619/2012, art. 15.5). */
  rectified_amounts(amounts: string): string;
  rectification(amounts: string): string;
  base_and_tax(base: string, tax: string): string;
  tax_and_surcharge(tax: string, surcharge: string): string;
  rate_of_day(rate: string, day: string): string;
  in_euros(rate: string, amounts: string): string;

  payment: string;
  payment_method: string;
  payment_methods: Record<PrintedPaymentMethod, string>;
  paid: string;
  paid_before: string;
  iban: string;
  payment_reference: string;
  notes: string;
  page: string;
};

export const printedWords: Record<PrintedLanguage, PrintedWords> = { es, ca, eu, gl, en };
