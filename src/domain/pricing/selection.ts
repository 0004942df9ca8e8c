/**
 * Finds what a choice sells of a product. It decides nothing about prices: `priceOf` brings them, so that a price list
 * can come before the product's own price.
 */
import type { Amount } from '../money/amount.ts';

type Restricted = {
  /** Null: it goes with all variants. */
  variant_ids: readonly string[] | null;
};

export type ChoiceVariant = {
  id: string;
  name: string;
  unit_price: string | null;
  taxes_id: string | null;
  values: readonly { attribute_id: string; value_id: string }[];
  is_active: boolean;
};

export type ChoicePresentation = Restricted & {
  id: string;
  name: string;
  unit: string | null;
  factor: string;
  unit_price: string | null;
  is_default: boolean;
  is_active: boolean;
};

export type ChoiceValue = { id: string; name: string; price_delta: string; is_active: boolean };

export type ChoiceGroup = Restricted & {
  id: string;
  name: string;
  is_required: boolean;
  values: readonly ChoiceValue[];
};

/** A product and its parts, or as many of them as decide the selection (`narrowed` reads). Prices are exact texts. */
export type Choices = {
  product: { id: string; unit_price: string; is_active: boolean };
  has_variants: boolean;
  has_active_variants: boolean;
  variants: readonly ChoiceVariant[];
  presentations: readonly ChoicePresentation[];
  option_groups: readonly ChoiceGroup[];
};

export type Chosen = { group: ChoiceGroup; value: ChoiceValue };

/** Of known parts; `readChoice` makes it. */
export type Choice = {
  variant: ChoiceVariant | null;
  attributes: readonly { attribute_id: string; value_id: string }[];
  presentation: ChoicePresentation | null;
  options: readonly Chosen[];
  /** Ids that a line holds already. It still sells them, even if they were archived since. */
  kept?: ReadonlySet<string>;
};

/** One way to sell the product. */
export type Sale = {
  product: Choices['product'];
  variant: ChoiceVariant | null;
  /** Null: by the base unit. */
  presentation: ChoicePresentation | null;
  options: readonly ChoiceValue[];
};

export type SalePrice = {
  unit_price: Amount;
  currency: string;
  prices_include_tax: boolean;
  price_list: { id: string; name: string } | null;
};

/** Null where there is no price in the currency asked for. */
export type PriceOf<P = SalePrice> = (sale: Sale) => P | null;

/** For a question of what is sold: the price does not decide it, and is asked for afterwards. */
export const free: PriceOf<true> = () => true;

