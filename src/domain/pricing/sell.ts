/** What a selection of a product costs, and of a pack what its components do. */
import type { Amount } from '../money/amount.ts';
import { choiceOf } from './choice.ts';
import { exactAmount, type PackPart, sumPrice } from './packs.ts';
import {
  type Choices,
  type ReasonCode,
  resolveSelection,
  type Sale,
  type SalePrice,
  type Selection,
} from './selection.ts';

export type SoldComponent = {
  variant_id: string | null;
  presentation_id: string | null;
  quantity: string;
  choices: Choices;
};

/** One of its components cannot be sold: the pack cannot either. */
type PackRefusal = { at: number; reason_code: ReasonCode };

export function packParts(
  components: readonly SoldComponent[],
  priceOf: (sale: Sale, at: number) => { unit_price: Amount } | null,
): { parts: PackPart[]; sold: Selection<{ unit_price: Amount }>[] } | PackRefusal {
  const parts: PackPart[] = [];
  const sold: Selection<{ unit_price: Amount }>[] = [];
  for (const [at, { choices, quantity, ...ids }] of components.entries()) {
    const selection = resolveSelection(choices, choiceOf(choices, ids), (sale) => priceOf(sale, at));
    if (selection.price === null) return { at, reason_code: selection.reason_code ?? 'product_archived' };
    parts.push({ unit_price: selection.price.unit_price, quantity: exactAmount(quantity, 6) });
    sold.push(selection);
  }
  return { parts, sold };
}

type PricedPack = {
  pricing: 'sum' | 'fixed';
  discount_percent: string | null;
  components: readonly SoldComponent[];
};

/**
 * A pack has no parts of its own to choose.
 * @param priceOf of the pack, or of a component at its place
 */
export function resolvePack(
  choices: Choices,
  pack: PricedPack,
  priceOf: (sale: Sale, at?: number) => SalePrice | null,
): Selection {
  const selection = resolveSelection(
    choices,
    choiceOf(choices, { variant_id: null, presentation_id: null }),
    (sale) => priceOf(sale),
  );
  if (selection.price === null) return selection;
  const of_parts = packParts(pack.components, priceOf);
  const refusal = 'reason_code' in of_parts ? of_parts.reason_code : null;
  if (refusal !== null) return { ...selection, status: 'unavailable', reason_code: refusal, price: null };
  if (pack.pricing === 'fixed' || !('parts' in of_parts)) return selection;
  const discount = pack.discount_percent === null ? null : exactAmount(pack.discount_percent, 4);
  const price: SalePrice = { ...selection.price, unit_price: sumPrice(of_parts.parts, discount) };
  return { ...selection, price };
}
