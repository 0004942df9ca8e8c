/** Absent keys stay, null clears to the field's default. */
import { amountLimits, amountText, readAmount } from '../../../domain/money/amount.ts';
import type { DecimalInput } from '../../../kernel/json.ts';
import type { PlainInput, ProductFields } from '../products.schema.ts';

export const blankProduct: Omit<ProductFields, 'name'> = {
  description: null,
  code: null,
  kind: 'good',
  unit: null,
  unit_price: '0',
  taxes_id: null,
  external_id: null,
  notes: null,
  metadata: {},
  tags: [],
  is_active: true,
};

function priceText(price: DecimalInput | null): string {
  const amount = price === null ? undefined : readAmount(price, amountLimits.unit_price);
  return amount ? amountText(amount) : blankProduct.unit_price;
}

/** A letter with its accent may be one character or two, and a code is one however it was typed. What is sent back stays. */
export const plainCode = (code: string): string => code.normalize('NFC');

function codeOf(current: ProductFields, code: string | null): string | null {
  return code === null || code === current.code ? code : plainCode(code);
}

/** @param input valid by its schema */
export function applyProductInput(current: ProductFields, input: PlainInput): ProductFields {
  const { unit_price, code, ...plain } = input;
  const next = { ...current };
  for (const [name, value] of Object.entries(plain)) {
    const cleared = name === 'name' ? current.name : blankProduct[name as keyof typeof blankProduct];
    Object.assign(next, { [name]: value ?? cleared });
  }
  if (code !== undefined) next.code = codeOf(current, code);
  if (unit_price !== undefined) next.unit_price = priceText(unit_price);
  return next;
}
