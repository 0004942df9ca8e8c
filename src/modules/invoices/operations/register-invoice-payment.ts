/** Registers a payment. The last one makes the invoice paid. */
import { amountLimits, fixedText, readAmount } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Decimal, Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import {
  checkPaymentReplay,
  findPaymentByExternalId,
  insertPayments,
  isTakenId,
  newPaid,
  paidInput,
  Payment,
  type PaymentRow,
  presentPayment,
} from '../../payments/index.ts';
import { externalIdInput, labels } from '../../sales/index.ts';
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
    'Anota un cobro, de todo o de una parte, de una factura emitida; no mueve dinero. El importe se resta de lo que queda por cobrar, y cuando no queda nada la factura pasa a cobrada (paid). Se rechaza si supera lo pendiente o la fecha es futura (business_rule_violation), y en un borrador o una factura rectificada por entero, sustituida, invalidada o anulada (invalid_status_transition). Un cobro mal anotado se anula con reverse_invoice_payment. Repetir la llamada anota otro, salvo con el mismo external_id o la misma Idempotency-Key.',
  transaction: 'own',
  mcp: true,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body: Shape({
    amount: Amount,
    ...paidInput('cobro'),
    notes: Type.Optional(Nullable(Text(1000, { description: 'Notas internas' }))),
    external_id: externalIdInput(
      'Clave del cobro en su programa, única en la empresa: repetir la llamada con ella responde el cobro que ya existe y no anota otro; con otra factura u otro dato del cobro se rechaza',
    ),
    metadata: labels.metadata,
  }),
  output: One(Payment),
  other_statuses: [{ status: 200, when: 'Ya existe un cobro con este external_id, y se responde con él.' }],
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['payment.received', 'invoice.paid'],
  examples: [
    {
      title: 'Transferencia',
      body: { amount: 100, payment_method: 'bank_transfer', reference: 'TRF 2026-118' },
    },
  ],

  external_ids: ({ body }) => (body.external_id ? [body.external_id] : []),

  async handle({ tx, caller, now, today, emit }, { params, body }) {
    const { company_id } = caller;
    const invoice = await lockInvoice(tx, company_id, params.invoice);
    if (!invoice) throw fail(c.resource_not_found, { param: 'invoice' });
    const amount = readAmount(body.amount, amountLimits.money)!.units;
    const { external_id = null } = body;
    const known =
      external_id === null ? undefined : await findPaymentByExternalId(tx, company_id, external_id);
    if (known) {
      const { payment_method } = body;
      checkPaymentReplay(known, body, {
        invoice_id: invoice.id,
        amount: fixedText(amount, 2),
        payment_method,
      });
      return { status: 200, is_repeat: true, body: { data: presentPayment(known) } };
    }
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
      ...newPaid(body, { amount: fixedText(amount, 2), payment_date, now }),
      invoice_id: invoice.id,
      client_id: invoice.client_id,
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
    ]).catch((error: unknown) => {
      throw isTakenId(error) ? new PlanStale('The external id was taken meanwhile.') : error;
    });
    emit('payment.received', row.id, { data: { payment: { id: row.id }, invoice: { id: invoice.id } } });
    if (status === 'paid') emit('invoice.paid', invoice.id);
    return { data: presentPayment(row) };
  },
});
