/** Voids an invoice. The tax effect is that of annulling it, but a payment in force refuses it. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Invoice } from '../invoices.family.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { prepareWithdrawal } from '../issuing/prepare-withdrawal.ts';

export const voidInvoice = defineOperation({
  name: 'void_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/void',
  scope: 'invoices:void',
  tag: 'invoices',
  summary: 'Invalida una factura sin cobros.',
  description:
    'Deja sin efecto una factura emitida sin cobros vivos; para Hacienda es lo mismo que anularla. Conserva su número y no queda nada por cobrar de ella; con VeriFactu activado se crea su registro de anulación. Si rectificaba o sustituía a otras, esas vuelven a estar vigentes. Se rechaza si es un borrador, tiene cobros sin anular, ya estaba retirada, rectificada por entero o sustituida, o tiene una rectificativa vigente (invalid_status_transition). No se puede deshacer. Con cobros vivos está annul_invoice; para corregirla, create_corrective_invoice.',
  transaction: 'issuing',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  reaches_outside: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  output: One(Invoice),
  errors: [c.resource_not_found, c.invalid_status_transition, e.verifactu_not_eligible],
  reopens: 'invoice',
  events: [
    'invoice.cancelled',
    'invoice.updated',
    'invoice.paid',
    'invoice.overdue',
    'invoice.verifactu_failed',
  ],

  async handle(ctx, { params }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    return prepareWithdrawal(ctx, bundle, 'void', false);
  },
  commit: commitInvoicePlan,
});
