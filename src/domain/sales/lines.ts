/**
 * Turns a request's lines into lines of any sales document: fills in what they do not say (line-defaults.ts),
 * and checks the tax fields. The caller fetches the rows that lines refer to.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { isValidOn } from '../../kernel/dates.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import { fail } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import type { Steps } from '../../kernel/steps.ts';
import { type Amount, amountLimits, readAmount, sameAmount } from '../money/amount.ts';
import {
  defaultRegimeKey,
  type FiscalFields,
  fiscalRefusal,
  goesWithoutRate,
  isOneStopShop,
  serviceRefusal,
} from '../tax/fiscal-rules.ts';
import { standardSurcharge, surchargePairFits, type TaxKind } from '../tax/spanish-taxes.ts';
import { causeOf } from './line-cause.ts';
import { detailsOf, withDiscountMark, withTaxMark } from './line-details.ts';
import { type LineSale, saleOf } from './line-selection.ts';
import type { LineFacts, LineProduct, LineTax } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import { components_max, packLines, packSize, type RateOf, refusedPacks } from './pack-lines.ts';
import { paperFields } from './paper-line.ts';
import { taxKeys } from './merge-lines.ts';
import { saidBy } from './said-keys.ts';
import { type LineDefaults, lineDefaults } from './line-defaults.ts';
import { unsaidPrice, withKeptPrice } from './line-price.ts';
import { noTax, rateOf, readRate } from './line-rates.ts';
import { invalidInLine, missingInLine, refusedInLine } from './lines.errors.ts';
import type { LineDetails, LineKind, LineRow } from './rows.ts';
import type { TotalsLine } from './totals.ts';

export type DocumentLine = TotalsLine & {
  readonly id: string | undefined;
  readonly description: string;
  readonly product_id: string | null;
  readonly product_name: string | null;
  readonly unit: string | null;
  readonly kind: LineKind;
  /** The line says its kind; otherwise the product does. */
  readonly is_kind_stated: boolean;
  readonly taxes_id: string | null;
  readonly tax_name: string | null;
  readonly exemption_reason_text: string | null;
  /** The line or its tax states the regime key; otherwise it is derived. */
  readonly is_regime_key_stated: boolean;
  /** The line states its surcharge, even as none; otherwise the client decides. */
  readonly is_surcharge_stated: boolean;
  readonly details: LineDetails | null;
  /** The index of the line as sent: an earlier line may have become several. */
  readonly sent_at?: number;
};

/** Of a document. */
export const lines_max = 500;

/** The rate that the line takes, in percent; null for none. @throws what refuses its tax */
export function rateOfLine(
  line: LineInput,
  product: LineProduct | null,
  index: number,
  facts: LineFacts,
): Amount | null {
  const defaults = lineDefaults(line, product, facts);
  const tax = findTax(line, defaults.taxes_id, index, facts);
  return fiscalFields(line, tax, defaults, index, facts).tax_rate;
}

function readDiscount(value: DecimalInput | null): Amount | null {
  return value === null ? null : (readAmount(value, amountLimits.discount_percent) ?? null);
}

/** Its components if the line sells a pack. A supplier's paper keeps its own lines. */
function partsOf(line: LineInput, index: number, facts: LineFacts): readonly LineInput[] {
  if (facts.paper) return [line];
  const ofPart: RateOf = (of, product) => rateOfLine(of, product, index, facts);
  return packLines(line, index, facts, ofPart);
}

/**
 * One step for each line: 500 lines with many options, or packs, take long.
 * @returns undefined when a dry run collected a refusal
 * @throws Problem with `line_index` for the first line at fault
 */
export function* buildLinesInSteps(
  lines: readonly LineInput[],
  facts: LineFacts,
  reasons: Reasons,
): Steps<DocumentLine[] | undefined> {
  let components = 0;
  const built: (DocumentLine[] | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    const parts = reasons.attempt(() => {
      components += packSize(line, facts);
      if (components > components_max) throw refusedPacks(index);
      return partsOf(line, index, facts);
    });
    const of_line: DocumentLine[] = [];
    for (const part of parts ?? []) {
      yield;
      const one = reasons.attempt(() => buildLine(part, index, facts));
      if (!one) break;
      of_line.push(one);
    }
    built.push(of_line.length === parts?.length ? of_line : undefined);
  }
  if (!built.every((of_line) => of_line !== undefined)) return undefined;
  const all = built.flat();
  if (all.length === lines.length) return all;
  const reason = `con los componentes de sus packs pasa de ${lines_max} líneas.`;
  if (all.length > lines_max)
    reasons.refuse(fail(c.business_rule_violation, { param: 'lines', values: { reason } }));
  return built.flatMap((of_line, sent_at) => of_line.map((line) => ({ ...line, sent_at })));
}

