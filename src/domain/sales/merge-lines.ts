/**
 * A sent line with a known id keeps its absent keys; one without an id is new; a stored line that is not
 * named is removed. A changed tax or rate drops what the old one brought.
 */
import { isDeepStrictEqual } from 'node:util';
import { numberText } from '../../kernel/json.ts';
import { printedToJson } from '../money/printed.ts';
import type { Qualification } from '../tax/record-codes.ts';
import type { PurchaseTaxKind } from '../tax/spanish-taxes.ts';
import { asOpening, type DocumentNames } from './document-kinds.ts';
import { readOnlyDetails, withoutCatalogue, withoutLinks } from './line-details.ts';
import { invalidInLine } from './lines.errors.ts';
import type { LineInput } from './lines.ts';
import { onlySaid, withoutUnsaid } from './said-keys.ts';
import type { LineRow } from './rows.ts';

/** Members of a line that a client may repeat but not change. */
export const lineReadOnly = [
  'object',
  'product',
  'subtotal',
  'taxes',
  'total',
  'tax_name',
  ...readOnlyDetails,
] as const;

const numberOf = (text: string | null) => (text === null ? null : printedToJson(text));

/** A draft's line as a request. What it did not state is derived again. */
export function asSent(row: LineRow): LineInput {
  const line = wholeLine(row);
  return row.details?.said === undefined ? line : onlySaid(line, row.details.said);
}

function storedDetails({ details }: LineRow): Pick<LineInput, 'stored_details'> {
  if (details === null) return {};
  const { said: _, ...stored_details } = details;
  return Object.keys(stored_details).length === 0 ? {} : { stored_details };
}

function wholeLine(row: LineRow): LineInput {
  return {
    id: row.id,
    description: row.description,
    product_id: row.product_id,
    ...(row.product_id === null ? {} : { stored_product_id: row.product_id }),
    quantity: printedToJson(row.quantity),
    unit: row.unit,
    ...(row.is_kind_stated ? { kind: row.kind } : { stored_kind: row.kind }),
    unit_price: printedToJson(row.unit_price),
    discount_percent: numberOf(row.discount_percent),
    taxes_id: row.taxes_id,
    ...(row.taxes_id === null ? {} : { stored_taxes_id: row.taxes_id }),
    tax_kind: row.tax_kind as PurchaseTaxKind,
    tax_rate: numberOf(row.tax_rate),
    retention_rate: numberOf(row.retention_rate),
    ...(row.is_surcharge_stated
      ? { surcharge_rate: numberOf(row.surcharge_rate) }
      : { stored_surcharge_rate: numberOf(row.surcharge_rate) }),
    qualification: row.qualification as Qualification | null,
    exemption_reason: row.exemption_reason,
    exemption_reason_text: row.exemption_reason_text,
    regime_key: row.is_regime_key_stated ? row.regime_key : null,
    ...storedDetails(row),
  };
}

/**
 * An issued line for another invoice. It keeps its kind and surcharge, even if product and client have changed since. What only
 * goods have was of goods, also in a line of before.
 */
export function takenOver(row: LineRow): LineInput {
  const is_of_goods = Number(row.surcharge_rate ?? 0) !== 0 || row.exemption_reason === 'E5';
  const kind = row.kind ?? (is_of_goods ? 'good' : null);
  const { id: _, ...line } = asSent({
    ...row,
    kind,
    is_kind_stated: kind !== null,
    is_surcharge_stated: true,
    details: withoutLinks(row.details),
  });
  return line;
}

const taxKeys = [
  'tax_kind',
  'tax_rate',
  'surcharge_rate',
  'stored_surcharge_rate',
  'qualification',
  'exemption_reason',
  'regime_key',
] as const;

/** A rate of 0 repeats that a line has none: many people send 0 for no rate. */
function repeatsNoRate({ tax_rate }: LineInput, sent: LineInput): boolean {
  return tax_rate === null && Number(numberText(sent.tax_rate ?? 0)) === 0;
}

/**
 * The keys that a change of exemption, qualification or rate drops; null for no change. A rate never drops an
 * exemption or qualification: one that does not go with them is refused, as in a new line.
 */
function droppedBy(stored: LineInput, sent: LineInput): readonly (keyof LineInput)[] | null {
  if (sent.exemption_reason !== undefined && sent.exemption_reason !== stored.exemption_reason)
    return ['tax_rate', 'surcharge_rate', 'stored_surcharge_rate', 'qualification'];
  if (sent.qualification !== undefined && sent.qualification !== stored.qualification)
    return ['tax_rate', 'surcharge_rate', 'stored_surcharge_rate', 'exemption_reason'];
  if (sent.tax_rate === undefined || repeatsNoRate(stored, sent)) return null;
  return isDeepStrictEqual(sent.tax_rate, stored.tax_rate)
    ? null
    : ['surcharge_rate', 'stored_surcharge_rate'];
}

