/**
 * A prepared plan: everything an invoice's creation, issue or move needs, except its number and stamp. All
 * that can refuse it was checked while no lock was held; committing is left to commit-plans.ts.
 */
import type { Ctx } from '../../../kernel/operation.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { SeriesForNumbering } from '../../series/index.ts';
import type { RecordSeed } from '../../verifactu/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { type Companion, companion, type PlannedEmail } from '../../sales/index.ts';
import { invoices } from '../invoices.family.ts';

/** How a plan takes its number. */
export type Numbering = {
  series: SeriesForNumbering;
  /** Who issues, as series tell them apart. */
  issued_by: string;
  /** Counter key of the series on the day of issue. */
  period: string;
  issued_on: string;
  /** The caller named the day; else it is the day on which the plan was prepared. */
  is_day_asked: boolean;
};

export type PlannedRecord = Pick<RecordSeed, 'content' | 'follows_id' | 'qr_url' | 'qr_mode'>;

export type InvoicePlan = {
  /** The invoice as it will be; number, stamp and status of a numbered one are set when it commits. */
  bundle: InvoiceBundle;
  /** The stored invoice that the plan was made from; null for a new one. */
  stored: { id: string; version: number } | null;
  /** Stored rows that change with it: the originals of a corrective, the tickets of a substitution, a converted quote. */
  companions: readonly Companion[];
  /** Payments registered with it. */
  new_payments: readonly PaymentRow[];
  /** Payments of it that are voided. */
  reversed_payments: readonly PaymentRow[];
  numbering: Numbering | null;
  /** The billing record that is made with it; its number is filled in when it is taken. */
  record: PlannedRecord | null;
  /** Version of the company's settings that the plan relied on. */
  settings_version: number;
  /** Identity of an unattended checkout: replayed, never made twice. */
  external: { external_id: string; type: string; total: string } | null;
  /** The e-mail that it is sent with; written when it has its number. */
  email: PlannedEmail | null;
  /** The caller asked for the block of the record, picture of the QR included. */
  wants_record_block: boolean;
  /** Blocks of the answer that are not the invoice's own. */
  blocks: Record<string, unknown>;
  headers: Record<string, string>;
  /** What the operation answers of the committed invoice. */
  status: 200 | 201;
};

/** A plan that stores a new draft. */
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

/** A plan that leaves the stored invoice as `bundle` says: the moves that take no number. */
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

/** Another stored invoice as it is once the plan commits. */
export function invoiceCompanion(ctx: Ctx, stored: InvoiceRow, change: Partial<InvoiceRow>): Companion {
  return companion(invoices, stored, change, ctx.now);
}

/** The row of a plan with its number and stamp. */
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
