/**
 * Withdraws an invoice that should never have existed. `revert_collections` also reverses its payments, with the reason
 * `issued_in_error`.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { Invoice } from '../invoices.family.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { prepareWithdrawal } from '../issuing/prepare-withdrawal.ts';

export const annulInvoice = defineOperation({
  name: 'annul_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/annul',
  scope: 'invoices:void',
  tag: 'invoices',
  summary: 'Anula una factura que no debió existir.',
  description:
    'Deja sin efecto una factura emitida que no debió existir; si solo tiene errores, se corrige con create_corrective_invoice. Con revert_collections anula antes sus cobros (issued_in_error); sin él, con cobros vivos se rechaza. Conserva su número y no queda nada por cobrar de ella; con VeriFactu activado se crea su registro de anulación. Si rectificaba o sustituía a otras, esas vuelven a estar vigentes. Se rechaza un borrador, una ya retirada, rectificada por entero o sustituida, o con una rectificativa vigente (invalid_status_transition). No se puede deshacer; can_annul_invoice dice si se podrá.',
  transaction: 'issuing',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  reaches_outside: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body: Shape({
    revert_collections: Type.Optional(
      Type.Boolean({
        description: 'true: anula antes los cobros vivos. false si se omite: con cobros vivos se rechaza',
      }),
    ),
  }),
  body_optional: true,
  output: One(Invoice),
  errors: [c.resource_not_found, c.invalid_status_transition, e.verifactu_not_eligible],
  reopens: 'invoice',
  events: [
    'payment.reversed',
    'invoice.annulled',
    'invoice.updated',
    'invoice.paid',
    'invoice.overdue',
    'invoice.verifactu_failed',
  ],
  examples: [{ title: 'Con sus cobros', body: { revert_collections: true } }],

  async handle(ctx, { params, body }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    return prepareWithdrawal(ctx, bundle, 'annul', body?.revert_collections === true);
  },
  commit: commitInvoicePlan,
});