/** The stored line; without its surcharge when another kind is sent, and without its kind when another product is. */
export function keptOf(stored: LineInput, sent: LineInput): LineInput {
  const has_new_product = sent.product_id !== undefined && sent.product_id !== stored.product_id;
  const has_new_kind =
    sent.kind !== undefined && sent.kind !== (stored.kind === undefined ? stored.stored_kind : stored.kind);
  if (!has_new_product && !has_new_kind) return stored;
  const { surcharge_rate: _, stored_surcharge_rate: __, ...kept } = stored;
  if (!has_new_product) return kept;
  const { kind: ___, stored_kind: ____, stored_details, ...rest } = kept;
  return { ...rest, stored_details: withoutCatalogue(stored_details ?? null) };
}

/** The stored line without what the sent tax or rate replaces; the same object when nothing is replaced. */
export function baseOf(stored: LineInput, sent: LineInput): LineInput {
  const base = { ...stored };
  const drop = (keys: readonly (keyof LineInput)[]) => {
    for (const key of keys) delete base[key];
  };
  const has_new_tax = sent.taxes_id !== undefined && sent.taxes_id !== stored.taxes_id;
  const has_new_product = sent.product_id !== undefined && sent.product_id !== stored.product_id;
  const has_new_tax_kind = sent.tax_kind !== undefined && sent.tax_kind !== stored.tax_kind;
  if (has_new_tax || (has_new_product && sent.taxes_id === undefined)) {
    drop([...taxKeys, 'taxes_id']);
    return base;
  }
  const dropped = has_new_tax_kind ? taxKeys : droppedBy(stored, sent);
  if (dropped === null) return stored;
  drop(dropped);
  base.taxes_id = null;
  return base;
}

/**
 * Drops values that only repeat what GET answered and the line never stated: a client that sends back what it
 * read states nothing. When the tax changes too, repeated values count as stated.
 */
function withoutEcho(
  row: LineRow,
  shown: Record<string, unknown>,
  stored: LineInput,
  base: LineInput,
  sent: LineInput,
): LineInput {
  const said = { ...sent };
  if (isDeepStrictEqual(said.options, shown.options)) delete said.options;
  if (!row.is_kind_stated && said.kind === row.kind) delete said.kind;
  if (base !== stored) return said;
  if (!row.is_regime_key_stated && said.regime_key === row.regime_key) delete said.regime_key;
  if (!row.is_surcharge_stated && isDeepStrictEqual(said.surcharge_rate, numberOf(row.surcharge_rate)))
    delete said.surcharge_rate;
  return said;
}

/** What a kind of document has besides on a line: its stored members, without those that the sent line changes. */
export type KeptMembers = (row: LineRow, sent: LineInput) => object;

/**
 * @param shown the stored lines as answered, to compare read-only keys with
 * @throws 422 parameter_invalid for an unknown or repeated id, or a changed read-only key
 */
export function mergeLines(
  names: DocumentNames,
  stored: readonly LineRow[],
  sent: readonly unknown[] | undefined,
  shown: readonly Record<string, unknown>[],
  kept: KeptMembers = () => ({}),
): LineInput[] {
  if (sent === undefined) return stored.map((row) => ({ ...asSent(row), ...kept(row, {}) }));
  const byId = new Map(stored.map((row, position) => [row.id, { row, shown: shown[position] ?? {} }]));
  return (sent as (LineInput & Record<string, unknown>)[]).map((line, index) => {
    const known = line.id === undefined ? undefined : byId.get(line.id);
    if (line.id !== undefined && !known)
      throw invalidInLine(
        index,
        'id',
        `${asOpening(names.the)} no tiene ninguna línea con este id, o se repite.`,
      );
    const changed = lineReadOnly.find(
      (key) =>
        line[key] !== undefined &&
        !isDeepStrictEqual(line[key], key === 'object' ? `${names.object}_line` : known?.shown[key]),
    );
    if (changed !== undefined) throw invalidInLine(index, changed, 'El campo es de solo lectura.');
    if (!known) return line;
    byId.delete(known.row.id);
    const { said } = known.row.details ?? {};
    const told = said === undefined ? line : withoutUnsaid(line, said, known.shown);
    const stored_line = keptOf(asSent(known.row), told);
    const base = baseOf(stored_line, told);
    const said_now = withoutEcho(known.row, known.shown, stored_line, base, told);
    return { ...base, ...said_now, ...kept(known.row, told) };
  });
}
