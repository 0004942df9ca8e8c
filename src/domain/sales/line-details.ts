/** What few lines have: variant, presentation, options, expenses charged on, and the line that they come from. */
import { choiceDetails, type LineSale } from './line-selection.ts';
import { invalidInLine } from './lines.errors.ts';
import type { LineFacts } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import type { LineDetails } from './rows.ts';

/** Members of an answer's line that a client may repeat but not change. */
export const readOnlyDetails = [
  'variant',
  'presentation',
  'linked_expenses',
  'original_pack_data',
  'source',
  'price_includes_tax',
] as const;

/** On the wire. */
export type ShownDetails = {
  variant: NonNullable<LineDetails['variant']> | null;
  presentation: NonNullable<LineDetails['presentation']> | null;
  options: NonNullable<LineDetails['options']>;
  linked_expenses: NonNullable<LineDetails['linked_expenses']>;
  original_pack_data: NonNullable<LineDetails['original_pack_data']> | null;
  source: NonNullable<LineDetails['source']> | null;
  price_includes_tax: boolean;
};

const noDetails: ShownDetails = {
  variant: null,
  presentation: null,
  options: [],
  linked_expenses: [],
  original_pack_data: null,
  source: null,
  price_includes_tax: false,
};

export function presentDetails(details: LineDetails | null): ShownDetails {
  if (details === null) return noDetails;
  const {
    said: _,
    is_discount_found: __,
    is_tax_found: ___,
    rounded_with: ____,
    is_rounded_in_euros: _____,
    ...shown
  } = details;
  return { ...noDetails, ...shown };
}

function orNull(details: LineDetails): LineDetails | null {
  return Object.keys(details).length === 0 ? null : details;
}

export function withDiscountMark(details: LineDetails | null, is_found: boolean): LineDetails | null {
  if (details === null && !is_found) return null;
  const { is_discount_found: _, ...kept } = details ?? {};
  return orNull(is_found ? { ...kept, is_discount_found: true } : kept);
}

export function withTaxMark(details: LineDetails | null, is_found: boolean): LineDetails | null {
  if (details === null && !is_found) return null;
  const { is_tax_found: _, ...kept } = details ?? {};
  return orNull(is_found ? { ...kept, is_tax_found: true } : kept);
}

/** For a line with another product: variant, presentation, options and a price with tax are of the old one. */
export function withoutCatalogue(details: LineDetails | null): LineDetails | null {
  if (details === null) return null;
  const { variant: _, presentation: __, options: ___, price_includes_tax: ____, ...kept } = details;
  return orNull(kept);
}

/** For a copy: a delivery is billed once, and an expense is charged on once. */
export function withoutLinks(details: LineDetails | null): LineDetails | null {
  if (details === null) return null;
  const { source: _, linked_expenses: __, ...kept } = details;
  return orNull(kept);
}

type Sent = Pick<
  LineInput,
  'variant_id' | 'presentation_id' | 'options' | 'linked_expense_ids' | 'stored_details'
>;

function withoutChoice(details: LineDetails | null): LineDetails {
  const { variant: _, presentation: __, options: ___, ...kept } = details ?? {};
  return kept;
}

function keptChoice(
  kept: LineDetails,
  { variant_id, presentation_id, options }: Sent,
  index: number,
): LineDetails {
  if (variant_id && variant_id !== kept.variant?.id)
    throw invalidInLine(index, 'variant_id', 'La variante no existe.');
  if (variant_id === null) delete kept.variant;
  if (presentation_id && presentation_id !== kept.presentation?.id)
    throw invalidInLine(index, 'presentation_id', 'La presentación no existe.');
  if (presentation_id === null) delete kept.presentation;
  if (options !== undefined) {
    const known = kept.options ?? [];
    const chosen = options.map(({ group_id, value_id }, at) => {
      const found = known.find(
        ({ group, value }) => value.id === value_id && (group_id ?? group.id) === group.id,
      );
      if (found) return found;
      throw invalidInLine(
        index,
        `options.${at}.${value_id ? 'value_id' : 'group_id'}`,
        'La opción no existe.',
      );
    });
    if (chosen.length > 0) kept.options = chosen;
    else delete kept.options;
  }
  return kept;
}

/**
 * The stored details as far as the line keeps them. Absent keeps, null or empty clears.
 * @param sale the choice of a configured product that the line now makes; null when it makes no new one. Then the line may
 *   repeat only the choice that it holds
 * @param expenses those that lines may name anew
 * @throws 422 parameter_invalid with `line_index`
 */
export function detailsOf(
  line: Sent,
  index: number,
  sale: LineSale | null,
  expenses: LineFacts['expenses'] = new Map(),
): LineDetails | null {
  const { variant_id, presentation_id, options, linked_expense_ids, stored_details = null } = line;
  if (stored_details === null && !sale && !variant_id && !presentation_id && !options && !linked_expense_ids)
    return null;
  const kept: LineDetails = sale
    ? { ...withoutChoice(stored_details), ...choiceDetails(sale) }
    : keptChoice({ ...stored_details }, line, index);
  if (linked_expense_ids !== undefined) {
    const known = new Map((kept.linked_expenses ?? []).map((one) => [one.id, one]));
    const named = linked_expense_ids.map((id, at) => {
      const found = known.get(id) ?? expenses.get(id);
      if (found) return found;
      throw invalidInLine(index, `linked_expense_ids.${at}`, 'El gasto no existe o está cancelado.');
    });
    if (named.length > 0) kept.linked_expenses = [...new Set(named)];
    else delete kept.linked_expenses;
  }
  return orNull(kept);
}
