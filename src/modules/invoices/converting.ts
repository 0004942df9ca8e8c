/** Makes a draft F1 of another family's document. */
import { checkCurrency } from '../../domain/sales/currency.ts';
import { type DecimalInput, numberText } from '../../kernel/json.ts';
import type { ConversionTarget } from '../sales/index.ts';
import { blankOwn, invoices } from './invoices.family.ts';
import { invoiceContent } from './invoices.schema.ts';
import { blankFields, checkRateDay } from './rules/document-fields.ts';

const { due_on, operation_on, exchange_rate, exchange_rate_on } = invoiceContent;

type Asked = {
  due_on?: string | null;
  operation_on?: string | null;
  exchange_rate?: DecimalInput | null;
  exchange_rate_on?: string | null;
};

export const invoiceTarget: ConversionTarget = {
  family: invoices,
  input: { due_on, operation_on, exchange_rate, exchange_rate_on },
  own(_ctx, { object, bundle: { document }, operation_on = null }, sent, reasons) {
    const asked = sent as Asked;
    const rate = asked.exchange_rate == null ? null : numberText(asked.exchange_rate);
    const { exchange_rate_on: day = null } = asked;
    reasons.attempt(() => checkCurrency(document.currency, rate, invoices.one));
    reasons.attempt(() => checkRateDay(document.currency, day));
    return {
      ...blankFields,
      ...blankOwn,
      type: 'F1',
      operation_on: asked.operation_on ?? operation_on,
      due_on: asked.due_on ?? null,
      exchange_rate: rate,
      exchange_rate_on: day,
      external_type: sent.external_id ? 'F1' : null,
      sources: [{ object, id: document.id, number: document.number }],
    };
  },
};
