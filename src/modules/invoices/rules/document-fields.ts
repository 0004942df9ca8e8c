/**
 * Fields that depend on each other: who issues the invoice (RD 1619/2012, art. 5), the mark of art. 6.1.d (no recipient), and a
 * currency with its rate (art. 12). The issue checks the separate series of art. 6.1.a.
 */
import { checkCurrency } from '../../../domain/sales/currency.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { brokenRule, invalidField, missingParam, refuseIssues } from '../../../kernel/resource-input.ts';
import { admitsNoRecipient, type InvoiceType } from './invoice-types.ts';

export const issuedBy = ['issuer', 'recipient', 'third_party'] as const;
export type IssuedBy = (typeof issuedBy)[number];

/** `tax_id` is normalised. */
export type ThirdParty = { name: string; tax_id: string };

export type DocumentFields = {
  issued_by: IssuedBy;
  third_party: ThirdParty | null;
  no_recipient_art61d: boolean;
  print_recipient: boolean;
  currency: string;
  /** Euros for one unit of the currency, as exact text; null for euros. */
  exchange_rate: string | null;
  exchange_rate_on: string | null;
};

type Input = {
  issued_by?: IssuedBy | undefined;
  third_party?: ThirdParty | null | undefined;
  no_recipient_art61d?: boolean | undefined;
  print_recipient?: boolean | undefined;
  currency?: string | undefined;
  exchange_rate?: DecimalInput | null | undefined;
  exchange_rate_on?: string | null | undefined;
};

export const blankFields: DocumentFields = {
  issued_by: 'issuer',
  third_party: null,
  no_recipient_art61d: false,
  print_recipient: false,
  currency: 'EUR',
  exchange_rate: null,
  exchange_rate_on: null,
};

/**
 * Absent keys stay, null clears. A new `issued_by` drops the stored third party; a new currency drops the stored rate, and a new rate
 * its day.
 * @throws 422 missing_required_param, business_rule_violation, parameter_invalid for an invalid tax id or currency
 */
export function documentFields(
  stored: DocumentFields,
  input: Input,
  of: { type: InvoiceType; client_id: string | null },
  reasons: Reasons,
): DocumentFields {
  const issued_by = input.issued_by ?? stored.issued_by;
  const kept_party = issued_by === 'third_party' ? stored.third_party : null;
  const third_party = input.third_party === undefined ? kept_party : input.third_party;
  const no_recipient_art61d = input.no_recipient_art61d ?? stored.no_recipient_art61d;
  const print_recipient = input.print_recipient ?? stored.print_recipient;
  const currency = input.currency ?? stored.currency;
  const kept_rate = currency === stored.currency ? stored.exchange_rate : null;
  const exchange_rate =
    input.exchange_rate === undefined
      ? kept_rate
      : input.exchange_rate === null
        ? null
        : numberText(input.exchange_rate);
  const checked_party = reasons.attempt(() => checkThirdParty(issued_by, third_party)) ?? null;
  if (print_recipient) reasons.attempt(() => checkPrintRecipient(of));
  if (no_recipient_art61d) reasons.attempt(() => checkNoRecipient(of));
  reasons.attempt(() => checkCurrency(currency, exchange_rate, 'una factura'));
  const has_new_rate = Number(exchange_rate) !== Number(stored.exchange_rate) || currency !== stored.currency;
  const kept_day = has_new_rate ? null : stored.exchange_rate_on;
  const exchange_rate_on = input.exchange_rate_on === undefined ? kept_day : input.exchange_rate_on;
  reasons.attempt(() => checkRateDay(currency, exchange_rate_on));
  return {
    issued_by,
    third_party: checked_party,
    no_recipient_art61d,
    print_recipient,
    currency,
    exchange_rate,
    exchange_rate_on,
  };
}

/** @throws 422 business_rule_violation */
export function checkRateDay(currency: string, exchange_rate_on: string | null): void {
  if (currency === 'EUR' && exchange_rate_on !== null)
    throw brokenRule('exchange_rate_on', 'una factura en euros no lleva tipo de cambio.');
}

function checkThirdParty(issued_by: IssuedBy, third_party: ThirdParty | null): ThirdParty | null {
  if (issued_by !== 'third_party') {
    if (third_party === null) return null;
    throw brokenRule(
      'third_party',
      'solo una factura expedida por un tercero (issued_by third_party) lleva sus datos.',
    );
  }
  if (third_party === null)
    throw missingParam('third_party', 'Indique el nombre y el NIF del tercero que expide la factura.');
  const tax_id = parseSpanishTaxId(third_party.tax_id)?.value;
  if (tax_id === undefined) refuseIssues([invalidField('third_party.tax_id', 'No es un NIF válido.')]);
  return { name: third_party.name, tax_id: tax_id ?? third_party.tax_id };
}

/** The record of a full invoice has its recipient. */
function checkPrintRecipient({ type }: { type: InvoiceType }): void {
  if (!admitsNoRecipient(type))
    throw brokenRule(
      'print_recipient',
      'solo una simplificada (F2 o R5) puede llevar el nombre del cliente sin que vaya en el registro.',
    );
}

/** AEAT codes 1185 and 1190. */
function checkNoRecipient({ type, client_id }: { type: InvoiceType; client_id: string | null }): void {
  if (!admitsNoRecipient(type))
    throw brokenRule(
      'no_recipient_art61d',
      'solo una F2 o una R5 puede ir sin identificación del destinatario.',
    );
  if (client_id !== null)
    throw brokenRule(
      'client_id',
      'una factura sin identificación del destinatario (art. 6.1.d) no lleva cliente.',
    );
}
