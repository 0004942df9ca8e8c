/**
 * Sends an invoice by e-mail; a draft is issued first. Without e-mail configured the invoice is issued, the answer
 * says `not_configured`, and it is not marked as sent.
 */
import { isEmailAddress } from '../../../domain/email-address.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalid, refuseIssues } from '../../../kernel/resource-input.ts';
import { Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { findDocumentClient } from '../../contacts/index.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, present } from '../invoices.schema.ts';
import { findBundle } from '../invoices.store.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import type { Replayed } from '../issuing/group.ts';
import { emailBlock } from '../issuing/outside.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import { prepareStoredIssue } from '../issuing/prepare.ts';
import { invoiceStates } from '../rules/states.ts';

const Addresses = Type.Optional(Type.Array(Text(254), { maxItems: 50 }));

export const sendInvoice = defineOperation({
  name: 'send_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/send',
  scope: 'invoices:send',
  tag: 'invoices',
  summary: 'Envía la factura por correo; si es un borrador, la emite.',
  transaction: 'issuing',
  mcp: true,
  status: 200,
  params: Shape({ invoice: Uuid }),
  body: Shape({
    to: Addresses,
    cc: Addresses,
    subject: Type.Optional(Nullable(Text(200))),
    message: Type.Optional(Nullable(Text(10_000))),
    attach_pdf: Type.Optional(Type.Boolean()),
  }),
  body_optional: true,
  output: One(Invoice),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  examples: [{ title: 'A una dirección', body: { to: ['compras@example.com'] } }],

  async handle(ctx, { params, body }): Promise<InvoicePlan | Replayed> {
    const { company_id } = ctx.company;
    const bundle = await findBundle(ctx.tx, company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const { invoice } = bundle;
    invoiceStates.next(invoice.status, 'mark_sent');
    const { to = [], cc = [] } = body ?? {};
    refuseIssues(
      (['to', 'cc'] as const).flatMap((name) =>
        (name === 'to' ? to : cc).flatMap((address, i) =>
          isEmailAddress(address) ? [] : [invalid(`${name}.${i}`, 'No es una dirección de correo.')],
        ),
      ),
    );
    const client =
      invoice.client_id === null
        ? undefined
        : await findDocumentClient(ctx.tx, company_id, invoice.client_id);
    if (to.length === 0 && !client?.email) throw fail(c.missing_required_param, { param: 'to' });
    const blocks = { email: emailBlock() };
    if (invoice.status !== 'draft')
      return { ready: { status: 200, body: { data: { ...present(bundle), ...blocks } } } };
    return { ...(await prepareStoredIssue(ctx, bundle, { mark_sent: false })), blocks };
  },
  commit: commitInvoicePlan,
});
