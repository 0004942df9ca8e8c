/** Absent keys stay, null clears to the field's default. */
import { type AmountLimits, amountLimits, amountText, readAmount } from '../../../domain/money/amount.ts';
import type { DecimalInput } from '../../../kernel/json.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, missingField } from '../../../kernel/resource-input.ts';
import type { ItemFields, ItemInput } from '../price-list-items.schema.ts';
import { dayIssues } from './list-fields.ts';

export const blankItem: Omit<ItemFields, 'product_id'> = {
  variant_id: null,
  presentation_id: null,
  min_quantity: '1',
  unit_price: null,
  discount_percent: null,
  valid_from: null,
  valid_to: null,
};

const decimals: Readonly<Record<string, AmountLimits>> = {
  min_quantity: amountLimits.quantity,
  unit_price: amountLimits.unit_price,
  discount_percent: amountLimits.discount_percent,
};

/** @param input valid by its schema */
export function applyItemInput(current: ItemFields, input: ItemInput): ItemFields {
  const next = { ...current };
  for (const [name, value] of Object.entries(input)) {
    const cleared = name === 'product_id' ? current.product_id : blankItem[name as keyof typeof blankItem];
    const limits = decimals[name];
    const amount = limits && value !== null ? readAmount(value as DecimalInput, limits) : undefined;
    Object.assign(next, { [name]: amount ? amountText(amount) : (value ?? cleared) });
  }
  return next;
}

export function itemIssues(fields: ItemFields): FieldIssue[] {
  const { unit_price, discount_percent } = fields;
  const price =
    unit_price === null && discount_percent === null
      ? [missingField('unit_price', 'Envíe unit_price o discount_percent.')]
      : unit_price !== null && discount_percent !== null
        ? [invalidField('discount_percent', 'No va con unit_price: envíe uno, y null en el otro.')]
        : [];
  return [...price, ...dayIssues(fields)];
}
