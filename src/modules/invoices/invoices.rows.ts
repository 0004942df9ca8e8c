/** The stored invoice, and the columns that may change after its issue. */
import { type Bundle, type DocumentRow, documentColumns } from '../../domain/sales/rows.ts';
import type { PaymentRow } from '../payments/index.ts';
import type { RecordSummary } from '../verifactu/index.ts';
import type { Columns } from '../../platform/rows.ts';
import type { IssuedBy, ThirdParty } from './rules/document-fields.ts';
import type { InvoiceStatus } from './rules/states.ts';
import type { InvoiceType } from './rules/invoice-types.ts';

/** An invoice that another corrects or substitutes. `id` is null when the service does not hold it. */
export type ReferredInvoice = {
  id: string | null;
  number: string;
  issued_on: string;
  subtotal: number | null;
  taxes_total: number | null;
  surcharge_total: number | null;
  /** What the records say of these amounts; absent in euros, and in older invoices. Not told to callers. */
  euros?: EuroAmounts;
  /** In the first one of a corrective that moves the tax alone: what it adds to what is owed (ADR 103). Not told to callers. */
  debt?: string;
  /** In a corrective that takes the place of one by differences: its money is in the invoice that this one corrects. Not told to callers. */
  is_paid_above?: true;
};

/** Of invoices in another currency, each converted row by row. */
export type EuroAmounts = { base: string; tax: string; surcharge: string };

/** A document that became the invoice. */
export type SourceDocument = { object: string; id: string; number: string | null };

export type InvoiceRow = DocumentRow & {
  type: InvoiceType;
  status: InvoiceStatus;
  operation_on: string | null;
  due_on: string | null;
  /** Of a draft without `due_on`: days from its issue to the due day, where they are not the client's. */
  terms_days: number | null;
  exchange_rate: string | null;
  /** The day of that rate; null also in older invoices. */
  exchange_rate_on: string | null;
  paid_amount: string;
  /**
   * What correctives by differences in force add to the amount due; negative if they reduce it. A corrective that moves the tax alone
   * adds what of itself stays owed.
   */
  corrected_amount: string;
  /** What was paid of the invoices that it replaced. */
  carried_amount: string;
  /** The invoice in which its rest is paid: the one that it corrects by differences, or its replacement. */
  settled_in_id: string | null;
  correction_type: 'differences' | 'substitution' | null;
  correction_reason: string | null;
  corrected_invoices: ReferredInvoice[];
  corrective_ids: string[];
  substituted_invoices: ReferredInvoice[];
  substituted_by_id: string | null;
  issued_by: IssuedBy;
  third_party: ThirdParty | null;
  no_recipient_art61d: boolean;
  /** The client is on paper only: the record of the simplified invoice has no recipient. */
  print_recipient: boolean;
  /** The type asked for with the external id. */
  external_type: string | null;
  issued_at: Date | string | null;
  has_record: boolean;
  sources: SourceDocument[];
  /** Of the last billing record, which is stored elsewhere. */
  record?: RecordSummary | null;
};

export type InvoiceBundle = Bundle<InvoiceRow> & { payments: readonly PaymentRow[] };

export const ownColumns = {
  type: 'text',
  operation_on: 'date',
  due_on: 'date',
  terms_days: 'integer',
  exchange_rate: 'numeric',
  exchange_rate_on: 'date',
  paid_amount: 'numeric',
  corrected_amount: 'numeric',
  carried_amount: 'numeric',
  settled_in_id: 'uuid',
  correction_type: 'text',
  correction_reason: 'text',
  corrected_invoices: 'jsonb',
  corrective_ids: 'uuid[]',
  substituted_invoices: 'jsonb',
  substituted_by_id: 'uuid',
  issued_by: 'text',
  third_party: 'jsonb',
  no_recipient_art61d: 'boolean',
  print_recipient: 'boolean',
  external_type: 'text',
  issued_at: 'timestamptz',
  has_record: 'boolean',
  sources: 'jsonb',
} as const satisfies Columns & Record<Exclude<keyof InvoiceRow, keyof DocumentRow | 'record'>, string>;

const invoiceColumns = { ...documentColumns, ...ownColumns };

/** The service's role may update no other columns after the issue (migration 0009). */
export const mutableColumns = [
  'version',
  'status',
  'paid_amount',
  'corrected_amount',
  'carried_amount',
  'settled_in_id',
  'corrective_ids',
  'substituted_by_id',
  'metadata',
  'tags',
  'custom_fields',
  'sent_at',
  'link_renewed_at',
  'has_record',
  'updated_at',
] as const satisfies readonly (keyof typeof invoiceColumns)[];
