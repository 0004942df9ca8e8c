/**
 * A prepared plan: all that creating, issuing or moving an invoice needs, except number and stamp. Every check that can
 * refuse it ran without a lock. commit-plans.ts commits it.
 */
import type { Ctx } from '../../../kernel/operation.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { SeriesForNumbering } from '../../series/index.ts';
import type { RecordSeed } from '../../verifactu/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { type Companion, companion, type PlannedEmail } from '../../sales/index.ts';
import { invoices } from '../invoices.family.ts';

export type Numbering = {
  series: SeriesForNumbering;
  /** Key of the issuer, as series tell issuers apart. */
  issued_by: string;
  /** Counter key of the series on the day of issue. */
  period: string;
  issued_on: string;
  /** True if the caller named the day; else it is the day of preparation. */
  is_day_asked: boolean;
};

export type PlannedRecord = Pick<RecordSeed, 'content' | 'follows_id' | 'qr_url' | 'qr_mode'>;

export type InvoicePlan = {
  /** The invoice as it will be. The commit sets the number and stamp. */
  bundle: InvoiceBundle;
  /** The stored invoice that the plan was made from; null for a new one. */
  stored: { id: string; version: number } | null;
  /** Stored rows that change with it: the originals of a corrective, the tickets of a substitution, a converted quote. */
  companions: readonly Companion[];
  new_payments: readonly PaymentRow[];
  reversed_payments: readonly PaymentRow[];
  numbering: Numbering | null;
  /** The billing record made with it. The commit fills in its number. */
  record: PlannedRecord | null;
  /** Version of the company's settings that the plan relied on. */
  settings_version: number;
  /** Identity of an unattended checkout: replayed, never made twice. */
  external: { external_id: string; type: string; total: string } | null;
  /** The e-mail sent with it. It is written once the number is known. */
  email: PlannedEmail | null;
  /** The caller asked for the record's block, with the picture of the QR. */
  wants_record_block: boolean;
  /** Blocks of the answer that are not the invoice's own. */
  blocks: Record<string, unknown>;
  headers: Record<string, string>;
  /** HTTP status of the answer. */
  status: 200 | 201;
};

export function draftPlan(
  ctx: Ctx,
  bundle: InvoiceBundle,
  external: InvoicePlan['external'] = null,
): InvoicePlan {
  return {
    bundle,
    stored: null,
    companions: [],
    new_payments: [],
    reversed_payments: [],
    numbering: null,
    record: null,
    email: null,
    wants_record_block: false,
    settings_version: ctx.company.settings_version,
    external,
    blocks: {},
    headers: {},
    status: 201,
  };
}

/** A plan that changes the stored invoice to `bundle`: the moves that take no number. */
export function changePlan(ctx: Ctx, stored: InvoiceRow, bundle: InvoiceBundle): InvoicePlan {
  return {
    ...draftPlan(ctx, {
      ...bundle,
      document: { ...bundle.document, version: stored.version + 1, updated_at: ctx.now.toISOString() },
    }),
    stored: { id: stored.id, version: stored.version },
    status: 200,
  };
}

/** Another stored invoice that changes with the plan. */
export function invoiceCompanion(ctx: Ctx, stored: InvoiceRow, change: Partial<InvoiceRow>): Companion {
  return companion(invoices, stored, change, ctx.now);
}

export function numbered(
  row: InvoiceRow,
  values: { number: string; series_number: number; period: string; issued_at: string },
): InvoiceRow {
  return {
    ...row,
    number: values.number,
    series_number: values.series_number,
    series_period: values.period,
    issued_at: values.issued_at,
  };
}
