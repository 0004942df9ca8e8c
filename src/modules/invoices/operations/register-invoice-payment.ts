/** Registers a payment. The last one makes the invoice paid. A negative one gives back what is owed to the client. */
import { amountLimits, fixedText, readAmount } from '../../../domain/money/amount.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { Decimal, Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import {
  checkPaymentReplay,
  countPaymentsOf,
  findPaymentByExternalId,
  insertPayments,
  isTakenId,
  newPaid,
  paidInput,
  Payment,
  type PaymentRow,
  paymentsMax,
  presentPayment,
  refuseMorePayments,
} from '../../payments/index.ts';
import { externalIdInput, labels } from '../../sales/index.ts';
import { lockInvoice, updateInvoices } from '../stored-invoices.ts';
import { withPaid } from '../rules/amount-paid.ts';
import { eventsOfStatus } from '../rules/settlement.ts';

const Amount = Decimal(
  { decimals: 2 },
  'Importe cobrado, distinto de cero, con dos decimales como máximo y en la moneda de la factura; negativo si es lo que se devuelve al cliente, cuando pending_amount es negativo',
);

export const registerInvoicePayment = defineOperation({
  name: 'register_invoice_payment',
  method: 'POST',
  path: '/v1/invoices/:invoice/payments',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Registra un cobro de la factura.',
  description: `Anota un cobro, de todo o de una parte, de una factura emitida; no mueve dinero. El importe se resta de lo que queda por cobrar, y cuando no queda nada la factura pasa a cobrada (paid). Un importe negativo anota lo que se devuelve al cliente de una factura que le debe (pending_amount negativo, por sus rectificativas). Se rechaza si supera lo pendiente o lo que se debe, o la fecha es futura, o la factura ya tiene ${paymentsMax} cobros con los anulados (business_rule_violation), y en un borrador o una factura sustituida, invalidada o anulada (invalid_status_transition); una rectificada por entero solo admite devoluciones, y cobrar de nuevo lo que se devolvió de más. Un cobro mal anotado se anula con reverse_invoice_payment. Repetir la llamada anota otro, salvo con el mismo external_id o la misma Idempotency-Key.`,
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
    if (amount === 0n) refuseIssues([invalidField('amount', 'No puede ser cero.')]);
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
    const paid = withPaid(invoice, amount, today);
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
    const [count] = await Promise.all([
      countPaymentsOf(tx, company_id, invoice.id),
      insertPayments(tx, company_id, [row]),
      updateInvoices(tx, company_id, [{ ...paid, version: invoice.version + 1, updated_at: now }]),
    ]).catch((error: unknown) => {
      throw isTakenId(error) ? new PlanStale('The external id was taken meanwhile.') : error;
    });
    refuseMorePayments(count);
    emit('payment.received', row.id, { data: { payment: { id: row.id }, invoice: { id: invoice.id } } });
    for (const event of eventsOfStatus(invoice, paid)) emit(event, invoice.id);
    return { data: presentPayment(row) };
  },
});
