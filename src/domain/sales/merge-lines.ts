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
import {
  readOnlyDetails,
  withDiscountMark,
  withoutCatalogue,
  withoutLinks,
  withTaxMark,
} from './line-details.ts';
import { invalidInLine } from './lines.errors.ts';
import type { LineInput } from './line-input.ts';
import { onlySaid, openPart, saysAsBefore, withoutUnsaid } from './said-keys.ts';
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

function storedTax({ taxes_id, tax_name }: LineRow): Pick<LineInput, 'stored_tax'> {
  return taxes_id === null ? {} : { stored_tax: { id: taxes_id, name: tax_name } };
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
    ...storedTax(row),
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
 * An issued line for another invoice. It keeps its kind and surcharge, even if product and client have changed since.
 * An older line without a kind is a good if only goods have what it has.
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

/** For another client: the line finds anew what it did not say of its tax. */
function withOpenTax(line: LineInput): LineInput {
  const { stored_details = null, surcharge_rate, regime_key } = line;
  const open: LineInput = {
    ...line,
    is_found_anew: true,
    stored_details: withTaxMark(stored_details, false),
  };
  for (const key of [...taxKeys, 'taxes_id'] as const) delete open[key];
  if (surcharge_rate !== undefined) open.surcharge_rate = surcharge_rate;
  return regime_key ? { ...open, regime_key } : open;
}

export const taxKeys = [
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

/** Null names no qualification: a line without an exemption is then S1. */
const repeatsS1 = (stored: LineInput, sent: LineInput): boolean =>
  stored.qualification === 'S1' && sent.qualification === null;

/**
 * The keys that a change of exemption, qualification or rate drops; null for no change. A rate never drops an
 * exemption or qualification: one that does not go with them is refused, as in a new line.
 */
function droppedBy(stored: LineInput, sent: LineInput): readonly (keyof LineInput)[] | null {
  if (sent.exemption_reason !== undefined && sent.exemption_reason !== stored.exemption_reason)
    return ['tax_rate', 'surcharge_rate', 'stored_surcharge_rate', 'qualification'];
  if (
    sent.qualification !== undefined &&
    sent.qualification !== stored.qualification &&
    !repeatsS1(stored, sent)
  )
    return ['tax_rate', 'surcharge_rate', 'stored_surcharge_rate', 'exemption_reason'];
  if (sent.tax_rate === undefined || repeatsNoRate(stored, sent)) return null;
  return isDeepStrictEqual(sent.tax_rate, stored.tax_rate)
    ? null
    : ['surcharge_rate', 'stored_surcharge_rate'];
}

const namesAnother = ({ product_id: stored }: LineInput, { product_id: sent }: LineInput): boolean =>
  sent !== undefined && sent !== stored;

/** What repeats the stored line says nothing. */
function saysOtherTax(stored: LineInput, sent: LineInput): boolean {
  const keys = ['taxes_id', 'tax_kind', 'tax_rate', 'qualification', 'exemption_reason'] as const;
  const { surcharge_rate = stored.stored_surcharge_rate } = stored;
  if (sent.surcharge_rate !== undefined && !isDeepStrictEqual(sent.surcharge_rate, surcharge_rate))
    return true;
  return keys.some((key) => {
    if (sent[key] === undefined || (key === 'tax_rate' && repeatsNoRate(stored, sent))) return false;
    if (key === 'qualification' && repeatsS1(stored, sent)) return false;
    return !isDeepStrictEqual(sent[key], stored[key]);
  });
}

/**
 * Another product has a kind and a tax of its own. A line that only names its product no more keeps those that it
 * has; one that also says how it is taxed is as a new one.
 */
const sellsAnother = (stored: LineInput, sent: LineInput): boolean =>
  namesAnother(stored, sent) && (sent.product_id !== null || saysOtherTax(stored, sent));

/** The stored line; without its surcharge when another kind is sent, and without kind too when it sells another product. */
export function keptOf(stored: LineInput, sent: LineInput): LineInput {
  const has_new_product = namesAnother(stored, sent);
  const has_new_kind =
    sent.kind !== undefined && sent.kind !== (stored.kind === undefined ? stored.stored_kind : stored.kind);
  const kept = { ...pricedAnew(withSentDiscount(stored, sent), sent, has_new_product) };
  const drop = (keys: readonly (keyof LineInput)[]) => {
    for (const key of keys) delete kept[key];
  };
  if (has_new_kind || sellsAnother(stored, sent)) drop(['surcharge_rate', 'stored_surcharge_rate']);
  if (sellsAnother(stored, sent)) drop(['kind', 'stored_kind']);
  return has_new_product ? { ...kept, stored_details: withoutCatalogue(kept.stored_details ?? null) } : kept;
}

/** A sent discount counts as said by the line. */
function withSentDiscount(stored: LineInput, { discount_percent: sent }: LineInput): LineInput {
  const { stored_details } = stored;
  if (!stored_details?.is_discount_found || sent === undefined) return stored;
  if (isDeepStrictEqual(sent, stored.discount_percent)) return stored;
  return { ...stored, stored_details: withDiscountMark(stored_details, false) };
}

/**
 * A new product or choice has another price, and a new variant may have another tax. A new quantity changes neither. A
 * discount that the line did not say goes with the price, and what a price is for with product and presentation.
 */
function pricedAnew(stored: LineInput, sent: LineInput, has_new_product: boolean): LineInput {
  const { variant, presentation, options = [] } = stored.stored_details ?? {};
  const has_new_variant = sent.variant_id !== undefined && sent.variant_id !== (variant?.id ?? null);
  const has_new_presentation =
    sent.presentation_id !== undefined && sent.presentation_id !== (presentation?.id ?? null);
  const idsOf = (values: readonly (string | undefined)[]) => [...values].sort().join();
  const has_new_options =
    sent.options !== undefined &&
    idsOf(sent.options.map(({ value_id }) => value_id)) !== idsOf(options.map(({ value }) => value.id));
  if (!has_new_product && !has_new_variant && !has_new_presentation && !has_new_options) return stored;
  const kept = { ...stored };
  if ((has_new_product || has_new_presentation) && sent.unit === undefined) {
    kept.stored_unit = stored.unit;
    delete kept.unit;
  }
  const product_id = sent.product_id === undefined ? stored.product_id : sent.product_id;
  const is_discount_found = stored.stored_details?.is_discount_found === true;
  if (product_id && kept.unit_price !== undefined) {
    if (sent.unit_price === undefined) {
      kept.stored_unit_price = kept.unit_price;
      kept.stored_discount_percent = kept.discount_percent;
      delete kept.unit_price;
    }
    const is_unsaid = kept.discount_percent === null && sent.unit_price === undefined;
    if (is_discount_found || is_unsaid) delete kept.discount_percent;
  }
  const says_tax = [...taxKeys, 'taxes_id' as const].some((key) => sent[key] !== undefined);
  if (has_new_variant && !has_new_product && !says_tax) kept.has_open_tax = true;
  return kept;
}

type EchoedOption = { group?: { id?: string }; value?: { id?: string } };

/** Options as an answer shows them, by their ids. */
function withOptionIds<T extends LineInput>(line: T): T {
  if (!line.options?.some(({ value_id }) => value_id === undefined)) return line;
  const options = line.options.map((option) => {
    const { group, value } = option as EchoedOption;
    if (option.value_id !== undefined || typeof value?.id !== 'string') return option;
    return { value_id: value.id, ...(typeof group?.id === 'string' ? { group_id: group.id } : {}) };
  });
  return { ...line, options };
}

/** The stored line without what the sent tax or rate replaces; the same object when nothing is replaced. */
export function baseOf(stored: LineInput, sent: LineInput): LineInput {
  const base = { ...stored };
  if (base.stored_details) base.stored_details = withTaxMark(base.stored_details, false);
  const drop = (keys: readonly (keyof LineInput)[]) => {
    for (const key of keys) delete base[key];
  };
  const has_new_tax = sent.taxes_id !== undefined && sent.taxes_id !== stored.taxes_id;
  const has_new_tax_kind = sent.tax_kind !== undefined && sent.tax_kind !== stored.tax_kind;
  if (has_new_tax || (sellsAnother(stored, sent) && sent.taxes_id === undefined)) {
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
function withoutEcho(row: LineRow, stored: LineInput, base: LineInput, sent: LineInput): LineInput {
  const said = { ...sent };
  if (!row.is_kind_stated && said.kind === row.kind) delete said.kind;
  if (base !== stored) return said;
  if (!row.is_regime_key_stated && said.regime_key === row.regime_key) delete said.regime_key;
  if (!row.is_surcharge_stated && isDeepStrictEqual(said.surcharge_rate, numberOf(row.surcharge_rate)))
    delete said.surcharge_rate;
  return said;
}

function without<T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> & T {
  const { [key]: _, ...rest } = whole;
  return rest as Omit<T, K> & T;
}

/** What a template's line left to its product, and says itself when it names no product any more. */
function takenOfProduct(row: LineRow, sent: LineInput): Partial<LineInput> {
  const { details, product_id, kind, taxes_id } = row;
  const is_left = details?.said !== undefined && product_id !== null && sent.product_id === null;
  if (!is_left || saysOtherTax(wholeLine(row), sent)) return {};
  return { kind, ...(taxes_id === null ? {} : { taxes_id, ...storedTax(row) }) };
}

/** Members of a line that only this kind of document has: the stored ones that the sent line does not change. */
export type KeptMembers = (row: LineRow, sent: LineInput) => object;

/**
 * @param shown the stored lines as answered, to compare read-only keys with
 * @param is_new_client lines find what they do not say of their tax anew, from another client
 * @throws 422 parameter_invalid for an unknown or repeated id, or a changed read-only key
 */
export function mergeLines(
  names: DocumentNames,
  stored: readonly LineRow[],
  sent: readonly unknown[] | undefined,
  shown: readonly Record<string, unknown>[],
  kept: KeptMembers = () => ({}),
  is_new_client = false,
): LineInput[] {
  const isOpen = ({ details }: LineRow) => is_new_client && details?.is_tax_found === true;
  const storedLine = (row: LineRow) => (isOpen(row) ? withOpenTax(asSent(row)) : asSent(row));
  if (sent === undefined) return stored.map((row) => ({ ...storedLine(row), ...kept(row, {}) }));
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
    const said = isOpen(known.row) ? [] : known.row.details?.said;
    const echoed = isDeepStrictEqual(line.options, known.shown.options) ? without(line, 'options') : line;
    const plain = withOptionIds(echoed);
    const told = said === undefined ? plain : withoutUnsaid(plain, said, known.shown);
    const taken = isOpen(known.row) ? {} : takenOfProduct(known.row, told);
    const stored_line = keptOf({ ...storedLine(known.row), ...taken }, told);
    const base = baseOf(stored_line, told);
    return { ...base, ...withoutEcho(known.row, stored_line, base, told), ...kept(known.row, told) };
  });
}

/** Lines of a template that say the same as before keep what they took. Each document finds it anew, an edit does not. */
export function keepTaken(lines: readonly LineInput[], stored: readonly LineRow[]): LineInput[] {
  const byId = new Map(stored.map((row) => [row.id, row]));
  return lines.map((line) => {
    const row = byId.get(line.id ?? '');
    const said = row?.details?.said;
    if (!row || said === undefined || !saysAsBefore(line, asSent(row))) return line;
    return { ...openPart(wholeLine(row)), ...line, stored_said: said };
  });
}
