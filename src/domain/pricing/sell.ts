/** The price of a pack, for documents and for those who ask beforehand. */
import { type Amount, amountLimits, amountText, parseAmount } from '../money/amount.ts';
import { fitsLine } from './base-price.ts';
import { choiceOf } from './choice.ts';
import type { PriceItem } from './choose-item.ts';
import {
  companyCurrency,
  type FoundPrice,
  isConverted,
  netPrice,
  type NoPrice,
  priceOf,
  type Prices,
  type Rate,
} from './list-price.ts';
import { blendedRate, exactAmount, exactQuantity, ofPacks, type PackPart, sumPrice } from './packs.ts';
import {
  type Choices,
  type ChoicePresentation,
  type ChoiceVariant,
  free,
  type ReasonCode,
  resolveSelection,
} from './selection.ts';

export type SoldComponent = {
  variant_id: string | null;
  presentation_id: string | null;
  quantity: string;
  choices: Choices;
};

type PackProduct = { id: string; unit_price: string; taxes_id: string | null };

export type PricedPack<P extends PackProduct> = {
  pricing: 'sum' | 'fixed';
  discount_percent: string | null;
  expand: 'components' | 'single';
  components: readonly (SoldComponent & { product: P })[];
};

export type SoldPart<P> = {
  product: P;
  variant: ChoiceVariant | null;
  presentation: ChoicePresentation | null;
  /** In one pack. */
  quantity: string;
  taxes_id: string | null;
  /** The product that decides its tax on a document. For a single line it is the pack. */
  taxed: P;
};

/** One of its components cannot be sold: the pack cannot either. `at` is null where it is not one alone. */
export type PackRefusal = { at: number | null; reason_code: ReasonCode };

/** What is sold with the pack, at any price. A single line has a single tax. */
export function soldParts<P extends PackProduct>(
  product: P,
  { components, expand }: PricedPack<P>,
): SoldPart<P>[] | PackRefusal {
  const sold: Omit<SoldPart<P>, 'taxed'>[] = [];
  for (const [at, { choices, quantity, product: part, ...ids }] of components.entries()) {
    const { status, reason_code, variant, presentation } = resolveSelection(
      choices,
      choiceOf(choices, ids),
      free,
    );
    if (status !== 'resolved') return { at, reason_code: reason_code ?? 'product_archived' };
    const taxes_id = variant?.taxes_id ?? part.taxes_id;
    sold.push({ product: part, variant, presentation, quantity, taxes_id });
  }
  if (expand === 'single' && new Set(sold.map(({ taxes_id }) => taxes_id)).size > 1)
    return { at: null, reason_code: 'taxes_not_for_pack' };
  return sold.map((part) => ({
    ...part,
    taxed:
      expand === 'single'
        ? { ...product, taxes_id: part.taxes_id ?? product.taxes_id }
        : { ...part.product, taxes_id: part.taxes_id },
  }));
}

/** How much the line of each component holds of it. A single line holds packs, so it has none. */
export function partQuantities(
  { components, expand }: Pick<PricedPack<PackProduct>, 'components' | 'expand'>,
  packs: Amount,
): Amount[] | PackRefusal {
  const quantities: Amount[] = [];
  for (const [at, { quantity }] of expand === 'single' ? [] : components.entries()) {
    const exact = exactQuantity(packs, exactAmount(quantity, 6));
    if (!exact || !parseAmount(amountText(exact), amountLimits.quantity))
      return { at, reason_code: 'quantity_not_for_pack' };
    quantities.push(exact);
  }
  return quantities;
}

export type PackTerms<P> = {
  prices: Prices;
  /** Packs sold. */
  quantity: Amount;
  /** In percent. Asked only where prices are converted. */
  rateOf(product: P): Amount | null;
  /** Of a line that says its price. */
  unit_price?: Amount | undefined;
  /** The line says its discount, which replaces those of a list. */
  says_discount?: boolean;
};

export type PricedPart = PackPart & {
  /** The list's discount, already taken off the price unless the line says one. */
  discount_percent: Amount | null;
  next: PriceItem | null;
  rate: Amount | null;
};

/** `next`, `item` and discount are set for a fixed price only. */
export type PackPrice = FoundPrice & {
  /** At which the price is converted. */
  rate: Rate | null;
  /** What the components cost apart. */
  parts: readonly PricedPart[];
};

/** `at`: the component without a price; null for the pack itself. */
export type NoPackPrice = { at: number | null; reason: NoPrice };

export function packPrice<P extends PackProduct>(
  product: P,
  pack: PricedPack<P>,
  sold: readonly SoldPart<P>[],
  terms: PackTerms<P>,
): PackPrice | NoPackPrice {
  const { prices, quantity, unit_price, rateOf } = terms;
  const rates = sold.map(({ taxed }) => (isConverted(prices) ? rateOf(taxed) : null));
  const is_shared = pack.pricing === 'fixed' || unit_price !== undefined;
  const listed = partPrices(sold, rates, terms);
  // The proportion between the components' prices is the same in any currency.
  const parts =
    is_shared && 'reason' in listed && listed.reason === 'no_price_in_currency'
      ? partPrices(sold, rates, { ...terms, prices: ownPrices(prices) })
      : listed;
  if ('reason' in parts) return parts;
  const none = { discount_percent: null, item: null, next: null, rate: null, parts };
  if (unit_price !== undefined) return { ...none, unit_price };
  if (pack.pricing === 'sum') {
    const sum = sumPrice(parts, null);
    return fitsLine(sum) ? { ...none, unit_price: sum } : { at: null, reason: 'too_large' };
  }
  const rate = isConverted(prices) ? blendedRate(parts, prices.terms.prices_include_tax) : null;
  const found = priceOf({ product, variant: null, presentation: null, options: [], quantity }, prices, rate);
  return typeof found === 'string' ? { at: null, reason: found } : { ...found, rate, parts };
}

/** Without a list, in the currency that all products have a price in. */
function ownPrices({ terms, items }: Prices): Prices {
  return { terms: { ...terms, currency: companyCurrency }, list: null, items };
}

function partPrices(
  sold: readonly SoldPart<PackProduct>[],
  rates: readonly (Amount | null)[],
  { prices, quantity: packs, says_discount = false }: Omit<PackTerms<never>, 'rateOf'>,
): PricedPart[] | NoPackPrice {
  const parts: PricedPart[] = [];
  for (const [at, { product, variant, presentation, quantity }] of sold.entries()) {
    const rate = rates[at] ?? null;
    const of = { product, variant, presentation, options: [], quantity: ofPacks(packs, quantity) };
    const found = priceOf(of, prices, rate);
    if (typeof found === 'string') return { at, reason: found };
    const { discount_percent, next } = found;
    const unit_price = says_discount ? found.unit_price : netPrice(found);
    parts.push({ unit_price, quantity: exactAmount(quantity, 6), discount_percent, next, rate });
  }
  return parts;
}

/** The price of one pack for those who ask beforehand. The pack's own discount is taken off. */
export function askedPackPrice(
  { discount_percent }: Pick<PricedPack<PackProduct>, 'discount_percent'>,
  { unit_price, parts }: PackPrice,
): Amount {
  return discount_percent === null ? unit_price : sumPrice(parts, exactAmount(discount_percent, 4));
}
