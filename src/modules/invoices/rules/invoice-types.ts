/** What follows from each type of invoice (list L2 of VeriFactu). The law asks for separate series (RD 1619/2012, art. 6). */
import type { SeriesKind } from '../../../domain/sales/default-series.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

export const invoiceTypes = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'] as const;
export type InvoiceType = (typeof invoiceTypes)[number];

export const correctiveTypes = ['R1', 'R2', 'R3', 'R4', 'R5'] as const;

type Traits = { series: SeriesKind; is_corrective: boolean; is_simplified: boolean };

const full = { is_corrective: false, is_simplified: false } as const;
const corrective = { series: 'corrective_invoice', is_corrective: true, is_simplified: false } as const;

const traits: Record<InvoiceType, Traits> = {
  F1: { series: 'invoice', ...full },
  F2: { series: 'simplified_invoice', is_corrective: false, is_simplified: true },
  F3: { series: 'invoice', ...full },
  R1: corrective,
  R2: corrective,
  R3: corrective,
  R4: corrective,
  R5: { series: 'corrective_simplified_invoice', is_corrective: true, is_simplified: true },
};

export function seriesKindOf(type: InvoiceType): SeriesKind {
  return traits[type].series;
}

export function isCorrective(type: InvoiceType): boolean {
  return traits[type].is_corrective;
}

/** Only a simplified invoice or its corrective may lack one. */
export function needsRecipient(type: InvoiceType): boolean {
  return !traits[type].is_simplified;
}

/** The mark of art. 6.1.d: the recipient is not identified (AEAT code 1185). */
export function admitsNoRecipient(type: InvoiceType): boolean {
  return traits[type].is_simplified;
}

/** A simplified invoice with a recipient. Its record is an F1 with the mark of art. 7.2 and 7.3. */
export function isQualifiedSimplified(
  invoice: Pick<InvoiceRow, 'type' | 'client_id' | 'print_recipient'>,
): boolean {
  return invoice.type === 'F2' && invoice.client_id !== null && !invoice.print_recipient;
}

/**
 * By default R5 for an anonymous simplified invoice, else R1.
 * @throws 422 business_rule_violation for R5 of a full or qualified invoice, and for R1 to R4 of an anonymous one
 */
export function correctiveTypeOf(
  original: Pick<InvoiceRow, 'type' | 'client_id' | 'print_recipient'>,
  asked: InvoiceType | undefined,
): InvoiceType {
  const is_anonymous = original.type === 'R5' || (original.type === 'F2' && !isQualifiedSimplified(original));
  if (asked === undefined) return is_anonymous ? 'R5' : 'R1';
  if (is_anonymous === (asked === 'R5')) return asked;
  const reason = is_anonymous
    ? 'la rectificativa de una simplificada sin destinatario es R5.'
    : 'R5 solo rectifica simplificadas sin destinatario.';
  throw fail(c.business_rule_violation, { param: 'type', values: { reason } });
}
