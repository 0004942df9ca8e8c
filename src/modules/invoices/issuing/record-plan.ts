/**
 * Prepares the billing record of an issue or a withdrawal (ADR 15). Before any lock, it checks that the record fits the
 * authority's schema and can be signed.
 */
import type { Ctx, Tx } from '../../../kernel/operation.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import {
  eligibilityFaults,
  findRegistration,
  listRecordsOf,
  modeOn,
  recordBlock,
  type RecordBlock,
  signingFault,
  heldOnceAccepted,
  numberFault,
} from '../../verifactu/index.ts';
import { qrPng } from '../../../platform/qr-png.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { lineOf as lineOfRow } from '../rules/issue-rules.ts';
import { altaContent, anulacionContent } from '../rules/record-content.ts';
import type { InvoicePlan, PlannedRecord } from './plan.ts';

export function isRegistering(ctx: Ctx): boolean {
  return modeOn(ctx.company, ctx.today) !== null;
}

/**
 * Null while VeriFactu is off.
 * @throws 422 verifactu_not_eligible, or gathers it in a dry run
 */
export function planRecord(ctx: Ctx, bundle: InvoiceBundle, reasons: Reasons): PlannedRecord | null {
  if (!isRegistering(ctx)) return null;
  const content = altaContent(bundle);
  const lineOf = (row_index: number) => {
    const row = bundle.tax_rows[row_index];
    const line_index = row ? lineOfRow(row, bundle.lines) : -1;
    return line_index < 0 ? undefined : line_index;
  };
  for (const fault of eligibilityFaults(content, ctx.today, false, lineOf)) {
    // A dry run reports one fault per field.
    const { param } = fault.details;
    if (!reasons.problems.some((told) => told.details.param === param)) reasons.refuse(fault);
  }
  return { content, follows_id: null, qr_url: null, qr_mode: null, held: null };
}

/**
 * Only the mode `no_verifactu` signs records.
 * @throws 422 verifactu_not_eligible, subcode signing_certificate_unavailable, or gathers it in a dry run
 */
export async function checkSigning(ctx: Ctx, reasons: Reasons): Promise<void> {
  if (modeOn(ctx.company, ctx.today) !== 'no_verifactu') return;
  const row = await findRegistration(ctx.tx, ctx.company.company_id);
  if (!row) return;
  const fault = signingFault(ctx.ports, ctx.company, row, ctx.now, ctx.today);
  if (fault) reasons.refuse(fault);
}

/**
 * Null while VeriFactu is off. The marks depend on what AEAT holds of the invoice. A waiting record counts as held, because it is
 * sent first.
 */
export async function planAnulacion(ctx: Ctx, invoice: InvoiceRow): Promise<PlannedRecord | null> {
  const mode = modeOn(ctx.company, ctx.today);
  if (mode === null) return null;
  const records = await listRecordsOf(ctx.tx, ctx.company.company_id, invoice.id);
  const last = records.at(-1);
  const held = heldOnceAccepted(records);
  const content = anulacionContent(invoice, {
    has_no_prior_record: mode === 'verifactu' && held === 'nothing',
    is_prior_rejection: false,
  });
  const fault = numberFault(content.number);
  if (fault) throw fault;
  return {
    content,
    follows_id: last?.id ?? null,
    qr_url: last?.qr_url ?? null,
    qr_mode: last?.qr_mode ?? null,
    held,
  };
}

/**
 * The invoices that got another record or another answer since their annulment was planned. The locks have to be held: a
 * subsanación takes the head's, an answer the invoice's.
 */
export async function findMovedRecords(
  tx: Tx,
  company_id: string,
  plans: readonly InvoicePlan[],
): Promise<ReadonlySet<string>> {
  const annulments = plans.flatMap(({ record, bundle }) =>
    record === null || record.held === null ? [] : [{ record, invoice_id: bundle.document.id }],
  );
  const moved = await Promise.all(
    annulments.map(async ({ record, invoice_id }) => {
      const records = await listRecordsOf(tx, company_id, invoice_id);
      const is_same =
        (records.at(-1)?.id ?? null) === record.follows_id && heldOnceAccepted(records) === record.held;
      return is_same ? [] : [invoice_id];
    }),
  );
  return new Set(moved.flat());
}

/** For a draft, or an issue while VeriFactu was off. */
const noRecordBlock = {
  status: 'disabled',
  error_code: null,
  aeat_status: null,
  huella: null,
  qr_url: null,
  qr_png_base64: null,
  legend: null,
  csv: null,
} as const;

export function checkoutBlock(
  { record }: InvoiceRow,
  with_picture: boolean,
): RecordBlock | typeof noRecordBlock {
  if (!record) return noRecordBlock;
  return recordBlock(record, with_picture && record.qr_url !== null ? qrPng(record.qr_url) : null);
}
