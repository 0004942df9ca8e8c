/** Prepares the withdrawal of an issued invoice. A corrective's original and a substitute's tickets are in force again. */
import type { Ctx } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { presentPayment } from '../../payments/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { auditMove } from '../audit-move.ts';
import { hasCorrectiveInForce } from '../invoices.store.ts';
import { findInvoices } from '../stored-invoices.ts';
import { livePayments, withdrawalFaults } from '../rules/annulment.ts';
import { dueCents } from '../rules/pending.ts';
import { reversed, withoutPayments } from '../rules/reversal.ts';
import { eventsOfStatus, inForceAgain, isReplaced, withMoreDue } from '../rules/settlement.ts';
import { invoiceStates } from '../rules/states.ts';
import { invoiceCompanion, changePlan, type InvoicePlan } from './plan.ts';
import { checkSigning, planAnulacion } from './record-plan.ts';
import { findCorrectedAbove, isReliedOn } from './settlement.ts';

/** The invoices that it corrected or replaced, and those that its money passed through. */
async function restored(
  ctx: Ctx,
  withdrawn: InvoiceRow,
): Promise<{ before: InvoiceRow; after: InvoiceRow }[]> {
  const { company_id } = ctx.company;
  const ids = [...withdrawn.corrected_invoices, ...withdrawn.substituted_invoices].flatMap(
    (one) => one.id ?? [],
  );
  if (ids.length === 0) return [];
  const originals = await findInvoices(ctx.tx, company_id, ids);
  const changes = (rows: readonly InvoiceRow[], change: (row: InvoiceRow) => InvoiceRow) =>
    rows.map((before) => ({ before, after: change(before) }));
  if (withdrawn.substituted_invoices.length > 0) {
    return changes(originals, (row) =>
      inForceAgain({ ...row, substituted_by_id: null, settled_in_id: null }, 'unsubstitute', ctx.today),
    );
  }
  const [original] = originals;
  if (!original) return [];
  const due = dueCents(withdrawn);
  const isCorrected = (row: InvoiceRow) =>
    hasCorrectiveInForce(ctx.tx, company_id, {
      corrective_ids: row.corrective_ids.filter((id) => id !== withdrawn.id),
    });
  if (withdrawn.correction_type === 'differences') {
    const is_corrected = await isCorrected(original);
    const moved = isReplaced(original) ? [] : await findCorrectedAbove(ctx.tx, company_id, original);
    return [
      ...changes([original], (row) => withMoreDue(row, -due, ctx.today, is_corrected)),
      // Each of these still has the corrective below it.
      ...changes(moved, (row) => withMoreDue(row, -due, ctx.today)),
    ];
  }
  const { settled_in_id } = withdrawn;
  const above = await findCorrectedAbove(ctx.tx, company_id, withdrawn);
  // One that names several takes the place of them all, and changes none above.
  const again: { before: InvoiceRow; after: InvoiceRow }[] = [];
  for (const before of originals) {
    const is_corrected = await isCorrected(before);
    const after = inForceAgain({ ...before, settled_in_id }, 'uncorrect', ctx.today, is_corrected);
    again.push({ before, after });
  }
  return [...again, ...changes(above, (row) => withMoreDue(row, dueCents(original) - due, ctx.today))];
}

/** @throws 409 invalid_status_transition */
export async function prepareWithdrawal(
  ctx: Ctx,
  bundle: InvoiceBundle,
  move: 'annul' | 'void',
  revert_collections: boolean,
): Promise<InvoicePlan> {
  const { document: invoice, payments } = bundle;
  const is_relied_on = await isReliedOn(ctx.tx, ctx.company.company_id, invoice);
  const [fault] = withdrawalFaults(invoice, payments, move, { revert_collections, is_relied_on });
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
  auditMove(ctx, move, invoice, status);
  const byId = new Map(voided.map((payment) => [payment.id, payment]));
  const plan = changePlan(ctx, invoice, {
    ...bundle,
    document: { ...row, status },
    payments: payments.map((payment) => byId.get(payment.id) ?? payment),
  });
  const companions = (await restored(ctx, invoice)).map(({ before, after }) => {
    ctx.emit('invoice.updated', before.id);
    for (const event of eventsOfStatus(before, after)) ctx.emit(event, before.id);
    return invoiceCompanion(ctx, before, after);
  });
  const reopened = await ctx.ports.conversions.reopen(ctx, { object: 'invoice', id: invoice.id });
  await checkSigning(ctx, new Reasons());
  const record = await planAnulacion(ctx, invoice);
  return { ...plan, record, companions: [...companions, ...reopened], reversed_payments: voided };
}
