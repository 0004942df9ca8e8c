/**
 * Prepares the creation of one invoice, for create and bulk-create: a draft or an issue, with its payment and the
 * blocks asked for; the replay of an external id; or a dry run, which is of the issue.
 */
import type { Ctx, Tx } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { findBundle } from '../stored-invoices.ts';
import { type ExternalInvoice, findByExternalIds } from '../invoices.store.ts';
import { requestHash } from '../rules/request-hash.ts';
import { sendTo } from '../../../domain/sales/recipients.ts';
import type { Replayed } from './group.ts';
import { presentDryRun, reasonsOfNumbering } from './dry-run.ts';
import {
  type FactRows,
  newDraft,
  planEmail,
  plannedEmailBlock,
  readFacts,
  wantedBy,
} from '../../sales/index.ts';
import { IdsSeen } from './ids-seen.ts';
import { outsideBlocks } from './outside.ts';
import { draftPlan, type InvoicePlan } from './plan.ts';
import { checkSigning } from './record-plan.ts';
import { invoices } from '../invoices.family.ts';
import { prepareIssue } from './prepare.ts';
import { checkReplay, completeReplay } from './replay.ts';
import { withPayment } from './with-payment.ts';

/** Options that issue the invoice in the same transaction (decisions, section 3). */
const issuingOptions = ['issue', 'register_verifactu', 'send_automatically', 'wait_for_pdf'] as const;

const idsSeen = new IdsSeen();

/** Whether the request issues the invoice: with a payment, or with any of the options that do. */
export function isIssued({ payment, options = {} }: InvoiceInputBody): boolean {
  return payment !== undefined || issuingOptions.some((name) => options[name] === true);
}

/** The external ids that the requests name. */
export function externalIdsOf(bodies: readonly InvoiceInputBody[]): string[] {
  return bodies.flatMap((body) => body.external_id ?? []);
}

/** What a creation is prepared from. */
export type CreationReads = {
  /** The invoice that has the external id of the request already. */
  known: ExternalInvoice | undefined;
  /** That invoice with its parts, where it was read. */
  bundle: InvoiceBundle | undefined;
  /** What the request refers to. A replay does not ask for it. */
  rows(): Promise<FactRows>;
};

function readRows(tx: Tx, company_id: string, bodies: readonly InvoiceInputBody[]): Promise<FactRows> {
  return readFacts(
    tx,
    invoices,
    company_id,
    bodies.map((body) => wantedBy(invoices, body, isIssued(body) || body.options?.dry_run === true)),
  );
}

/** What requests refer to, and the invoices that have their external ids already, in one pipeline. */
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

/** As `readForCreation` for one request, which reads nothing but the invoice when it is likely a replay. */
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

/** @throws Problem that refuses the request */
export async function prepareCreation(
  ctx: Ctx,
  body: InvoiceInputBody,
  { known, bundle: stored, rows }: CreationReads,
): Promise<InvoicePlan | Replayed> {
  const { company_id } = ctx.company;
  const { payment, external_id, options = {} } = body;
  const is_dry = options.dry_run === true;
  const is_issued = isIssued(body);
  const replay = async (id: string) => {
    const bundle = stored ?? (await findBundle(ctx.tx, company_id, id));
    if (!bundle) throw new Error('The invoice of an external id vanished.');
    if (external_id) idsSeen.set(company_id, external_id, id);
    return completeReplay(ctx, bundle, body, is_issued);
  };
  // The same request is known by itself: prices and defaults may have changed since.
  if (known && !is_dry && known.external_hash === requestHash(body)) return replay(known.id);

  const reasons = new Reasons(is_dry);
  const { facts, regime_keys, ...draft } = await newDraft(ctx, invoices, body, {
    is_numbered: is_issued || is_dry,
    reasons,
    rows: await rows(),
  });
  const bundle: InvoiceBundle = { ...draft, payments: [] };
  const { document: invoice } = bundle;
  if (known) {
    reasons.attempt(() => checkReplay(known, { type: invoice.type, total: invoice.external_total ?? '' }));
    if (!is_dry) return replay(known.id);
  }
  if (external_id && !is_dry) idsSeen.set(company_id, external_id, invoice.id);
  const recipients = options.send_automatically
    ? reasons.attempt(() => sendTo(options.send_to, facts.client, invoices))
    : undefined;
  ctx.emit('invoice.created', invoice.id);
  let plan = draftPlan(
    ctx,
    bundle,
    external_id ? { external_id, type: invoice.type, total: invoice.external_total ?? '' } : null,
  );
  if (is_issued || is_dry) {
    plan = prepareIssue(ctx, bundle, facts, {
      stored: false,
      mark_sent: false,
      regime_keys,
      status: 201,
      reasons,
    });
    if (payment) plan = reasons.attempt(() => withPayment(ctx, plan, payment)) ?? plan;
  }
  if (is_issued || is_dry) await checkSigning(ctx, reasons);
  if (!is_dry) {
    const email = recipients && facts.issuer ? planEmail(recipients, facts.issuer) : null;
    return {
      ...plan,
      email,
      wants_record_block: options.register_verifactu === true,
      blocks: {
        ...outsideBlocks(ctx, invoice.id, options),
        ...(email ? plannedEmailBlock(ctx, email) : {}),
      },
    };
  }
  await reasonsOfNumbering(ctx, plan, reasons);
  return { ready: { status: 200, body: { data: presentDryRun(reasons) } } };
}
