import type { Columns } from '../../../platform/rows.ts';
import type { PriorRejection, RecordKind, RemissionMode } from '../record.ts';

export type RecordRow = {
  id: string;
  /** 1, 2, 3 … without gap. */
  position: number;
  kind: RecordKind;
  mode: RemissionMode;
  invoice_id: string;
  /** The record of the same invoice that this one mends or annuls. */
  follows_id: string | null;
  tax_id: string;
  number: string;
  issued_on: string;
  invoice_type: string | null;
  is_subsanacion: boolean;
  prior_rejection: PriorRejection | null;
  has_no_prior_record: boolean;
  tax_total: string | null;
  total: string | null;
  huella: string;
  previous_huella: string | null;
  stamped_at: string;
  recorded_at: Date | string;
  qr_url: string | null;
  qr_mode: RemissionMode;
  xml: string;
};

export const recordColumns = {
  id: 'uuid',
  position: 'bigint',
  kind: 'text',
  mode: 'text',
  invoice_id: 'uuid',
  follows_id: 'uuid',
  tax_id: 'text',
  number: 'text',
  issued_on: 'date',
  invoice_type: 'text',
  is_subsanacion: 'boolean',
  prior_rejection: 'text',
  has_no_prior_record: 'boolean',
  tax_total: 'numeric',
  total: 'numeric',
  huella: 'text',
  previous_huella: 'text',
  stamped_at: 'text',
  recorded_at: 'timestamptz',
  qr_url: 'text',
  qr_mode: 'text',
  xml: 'text',
} as const satisfies Columns & Record<keyof RecordRow, string>;

export const sendingStatuses = [
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
] as const;
export type SendingStatus = (typeof sendingStatuses)[number];

/** The record broke the authority's schema and is held back. */
export const schemaInvalid = { block_reason: 'schema_invalid', aeat_error_code: 'SCHEMA_INVALID' } as const;

export type SendingRow = {
  record_id: string;
  position: number;
  status: SendingStatus;
  is_blocked: boolean;
  block_reason: string | null;
  is_incident: boolean;
  attempts: number;
  batch_id: string | null;
  csv: string | null;
  aeat_error_code: string | null;
  aeat_error_message: string | null;
  sent_at: Date | string | null;
  answered_at: Date | string | null;
  created_at: Date | string;
};

export const newSendingColumns = {
  record_id: 'uuid',
  position: 'bigint',
  status: 'text',
  is_blocked: 'boolean',
  block_reason: 'text',
  aeat_error_code: 'text',
  is_incident: 'boolean',
  created_at: 'timestamptz',
} as const satisfies Columns;

/** The end of a company's chain, in the row that issuing locks. */
export type ChainHead = {
  record_position: number;
  record_tax_id: string | null;
  record_number: string | null;
  record_issued_on: string | null;
  record_huella: string | null;
  last_recorded_at: Date | null;
  /** Records of no-verifactu mode. */
  kept_count: number;
  unsent_count: number;
  is_sender_due: boolean;
};
