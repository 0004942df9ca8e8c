/** The stored delivery note. */
import type { Bundle, DocumentRow } from '../../domain/sales/rows.ts';
import type { Columns } from '../../platform/rows.ts';
import type { NoteStatus } from './rules/states.ts';

export type Person = { name: string | null; tax_id: string | null };
export type Tracking = { number: string | null; carrier: string | null };

export type NoteRow = DocumentRow & {
  status: NoteStatus;
  delivery_date: string | null;
  delivery_address: Record<string, unknown> | null;
  show_prices: boolean;
  vehicle_plate: string | null;
  driver: Person | null;
  tracking: Tracking | null;
  received_by: Person | null;
  billing_emails: string[];
  delivered_at: Date | string | null;
  cancelled_at: Date | string | null;
  signed_at: Date | string | null;
  content_hash: string | null;
  converted_to_id: string | null;
};

export const ownColumns = {
  delivery_date: 'date',
  delivery_address: 'jsonb',
  show_prices: 'boolean',
  vehicle_plate: 'text',
  driver: 'jsonb',
  tracking: 'jsonb',
  received_by: 'jsonb',
  billing_emails: 'jsonb',
  delivered_at: 'timestamptz',
  cancelled_at: 'timestamptz',
  signed_at: 'timestamptz',
  content_hash: 'text',
  converted_to_id: 'uuid',
} as const satisfies Columns & Record<Exclude<keyof NoteRow, keyof DocumentRow>, string>;

/** The service's role may update no other own columns (migration 0036). */
export const mutableColumns = [
  'received_by',
  'delivered_at',
  'cancelled_at',
  'signed_at',
  'content_hash',
  'converted_to_id',
] as const satisfies readonly (keyof typeof ownColumns)[];

export type SignatureImage = { media_type: 'image/png' | 'image/jpeg'; base64: string };

/** Null members are erased, or were never given. */
export type SignatureRow = {
  delivery_note_id: string;
  signed_by: string | null;
  signer_tax_id: string | null;
  image_media_type: SignatureImage['media_type'] | null;
  ip: string | null;
  user_agent: string | null;
  signed_at: Date | string;
  /** The company's day. */
  signed_on: string;
  erased_at: Date | string | null;
};

export type Signed = {
  signature: SignatureRow | null;
  /** Read for paper alone. */
  image?: SignatureImage | null;
};

export type NoteBundle = Bundle<NoteRow> & Signed;
