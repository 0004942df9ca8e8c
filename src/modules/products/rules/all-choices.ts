/** All parts of a product, for its selection. */
import type { Choices } from '../../../domain/pricing/selection.ts';
import type { Configuration } from '../configuration.ts';

export function allChoices(
  { id, unit_price, is_active }: Choices['product'],
  { variants, presentations, option_groups }: Configuration,
): Choices {
  return {
    product: { id, unit_price, is_active },
    has_variants: variants.length > 0,
    has_active_variants: variants.some((one) => one.is_active),
    variants,
    presentations,
    option_groups,
  };
}
