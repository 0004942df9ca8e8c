/**
 * Recognises a request by what makes its type and total, as it was sent: whoever sends the same again means the same
 * invoice, whatever prices and defaults have become. How it was spelled does not count: the order of keys, a null where
 * leaving the key out says the same, zeros after the point, texts that no amount follows from.
 */
import { createHash } from 'node:crypto';
import { amountText, parseAmount } from '../../../domain/money/amount.ts';
import { numberText } from '../../../kernel/json.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';

type Line = InvoiceInputBody['lines'][number];
type Key = keyof Line;

/** Null says the same as nothing. */
const plainKeys = ['product_id', 'unit_price', 'discount_percent', 'tax_rate', 'retention_rate'] as const;
/** Null says that there is none, where nothing lets the product, the tax or the client decide. */
const decidingKeys = [
  'taxes_id',
  'tax_kind',
  'surcharge_rate',
  'qualification',
  'exemption_reason',
  'regime_key',
] as const;
type Counted = (typeof plainKeys)[number] | (typeof decidingKeys)[number] | 'quantity';
/** No amount follows from these; a key that is in neither list fails the compilation. */
type Uncounted = 'id' | 'description' | 'unit' | 'exemption_reason_text';
type Missing = Exclude<Key, Counted | Uncounted>;
const none: [Missing] extends [never] ? true : Missing = true;
void none;

/** One text for one value. */
function spelled(value: Line[Key]): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value.toLowerCase();
  const text = numberText(value);
  const amount = parseAmount(text, { decimals: 8 });
  return amount ? amountText(amount) : text;
}

function essence(line: Line): Record<string, string | null> {
  const said: Record<string, string | null> = { quantity: spelled(line.quantity) ?? '1' };
  for (const key of plainKeys) {
    const text = spelled(line[key]);
    if (text !== null) said[key] = text;
  }
  for (const key of decidingKeys) if (line[key] !== undefined) said[key] = spelled(line[key]);
  return said;
}

/** @returns base64 of the SHA-256 of what counts */
export function requestHash(body: InvoiceInputBody): string {
  const { type = 'F1', prices_include_tax = false, currency = 'EUR' } = body;
  const client_id = body.client_id?.toLowerCase() ?? null;
  // The day decides which surcharge goes with a rate.
  const day = body.operation_on ?? body.issued_on ?? null;
  return createHash('sha256')
    .update(JSON.stringify([type, client_id, prices_include_tax, currency, day, body.lines.map(essence)]))
    .digest('base64');
}
