/** Prepares one invoice for create and bulk-create: a draft, an issue, a replay, or a dry run. */
import type { Ctx, Tx } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { findBundle } from '../stored-invoices.ts';
import { type ExternalInvoice, findByExternalIds } from '../invoices.store.ts';
import { warningMembers } from '../rules/warnings.ts';
import { requestHash } from '../rules/request-hash.ts';
import { sendTo } from '../../../domain/sales/recipients.ts';
import type { Replayed } from './group.ts';
import { presentIssueRun, reasonsOfNumbering } from './dry-run.ts';
import {
  type DocumentFacts,
  type FactRows,
  newDraft,
  type PlannedEmail,
  planEmail,
  plannedEmailBlock,
  readFacts,
  wantedBy,
} from '../../sales/index.ts';
import { IdsSeen } from './ids-seen.ts';
import { pdfBlocks } from './pdf-blocks.ts';
import { draftPlan, type InvoicePlan } from './plan.ts';
import { checkSigning } from './record-plan.ts';
import { invoices } from '../invoices.family.ts';
import { prepareIssue } from './prepare.ts';
import { checkReplay, completeReplay, replayRun } from './replay.ts';
import { withPayment } from './with-payment.ts';

/** Each issues the invoice in the same transaction. */
const issuingOptions = ['issue', 'register_verifactu', 'send_automatically', 'wait_for_pdf'] as const;

const idsSeen = new IdsSeen();

export function isIssued({ payment, options }: InvoiceInputBody): boolean {
  return payment !== undefined || issuingOptions.some((name) => options?.[name] === true);
}

export function externalIdsOf(bodies: readonly InvoiceInputBody[]): string[] {
  return bodies.flatMap((body) => body.external_id ?? []);
}

export type CreationReads = {
  /** The invoice of the request's external id. */
  known: ExternalInvoice | undefined;
  /** The same with its parts, if read. */
  bundle: InvoiceBundle | undefined;
  /** A replay does not read what the request refers to. */
  rows(): Promise<FactRows>;
  /** Invoices that others of a bulk creation replace. */
  taken?: ReadonlySet<string>;
};

function readRows(tx: Tx, company_id: string, bodies: readonly InvoiceInputBody[]): Promise<FactRows> {
  return readFacts(
    tx,
    invoices,
    company_id,
    bodies.map((body) => wantedBy(invoices, body, isIssued(body) || body.options?.dry_run === true)),
  );
}

/** One pipeline for all requests. */
export async function readForCreation(
  tx: Tx,
  company_id: string,
  bodies: readonly InvoiceInputBody[],
): Promise<{ rows: FactRows; known: readonly ExternalInvoice[] }> {
  const external_ids = externalIdsOf(bodies);
  const [rows, known] = await Promise.all([
    readRows(tx, company_id, bodies),
    external_ids.length === 0 ? [] : findByExternalIds(tx, company_id, external_ids),
  ]);
  return { rows, known };
}

/** A likely replay reads the invoice alone. */
export async function readForOne(tx: Tx, company_id: string, body: InvoiceInputBody): Promise<CreationReads> {
  const { external_id } = body;
  const seen = external_id ? idsSeen.get(company_id, external_id) : undefined;
  if (external_id && seen !== undefined) {
    const bundle = await findBundle(tx, company_id, seen);
    if (bundle && bundle.document.external_id === external_id)
      return {
        known: { ...bundle.document, external_id },
        bundle,
        rows: () => readRows(tx, company_id, [body]),
      };
  }
  const { rows, known } = await readForCreation(tx, company_id, [body]);
  return { known: known[0], bundle: undefined, rows: () => Promise.resolve(rows) };
}

type Asked = { body: InvoiceInputBody; is_dry: boolean; is_issued: boolean };

/** A dry run checks the issue, so it counts as one. */
const takesNumber = ({ is_dry, is_issued }: Asked) => is_dry || is_issued;

type Drafted = { bundle: InvoiceBundle; facts: DocumentFacts; regime_keys: readonly string[] };

