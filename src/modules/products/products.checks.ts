import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { textForms } from '../../kernel/text-forms.ts';
import { constraintOf } from '../../platform/db.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { findTaxToReferTo } from '../taxes/index.ts';
import { hasActiveCode } from './products.store.ts';
import type { ProductFields } from './products.schema.ts';

type Coded = Pick<ProductFields, 'code' | 'is_active'>;

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

const codeTaken = (): Problem =>
  fail(c.business_rule_violation, {
    param: 'code',
    values: { reason: 'otro producto activo ya tiene este código.' },
  });

/**
 * In another form, which the index does not tell.
 * @param before what is stored: a code that stays, of a product that was active, is not asked for again
 * @throws 422 business_rule_violation, param code, when another active product has it
 */
export async function checkOtherForms(
  tx: Tx,
  company_id: string,
  product: Coded & { id: string },
  before: Coded | null,
): Promise<void> {
  const { id, code, is_active } = product;
  if (code === null || !is_active || (before?.is_active && before.code === code)) return;
  const others = textForms(code).filter((form) => form !== code);
  if (others.length > 0 && (await hasActiveCode(tx, company_id, others, id))) throw codeTaken();
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
    throw codeTaken();
  }
}
