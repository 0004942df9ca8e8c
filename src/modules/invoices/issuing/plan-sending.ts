/** The plan that sends an invoice by e-mail. It issues a draft first. */
import type { Ctx } from '../../../kernel/operation.ts';
import { type PlannedEmail, plannedEmailBlock } from '../../sales/index.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { draftPlan, type InvoicePlan } from './plan.ts';
import { prepareStoredIssue } from './prepare.ts';

export async function planSending(
  ctx: Ctx,
  bundle: InvoiceBundle,
  email: PlannedEmail,
): Promise<InvoicePlan> {
  const { id, version, status } = bundle.document;
  const plan =
    status === 'draft'
      ? await prepareStoredIssue(ctx, bundle, { mark_sent: false })
      : // The commit compares the stored version, so an invoice withdrawn meanwhile is not sent.
        { ...draftPlan(ctx, bundle), stored: { id, version }, status: 200 as const };
  return { ...plan, email, blocks: plannedEmailBlock(ctx, email) };
}
