/** What a pack may hold: active products that are no packs, each chosen so far that it can be sold. */
import { basePrice } from '../../domain/pricing/base-price.ts';
import { choiceOf, fieldOf, reasonTexts } from '../../domain/pricing/choice.ts';
import { resolveSelection } from '../../domain/pricing/selection.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { findChoices } from './choices.store.ts';
import type { Component, Pack } from './configuration.ts';

const same = (a: Component) => (b: Component) =>
  a.product_id === b.product_id && a.variant_id === b.variant_id && a.presentation_id === b.presentation_id;

/**
 * Components that the pack had are not checked again.
 * @throws 422 parameter_invalid, business_rule_violation
 */
export async function checkComponents(
  tx: Tx,
  company_id: string,
  stored: Pack | null,
  next: Pack | null,
): Promise<void> {
  if (next === null || next === stored) return;
  const { components } = next;
  const asked = components.map((one) => ({ ...one, value_ids: [] }));
  const found = await findChoices(tx, company_id, asked);
  const taxes = new Set<string | null>();
  components.forEach((one, at) => {
    const path = `pack.components.${at}`;
    const refuse = (field: string, reason: string) =>
      fail(c.business_rule_violation, { param: `${path}.${field}`, values: { reason } });
    const choice = found[at];
    if (!choice) throw invalidParam(`${path}.product_id`, 'El producto no existe.');
    const { product, choices, pack } = choice;
    const { variant_id, presentation_id } = one;
    const variant = choices.variants.find(({ id }) => id === variant_id);
    if (variant_id && !variant)
      throw invalidParam(`${path}.variant_id`, 'El producto no tiene esta variante.');
    if (presentation_id && !choices.presentations.some(({ id }) => id === presentation_id))
      throw invalidParam(`${path}.presentation_id`, 'El producto no tiene esta presentación.');
    if (pack) throw refuse('product_id', 'un pack no lleva otros packs.');
    const is_kept = stored?.components.some(same(one)) === true;
    const sold = resolveSelection(choices, choiceOf(choices, { variant_id, presentation_id }), basePrice);
    if (!is_kept && sold.status !== 'resolved') {
      const code = sold.reason_code ?? 'product_archived';
      const field = fieldOf(code);
      throw refuse(field === 'options' ? 'product_id' : field, reasonTexts[code]);
    }
    taxes.add(sold.variant?.taxes_id ?? product.taxes_id);
  });
  if (next.expand === 'single' && taxes.size > 1)
    throw fail(c.business_rule_violation, {
      param: 'pack.expand',
      values: { reason: 'en una sola línea, todos los componentes tienen el mismo impuesto.' },
    });
}
