/**
 * The tax of a line as a supplier's paper states it. No Spanish rate, pair or regime is demanded: the supplier may have erred, or be
 * of another country, and what is booked is what the paper says.
 */
import type { Amount } from '../money/amount.ts';
import { goesWithoutRate } from '../tax/fiscal-rules.ts';
import type { Qualification } from '../tax/record-codes.ts';
import type { PurchaseTaxKind } from '../tax/spanish-taxes.ts';
import { causeOf } from './line-cause.ts';
import { noTax, rateOf, readRate } from './line-rates.ts';
import { missingInLine, refusedInLine } from './lines.errors.ts';
import type { LineInput } from './line-input.ts';
import type { LineDefaults } from './line-defaults.ts';
import type { LineTax, PaperFacts } from './line-facts.ts';

type PaperFields = {
  tax_kind: PurchaseTaxKind;
  tax_rate: Amount | null;
  surcharge_rate: Amount | null;
  qualification: Qualification | null;
  exemption_reason: string | null;
  regime_key: string | null;
  is_regime_key_stated: boolean;
};

type Of = {
  tax: LineTax | null;
  defaults: Pick<LineDefaults, 'vat_rate' | 'default_kind'>;
  paper: PaperFacts;
};

/** @throws 422 missing_required_param without a rate; business_rule_violation for fields that exclude each other */
export function paperFields(line: LineInput, { tax, defaults, paper }: Of, index: number): PaperFields {
  const { qualification, exemption_reason } = causeOf(line, tax);
  const is_unsaid = readRate(line.tax_rate) === null && !goesWithoutRate({ qualification, exemption_reason });
  const usual_kind = is_unsaid && paper.takes_default_kind ? defaults.default_kind : paper.tax_kind;
  const tax_kind = line.tax_kind ?? ((tax?.kind ?? usual_kind) as PurchaseTaxKind);
  if (qualification === 'S2')
    throw refusedInLine(index, 'qualification', 'la inversión del sujeto pasivo se indica en operation.');
  if (qualification !== null && exemption_reason !== null)
    throw refusedInLine(index, 'qualification', 'una línea exenta no lleva calificación.');
  const tax_rate = rateFor(
    line,
    { tax, defaults, paper },
    { tax_kind, qualification, exemption_reason },
    index,
  );
  const surcharge = readRate(line.surcharge_rate);
  const surcharge_rate = surcharge === null || surcharge.units === 0n ? null : surcharge;
  if (surcharge_rate !== null && (tax_kind !== 'vat' || tax_rate === null))
    throw refusedInLine(index, 'surcharge_rate', 'solo lleva recargo una línea con IVA.');
  const regime_key = line.regime_key ?? null;
  return {
    tax_kind,
    tax_rate,
    surcharge_rate,
    qualification,
    exemption_reason,
    regime_key,
    is_regime_key_stated: regime_key !== null,
  };
}

/** The rate sent, else that of the tax, else the usual one of the supplier. */
function rateFor(
  line: LineInput,
  { tax, defaults: { vat_rate, default_kind }, paper }: Of,
  fields: Pick<PaperFields, 'tax_kind' | 'qualification' | 'exemption_reason'>,
  index: number,
): Amount | null {
  const sent = readRate(line.tax_rate);
  if (goesWithoutRate(fields)) {
    if (sent?.units)
      throw refusedInLine(index, 'tax_rate', 'una línea exenta o no sujeta no lleva tipo de impuesto.');
    return null;
  }
  if (paper.is_untaxed && fields.tax_kind !== 'foreign_vat') {
    if (sent?.units)
      throw refusedInLine(
        index,
        'tax_rate',
        'la factura de una importación no lleva impuesto: lo lleva su documento de aduana.',
      );
    return noTax;
  }
  const rate =
    sent ?? rateOf(tax?.rate ?? null) ?? (fields.tax_kind === default_kind ? rateOf(vat_rate) : null);
  if (rate === null) throw missingInLine(index, 'tax_rate');
  return rate;
}
