import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { constraintOf } from '../../platform/db.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { findTaxToReferTo } from '../taxes/index.ts';

type ShownTax = { tax_name: string | null; tax_rate: number | null };

/** @throws 422 parameter_invalid, param taxes_id, for an unknown tax or a retention */
export async function readProductTax(tx: Tx, company_id: string, taxes_id: string | null): Promise<ShownTax> {
  if (taxes_id === null) return { tax_name: null, tax_rate: null };
  const tax = await findTaxToReferTo(tx, company_id, taxes_id);
  if (!tax) refuseIssues([invalidField('taxes_id', 'No es un impuesto de la empresa.')]);
  if (tax?.kind === 'retention')
    refuseIssues([invalidField('taxes_id', 'Una retención no es el impuesto de un producto.')]);
  return { tax_name: tax?.name ?? null, tax_rate: tax?.rate ?? null };
}

/** @throws 422 business_rule_violation, param code, when another active product has it */
export async function withFreeCode(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const constraint = constraintOf(error);
    // A part that a pack names is gone, or joined a pack, meanwhile. On a retry the checks say so.
    if (constraint?.startsWith('product_pack_components_')) throw new PlanStale('The parts changed.');
    if (constraint !== 'products_code') throw error;
    const reason = 'otro producto activo ya tiene este código.';
    throw fail(c.business_rule_violation, { param: 'code', values: { reason } });
  }
}