export const selectionStatuses = ['resolved', 'incomplete', 'ambiguous', 'unavailable'] as const;
export const reasonCodes = [
  'product_archived',
  'variant_archived',
  'presentation_archived',
  'option_archived',
  'no_variant_matches',
  'presentation_not_for_variant',
  'option_not_for_variant',
  'no_price_in_currency',
  'taxes_not_for_pack',
  'tax_refused',
  'quantity_not_for_pack',
  'several_variants_match',
  'several_presentations_match',
  'option_groups_pending',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export type Selection<P = SalePrice> = {
  status: (typeof selectionStatuses)[number];
  reason_code: ReasonCode | null;
  variant: ChoiceVariant | null;
  presentation: ChoicePresentation | null;
  options: readonly Chosen[];
  /** Null unless resolved. */
  price: P | null;
  compatible_variants: readonly ChoiceVariant[];
  compatible_presentations: readonly ChoicePresentation[];
  /** Groups without a choice yet, with their active values. */
  pending_groups: readonly ChoiceGroup[];
};

type Fits = (variant: ChoiceVariant | null) => boolean;

function fitsOf(part: Restricted | null): Fits {
  if (part === null || part.variant_ids === null) return () => true;
  const ids = new Set(part.variant_ids);
  return (variant) => variant !== null && ids.has(variant.id);
}

/** What a choice leaves of a product. */
type Left = {
  /** Also archived ones. */
  matching: readonly ChoiceVariant[];
  /** The variants in question; one null for a product without any. */
  candidates: readonly (ChoiceVariant | null)[];
  isOpen(part: { id: string; is_active: boolean }): boolean;
};

function leftOf(choices: Choices, choice: Choice): Left {
  const { variant, attributes, presentation, kept } = choice;
  const isOpen: Left['isOpen'] = ({ id, is_active }) => is_active || kept?.has(id) === true;
  const goes = fitsOf(presentation);
  if (!choices.has_variants)
    return { matching: [], candidates: attributes.length === 0 && goes(null) ? [null] : [], isOpen };
  const matching = (variant ? [variant] : choices.variants).filter(({ values }) => {
    const own = new Map(values.map(({ attribute_id, value_id }) => [attribute_id, value_id]));
    return attributes.every(({ attribute_id, value_id }) => own.get(attribute_id) === value_id);
  });
  return { matching, candidates: matching.filter((one) => isOpen(one) && goes(one)), isOpen };
}

/** The first cause, in the order of the codes, that forbids the sale at any price. */
function refusalOf(
  choices: Choices,
  choice: Choice,
  { matching, candidates, isOpen }: Left,
): ReasonCode | null {
  const { variant, attributes, presentation, options } = choice;
  if (!choices.product.is_active && !choice.kept?.has(choices.product.id)) return 'product_archived';
  const is_archived = variant
    ? !isOpen(variant)
    : choices.has_variants && (!choices.has_active_variants || isAll(matching, (one) => !isOpen(one)));
  if (is_archived) return 'variant_archived';
  if (presentation && !isOpen(presentation)) return 'presentation_archived';
  if (options.some(({ value }) => !isOpen(value))) return 'option_archived';
  if (attributes.length > 0 && matching.length === 0) return 'no_variant_matches';
  if (candidates.length === 0) return 'presentation_not_for_variant';
  const fits = options.map(({ group }) => fitsOf(group));
  if (!candidates.some((one) => fits.every((goes) => goes(one)))) return 'option_not_for_variant';
  return null;
}

function isAll<T>(list: readonly T[], test: (one: T) => boolean): boolean {
  return list.length > 0 && list.every(test);
}

/** The first cause that holds, in this order: no such sale exists; several do; the choice is incomplete. */
export function resolveSelection<P = SalePrice>(
  choices: Choices,
  choice: Choice,
  priceOf: PriceOf<P>,
): Selection<P> {
  const left = leftOf(choices, choice);
  const { candidates } = left;
  const refusal = refusalOf(choices, choice, left);
  const { options } = choice;
  const open = choices.presentations
    .filter(({ is_active }) => is_active)
    .map((one) => ({ one, goes: fitsOf(one) }))
    .filter(({ goes }) => candidates.some(goes));
  const chosen_groups = new Set(options.map(({ group }) => group.id));
  const pending_groups = choices.option_groups.flatMap((group) => {
    if (chosen_groups.has(group.id) || !candidates.some(fitsOf(group))) return [];
    const values = group.values.filter(({ is_active }) => is_active);
    return values.length > 0 || group.is_required ? [{ ...group, values }] : [];
  });
  const is_one = candidates.length === 1;
  const variant = is_one ? (candidates[0] ?? null) : choice.variant;
  const fitting = is_one ? open.filter(({ goes }) => goes(variant)).map(({ one }) => one) : [];
  const only = fitting.length === 1 ? fitting[0] : fitting.find(({ is_default }) => is_default);
  const presentation = choice.presentation ?? only ?? null;
  const base = {
    variant,
    presentation,
    options,
    price: null,
    compatible_variants: candidates.filter((one) => one !== null),
    compatible_presentations: open.map(({ one }) => one),
    pending_groups,
  };
  if (refusal) return { ...base, status: 'unavailable', reason_code: refusal };

  const values = options.map(({ value }) => value);
  const priced = (one: ChoiceVariant | null, as: ChoicePresentation | null) =>
    priceOf({ product: choices.product, variant: one, presentation: as, options: values });
  const is_open = !is_one || (presentation === null && fitting.length > 1);
  // An open choice only needs one way to sell it that has a price.
  const price = is_open
    ? firstPrice(candidates, choice.presentation, open, priced)
    : priced(variant, presentation);
  if (price === null) return { ...base, status: 'unavailable', reason_code: 'no_price_in_currency' };
  if (!is_one) return { ...base, status: 'ambiguous', reason_code: 'several_variants_match' };
  if (is_open) return { ...base, status: 'ambiguous', reason_code: 'several_presentations_match' };
  if (pending_groups.some(({ is_required }) => is_required))
    return { ...base, status: 'incomplete', reason_code: 'option_groups_pending' };
  return { ...base, status: 'resolved', reason_code: null, price };
}

function firstPrice<P>(
  candidates: readonly (ChoiceVariant | null)[],
  presentation: ChoicePresentation | null,
  open: readonly { one: ChoicePresentation; goes: Fits }[],
  priced: (one: ChoiceVariant | null, as: ChoicePresentation | null) => P | null,
): P | null {
  for (const candidate of candidates) {
    const fitting = open.filter(({ goes }) => goes(candidate)).map(({ one }) => one);
    for (const as of presentation ? [presentation] : fitting.length > 0 ? fitting : [null]) {
      const price = priced(candidate, as);
      if (price !== null) return price;
    }
  }
  return null;
}
