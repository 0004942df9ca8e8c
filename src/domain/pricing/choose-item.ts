/** Finds the item of a price list for a quantity on a day, and the next quantity with another item. */
import { isValidOn } from '../../kernel/dates.ts';
import { type Amount, powerOfTen } from '../money/amount.ts';

/** Numbers are exact texts, days are YYYY-MM-DD. One of price and discount is null. */
export type PriceItem = {
  id: string;
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  min_quantity: Amount;
  unit_price: Amount | null;
  discount_percent: Amount | null;
  valid_from: string | null;
  valid_to: string | null;
};

export type Asked = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  /** A negative one counts by its size. */
  quantity: Amount;
  on_date: string;
};

export type ChosenItem = { item: PriceItem | null; next: PriceItem | null };

/** Below 0 when `a` is less. */
export function compareAmounts(a: Amount, b: Amount): number {
  const is_same = a.scale === b.scale;
  const left = is_same ? a.units : a.units * powerOfTen(b.scale);
  const right = is_same ? b.units : b.units * powerOfTen(a.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function sizeOf({ units, scale }: Amount): Amount {
  return { units: units < 0n ? -units : units, scale };
}

/** An item fits if each part that it names is the one asked for. */
function isOf(item: PriceItem, asked: Asked): boolean {
  return (
    item.product_id === asked.product_id &&
    (item.variant_id === null || item.variant_id === asked.variant_id) &&
    (item.presentation_id === null || item.presentation_id === asked.presentation_id) &&
    isValidOn(item, asked.on_date)
  );
}

/** First variant with presentation, then variant, presentation, product. */
function rankOf({ variant_id, presentation_id }: PriceItem): number {
  return (variant_id === null ? 0 : 2) + (presentation_id === null ? 0 : 1);
}

/** A missing first day counts as the earliest. */
function isLater(a: PriceItem, b: PriceItem): boolean {
  return (a.valid_from ?? '') > (b.valid_from ?? '');
}

function isBetter(a: PriceItem, b: PriceItem): boolean {
  const by_rank = rankOf(a) - rankOf(b);
  if (by_rank !== 0) return by_rank > 0;
  const by_quantity = compareAmounts(a.min_quantity, b.min_quantity);
  return by_quantity === 0 ? isLater(a, b) : by_quantity > 0;
}

/** Whether `a` begins to hold before `b`, as the quantity grows. */
function isSooner(a: PriceItem, b: PriceItem): boolean {
  const by_quantity = compareAmounts(a.min_quantity, b.min_quantity);
  if (by_quantity !== 0) return by_quantity < 0;
  const by_rank = rankOf(a) - rankOf(b);
  return by_rank === 0 ? isLater(a, b) : by_rank > 0;
}

/** The most specific first, then the highest quantity reached, then the latest day. Never ambiguous: these make an item unique. */
export function chooseItem(items: readonly PriceItem[], asked: Asked): ChosenItem {
  const size = sizeOf(asked.quantity);
  let item: PriceItem | null = null;
  for (const one of items) {
    if (!isOf(one, asked) || compareAmounts(one.min_quantity, size) > 0) continue;
    if (item === null || isBetter(one, item)) item = one;
  }
  let next: PriceItem | null = null;
  for (const one of items) {
    if (!isOf(one, asked) || compareAmounts(one.min_quantity, size) <= 0) continue;
    // A step of a less specific item is never reached.
    if (item !== null && rankOf(one) < rankOf(item)) continue;
    if (next === null || isSooner(one, next)) next = one;
  }
  return { item, next };
}

/** Groups items by the parts that they name, so that a line looks only at its own. */
export type ItemIndex = ReadonlyMap<string, readonly PriceItem[]>;

type Named = Pick<PriceItem, 'product_id' | 'variant_id' | 'presentation_id'>;

export function combinationOf({ product_id, variant_id, presentation_id }: Named): string {
  // Most items name a product alone.
  if (variant_id === null && presentation_id === null) return product_id;
  return `${product_id} ${variant_id ?? ''} ${presentation_id ?? ''}`;
}

export function indexItems(items: readonly PriceItem[]): ItemIndex {
  const byNames = new Map<string, PriceItem[]>();
  for (const item of items) {
    const name = combinationOf(item);
    const known = byNames.get(name);
    if (!known) byNames.set(name, [item]);
    else if (!known.some(({ id }) => id === item.id)) known.push(item);
  }
  return byNames;
}

/** The items of the four combinations that may hold. A product without choices has one combination. */
export function itemsFor(index: ItemIndex, named: Named): readonly PriceItem[] {
  if (named.variant_id === null && named.presentation_id === null)
    return index.get(combinationOf(named)) ?? [];
  const variants = named.variant_id === null ? [null] : [named.variant_id, null];
  const presentations = named.presentation_id === null ? [null] : [named.presentation_id, null];
  const found: PriceItem[] = [];
  for (const variant_id of variants)
    for (const presentation_id of presentations)
      found.push(...(index.get(combinationOf({ ...named, variant_id, presentation_id })) ?? []));
  return found;
}