function findProduct(line: LineInput, index: number, facts: LineFacts): LineProduct | null {
  if (line.product_id === undefined || line.product_id === null) return null;
  const product = facts.products.get(line.product_id) ?? null;
  if (!product?.is_active && line.product_id !== line.stored_product_id) {
    throw invalidInLine(index, 'product_id', 'El producto no existe o está archivado.');
  }
  return product;
}

/** @returns why a document of that day does not take it; null where it does */
export function taxRefusal(tax: LineTax, on_date: string): string | null {
  if (!tax.is_active) return `el impuesto «${tax.name}» ya no se usa en líneas nuevas (is_active: false).`;
  return isValidOn(tax, on_date) ? null : notInForce(tax, on_date);
}

const notInForce = ({ name }: LineTax, on_date: string) =>
  `el impuesto «${name}» no está en vigor el ${on_date}.`;

/**
 * A stored line may have waited past the last day of its tax. The day on which it was delivered counts as well, and a tax that was
 * archived since still serves.
 * @throws 422 business_rule_violation with `line_index`
 */
export function checkTaxesOfDay(
  lines: readonly Pick<LineRow, 'taxes_id' | 'details'>[],
  { taxes, on_date }: Pick<LineFacts, 'taxes' | 'on_date'>,
): void {
  for (const [index, { taxes_id, details }] of lines.entries()) {
    const tax = taxes.get(taxes_id ?? '');
    const days = [on_date, details?.source?.operation_on ?? on_date];
    if (tax && !days.some((day) => isValidOn(tax, day)))
      throw refusedInLine(index, 'taxes_id', notInForce(tax, on_date));
  }
}

/** @param id of the tax that the line takes */
function findTax(line: LineInput, id: string | null, index: number, facts: LineFacts): LineTax | null {
  if (id === null) return null;
  const tax = facts.taxes.get(id);
  if (!tax && id === line.stored_tax?.id) return null;
  if (!tax) throw invalidInLine(index, 'taxes_id', 'El impuesto no existe.');
  if (tax.kind === 'retention')
    throw invalidInLine(
      index,
      'taxes_id',
      'Una retención no es el impuesto de la línea: envíela en retention_rate.',
    );
  const refusal = id === line.stored_tax?.id ? null : taxRefusal(tax, facts.on_date);
  if (refusal !== null) throw refusedInLine(index, 'taxes_id', refusal);
  if (line.tax_kind !== undefined && line.tax_kind !== tax.kind && id !== line.stored_tax?.id)
    throw refusedInLine(index, 'tax_kind', 'el impuesto de taxes_id es de otra clase.');
  return tax;
}

/** What the line says; undefined where the product has to say it. */
function sentPrice(
  { unit_price: sent }: LineInput,
  index: number,
  product: LineProduct | null,
): Amount | undefined {
  const price = sent === undefined ? undefined : readAmount(sent, amountLimits.unit_price);
  if (!price && (sent !== undefined || !product)) throw missingInLine(index, 'unit_price');
  return price;
}

/** Applies the variant's tax to the line. */
function taxedBy(
  line: LineInput,
  product: LineProduct | null,
  sale: LineSale | null,
  facts: LineFacts,
): { line: LineInput; product: LineProduct | null } {
  if (!sale || !product) return { line, product };
  const own = sale.variant?.taxes_id ?? null;
  const taxes_id = own ?? product.taxes_id;
  const sold = { ...product, taxes_id };
  if (line.has_open_tax && taxes_id !== null && taxes_id !== line.stored_tax?.id) {
    const open = { ...line };
    for (const key of [...taxKeys, 'taxes_id', 'stored_tax'] as const) delete open[key];
    return { line: open, product: sold };
  }
  // A template's line finds unsaid values anew, and nobody looks at the variant then. So it keeps the variant's tax.
  const is_unsaid = line.taxes_id === undefined && line.tax_rate === undefined;
  const is_decided = lineDefaults(line, sold, facts).taxation !== null;
  return facts.is_template && own !== null && is_unsaid && !is_decided
    ? { line: { ...line, taxes_id: own }, product: sold }
    : { line, product: sold };
}

