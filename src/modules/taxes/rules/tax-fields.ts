/**
 * What the fields of a tax may be together: the authority's codes admit only some pairs (Orden HAC/1177/2024,
 * lists L8A, L8B, L9 and L10). Whether a rate may be used on the day of an operation is asked of each document.
 */
import { readAmount } from '../../../domain/money/amount.ts';
import { exemptionFits, regimeKeyFits } from '../../../domain/tax/record-codes.ts';
import { surchargePairFits } from '../../../domain/tax/spanish-taxes.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalid, missing } from '../../../kernel/resource-input.ts';
import type { TaxFields, TaxInput } from '../taxes.schema.ts';

/** A tax before anything is said of it. */
export const blankTax: Omit<TaxFields, 'name' | 'kind'> = {
  rate: null,
  surcharge_rate: null,
  qualification: null,
  exemption_reason: null,
  regime_key: null,
  valid_from: null,
  valid_to: null,
  external_reference: null,
  is_active: true,
  metadata: {},
};

/** The fields whose rules are asked again when one of them changes. */
export const fiscalFields: readonly (keyof TaxFields)[] = [
  'kind',
  'rate',
  'surcharge_rate',
  'qualification',
  'exemption_reason',
  'regime_key',
  'valid_from',
  'valid_to',
];

const percent = (value: DecimalInput | null): number | null =>
  value === null ? null : Number(numberText(value));

/**
 * The fields after an input: absent keys stay, null clears. A rate of 0 with an exemption or on an operation
 * that is not subject is how many people say "none", and is kept as none, because the record carries no rate.
 */
export function applyTaxInput(current: TaxFields, input: TaxInput): TaxFields {
  const { rate, surcharge_rate, is_active, metadata, ...rest } = input;
  const next: TaxFields = { ...current, ...rest };
  if (rate !== undefined) next.rate = percent(rate);
  if (surcharge_rate !== undefined) next.surcharge_rate = percent(surcharge_rate);
  if (is_active !== undefined) next.is_active = is_active ?? blankTax.is_active;
  if (metadata !== undefined) next.metadata = metadata ?? {};
  if (next.rate === 0 && goesWithoutRate(next)) next.rate = null;
  return next;
}

function isNotSubject(tax: TaxFields): boolean {
  return tax.qualification === 'N1' || tax.qualification === 'N2';
}

function goesWithoutRate(tax: TaxFields): boolean {
  return tax.exemption_reason !== null || isNotSubject(tax);
}

/**
 * What is wrong with the fields of a tax, first of all what its kind does not have.
 * @param today the day (YYYY-MM-DD) that a surcharge must be in force on when the tax itself has no dates
 */
export function taxIssues(tax: TaxFields, today: string): FieldIssue[] {
  const issues = tax.kind === 'retention' ? retentionIssues(tax) : chargedTaxIssues(tax, tax.kind, today);
  if (tax.valid_from !== null && tax.valid_to !== null && tax.valid_to < tax.valid_from) {
    issues.push(invalid('valid_to', 'No puede ser anterior a valid_from.'));
  }
  return issues;
}

function retentionIssues(tax: TaxFields): FieldIssue[] {
  const foreign = ['surcharge_rate', 'qualification', 'exemption_reason', 'regime_key'] as const;
  const issues = foreign
    .filter((name) => tax[name] !== null)
    .map((name) => invalid(name, 'Una retención no lleva este dato.'));
  if (tax.rate === null) issues.push(missing('rate', 'Una retención necesita su porcentaje.'));
  return issues;
}

function chargedTaxIssues(
  tax: TaxFields,
  kind: Exclude<TaxFields['kind'], 'retention'>,
  today: string,
): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const { exemption_reason, qualification, rate, surcharge_rate, regime_key } = tax;
  if (exemption_reason !== null && !exemptionFits(kind, exemption_reason)) {
    issues.push(invalid('exemption_reason', 'Esta causa de exención no existe en este impuesto.'));
  }
  if (exemption_reason !== null && qualification !== null) {
    issues.push(invalid('qualification', 'Una operación exenta lleva su causa de exención en su lugar.'));
  }
  if (goesWithoutRate(tax)) {
    if (rate !== null) issues.push(invalid('rate', 'Una operación exenta o no sujeta no lleva porcentaje.'));
  } else if (rate === null) {
    issues.push(missing('rate', 'Falta el porcentaje, o la causa de exención o de no sujeción.'));
  } else if (qualification === 'S2' && rate !== 0) {
    issues.push(invalid('rate', 'Con inversión del sujeto pasivo (S2) el porcentaje es 0.'));
  }
  if (surcharge_rate !== null && !surchargeFits(tax, kind, today)) {
    issues.push(invalid('surcharge_rate', 'Este recargo no corresponde a este porcentaje de IVA.'));
  }
  if (regime_key !== null && !regimeKeyFits(kind, regime_key)) {
    issues.push(invalid('regime_key', 'Esta clave de régimen no existe en este impuesto.'));
  }
  return issues;
}

/** Surcharges changed with the years: the one of a past or future tax is that of its first day in force. */
function surchargeFits(
  tax: TaxFields,
  kind: Exclude<TaxFields['kind'], 'retention'>,
  today: string,
): boolean {
  const { valid_from, valid_to } = tax;
  const on = valid_from ?? (valid_to !== null && valid_to < today ? valid_to : today);
  const amount = (value: number | null) =>
    value === null ? null : (readAmount(value, { decimals: 2 }) ?? null);
  return surchargePairFits(kind, amount(tax.rate), amount(tax.surcharge_rate), on);
}
