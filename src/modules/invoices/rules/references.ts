/** References to the invoices that one corrects or substitutes. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { fail } from '../../../kernel/problem.ts';
import { missingParam } from '../../../kernel/resource-input.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { type InvoiceType, isCorrective } from './invoice-types.ts';

export const noReferences = {
  corrected_amount: '0.00',
  carried_amount: '0.00',
  settled_in_id: null,
  correction_type: null,
  correction_reason: null,
  corrected_invoices: [],
  corrective_ids: [],
  substituted_invoices: [],
  substituted_by_id: null,
  sources: [],
} satisfies Partial<InvoiceRow>;

/** Of the first that is named again: its amounts would count twice. */
function findRepeated(list: readonly { number: string; issued_on: string }[]): number {
  const seen = new Set<string>();
  return list.findIndex(({ number, issued_on }) => seen.size === seen.add(`${issued_on} ${number}`).size);
}

/**
 * References to invoices that the service does not hold.
 * @throws 422 missing_required_param or business_rule_violation
 */
export function statedReferences(type: InvoiceType, body: InvoiceInputBody, today: string) {
  const { correction, corrected_invoices = [], substituted_invoices = [] } = body;
  const is_corrective = isCorrective(type);
  const refuse = (param: string, reason: string) =>
    fail(c.business_rule_violation, { param, values: { reason } });
  if (is_corrective && !correction)
    throw missingParam('correction', 'Indique el tipo y la causa de la rectificación.');
  if (is_corrective && corrected_invoices.length === 0)
    throw missingParam('corrected_invoices', 'Indique qué facturas rectifica.');
  if (!is_corrective && correction)
    throw refuse('correction', 'solo una rectificativa lleva datos de rectificación.');
  if (!is_corrective && corrected_invoices.length > 0)
    throw refuse('corrected_invoices', 'solo una rectificativa nombra facturas rectificadas.');
  if (type !== 'F3' && substituted_invoices.length > 0)
    throw refuse('substituted_invoices', 'solo una F3 sustituye simplificadas.');
  for (const [name, list] of Object.entries({ corrected_invoices, substituted_invoices })) {
    const index = list.findIndex((one) => one.issued_on > today);
    if (index >= 0) throw refuse(`${name}.${index}.issued_on`, 'la fecha de expedición no puede ser futura.');
    const again = findRepeated(list);
    if (again >= 0) throw refuse(`${name}.${again}.number`, 'la factura ya está en la lista.');
  }
  const amount = (value: DecimalInput | null | undefined) =>
    value === null || value === undefined ? null : Number(numberText(value));
  const referred = (list: typeof corrected_invoices) =>
    list.map((one) => ({
      id: null,
      number: one.number,
      issued_on: one.issued_on,
      subtotal: amount(one.subtotal),
      taxes_total: amount(one.taxes_total),
      surcharge_total: amount(one.surcharge_total),
    }));
  if (correction?.type === 'substitution') {
    const index = corrected_invoices.findIndex(
      (one) =>
        one.subtotal === undefined ||
        one.subtotal === null ||
        one.taxes_total === undefined ||
        one.taxes_total === null,
    );
    // The record of a corrective by substitution carries the base and tax that it replaces.
    if (index >= 0)
      throw missingParam(
        `corrected_invoices.${index}.${corrected_invoices[index]?.subtotal == null ? 'subtotal' : 'taxes_total'}`,
        'Una rectificativa por sustitución dice la base y la cuota que sustituye.',
      );
  }
  return {
    ...noReferences,
    correction_type: correction?.type ?? null,
    correction_reason: correction?.reason ?? null,
    corrected_invoices: referred(corrected_invoices),
    substituted_invoices: referred(substituted_invoices),
  };
}
