/** Registers a payment. The last one makes the invoice paid. */
import { amountLimits, fixedText, readAmount } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import {
  DayText,
  Decimal,
  Described,
  Nullable,
  One,
  Shape,
  Text,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import {
  insertPayments,
  Payment,
  PaymentMethodName,
  type PaymentRow,
  presentPayment,
} from '../../payments/index.ts';
import { lockInvoice, updateInvoices } from '../stored-invoices.ts';
import { pendingCents } from '../rules/pending.ts';
import { invoiceStates } from '../rules/states.ts';

const Amount = Decimal(
  { decimals: 2, exclusive_minimum: '0' },
  'Importe cobrado, mayor que cero, con dos decimales como máximo y en la moneda de la factura',
);

export const registerInvoicePayment = defineOperation({
  name: 'register_invoice_payment',
  method: 'POST',
  path: '/v1/invoices/:invoice/payments',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Registra un cobro de la factura.',
  description:
    'Anota un cobro, de todo o de una parte, de una factura emitida; no mueve dinero. El importe se resta de lo que queda por cobrar, y cuando no queda nada la factura pasa a cobrada (paid). Se rechaza si supera lo pendiente o la fecha es futura (business_rule_violation), y en un borrador o una factura rectificada por entero, sustituida, invalidada o anulada (invalid_status_transition). Un cobro mal anotado se anula con reverse_invoice_payment.',
  transaction: 'own',
  mcp: true,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body: Shape({
    amount: Amount,
    payment_date: Type.Optional(
      Described(Nullable(DayText), 'Fecha del cobro, YYYY-MM-DD, no futura; hoy si no se indica'),
    ),
    payment_method: PaymentMethodName,
    reference: Type.Optional(
      Nullable(Text(200, { description: 'Referencia del cobro, por ejemplo la de la transferencia' })),
    ),
    notes: Type.Optional(Nullable(Text(1000, { description: 'Notas internas' }))),
  }),
  output: One(Payment),
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['payment.received', 'invoice.paid'],
  examples: [
    {
      title: 'Transferencia',
      body: { amount: 100, payment_method: 'bank_transfer', reference: 'TRF 2026-118' },
    },
  ],

  async handle({ tx, caller, now, today, emit }, { params, body }) {
    const { company_id } = caller;
    const invoice = await lockInvoice(tx, company_id, params.invoice);
    if (!invoice) throw fail(c.resource_not_found, { param: 'invoice' });
    const amount = readAmount(body.amount, amountLimits.money)!.units;
    const pending = pendingCents(invoice);
    const paid = printedToCents(invoice.paid_amount) + amount;
    const overpaid = { param: 'amount', values: { reason: 'el cobro supera lo pendiente de la factura.' } };
    // On a paid invoice the amount is wrong, not the move.
    if (invoice.status === 'paid') throw fail(c.business_rule_violation, overpaid);
    const status = invoiceStates.next(invoice.status, amount === pending ? 'pay_all' : 'pay_part');
    if (amount > pending) throw fail(c.business_rule_violation, overpaid);
    const payment_date = body.payment_date ?? today;
    if (payment_date > today) {
      throw fail(c.business_rule_violation, {
        param: 'payment_date',
        values: { reason: 'la fecha del cobro no puede ser futura.' },
      });
    }
    const row: PaymentRow = {
      id: newId(),
      invoice_id: invoice.id,
      amount: fixedText(amount, 2),
      payment_date,
      payment_method: body.payment_method,
      reference: body.reference ?? null,
      notes: body.notes ?? null,
      is_reversed: false,
      reversed_at: null,
      reversal_reason: null,
      reversal_note: null,
      created_at: now,
      updated_at: now,
    };
    await Promise.all([
      insertPayments(tx, company_id, [row]),
      updateInvoices(tx, company_id, [
        {
          ...invoice,
          version: invoice.version + 1,
          status,
          paid_amount: fixedText(paid, 2),
          updated_at: now,
        },
      ]),
    ]);
    emit('payment.received', row.id, { data: { payment: { id: row.id }, invoice: { id: invoice.id } } });
    if (status === 'paid') emit('invoice.paid', invoice.id);
    return { data: presentPayment(row) };
  },
});
