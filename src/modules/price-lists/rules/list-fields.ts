/** Absent keys stay, null clears to the field's default. */
import { currencyCodes } from '../../../domain/currencies.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField } from '../../../kernel/resource-input.ts';
import type { PriceListFields, PriceListInput } from '../price-lists.schema.ts';

export const blankPriceList: Omit<PriceListFields, 'name'> = {
  code: null,
  currency: 'EUR',
  prices_include_tax: false,
  is_default: false,
  valid_from: null,
  valid_to: null,
  is_active: true,
  notes: null,
  external_id: null,
  metadata: {},
};

/** @param input valid by its schema */
export function applyListInput(current: PriceListFields, input: PriceListInput): PriceListFields {
  const next = { ...current };
  for (const [name, value] of Object.entries(input)) {
    const cleared = name === 'name' ? current.name : blankPriceList[name as keyof typeof blankPriceList];
    Object.assign(next, { [name]: value ?? cleared });
  }
  return next;
}

export function listIssues(fields: PriceListFields): FieldIssue[] {
  const { currency } = fields;
  return [
    ...(currencyCodes.has(currency) ? [] : [invalidField('currency', 'No es un código de moneda ISO 4217.')]),
    ...dayIssues(fields),
  ];
}

export function dayIssues({
  valid_from,
  valid_to,
}: Pick<PriceListFields, 'valid_from' | 'valid_to'>): FieldIssue[] {
  const is_over = valid_from !== null && valid_to !== null && valid_to < valid_from;
  return is_over ? [invalidField('valid_to', 'No puede ser anterior a valid_from.')] : [];
}
