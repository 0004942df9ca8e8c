/**
 * Prepares the withdrawal of an issued invoice, with the reversal of its payments where that was asked for.
 * What it did to others is undone with it: a corrective's original and a substitute's tickets are in force again.
 */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { presentPayment } from '../../payments/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { findInvoices } from '../invoices.store.ts';
import { livePayments, withdrawalFaults } from '../rules/annulment.ts';
import { reopened } from '../rules/pending.ts';
import { reversed, withoutPayments } from '../rules/reversal.ts';
import { invoiceStates } from '../rules/states.ts';
import { changePlan, type InvoicePlan } from './plan.ts';
import { checkSigning, planAnulacion } from './record-plan.ts';

/** The original of a withdrawn corrective, or a ticket of a withdrawn substitute, as it is again. */
function restored(ctx: Ctx, row: InvoiceRow, withdrawn: InvoiceRow): InvoiceRow {
  const is_ticket = row.substituted_by_id === withdrawn.id;
  const by_substitution = withdrawn.correction_type === 'substitution';
  const corrected =
    is_ticket || by_substitution
      ? 0n
      : printedToCents(row.corrected_amount) - printedToCents(withdrawn.amount_due);
  const next: InvoiceRow = {
    ...row,
    corrected_amount: fixedText(corrected, 2),
    substituted_by_id: is_ticket ? null : row.substituted_by_id,
    version: row.version + 1,
    updated_at: ctx.now.toISOString(),
  };
  return {
    ...next,
    status: reopened(
      next,
      invoiceStates.next(row.status, is_ticket ? 'unsubstitute' : 'uncorrect'),
      ctx.today,
    ),
  };
}

/** @throws 409 invalid_status_transition */
export async function prepareWithdrawal(
  ctx: Ctx,
  bundle: InvoiceBundle,
  move: 'annul' | 'void',
  revert_collections: boolean,
): Promise<InvoicePlan> {
  const { invoice, payments } = bundle;
  const [fault] = withdrawalFaults(invoice, payments, move, revert_collections);
  if (fault) throw fault;
  const live = livePayments(payments);
  const reason = 'issued_in_error' as const;
  const voided = reversed(live, { reason, note: null, now: ctx.now, today: ctx.today });
  const status = invoiceStates.next(invoice.status, move);
  const row = live.length === 0 ? invoice : withoutPayments(invoice, live, ctx.today);
  for (const payment of voided) {
    ctx.emit('payment.reversed', payment.id, {
      data: { type: 'payment', object: presentPayment(payment), reversal: { reason, origin: 'manual' } },
    });
  }
  ctx.emit(move === 'annul' ? 'invoice.annulled' : 'invoice.cancelled', invoice.id);
  const byId = new Map(voided.map((payment) => [payment.id, payment]));
  const plan = changePlan(ctx, invoice, {
    ...bundle,
    invoice: { ...row, status },
    payments: payments.map((payment) => byId.get(payment.id) ?? payment),
  });
  const ids = [...invoice.corrected_invoices, ...invoice.substituted_invoices].flatMap((one) => one.id ?? []);
  const originals = ids.length === 0 ? [] : await findInvoices(ctx.tx, ctx.company.company_id, ids);
  const also = originals.map((original) => ({
    stored: { id: original.id, version: original.version },
    row: restored(ctx, original, invoice),
  }));
  await checkSigning(ctx, new Reasons());
  const record = await planAnulacion(ctx, invoice);
  return { ...plan, record, also, reversed_payments: voided };
}
