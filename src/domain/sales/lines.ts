/**
 * Turns a request's lines into lines of any sales document: fills in defaults of product, tax and company,
 * and checks the tax fields. The caller fetches the rows that lines refer to.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { isAtLeast } from '../../kernel/versions.ts';
import { type Amount, amountLimits, parseAmount, readAmount, sameAmount } from '../money/amount.ts';
import { trimZeros } from '../money/printed.ts';
import {
  defaultRegimeKey,
  type FiscalFields,
  fiscalRefusal,
  goesWithoutRate,
  isOneStopShop,
} from '../tax/fiscal-rules.ts';
import type { Qualification } from '../tax/record-codes.ts';
import { standardSurcharge, surchargePairFits, type TaxKind } from '../tax/spanish-taxes.ts';
import type { TotalsLine } from './totals.ts';

export type LineInput = {
  id?: string;
  description?: string | null;
  product_id?: string | null;
  quantity?: DecimalInput;
  unit?: string | null;
  unit_price?: DecimalInput;
  discount_percent?: DecimalInput | null;
  taxes_id?: string | null;
  tax_rate?: DecimalInput | null;
  tax_kind?: TaxKind;
  retention_rate?: DecimalInput | null;
  surcharge_rate?: DecimalInput | null;
  qualification?: Qualification | null;
  exemption_reason?: string | null;
  exemption_reason_text?: string | null;
  regime_key?: string | null;
  /**
   * References of a stored line; never on the wire. Not checked again: they may have been archived or deleted
   * since. A line whose tax or product is gone loses the reference and keeps what it took.
   */
  stored_taxes_id?: string;
  stored_product_id?: string;
  /** A stored line's surcharge that depends on its client and goes with it; never on the wire. */
  stored_surcharge_rate?: DecimalInput | null;
};

export type LineProduct = {
  id: string;
  name: string;
  unit: string | null;
  unit_price: string;
  taxes_id: string | null;
  is_active: boolean;
};

export type LineTax = {
  id: string;
  name: string;
  kind: string;
  rate: string | null;
  surcharge_rate: string | null;
  qualification: string | null;
  exemption_reason: string | null;
  regime_key: string | null;
  valid_from: string | null;
  valid_to: string | null;
  is_active: boolean;
};

export type LineFacts = {
  products: ReadonlyMap<string, LineProduct>;
  taxes: ReadonlyMap<string, LineTax>;
  /** For this kind of document, as exact text. */
  default_vat: string | null;
  is_surcharge_subject: boolean;
  /** The day of the operation, else of the issue: its rates apply. */
  on_date: string;
  version: string;
};

export type DocumentLine = TotalsLine & {
  readonly id: string | undefined;
  readonly description: string;
  readonly product_id: string | null;
  readonly product_name: string | null;
  readonly unit: string | null;
  readonly taxes_id: string | null;
  readonly tax_name: string | null;
  readonly exemption_reason_text: string | null;
  /** The line or its tax states the regime key; otherwise it is derived. */
  readonly is_regime_key_stated: boolean;
  /** The line states its surcharge, even as none; otherwise the client decides. */
  readonly is_surcharge_stated: boolean;
};

function lineProblem(index: number, field: string, message: string, rule = true): Problem {
  const param = `lines.${index}.${field}`;
  return rule
    ? fail(c.business_rule_violation, { param, line_index: index, values: { reason: message } })
    : fail(c.parameter_invalid, {
        param,
        line_index: index,
        errors: [{ param, code: 'parameter_invalid', message }],
      });
}

function readRate(value: DecimalInput | null | undefined): Amount | null {
  return value === null || value === undefined ? null : (readAmount(value, amountLimits.rate) ?? null);
}

function rateOf(text: string | null): Amount | null {
  return text === null ? null : (parseAmount(trimZeros(text), amountLimits.rate) ?? null);
}

/**
 * @returns undefined when a dry run collected a refusal
 * @throws Problem with `line_index` for the first line at fault
 */
export function buildLines(
  lines: readonly LineInput[],
  facts: LineFacts,
  reasons = new Reasons(),
): DocumentLine[] | undefined {
  const built = lines.map((line, index) => reasons.attempt(() => buildLine(line, index, facts)));
  return built.every((line) => line !== undefined) ? built : undefined;
}

function findProduct(line: LineInput, index: number, facts: LineFacts): LineProduct | null {
  if (line.product_id === undefined || line.product_id === null) return null;
  const product = facts.products.get(line.product_id) ?? null;
  if (!product?.is_active && line.product_id !== line.stored_product_id) {
    throw lineProblem(index, 'product_id', 'El producto no existe o está archivado.', false);
  }
  return product;
}

function isInForce(tax: LineTax, on_date: string): boolean {
  const { is_active, valid_from, valid_to } = tax;
  return (
    is_active && (valid_from === null || valid_from <= on_date) && (valid_to === null || on_date <= valid_to)
  );
}