/** The stored invoice, completed as the request asks, or told. */
async function replay(
  ctx: Ctx,
  { body, is_dry, is_issued }: Asked,
  id: string,
  stored: InvoiceBundle | undefined,
  reasons: Reasons,
): Promise<InvoicePlan | Replayed> {
  const { company_id } = ctx.company;
  const bundle = stored ?? (await findBundle(ctx.tx, company_id, id));
  if (!bundle) throw new Error('The invoice of an external id vanished.');
  if (body.external_id) idsSeen.set(company_id, body.external_id, id);
  return is_dry ? replayRun(ctx, bundle, body, reasons) : completeReplay(ctx, bundle, body, { is_issued });
}

async function draft(ctx: Ctx, asked: Asked, rows: FactRows, reasons: Reasons): Promise<Drafted> {
  const is_numbered = takesNumber(asked);
  const made = await newDraft(ctx, invoices, asked.body, { is_numbered, reasons, rows });
  const { facts, regime_keys, ...document } = made;
  return { bundle: { ...document, payments: [] }, facts, regime_keys };
}

async function planOf(
  ctx: Ctx,
  asked: Asked,
  drafted: Drafted,
  taken: ReadonlySet<string>,
  reasons: Reasons,
): Promise<InvoicePlan> {
  const { bundle, facts, regime_keys } = drafted;
  const { payment } = asked.body;
  if (!takesNumber(asked)) return draftPlan(ctx, bundle, bundle.document.external_id);
  const options = { stored: false, mark_sent: false, regime_keys, taken, status: 201 as const, reasons };
  const issue = await prepareIssue(ctx, bundle, facts, options);
  const plan = payment ? (reasons.attempt(() => withPayment(ctx, issue, payment)) ?? issue) : issue;
  await checkSigning(ctx, reasons);
  return plan;
}

function withOptions(
  ctx: Ctx,
  plan: InvoicePlan,
  { options = {} }: InvoiceInputBody,
  email: PlannedEmail | null,
): InvoicePlan {
  if (plan.numbering === null) return plan;
  const email_block = email ? plannedEmailBlock(ctx, email) : {};
  return {
    ...plan,
    email,
    record_block: options.register_verifactu ? 'with_picture' : 'plain',
    blocks: { ...pdfBlocks(ctx, plan.bundle.document.id, options), ...email_block },
  };
}

/** @throws Problem that refuses the request */
export async function prepareCreation(
  ctx: Ctx,
  body: InvoiceInputBody,
  { known, bundle: stored, rows, taken = new Set() }: CreationReads,
): Promise<InvoicePlan | Replayed> {
  const { external_id, options = {} } = body;
  const asked = { body, is_dry: options.dry_run === true, is_issued: isIssued(body) };
  const reasons = new Reasons(asked.is_dry);
  // The hash recognises a repeated request, since prices and defaults may have changed.
  if (known?.external_hash === requestHash(body)) return replay(ctx, asked, known.id, stored, reasons);

  const drafted = await draft(ctx, asked, await rows(), reasons);
  const { id, type, external_total } = drafted.bundle.document;
  if (known) {
    reasons.attempt(() => checkReplay(known, { type, total: external_total ?? '' }));
    // A dry run that the real call would refuse tells what else stands against the request.
    if (reasons.problems.length === 0) return replay(ctx, asked, known.id, stored, reasons);
  }
  if (external_id && !asked.is_dry) idsSeen.set(ctx.company.company_id, external_id, id);
  const { client, issuer } = drafted.facts;
  const recipients = options.send_automatically
    ? reasons.attempt(() => sendTo(options.send_to, client, invoices))
    : undefined;
  ctx.emit('invoice.created', id);
  const plan = await planOf(ctx, asked, drafted, taken, reasons);
  if (!asked.is_dry)
    return withOptions(ctx, plan, body, recipients && issuer ? planEmail(recipients, issuer) : null);
  await reasonsOfNumbering(ctx, plan, reasons);
  const body_of_dry = {
    data: presentIssueRun(null, plan, reasons),
    ...warningMembers([{ codes: plan.warnings }]),
  };
  return { ready: { status: 200, body: body_of_dry } };
}
