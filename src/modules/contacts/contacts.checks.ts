import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { constraintOf } from '../../platform/db.ts';
import { findTaxToReferTo } from '../taxes/index.ts';

/** @throws 422 parameter_invalid, param default_taxes_id, for an unknown tax or a retention */
export async function checkDefaultTax(tx: Tx, company_id: string, taxes_id: string | null): Promise<void> {
  if (taxes_id === null) return;
  const tax = await findTaxToReferTo(tx, company_id, taxes_id);
  if (!tax) refuseIssues([invalidField('default_taxes_id', 'No es un impuesto de la empresa.')]);
  if (tax?.kind === 'retention') {
    refuseIssues([
      invalidField('default_taxes_id', 'Una retención no es un impuesto; use default_retention_rate.'),
    ]);
  }
}

/** Of both roles, and the one of the version before. */
const externalIdKeys: readonly (string | undefined)[] = [
  'contacts_client_external_id',
  'contacts_supplier_external_id',
  'contacts_external_id',
];

/**
 * @throws 422 business_rule_violation, param external_id, when another contact has it in a role active in both;
 * parameter_invalid for an unknown price list
 */
export async function withFreeExternalId(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (constraintOf(error) === 'contacts_company_id_price_list_id_fkey')
      refuseIssues([invalidField('price_list_id', 'No es una tarifa de la empresa.')]);
    if (!externalIdKeys.includes(constraintOf(error))) throw error;
    const reason = 'otro contacto activo ya tiene este external_id.';
    throw fail(c.business_rule_violation, { param: 'external_id', values: { reason } });
  }
}
