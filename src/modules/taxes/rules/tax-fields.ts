/**
 * The rules of lines (domain/tax/fiscal-rules.ts): no tax is stored that every line would be refused with.
 * Each document checks whether the rate is in force on its day.
 */
import { amountLimits, readAmount } from '../../../domain/money/amount.ts';
import {
  defaultRegimeKey,
  type FiscalFields,
  goesWithoutRate,
  taxRefusals,
} from '../../../domain/tax/fiscal-rules.ts';
import type { Qualification } from '../../../domain/tax/record-codes.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, missingField } from '../../../kernel/resource-input.ts';
import type { TaxFields, TaxInput } from '../taxes.schema.ts';

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

/** A change of one of these fields checks the rules again. */
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
 * Absent keys stay, null clears. Many people send 0 for exempt or not subject operations: it is stored as
 * none, because the record then carries no rate.
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

/**
 * Fields that the kind does not have come first.
 * @param today (YYYY-MM-DD) the day that a surcharge must be in force when the tax has no dates
 */
export function taxIssues(tax: TaxFields, today: string): FieldIssue[] {
  const issues = tax.kind === 'retention' ? retentionIssues(tax) : chargedTaxIssues(tax, tax.kind, today);
  if (tax.valid_from !== null && tax.valid_to !== null && tax.valid_to < tax.valid_from) {
    issues.push(invalidField('valid_to', 'No puede ser anterior a valid_from.'));
  }
  return issues;
}

function retentionIssues(tax: TaxFields): FieldIssue[] {
  const foreign = ['surcharge_rate', 'qualification', 'exemption_reason', 'regime_key'] as const;
  const issues = foreign
    .filter((name) => tax[name] !== null)
    .map((name) => invalidField(name, 'Una retención no lleva este dato.'));
  if (tax.rate === null) issues.push(missingField('rate', 'Una retención necesita su porcentaje.'));
  return issues;
}

/** Checks a line that takes everything from the tax. A missing key is derived. */
function chargedTaxIssues(
  tax: TaxFields,
  kind: Exclude<TaxFields['kind'], 'retention'>,
  today: string,
): FieldIssue[] {
  const { exemption_reason } = tax;
  const amount = (value: number | null) =>
    value === null ? null : (readAmount(value, amountLimits.rate) ?? null);
  const fields: FiscalFields = {
    tax_kind: kind,
    regime_key: tax.regime_key ?? defaultRegimeKey(kind, exemption_reason),
    qualification: (tax.qualification as Qualification | null) ?? (exemption_reason === null ? 'S1' : null),
    exemption_reason,
    tax_rate: amount(tax.rate),
    surcharge_rate: amount(tax.surcharge_rate),
  };
  return taxRefusals(fields, firstDay(tax, today)).map(({ field, reason }) => {
    const param = field === 'tax_rate' ? 'rate' : field;
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
    return param === 'rate' && tax.rate === null
      ? missingField(param, message)
      : invalidField(param, message);
  });
}

/** Surcharges changed over time: a tax is checked on its first day, else today or a past last day. */
function firstDay({ valid_from, valid_to }: TaxFields, today: string): string {
  return valid_from ?? (valid_to !== null && valid_to < today ? valid_to : today);
}
