/** Reminds the client of an unpaid invoice. The company's schedule is not affected. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { getIssuer } from '../../companies/index.ts';
import { findDocumentClient } from '../../contacts/index.ts';
import { emailBlock, emailErrors, queueEmail, refuseOverDay } from '../../emails/index.ts';
import { Invoice, invoices, present } from '../invoices.family.ts';
import { findBundle, lockInvoice } from '../stored-invoices.ts';
import { MessageInput, planEmail } from '../../sales/index.ts';
import { reminderEmail } from '../reminder-email.ts';
import { isRemindable } from '../rules/reminder-stages.ts';
import { recipientsOf } from '../../../domain/sales/recipients.ts';
import { invoiceStates } from '../rules/states.ts';

export const sendInvoiceReminder = defineOperation({
  name: 'send_invoice_reminder',
  method: 'POST',
  path: '/v1/invoices/:invoice/send-reminder',
  scope: 'invoices:send',
  tag: 'invoices',
  summary: 'Envía por correo un recordatorio de pago de una factura emitida.',
  description:
    'Deja en cola un correo que recuerda al cliente lo que queda por pagar, el vencimiento y la cuenta, con la factura en PDF salvo que attach_pdf sea false. Se puede mientras quede algo por cobrar, también antes del vencimiento, y tantas veces como se pida; no cuenta para los recordatorios automáticos de la empresa. Sin to se escribe al cliente, y si no tiene dirección se rechaza (missing_required_param). Se rechaza también si no queda nada por cobrar (business_rule_violation) o si no es una factura emitida y vigente (invalid_status_transition). En el entorno de pruebas el correo se guarda como not_sent y no sale; a las direcciones mágicas (accepted@sandbox.example y otras) se simula el envío.',
  transaction: 'own',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body: MessageInput,
  body_optional: true,
  output: One(Invoice),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    emailErrors.email_limit_exceeded,
  ],
  examples: [
    {
      title: 'Con un mensaje propio',
      body: { to: ['pagos@example.com'], message: 'Buenos días:\n\n¿Nos confirman la fecha de pago?' },
    },
  ],

  async handle(ctx, { params, body }) {
    const { tx } = ctx;
    const { company_id } = ctx.company;
    const locked = await lockInvoice(tx, company_id, params.invoice);
    if (!locked) throw fail(c.resource_not_found, { param: 'invoice' });
    if (!isRemindable(locked)) {
      // Of a paid invoice, a total of zero and an invoice that is settled in another, it says that nothing is left to pay.
      if (locked.status !== 'paid') invoiceStates.next(locked.status, 'remind');
      const reason = 'la factura no tiene nada pendiente de cobro.';
      throw fail(c.business_rule_violation, { param: 'invoice', values: { reason } });
    }
    await refuseOverDay(ctx);
    const [bundle, sender, client] = await Promise.all([
      findBundle(tx, company_id, locked.id),
      getIssuer(tx, company_id),
      locked.client_id === null ? undefined : findDocumentClient(tx, company_id, locked.client_id),
    ]);
    if (!bundle) throw new Error('A locked invoice vanished.');
    const planned = planEmail(recipientsOf(body ?? {}, client, invoices), sender, body);
    const email = await queueEmail(ctx, reminderEmail(ctx, bundle.document, planned));
    return { data: { ...present(bundle, ctx), email: emailBlock(email) } };
  },
});
