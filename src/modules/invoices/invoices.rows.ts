/** The rows of an invoice as they are stored: numerics as exact texts, days as texts, instants as ISO texts or dates. */
import type { PaymentRow } from '../payments/index.ts';
import type { RecordSummary } from '../verifactu/index.ts';
import type { Columns } from '../../platform/rows.ts';
import type { IssuedBy, ThirdParty } from './rules/document-fields.ts';
import type { InvoiceStatus } from './rules/states.ts';
import type { InvoiceType } from './rules/invoice-types.ts';

/** An invoice that another one corrects or substitutes; `id` is null when the service does not hold it. */
export type ReferredInvoice = {
  id: string | null;
  number: string;
  issued_on: string;
  subtotal: number | null;
  taxes_total: number | null;
  surcharge_total: number | null;
};

export type InvoiceRow = {
  id: string;
  version: number;
  type: InvoiceType;
  status: InvoiceStatus;
  number: string | null;
  series_id: string | null;
  series_code: string | null;
  series_period: string | null;
  series_number: number | null;
  client_id: string | null;
  client_name: string | null;
  client_tax_id: string | null;
  client_snapshot: Record<string, unknown> | null;
  issuer_snapshot: Record<string, unknown> | null;
  description: string | null;
  issued_on: string | null;
  operation_on: string | null;
  due_on: string | null;
  currency: string;
  exchange_rate: string | null;
  prices_include_tax: boolean;
  subtotal: string;
  discount_total: string;
  taxes_total: string;
  surcharge_total: string;
  retention_total: string;
  total: string;
  amount_due: string;
  paid_amount: string;
  /** What correctives by differences in force add to or take from what is due. */
  corrected_amount: string;
  /** What was paid of the invoices whose place it took. */
  carried_amount: string;
  /**
   * The invoice in which what is left of this one is paid: of a corrective by differences the one that it corrects, of
   * a replaced invoice the one in its place.
   */
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
  notes: string | null;
  external_id: string | null;
  /** Type and total that the request of the external id asked for. */
  external_type: string | null;
  external_total: string | null;
  /** Hash of what was asked for, so that the same request is known whatever prices have become. */
  external_hash: string | null;
  metadata: Record<string, string>;
  tags: string[];
  custom_fields: { field: string; value: string }[];
  issued_at: Date | string | null;
  sent_at: Date | string | null;
  has_record: boolean;
  created_at: Date | string;
  updated_at: Date | string;
  /** How its last billing record stands; read with it, and stored elsewhere. */
  record?: RecordSummary | null;
};

export type LineRow = {
  invoice_id: string;
  position: number;
  id: string;
  description: string;
  product_id: string | null;
  product_name: string | null;
  quantity: string;
  unit: string | null;
  unit_price: string;
  discount_percent: string | null;
  taxes_id: string | null;
  tax_name: string | null;
  tax_kind: string;
  tax_rate: string | null;
  retention_rate: string | null;
  surcharge_rate: string | null;
  qualification: string | null;
  exemption_reason: string | null;
  exemption_reason_text: string | null;
  regime_key: string | null;
  /** The line or its tax says the key; else it follows from the rest. */
  is_regime_key_stated: boolean;
  /** The line says its surcharge; else it follows from the client. */
  is_surcharge_stated: boolean;
  subtotal: string;
  taxes: string;
  total: string;
};

export type TaxRow = {
  invoice_id: string;
  position: number;
  tax_kind: string;
  regime_key: string | null;
  qualification: string | null;
  exemption_reason: string | null;
  tax_rate: string | null;
  surcharge_rate: string | null;
  base: string;
  tax: string;
  surcharge: string;
};

export type InvoiceBundle = {
  invoice: InvoiceRow;
  lines: readonly LineRow[];
  tax_rows: readonly TaxRow[];
  payments: readonly PaymentRow[];
};

export const invoiceColumns = {
  id: 'uuid',
  version: 'integer',
  type: 'text',
  status: 'text',
  number: 'text',
  series_id: 'uuid',
  series_code: 'text',
  series_period: 'text',
  series_number: 'integer',
  client_id: 'uuid',
  client_name: 'text',
  client_tax_id: 'text',
  client_snapshot: 'jsonb',
  issuer_snapshot: 'jsonb',
  description: 'text',
  issued_on: 'date',
  operation_on: 'date',
  due_on: 'date',
  currency: 'text',
  exchange_rate: 'numeric',
  prices_include_tax: 'boolean',
  subtotal: 'numeric',
  discount_total: 'numeric',
  taxes_total: 'numeric',
  surcharge_total: 'numeric',
  retention_total: 'numeric',
  total: 'numeric',
  amount_due: 'numeric',
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
  notes: 'text',
  external_id: 'text',
  external_type: 'text',
  external_total: 'numeric',
  external_hash: 'text',
  metadata: 'jsonb',
  tags: 'text[]',
  custom_fields: 'jsonb',
  issued_at: 'timestamptz',
  sent_at: 'timestamptz',
  has_record: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns & Record<Exclude<keyof InvoiceRow, 'record'>, string>;

/**
 * What of an issued invoice may change; the service's role is granted no other column (migration 0009). Everything
 * else of it is what was issued.
 */
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
  'has_record',
  'updated_at',
] as const satisfies readonly (keyof typeof invoiceColumns)[];

export const lineColumns = {
  invoice_id: 'uuid',
  position: 'integer',
  id: 'uuid',
  description: 'text',
  product_id: 'uuid',
  product_name: 'text',
  quantity: 'numeric',
  unit: 'text',
  unit_price: 'numeric',
  discount_percent: 'numeric',
  taxes_id: 'uuid',
  tax_name: 'text',
  tax_kind: 'text',
  tax_rate: 'numeric',
  retention_rate: 'numeric',
  surcharge_rate: 'numeric',
  qualification: 'text',
  exemption_reason: 'text',
  exemption_reason_text: 'text',
  regime_key: 'text',
  is_regime_key_stated: 'boolean',
  is_surcharge_stated: 'boolean',
  subtotal: 'numeric',
  taxes: 'numeric',
  total: 'numeric',
} as const satisfies Columns & Record<keyof LineRow, string>;

export const taxRowColumns = {
  invoice_id: 'uuid',
  position: 'integer',
  tax_kind: 'text',
  regime_key: 'text',
  qualification: 'text',
  exemption_reason: 'text',
  tax_rate: 'numeric',
  surcharge_rate: 'numeric',
  base: 'numeric',
  tax: 'numeric',
  surcharge: 'numeric',
} as const satisfies Columns & Record<keyof TaxRow, string>;
