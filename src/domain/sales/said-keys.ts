/**
 * Tells what a line of a template says from what it leaves to product, client, company and law. Each document of the
 * template finds the latter anew, so a rate that has changed since is the new one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LineInput } from './line-input.ts';

/** A line may leave these out, and each document finds them anew. Text, unit and price stay. */
const openKeys = [
  'kind',
  'discount_percent',
  'taxes_id',
  'tax_kind',
  'tax_rate',
  'retention_rate',
  'surcharge_rate',
  'qualification',
  'exemption_reason',
  'regime_key',
] as const satisfies readonly (keyof LineInput)[];

export function saidBy(line: LineInput): readonly string[] {
  return openKeys.filter((key) => line[key] !== undefined);
}

/** @param line all of a stored line, as a request */
export function onlySaid(line: LineInput, said: readonly string[]): LineInput {
  const { stored_surcharge_rate: _, stored_kind: __, ...rest } = line;
  const kept: LineInput = { ...rest, is_found_anew: true };
  for (const key of openKeys) if (!said.includes(key)) delete kept[key];
  if (kept.taxes_id === undefined) delete kept.stored_tax;
  return kept;
}

/** What `onlySaid` may leave out. @param line all of a stored line, as a request */
export function openPart(line: LineInput): LineInput {
  const keys = [...openKeys, 'stored_surcharge_rate', 'stored_kind', 'stored_tax'] as const;
  return Object.fromEntries(keys.flatMap((key) => (key in line ? [[key, line[key]]] : [])));
}

/** Whether an edit changes nothing that decides what the line takes from others. */
export function saysAsBefore(line: LineInput, before: LineInput): boolean {
  // It sells something else, or has the tax of another variant.
  if (line.has_open_tax || line.stored_unit_price !== undefined) return false;
  return (['product_id', ...openKeys] as const).every((key) => isDeepStrictEqual(line[key], before[key]));
}

/** A client that sends back what it read says nothing new. */
export function withoutUnsaid(
  sent: LineInput,
  said: readonly string[],
  shown: Record<string, unknown>,
): LineInput {
  const line = { ...sent };
  // A new rate is one of the tax that the line shows. Alone it would be one of VAT.
  const has_new_rate = line.tax_rate !== undefined && !isDeepStrictEqual(line.tax_rate, shown.tax_rate);
  for (const key of openKeys) {
    if (key === 'tax_kind' && has_new_rate && line.tax_kind !== 'vat') continue;
    if (!said.includes(key) && isDeepStrictEqual(line[key], shown[key])) delete line[key];
  }
  return line;
}
