/** What changes of items have in common on the wire. */
import { OneWarned } from '../../kernel/schema.ts';
import { Problem } from '../../kernel/problem.ts';
import { type ItemRow, PriceListItem, presentItem } from './price-list-items.schema.ts';
import type { Saved } from './save-items.ts';

export const itemWarnings = ['break_raises_price'] as const;

export const WarnedItem = OneWarned(PriceListItem, itemWarnings);

const dearer = 'El precio de un escalón es mayor que el del escalón inferior.';

/** @param place before the text, where there are several items */
export function warningsOf(places: readonly string[]): { warnings?: string[]; warning_codes?: string[] } {
  if (places.length === 0) return {};
  return { warnings: places.map((place) => `${place}${dearer}`), warning_codes: ['break_raises_price'] };
}

/** Which price an entry of the audit log is about. Nothing else tells of one that was deleted. */
export function auditedItem(
  { id, price_list_id, product_id }: Pick<ItemRow, 'id' | 'price_list_id' | 'product_id'>,
  details: Record<string, unknown> = {},
) {
  return { object: 'price_list_item', object_id: id, details: { price_list_id, product_id, ...details } };
}

/** @throws the refusal */
export function answerItem(saved: Saved | Problem | undefined) {
  if (!saved || saved instanceof Problem) throw saved ?? new Error('Nothing was saved.');
  return { data: presentItem(saved.row), ...warningsOf(saved.raises ? [''] : []) };
}