/** Of a line that says none. A paper of a supplier keeps its own, and so does a line that loses its product. */
function unitOf(
  { stored_unit = null }: LineInput,
  sale: LineSale | null,
  product: LineProduct | null,
  is_sold: boolean,
): string | null {
  return is_sold || stored_unit === null ? (sale?.presentation?.unit ?? product?.unit ?? null) : stored_unit;
}

function buildLine(asked: LineInput, index: number, facts: LineFacts): DocumentLine {
  const known = findProduct(asked, index, facts);
  const sale = saleOf(asked, index, known, facts);
  const { line: taxed, product } = facts.paper
    ? { line: asked, product: known && { ...known, taxes_id: null } }
    : taxedBy(asked, known, sale, facts);
  // A product's price is for sales, so a supplier's paper states its own.
  const seller = facts.paper ? null : product;
  const line = seller ? taxed : withKeptPrice(taxed);
  const description = line.description ?? product?.name;
  if (description === undefined || description === '') throw missingInLine(index, 'description');
  const sent = sentPrice(line, index, seller);
  const quantity =
    line.quantity === undefined
      ? { units: 1_000_000n, scale: 6 }
      : readAmount(line.quantity, amountLimits.quantity);
  if (!quantity) throw invalidInLine(index, 'quantity', 'La cantidad no es válida.');
  const defaults = lineDefaults(line, product, facts);
  const { kind } = defaults;
  const tax = findTax(line, defaults.taxes_id, index, facts);
  const named = tax ?? (defaults.taxes_id === null ? null : line.stored_tax);
  const fiscal = facts.paper
    ? paperFields(line, { tax, defaults, paper: facts.paper }, index)
    : fiscalFields(line, tax, defaults, index, facts);
  const own = detailsOf(line, index, sale, facts.expenses);
  const price =
    sent || !product ? null : unsaidPrice({ product, sale, quantity }, fiscal.tax_rate, index, facts);
  const is_discount_said = line.discount_percent !== undefined;
  const listed = is_discount_said ? null : (price?.discount_percent ?? null);
  const discount_percent = listed ?? readDiscount(defaults.discount_percent);
  const priced = is_discount_said ? own : withDiscountMark(own, discount_percent !== null);
  const details = withTaxMark(priced, !facts.paper && !facts.is_template && isTaxFound(line, sale, defaults));
  return {
    id: line.id,
    description,
    product_id: product?.id ?? null,
    product_name: product?.name ?? null,
    quantity,
    unit: line.unit === undefined ? unitOf(line, sale, product, seller !== null) : line.unit,
    kind,
    is_kind_stated: line.kind !== undefined && line.kind !== null,
    unit_price: sent ?? price!.unit_price,
    discount_percent,
    taxes_id: named?.id ?? null,
    tax_name: named?.name ?? null,
    retention_rate: readRate(defaults.retention_rate),
    exemption_reason_text: line.exemption_reason_text ?? null,
    is_surcharge_stated: line.surcharge_rate !== undefined,
    ...withDetails(
      facts.is_template
        ? {
            ...details,
            // The line keeps its price, so it keeps its discount too.
            said: line.stored_said ?? saidBy(listed ? { ...line, discount_percent: 0 } : line),
          }
        : details,
    ),
    ...fiscal,
  };
}

/**
 * Whether the line's tax is found, now or when it was stored. A regime also decides for a line that sent the rate 0. A
 * variant's tax is not found anew.
 */
function isTaxFound(line: LineInput, sale: LineSale | null, { taxation }: LineDefaults): boolean {
  if (sale?.variant?.taxes_id) return false;
  const { taxes_id, tax_rate = null, qualification, exemption_reason, regime_key } = line;
  const is_unsaid = [taxes_id, qualification, exemption_reason, regime_key].every((key) => key === undefined);
  if (is_unsaid && tax_rate === null) return true;
  return taxation !== null || (!is_unsaid && line.stored_details?.is_tax_found === true);
}

function withDetails(
  details: LineDetails | null,
): Pick<DocumentLine, 'details' | 'price_includes_tax' | 'rounded_with'> {
  const { price_includes_tax, rounded_with } = details ?? {};
  return {
    details,
    ...(price_includes_tax ? { price_includes_tax } : {}),
    ...(rounded_with === undefined ? {} : { rounded_with }),
  };
}

