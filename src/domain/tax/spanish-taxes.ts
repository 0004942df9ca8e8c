/**
 * VAT rates and equivalence surcharges that the authority admits (codes 1124, 1160-1170, 1194, 1235-1236),
 * and a new company's taxes. Periods include both days; null is no limit. The day is that of the operation,
 * else of the issue. The authority checks no rates of IGIC and IPSI, so none are listed.
 */
import { type Amount, amountText, parseAmount, sameAmount } from '../money/amount.ts';
import { type ExemptionReason, exemptionReasons } from './record-codes.ts';

export const taxKinds = ['vat', 'igic', 'ipsi', 'other'] as const;
export type TaxKind = (typeof taxKinds)[number];

/** What a supplier may charge besides: tax of another state, and the compensation of the farmers' regime (LIVA, art. 130). */
export const purchaseTaxKinds = [...taxKinds, 'foreign_vat', 'compensation'] as const;
export type PurchaseTaxKind = (typeof purchaseTaxKinds)[number];

type Period = { readonly valid_from: string | null; readonly valid_to: string | null };
type RatePeriod = Period & { readonly rate: string };
type PairPeriod = RatePeriod & { readonly surcharge_rate: string };

export const vatRates: readonly RatePeriod[] = [
  { rate: '21', valid_from: null, valid_to: null },
  { rate: '10', valid_from: null, valid_to: null },
  { rate: '4', valid_from: null, valid_to: null },
  { rate: '0', valid_from: null, valid_to: null },
  { rate: '5', valid_from: '2022-07-01', valid_to: '2024-09-30' },
  { rate: '7.5', valid_from: '2024-10-01', valid_to: '2024-12-31' },
  { rate: '2', valid_from: '2024-10-01', valid_to: '2024-12-31' },
];

/** 1.75 is for tobacco. Rate 0 has 0.26 by code 1170 alone. */
export const surchargePairs: readonly PairPeriod[] = [
  { rate: '21', surcharge_rate: '5.2', valid_from: null, valid_to: null },
  { rate: '21', surcharge_rate: '1.75', valid_from: null, valid_to: null },
  { rate: '10', surcharge_rate: '1.4', valid_from: null, valid_to: null },
  { rate: '4', surcharge_rate: '0.5', valid_from: null, valid_to: null },
  { rate: '5', surcharge_rate: '0.5', valid_from: '2022-07-01', valid_to: '2022-12-31' },
  { rate: '5', surcharge_rate: '0.62', valid_from: '2023-01-01', valid_to: '2024-09-30' },
  { rate: '7.5', surcharge_rate: '1', valid_from: '2024-10-01', valid_to: '2024-12-31' },
  { rate: '2', surcharge_rate: '0.26', valid_from: '2024-10-01', valid_to: '2024-12-31' },
  { rate: '0', surcharge_rate: '0', valid_from: '2023-01-01', valid_to: '2024-09-30' },
  { rate: '0', surcharge_rate: '0.26', valid_from: '2024-10-01', valid_to: null },
];

function exact(text: string): Amount {
  const amount = parseAmount(text, { decimals: 2 });
  if (!amount) throw new RangeError(`not a rate: ${text}`);
  return amount;
}

const rates = vatRates.map((entry) => ({ ...entry, rate: exact(entry.rate) }));
const pairs = surchargePairs.map((entry) => ({
  ...entry,
  rate: exact(entry.rate),
  surcharge_rate: exact(entry.surcharge_rate),
}));

function covers(period: Period, on_date: string): boolean {
  if (period.valid_from !== null && on_date < period.valid_from) return false;
  return period.valid_to === null || on_date <= period.valid_to;
}

/** Whether Spanish VAT has had the rate on any day of the list. */
export function isVatRate(rate: Amount): boolean {
  return rates.some((entry) => sameAmount(entry.rate, rate));
}

/** Those of Spanish VAT on the day (YYYY-MM-DD), the highest first. */
export function vatRatesOn(on_date: string): Amount[] {
  const of_day = rates.filter((entry) => covers(entry, on_date)).map(({ rate }) => rate);
  return of_day.sort((a, b) => Number(amountText(b)) - Number(amountText(a)));
}

/** Whether a subject operation may carry the rate on the day (YYYY-MM-DD). Only VAT has a list. */
export function taxRateFits(tax_kind: TaxKind, rate: Amount, on_date: string): boolean {
  if (tax_kind !== 'vat') return true;
  return rates.some((entry) => sameAmount(entry.rate, rate) && covers(entry, on_date));
}

/**
 * None and 0 fit any rate, because totals and record treat 0 as none. Any other surcharge needs VAT and a
 * rate.
 */
export function surchargePairFits(
  tax_kind: TaxKind,
  rate: Amount | null,
  surcharge_rate: Amount | null,
  on_date: string,
): boolean {
  if (surcharge_rate === null || surcharge_rate.units === 0n) return true;
  if (tax_kind !== 'vat' || rate === null) return false;
  return pairs.some(
    (pair) =>
      sameAmount(pair.rate, rate) && sameAmount(pair.surcharge_rate, surcharge_rate) && covers(pair, on_date),
  );
}

/** The general surcharge of a VAT rate, never that of tobacco. */
export function standardSurcharge(rate: Amount, on_date: string): Amount | null {
  const pair = pairs.find((entry) => sameAmount(entry.rate, rate) && covers(entry, on_date));
  return pair === undefined || rate.units === 0n ? null : pair.surcharge_rate;
}

/** Percentages are exact decimal texts. An exempt tax has its cause and no rate. */
export type DefaultTax = {
  readonly name: string;
  readonly kind: TaxKind | 'retention';
  readonly rate: string | null;
  readonly surcharge_rate: string | null;
  readonly exemption_reason: ExemptionReason | null;
};

function vat(rate: string, name: string, surcharge_rate: string | null): DefaultTax {
  return { name, kind: 'vat', rate, surcharge_rate, exemption_reason: null };
}

function exempt(exemption_reason: ExemptionReason): DefaultTax {
  const { short_name } = exemptionReasons[exemption_reason];
  return { name: `Exenta (${short_name})`, kind: 'vat', rate: null, surcharge_rate: null, exemption_reason };
}

function retention(rate: string, name: string): DefaultTax {
  return { name, kind: 'retention', rate, surcharge_rate: null, exemption_reason: null };
}

export const defaultTaxes: readonly DefaultTax[] = [
  vat('21', 'IVA 21 %', '5.2'),
  vat('10', 'IVA 10 %', '1.4'),
  vat('4', 'IVA 4 %', '0.5'),
  vat('0', 'IVA 0 %', null),
  exempt('E1'),
  exempt('E2'),
  exempt('E3'),
  exempt('E4'),
  exempt('E5'),
  exempt('E6'),
  retention('15', 'IRPF 15 % (profesionales)'),
  retention('7', 'IRPF 7 % (inicio de actividad)'),
  retention('19', 'IRPF 19 % (alquiler de inmuebles urbanos)'),
];
