/**
 * Replay of an unattended checkout by `external_id` (docs/conventions.md). The same type and total get the existing invoice, even
 * if prices or defaults have changed. A missing issue, payment or e-mail is added; issue and payment only while nobody has edited
 * type or total.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { IssuingCall, Replay } from '../../../platform/issuing-call.ts';
import { storedFrom } from '../../../platform/stored-answers.ts';
import { getIssuer } from '../../companies/index.ts';
import { findDocumentClient } from '../../contacts/index.ts';
import { emailBlock, queueStatusOf, findLastEmails } from '../../emails/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { invoices, present } from '../invoices.family.ts';
import { findByExternalIds } from '../invoices.store.ts';
import { findBundle } from '../stored-invoices.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { type AddressWarning, missingAddresses } from '../rules/addresses.ts';
import { warningMembers } from '../rules/warnings.ts';
import { pendingCents } from '../rules/pending.ts';
import { sendTo } from '../../../domain/sales/recipients.ts';
import { invoiceStates } from '../rules/states.ts';
import { answeredRun, presentIssueRun, reasonsOfNumbering } from './dry-run.ts';
import { type Committed, type Replayed, showingOf } from './group.ts';
import { type PlannedEmail, planEmail, plannedEmailBlock } from '../../sales/index.ts';
import { pdfBlocks } from './pdf-blocks.ts';
import { changePlan, type InvoicePlan } from './plan.ts';
import { checkoutBlock, checkSigning, planRecord } from './record-plan.ts';
import { prepareStoredIssue } from './prepare.ts';
import { withPayment } from './with-payment.ts';

/** @throws 409 idempotency_key_reused, subcode unattended_replay_mismatch */
export function checkReplay(
  found: { external_type: string | null; external_total: string | null },
  asked: { type: string; total: string },
): void {
  if (found.external_type === asked.type && found.external_total === asked.total) return;
  throw mismatch();
}

const mismatch = () =>
  fail(c.idempotency_key_reused, { param: 'external_id', subcode: 'unattended_replay_mismatch' });

/**
 * A checkout issues and pays what it said. An edit may have made another type or total of the draft since.
 * @throws 409 idempotency_key_reused, subcode unattended_replay_mismatch
 */
export function checkUnedited({
  type,
  total,
  external_type,
  external_total,
}: Pick<InvoiceRow, 'type' | 'total' | 'external_type' | 'external_total'>): void {
  if (type !== external_type || total !== external_total) throw mismatch();
}

type Completing = {
  is_issued: boolean;
  /** Gathers what would refuse to complete it, in a dry run. */
  reasons?: Reasons;
};

type Completed = InvoicePlan | { replay: InvoiceBundle; blocks: Record<string, unknown> };

/** The invoice itself when nothing is missing. */
export async function completeReplay(
  ctx: Ctx,
  bundle: InvoiceBundle,
  body: InvoiceInputBody,
  { is_issued, reasons = new Reasons() }: Completing,
): Promise<Completed> {
  const asks_record = body.options?.register_verifactu === true;
  let plan: InvoicePlan | undefined;
  const issues = is_issued && bundle.document.status === 'draft';
  if (issues) {
    reasons.attempt(() => checkUnedited(bundle.document));
    plan = await prepareStoredIssue(ctx, bundle, { mark_sent: false, reasons });
  }
  const { document: invoice, payments } = plan?.bundle ?? bundle;
  // Nothing is to be paid of a withdrawn invoice.
  const is_payable = typeof invoiceStates.peek(invoice.status, 'pay_all') === 'string';
  const { payment } = body;
  if (payment && payments.length === 0 && is_payable && pendingCents(invoice) > 0n) {
    if (!issues) reasons.attempt(() => checkUnedited(bundle.document));
    const unpaid = plan ?? changePlan(ctx, invoice, bundle);
    plan = reasons.attempt(() => withPayment(ctx, unpaid, payment)) ?? unpaid;
  }
  if (asks_record && plan?.record == null && lacksRecord(bundle.document, invoice)) {
    // It was issued while VeriFactu was off, so it gets its record now.
    await checkSigning(ctx, reasons);
    const record = planRecord(ctx, plan?.bundle ?? bundle, reasons);
    if (record) plan = { ...(plan ?? changePlan(ctx, invoice, bundle)), record };
  }
  const { email, block } = await completeEmail(ctx, plan?.bundle ?? bundle, body, reasons);
  if (email && !plan) plan = changePlan(ctx, invoice, bundle);
  if (invoice.status === 'draft') return { replay: bundle, blocks: block };
  const blocks = { ...pdfBlocks(ctx, bundle.document.id, body.options ?? {}), ...block };
  const record_block = asks_record ? 'with_picture' : 'plain';
  if (plan) {
    const warnings = plan.numbering ? plan.warnings : warningsOfIssued(plan.bundle.document);
    return { ...plan, email, is_repeat: true, record_block, blocks, warnings };
  }
  return { replay: bundle, blocks: { ...blocks, verifactu: checkoutBlock(bundle.document, asks_record) } };
}

