/**
 * Recognises a repeated request by what determines type and total, even after prices and defaults change.
 * Spelling does not count: order of keys, zeros after the point, texts that change no amount.
 */
import { createHash } from 'node:crypto';
import { amountText, parseAmount } from '../money/amount.ts';
import { numberText } from '../../kernel/json.ts';
import type { LineInput } from './line-input.ts';

type Line = LineInput;
type Key = keyof Line;

/** The order is that of stored hashes. */
const plainKeys = [
  'product_id',
  'unit_price',
  'discount_percent',
  'tax_rate',
  'retention_rate',
  'kind',
  'variant_id',
  'presentation_id',
] as const;
/** Of these, null is none; absent lets the client decide, if there is one. Of the others, null is the same as absent. */
const clientKeys: ReadonlySet<Key> = new Set<Key>(['discount_percent', 'retention_rate']);
/** null is none; absent lets product, tax or client decide. */
const decidingKeys = [
  'taxes_id',
  'tax_kind',
  'surcharge_rate',
  'qualification',
  'exemption_reason',
  'regime_key',
] as const;
type Counted = (typeof plainKeys)[number] | (typeof decidingKeys)[number] | 'quantity' | 'options';
/** These change no amount. A key in neither list fails the compilation. */
type Uncounted =
  | 'id'
  | 'description'
  | 'unit'
  | 'exemption_reason_text'
  | 'stored_tax'
  | 'stored_product_id'
  | 'stored_surcharge_rate'
  | 'stored_kind'
  | 'stored_details'
  | 'stored_said'
  | 'stored_unit_price'
  | 'stored_discount_percent'
  | 'stored_unit'
  | 'has_open_tax'
  | 'is_found_anew'
  | 'linked_expense_ids';
type Missing = Exclude<Key, Counted | Uncounted>;
const none: [Missing] extends [never] ? true : Missing = true;
void none;

function spelled(value: Line[(typeof plainKeys | typeof decidingKeys)[number] | 'quantity']): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value.toLowerCase();
  const text = numberText(value);
  const amount = parseAmount(text, { decimals: 8 });
  return amount ? amountText(amount) : text;
}

/** `says_null`: the keys whose null says something. */
type Spelling = { inherits: boolean; says_null(key: Key): boolean };

function essence(line: Line, { inherits, says_null }: Spelling): Record<string, string | null> {
  const said: Record<string, string | null> = {};
  if (!inherits || line.quantity !== undefined) said.quantity = spelled(line.quantity) ?? '1';
  for (const key of plainKeys) {
    const text = spelled(line[key]);
    if (text !== null || (line[key] === null && says_null(key))) said[key] = text;
  }
  for (const key of decidingKeys) if (line[key] !== undefined) said[key] = spelled(line[key]);
  if (line.options?.length)
    said.options = line.options.map(({ group_id, value_id }) => spelled(value_id ?? group_id)).join();
  return said;
}

export type HashedRequest = {
  client_id?: string | null;
  prices_include_tax?: boolean;
  currency?: string;
  lines: readonly LineInput[];
};

/**
 * @param kind of document, or the type of an invoice
 * @param day decides which surcharge goes with a rate, if any was sent
 * @param inherits a line takes absent keys from another document, so null means none, and a missing quantity is not 1
 * @returns base64 of the SHA-256
 */
export function requestHash(
  kind: string,
  day: string | null,
  body: HashedRequest,
  { inherits = false } = {},
): string {
  const { prices_include_tax = false, currency = 'EUR' } = body;
  const client_id = body.client_id?.toLowerCase() ?? null;
  const says_null = (key: Key) => inherits || (client_id !== null && clientKeys.has(key));
  const lines = body.lines.map((line) => essence(line, { inherits, says_null }));
  return createHash('sha256')
    .update(JSON.stringify([kind, client_id, prices_include_tax, currency, day, lines]))
    .digest('base64');
}
