/**
 * Fills in what a line does not say: from its product, else the client, else the company. The client's regime decides
 * how it is taxed, unless the line says so or would take a tax that is more than a rate.
 */
import { type DecimalInput, numberText } from '../../kernel/json.ts';
import { isAtLeast } from '../../kernel/versions.ts';
import { goesWithoutRate } from '../tax/fiscal-rules.ts';
import type { ExemptionReason, Qualification } from '../tax/record-codes.ts';
import type { DefaultTaxKind } from './default-tax.ts';
import type { OperationRegime } from './line-client.ts';
import type { LineFacts, LineProduct, LineTax } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import type { LineKind } from './rows.ts';

/** Its regime key is the general one, or 02 for exports. */
export type Taxation = {
  readonly qualification: Qualification | null;
  readonly exemption_reason: ExemptionReason | null;
};

const exempt = (exemption_reason: ExemptionReason): Taxation => ({ qualification: null, exemption_reason });
const qualified = (qualification: Qualification): Taxation => ({ qualification, exemption_reason: null });
const both = (taxation: Taxation) => ({ good: taxation, service: taxation });

/** A regime that is not listed decides nothing. */
const taxations: Partial<Record<OperationRegime, Readonly<Record<LineKind, Taxation>>>> = {
  // LIVA, art. 25; services to a business are taxed where it is (art. 69.1.1).
  intra_community: { good: exempt('E5'), service: qualified('N2') },
  // LIVA, arts. 21 and 69.
  export: { good: exempt('E2'), service: qualified('N2') },
  // A client does not say which article exempts it, so none is named.
  exempt: both(exempt('E6')),
  // LIVA, art. 84.1.2.
  reverse_charge: both(qualified('S2')),
};

/** Seen from the Canary Islands, Ceuta and Melilla, all other places are abroad (Ley 20/1991, art. 11; Ley 8/1991, art. 8). */
const taxationsOutsideVat: typeof taxations = {
  ...taxations,
  intra_community: { good: exempt('E2'), service: qualified('N2') },
};

const taxationsOf: Readonly<Record<DefaultTaxKind, typeof taxations>> = {
  vat: taxations,
  // E6 of IGIC is a law of its own.
  igic: { ...taxationsOutsideVat, exempt: both(exempt('E8')) },
  ipsi: taxationsOutsideVat,
};

export type LineDefaults = {
  kind: LineKind;
  /** Of the tax that the line takes. */
  taxes_id: string | null;
  /** In place of a tax. */
  taxation: Taxation | null;
  /** For a line of `default_kind` without another rate. */
  vat_rate: string | null;
  default_kind: DefaultTaxKind;
  retention_rate: DecimalInput | null;
  discount_percent: DecimalInput | null;
};

export function lineDefaults(line: LineInput, product: LineProduct | null, facts: LineFacts): LineDefaults {
  const { client = null } = facts;
  const kind = line.kind ?? product?.kind ?? line.stored_kind ?? 'good';
  const said = <T>(value: T | undefined, fallback: T | null | undefined) =>
    value === undefined ? (fallback ?? null) : value;
  return {
    kind,
    ...taxOf(line, product, kind, facts),
    vat_rate: takesRates(line, facts) ? vatRate(facts) : null,
    default_kind: facts.default_tax_kind ?? 'vat',
    retention_rate: said(line.retention_rate, client?.retention_rate),
    discount_percent: said(line.discount_percent, client?.discount_percent),
  };
}

function vatRate({ client, default_vat }: LineFacts): string | null {
  const rate = client?.vat_rate ?? null;
  return rate === null ? default_vat : numberText(rate);
}

/** Before version 2026-10-01 a caller's line without a tax is refused. */
function takesRates({ is_found_anew }: LineInput, { version }: LineFacts): boolean {
  return is_found_anew === true || isAtLeast(version, '2026-10-01');
}

function taxOf(
  line: LineInput,
  product: LineProduct | null,
  kind: LineKind,
  facts: LineFacts,
): Pick<LineDefaults, 'taxes_id' | 'taxation'> {
  const taxes_id = line.taxes_id === undefined ? unsaidTax(line, product, facts) : line.taxes_id;
  const taxation = regimeOf(line, taxes_id, kind, facts);
  if (taxation === null) return { taxes_id, taxation };
  const own = facts.client?.taxes_id ?? null;
  const names_cause = facts.client?.regime === 'exempt' && taxFound(own, facts)?.exemption_reason;
  return names_cause ? { taxes_id: own, taxation: null } : { taxes_id: null, taxation };
}

function taxFound(id: string | null, { taxes }: LineFacts): LineTax | undefined {
  return id === null ? undefined : taxes.get(id);
}

/** The product's tax, else the client's, if it is of the line's kind. A rate replaces it. */
function unsaidTax(line: LineInput, product: LineProduct | null, facts: LineFacts): string | null {
  const own = takesRates(line, facts) ? (facts.client?.taxes_id ?? null) : null;
  const fits = (id: string | null) => {
    const tax = taxFound(id, facts);
    return id !== null && (!tax || line.tax_kind === undefined || line.tax_kind === tax.kind);
  };
  const id = [product?.taxes_id ?? null, own].find(fits) ?? null;
  const tax = taxFound(id, facts);
  const is_replaced = hasRate(line) && !(isZero(line) && tax && isWithoutTax(tax));
  return is_replaced ? null : id;
}

const hasRate = ({ tax_rate }: LineInput) => tax_rate !== undefined && tax_rate !== null;
/** Many people send 0 for no rate. */
const isZero = ({ tax_rate }: LineInput) => Number(numberText(tax_rate ?? 0)) === 0;
const isWithoutTax = (tax: LineTax) => tax.qualification === 'S2' || goesWithoutRate(tax);

/** General, of exports, or of the cash basis, which leaves these operations out (LIVA, art. 163 duodecies). */
const ordinaryKeys: ReadonlySet<string | null | undefined> = new Set([undefined, null, '01', '02', '07']);

function regimeOf(
  line: LineInput,
  taxes_id: string | null,
  kind: LineKind,
  facts: LineFacts,
): Taxation | null {
  const regime = facts.client?.regime;
  const tax = taxFound(taxes_id, facts);
  const { default_tax_kind = 'vat' } = facts;
  const tax_kind = line.tax_kind ?? tax?.kind ?? default_tax_kind;
  // A tax of IGIC or IPSI says by itself how the line is taxed.
  const is_decided = tax_kind === 'vat' || (!tax && tax_kind === default_tax_kind);
  const taxation = regime && is_decided ? taxationsOf[tax_kind as DefaultTaxKind][regime]?.[kind] : undefined;
  const says_so =
    Boolean(line.taxes_id) ||
    line.qualification !== undefined ||
    line.exemption_reason !== undefined ||
    !isZero(line) ||
    !ordinaryKeys.has(line.regime_key);
  const is_more_than_rate = tax && (isWithoutTax(tax) || !ordinaryKeys.has(tax.regime_key));
  return taxation && !says_so && !is_more_than_rate ? taxation : null;
}
