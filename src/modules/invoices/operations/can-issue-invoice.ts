/** Runs the checks of issue, tells every reason at once and changes nothing. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { Described, OneWarned, Shape, Uuid } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { warningMembers } from '../rules/warnings.ts';
import { findBundle } from '../stored-invoices.ts';
import { DryRun, presentIssueRun, reasonsOfNumbering } from '../issuing/dry-run.ts';
import { prepareStoredIssue } from '../issuing/prepare.ts';

export const canIssueInvoice = defineOperation({
  name: 'can_issue_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/can-issue',
  scope: 'invoices:read',
  tag: 'invoices',
  summary: 'Dice si una factura se puede emitir, y todo lo que lo impide.',
  description:
    'Hace las mismas comprobaciones que issue_invoice sobre la factura guardada, y no cambia nada ni gasta número. Responde si se puede emitir y, en reasons, todo lo que lo impide a la vez: cada motivo con su código, su explicación y el campo que hay que corregir. El borrador se corrige con update_invoice.',
  transaction: 'read',
  rate: 'read',
  mcp: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  output: OneWarned(DryRun, addressWarningCodes),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const reasons = new Reasons(true);
    const plan = await prepareStoredIssue(ctx, bundle, { mark_sent: false, reasons });
    await reasonsOfNumbering(ctx, plan, reasons);
    return {
      data: presentIssueRun(params.invoice, plan, reasons),
      ...warningMembers([{ codes: plan.warnings }]),
    };
  },
});
