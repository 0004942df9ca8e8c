/** The items of a list that a change looks at: whether another one fits among them, and whether it is dearer than the step below. */
import { type Amount, amountLimits } from '../../../domain/money/amount.ts';
import { storedToAmount } from '../../../domain/money/printed.ts';
import { combinationOf, compareAmounts } from '../../../domain/pricing/choose-item.ts';
import type { ItemFields, ItemRow } from '../price-list-items.schema.ts';

/** Steps and days of one combination. A price is looked for among no more. */
export const stepsMax = 100;

type Step = { row: ItemRow; quantity: Amount; price: Amount | null; discount: Amount | null };

function stepOf(row: ItemRow): Step {
  const { unit_price, discount_percent } = row;
  return {
    row,
    quantity: storedToAmount(row.min_quantity, amountLimits.quantity),
    price: unit_price === null ? null : storedToAmount(unit_price, amountLimits.unit_price),
    discount:
      discount_percent === null ? null : storedToAmount(discount_percent, amountLimits.discount_percent),
  };
}

export class Steps {
  readonly #byNames = new Map<string, Step[]>();

  constructor(stored: readonly ItemRow[]) {
    for (const row of stored) this.put(row);
  }

  #of(item: ItemFields): Step[] {
    const key = combinationOf(item);
    const known = this.#byNames.get(key) ?? [];
    this.#byNames.set(key, known);
    return known;
  }

  /** The one with the same combination, quantity and first day. */
  same({ min_quantity, valid_from, ...item }: ItemFields): ItemRow | undefined {
    return this.#of({ min_quantity, valid_from, ...item }).find(
      ({ row }) => row.min_quantity === min_quantity && row.valid_from === valid_from,
    )?.row;
  }

  isFull(item: ItemFields): boolean {
    return this.#of(item).length >= stepsMax;
  }

  put(row: ItemRow): void {
    this.remove(row);
    this.#of(row).push(stepOf(row));
  }

  remove(row: ItemRow): void {
    const steps = this.#of(row);
    const at = steps.findIndex((one) => one.row.id === row.id);
    if (at >= 0) steps.splice(at, 1);
  }

  /** Dearer than the step below it, or cheaper than the one above, while both hold. A price and a discount are not compared. */
  raises(row: ItemRow): boolean {
    const step = stepOf(row);
    let below: Step | undefined;
    let above: Step | undefined;
    for (const one of this.#of(row)) {
      const order = compareAmounts(one.quantity, step.quantity);
      if (order === 0 || !holdTogether(one.row, row)) continue;
      if (order < 0 && (!below || compareAmounts(one.quantity, below.quantity) > 0)) below = one;
      if (order > 0 && (!above || compareAmounts(one.quantity, above.quantity) < 0)) above = one;
    }
    return (below !== undefined && isDearer(step, below)) || (above !== undefined && isDearer(above, step));
  }
}

function holdTogether(a: ItemFields, b: ItemFields): boolean {
  const isBefore = (one: ItemFields, other: ItemFields) =>
    one.valid_to !== null && other.valid_from !== null && one.valid_to < other.valid_from;
  return !isBefore(a, b) && !isBefore(b, a);
}

function isDearer(upper: Step, lower: Step): boolean {
  if (upper.price && lower.price) return compareAmounts(upper.price, lower.price) > 0;
  if (upper.discount && lower.discount) return compareAmounts(upper.discount, lower.discount) < 0;
  return false;
}