function fiscalFields(
  line: LineInput,
  tax: LineTax | null,
  defaults: LineDefaults,
  index: number,
  facts: LineFacts,
): FiscalFields & { is_regime_key_stated: boolean } {
  const { kind, taxation, default_kind } = defaults;
  const { qualification, exemption_reason } = causeOf(line, taxation ?? tax);
  const is_found = taxation !== null || saysNoRate(line, { qualification, exemption_reason });
  const tax_kind = (line.tax_kind ?? tax?.kind ?? (is_found ? default_kind : 'vat')) as TaxKind;
  const own_key = (line.regime_key === undefined ? tax?.regime_key : line.regime_key) ?? null;
  const regime_key = own_key ?? defaultRegimeKey(tax_kind, exemption_reason);
  const tax_rate = rateFor(line, tax, { tax_kind, qualification, exemption_reason }, index, defaults);
  const takes_surcharge =
    facts.is_surcharge_subject &&
    kind === 'good' &&
    tax_kind === 'vat' &&
    qualification === 'S1' &&
    !isOneStopShop({ tax_kind, regime_key });
  const surcharge_rate = surchargeOf(line, tax, takes_surcharge ? tax_rate : null, facts);
  const fields: FiscalFields = {
    tax_kind,
    tax_rate,
    surcharge_rate,
    qualification,
    exemption_reason,
    regime_key,
  };
  const refusal =
    (kind === 'service' ? serviceRefusal(fields) : undefined) ?? fiscalRefusal(fields, facts.on_date);
  if (refusal) {
    const is_of_default = is_found && taxation === null && tax_rate !== null && tax_kind === 'vat' && !tax;
    throw refusedInLine(
      index,
      refusal.field,
      `${refusal.reason}${is_of_default && refusal.field === 'tax_rate' ? defaultRateHint : ''}`,
    );
  }
  return { ...fields, is_regime_key_stated: own_key !== null };
}

/** After the reason that a rate is not one of VAT, where the line did not say it. */
const defaultRateHint =
  ' Es el habitual del cliente o el de la empresa: si es de IGIC o IPSI, póngalo en default_vat.tax_kind de la empresa.';

/** Then the company's default says of which tax the line is. Many people send 0 for no rate. */
function saysNoRate(line: LineInput, cause: Pick<FiscalFields, 'qualification' | 'exemption_reason'>) {
  const rate = readRate(line.tax_rate);
  return rate === null || (rate.units === 0n && (goesWithoutRate(cause) || cause.qualification === 'S2'));
}

/** The rate sent, else the only possible one, else the tax's, else the default of client or company. */
function rateFor(
  line: LineInput,
  tax: LineTax | null,
  fields: Pick<FiscalFields, 'tax_kind' | 'qualification' | 'exemption_reason'>,
  index: number,
  { vat_rate, default_kind }: LineDefaults,
): Amount | null {
  const sent = readRate(line.tax_rate);
  // Many people send 0 for no rate.
  if (goesWithoutRate(fields)) return sent?.units ? sent : null;
  if (sent !== null) return sent;
  if (fields.qualification === 'S2') return noTax;
  const rate = rateOf(tax?.rate ?? null) ?? (fields.tax_kind === default_kind ? rateOf(vat_rate) : null);
  if (rate === null) throw missingInLine(index, 'tax_rate');
  return rate;
}

/**
 * The surcharge sent, else the one charged to a client subject to it. 0 is none.
 * @param charged_rate the line's rate if such a client is charged on it, else null
 */
function surchargeOf(
  line: LineInput,
  tax: LineTax | null,
  charged_rate: Amount | null,
  facts: LineFacts,
): Amount | null {
  const wanted =
    line.surcharge_rate === undefined
      ? charged_rate && chargedSurcharge(line, tax, charged_rate, facts)
      : readRate(line.surcharge_rate);
  return wanted === null || wanted.units === 0n ? null : wanted;
}

/** The stored surcharge while allowed, else the tax's at that rate, else the general one. */
function chargedSurcharge(
  line: LineInput,
  tax: LineTax | null,
  rate: Amount,
  { on_date }: LineFacts,
): Amount | null {
  const stored = readRate(line.stored_surcharge_rate);
  if (stored !== null && surchargePairFits('vat', rate, stored, on_date)) return stored;
  const tax_rate = rateOf(tax?.rate ?? null);
  const of_tax = tax_rate !== null && sameAmount(tax_rate, rate) ? rateOf(tax?.surcharge_rate ?? null) : null;
  return of_tax ?? standardSurcharge(rate, on_date);
}
