/**
 * A prepared plan to create, issue or move an invoice. It lacks only number and stamp. Every check that can refuse it ran without
 * a lock.
 */
import type { Ctx } from '../../../kernel/operation.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { SeriesForNumbering } from '../../series/index.ts';
import type { Held, RecordSeed } from '../../verifactu/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import type { InvoiceWarning } from '../rules/warnings.ts';
import { type Companion, companion, type PlannedEmail } from '../../sales/index.ts';
import { invoices } from '../invoices.family.ts';

export type Numbering = {
  series: SeriesForNumbering;
  /** Made by `issuerKey`. */
  issued_by: string;
  /** Counter key of the day of issue. */
  period: string;
  issued_on: string;
  /** Else it is the day of preparation. */
  is_day_asked: boolean;
};

export type PlannedRecord = Pick<RecordSeed, 'content' | 'follows_id' | 'qr_url' | 'qr_mode'> & {
  /** What an annulment was planned for. Null for an alta. */
  held: Held | null;
};

/** Every creation that issues has the block; the picture of the QR is costly, so only who asks for the record gets it. */
export type RecordBlockWish = 'absent' | 'plain' | 'with_picture';

export type InvoicePlan = {
  /** The invoice as it will be, but for number and stamp. */
  bundle: InvoiceBundle;
  /** Null for a new invoice. */
  stored: { id: string; version: number } | null;
  /** Such as the tickets of a substitution, or a converted quote. */
  companions: readonly Companion[];
  new_payments: readonly PaymentRow[];
  reversed_payments: readonly PaymentRow[];
  numbering: Numbering | null;
  /** The commit fills in its number. */
  record: PlannedRecord | null;
  settings_version: number;
  /** Identity of an unattended checkout: replayed, never made twice. */
  external_id: string | null;
  /** Written once the number is known. */
  email: PlannedEmail | null;
  record_block: RecordBlockWish;
  blocks: Record<string, unknown>;
  /** What the answer warns of. */
  warnings: readonly InvoiceWarning[];
  /** It completes what an earlier call with its external id made. */
  is_repeat: boolean;
  status: 200 | 201;
};

export function draftPlan(ctx: Ctx, bundle: InvoiceBundle, external_id: string | null = null): InvoicePlan {
  return {
    bundle,
    stored: null,
    companions: [],
    new_payments: [],
    reversed_payments: [],
    numbering: null,
    record: null,
    email: null,
    record_block: 'absent',
    settings_version: ctx.company.settings_version,
    external_id,
    blocks: {},
    warnings: [],
    is_repeat: false,
    status: 201,
  };
}

/** Changes the stored invoice without taking a number. */
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