function findTax(
  line: LineInput,
  product: LineProduct | null,
  index: number,
  facts: LineFacts,
): LineTax | null {
  const has_own_rate = line.tax_rate !== undefined && line.tax_rate !== null;
  const id = line.taxes_id ?? (line.taxes_id === null || has_own_rate ? null : (product?.taxes_id ?? null));
  if (id === null) return null;
  const tax = facts.taxes.get(id);
  if (!tax && id === line.stored_taxes_id) return null;
  if (!tax) throw lineProblem(index, 'taxes_id', 'El impuesto no existe.', false);
  if (tax.kind === 'retention')
    throw lineProblem(
      index,
      'taxes_id',
      'Una retención no es el impuesto de la línea: envíela en retention_rate.',
      false,
    );
  if (id !== line.stored_taxes_id && !isInForce(tax, facts.on_date)) {
    throw lineProblem(index, 'taxes_id', `el impuesto «${tax.name}» no está en vigor el ${facts.on_date}.`);
  }
  if (line.tax_kind === undefined || line.tax_kind === tax.kind || id === line.stored_taxes_id) return tax;
  if (line.taxes_id) throw lineProblem(index, 'tax_kind', 'el impuesto de taxes_id es de otra clase.');
  return null;
}

function buildLine(line: LineInput, index: number, facts: LineFacts): DocumentLine {
  const product = findProduct(line, index, facts);
  const description = line.description ?? product?.name;
  if (description === undefined || description === '') throw missing(index, 'description');
  const unit_price =
    line.unit_price === undefined
      ? product && parseAmount(trimZeros(product.unit_price), amountLimits.unit_price)
      : readAmount(line.unit_price, amountLimits.unit_price);
  if (!unit_price) throw missing(index, 'unit_price');
  const quantity =
    line.quantity === undefined
      ? { units: 1_000_000n, scale: 6 }
      : readAmount(line.quantity, amountLimits.quantity);
  if (!quantity) throw lineProblem(index, 'quantity', 'La cantidad no es válida.', false);
  const discount =
    line.discount_percent === undefined || line.discount_percent === null
      ? null
      : (readAmount(line.discount_percent, amountLimits.discount_percent) ?? null);

  const tax = findTax(line, product, index, facts);
  const fiscal = fiscalFields(line, tax, index, facts);
  return {
    id: line.id,
    description,
    product_id: product?.id ?? null,
    product_name: product?.name ?? null,
    quantity,
    unit: line.unit === undefined ? (product?.unit ?? null) : line.unit,
    unit_price,
    discount_percent: discount,
    taxes_id: tax?.id ?? null,
    tax_name: tax?.name ?? null,
    retention_rate: readRate(line.retention_rate),
    exemption_reason_text: line.exemption_reason_text ?? null,
    is_surcharge_stated: line.surcharge_rate !== undefined,
    ...fiscal,
  };
}

function missing(index: number, field: string): Problem {
  return fail(c.missing_required_param, { param: `lines.${index}.${field}`, line_index: index });
}

const no_tax: Amount = { units: 0n, scale: 0 };

/** A line's own qualification or exemption replaces both of its tax's; null takes neither. */
function fiscalFields(
  line: LineInput,
  tax: LineTax | null,
  index: number,
  facts: LineFacts,
): FiscalFields & { is_regime_key_stated: boolean } {
  const tax_kind = line.tax_kind ?? ((tax?.kind ?? 'vat') as TaxKind);
  const exemption_reason =
    line.exemption_reason === undefined && !line.qualification
      ? (tax?.exemption_reason ?? null)
      : (line.exemption_reason ?? null);
  const stated =
    line.qualification === undefined && !line.exemption_reason
      ? (tax?.qualification ?? null)
      : (line.qualification ?? null);
  const qualification = (stated as Qualification | null) ?? (exemption_reason === null ? 'S1' : null);
  const own_key = (line.regime_key === undefined ? tax?.regime_key : line.regime_key) ?? null;
  const regime_key = own_key ?? defaultRegimeKey(tax_kind, exemption_reason);
  const tax_rate = rateFor(line, tax, { tax_kind, qualification, exemption_reason }, index, facts);
  const takes_surcharge =
    facts.is_surcharge_subject &&
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
  const refusal = fiscalRefusal(fields, facts.on_date);
  if (refusal) throw lineProblem(index, refusal.field, refusal.reason);
  return { ...fields, is_regime_key_stated: own_key !== null };
}

/** The rate sent, else the only possible one, else the tax's, else the company's default. */
function rateFor(
  line: LineInput,
  tax: LineTax | null,
  fields: Pick<FiscalFields, 'tax_kind' | 'qualification' | 'exemption_reason'>,
  index: number,
  facts: LineFacts,
): Amount | null {
  const sent = readRate(line.tax_rate);
  // Many people send 0 for no rate.
  if (goesWithoutRate(fields)) return sent?.units ? sent : null;
  if (sent !== null) return sent;
  if (fields.qualification === 'S2') return no_tax;
  return rateOf(tax?.rate ?? null) ?? defaultRate(fields.tax_kind, index, facts);
}

/** The company's default is a VAT rate. Before version 2026-10-01 a line without a tax is refused. */
function defaultRate(tax_kind: TaxKind, index: number, facts: LineFacts): Amount {
  const rate =
    tax_kind === 'vat' && isAtLeast(facts.version, '2026-10-01') ? rateOf(facts.default_vat) : null;
  if (rate === null) throw missing(index, 'tax_rate');
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