const lacksRecord = (stored: InvoiceRow, { status }: InvoiceRow) =>
  !stored.has_record && status !== 'draft' && status !== 'annulled' && status !== 'voided';

/** What the call would answer of the invoice that is there, and what would refuse to complete it. */
export async function replayRun(
  ctx: Ctx,
  bundle: InvoiceBundle,
  body: InvoiceInputBody,
  reasons: Reasons,
): Promise<Replayed> {
  // Also of a draft it is told whether it can be issued.
  const completed = await completeReplay(ctx, bundle, body, { is_issued: true, reasons });
  if ('replay' in completed) {
    const data = presentIssueRun(bundle.document.id, { bundle }, reasons);
    return answeredRun(data, warningsOfIssued(bundle.document));
  }
  await reasonsOfNumbering(ctx, completed, reasons);
  return answeredRun(presentIssueRun(bundle.document.id, completed, reasons), completed.warnings);
}

/**
 * Plans the e-mail if none was queued or the last one failed. A queued or sent one is not repeated, even for another recipient.
 * The plan raises the invoice's version, so two replays at once queue one e-mail.
 */
async function completeEmail(
  ctx: Ctx,
  { document: invoice }: InvoiceBundle,
  { options = {} }: InvoiceInputBody,
  reasons: Reasons,
): Promise<{ email: PlannedEmail | null; block: Record<string, unknown> }> {
  if (!options.send_automatically) return { email: null, block: {} };
  const { tx, company } = ctx;
  const { company_id } = company;
  const [last] = await findLastEmails(tx, company_id, [invoice.id], 'invoice');
  const is_done = last?.status === 'queued' || last?.status === 'sent';
  // A message to a magic address is never kept unsent.
  const is_kept = last?.status === 'not_sent' && queueStatusOf(ctx, { to: [], cc: [] }).status === 'not_sent';
  const may_be_sent = typeof invoiceStates.peek(invoice.status, 'send') === 'string';
  if (is_done || is_kept || !may_be_sent)
    return { email: null, block: last ? { email: emailBlock(last) } : {} };
  const client =
    invoice.client_id === null ? undefined : await findDocumentClient(tx, company_id, invoice.client_id);
  const recipients = reasons.attempt(() => sendTo(options.send_to, client, invoices));
  if (!recipients) return { email: null, block: {} };
  const email = planEmail(recipients, await getIssuer(tx, company_id));
  return { email, block: plannedEmailBlock(ctx, email) };
}

/**
 * The corrective of an external id; undefined when there is none.
 * @throws 409 idempotency_key_reused, subcode unattended_replay_mismatch
 */
export async function replayCorrective(
  ctx: Ctx,
  external: { id: string; hash: string },
): Promise<{ replay: InvoiceBundle; blocks: Record<string, unknown> } | undefined> {
  const { company_id } = ctx.company;
  const [known] = await findByExternalIds(ctx.tx, company_id, [external.id]);
  if (!known) return undefined;
  const bundle = known.external_hash === external.hash && (await findBundle(ctx.tx, company_id, known.id));
  if (!bundle) throw mismatch();
  const blocks = { ...pdfBlocks(ctx, known.id), verifactu: checkoutBlock(bundle.document, false) };
  return { replay: bundle, blocks };
}

/** As at its issue. */
export function warningsOfIssued(invoice: InvoiceRow): AddressWarning[] {
  return invoice.number === null ? [] : missingAddresses(invoice);
}

export async function replayExternal(
  plan: { replay: InvoiceBundle; blocks: Record<string, unknown> },
  call: IssuingCall,
): Promise<Committed | Replay> {
  const body = {
    data: { ...present(plan.replay, showingOf(call)), ...plan.blocks },
    ...warningMembers([{ codes: warningsOfIssued(plan.replay.document) }]),
  };
  const answer = { status: 200, body, is_repeat: true };
  return (await call.keep(storedFrom(answer))) ?? answer;
}
