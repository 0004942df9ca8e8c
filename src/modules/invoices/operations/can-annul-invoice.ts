/** Runs the checks of annul and changes nothing. */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail, problemMessage } from '../../../kernel/problem.ts';
import { Described, Money, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { findBundle } from '../stored-invoices.ts';
import { isReliedOn } from '../issuing/settlement.ts';
import { checkSigning } from '../issuing/record-plan.ts';
import { livePayments, withdrawalFaults } from '../rules/annulment.ts';

export const canAnnulInvoice = defineOperation({
  name: 'can_annul_invoice',
  method: 'GET',
  path: '/v1/invoices/:invoice/can-annul',
  scope: 'invoices:read',
  tag: 'invoices',
  summary: 'Dice si una factura se puede anular.',
  description:
    'Hace las mismas comprobaciones que annul_invoice y no cambia nada. Responde si se puede, en reasons y reason_codes lo que lo impide, y si tiene cobros vivos que habría que anular con ella (revert_collections).',
  transaction: 'read',
  mcp: true,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  output: One(
    Type.Object({
      object: Type.Literal('can_annul'),
      id: Described(Uuid, 'Id de la factura'),
      can_annul: Type.Boolean({ description: 'Se puede anular' }),
      reasons: Type.Array(Type.String(), { description: 'Lo que lo impide, en palabras' }),
      reason_codes: Type.Array(Type.String(), {
        description: 'Los códigos de error de esos motivos, en su orden: los que daría annul_invoice',
      }),
      requires_collection_reversal: Type.Boolean({
        description: 'Tiene cobros vivos: hay que enviar revert_collections',
      }),
      active_collections_amount: Described(Money, 'Suma de los cobros vivos, en la moneda de la factura'),
    }),
  ),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const { tx, caller } = ctx;
    const bundle = await findBundle(tx, caller.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const live = livePayments(bundle.payments);
    const signing = new Reasons(true);
    await checkSigning(ctx, signing);
    const is_relied_on = await isReliedOn(tx, caller.company_id, bundle.document);
    const faults = [
      ...withdrawalFaults(bundle.document, bundle.payments, 'annul', {
        revert_collections: true,
        is_relied_on,
      }),
      ...signing.problems,
    ];
    const active = live.reduce((sum, payment) => sum + printedToCents(payment.amount), 0n);
    return {
      data: {
        object: 'can_annul',
        id: bundle.document.id,
        can_annul: faults.length === 0,
        reasons: faults.map((fault) => problemMessage(fault.def, fault.details.values)),
        reason_codes: faults.map((fault) => fault.def.code),
        requires_collection_reversal: live.length > 0,
        active_collections_amount: Number(fixedText(active, 2)),
      },
    };
  },
});
