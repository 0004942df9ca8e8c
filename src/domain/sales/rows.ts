/**
 * Stored rows of any sales document. Numerics are exact texts, days are texts, instants are ISO texts or
 * dates. Families add columns to `DocumentRow`.
 */

/** Of a line, and of what a product is. */
export const lineKinds = ['good', 'service'] as const;
export type LineKind = (typeof lineKinds)[number];

/** Column to PostgreSQL type, without company_id. */
type ColumnTypes<R> = { readonly [name in keyof R]-?: string };

/** `status` is a state of the kind's own table. */
export type DocumentRow = {
  id: string;
  version: number;
  status: string;
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
  currency: string;
  prices_include_tax: boolean;
  subtotal: string;
  discount_total: string;
  taxes_total: string;
  surcharge_total: string;
  retention_total: string;
  total: string;
  amount_due: string;
  notes: string | null;
  external_id: string | null;
  /** Recognises a repeated request. */
  external_hash: string | null;
  /** What the request of the external id asked for. */
  external_total: string | null;
  metadata: Record<string, string>;
  tags: string[];
  custom_fields: { field: string; value: string }[];
  sent_at: Date | string | null;
  /** When the public address was last replaced. */
  link_renewed_at: Date | string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

/** The document that a converted line comes from. */
export type LineSource = {
  object: string;
  id: string;
  number: string | null;
  /** The day on which it was delivered, where the document knows one. */
  operation_on: string | null;
  line_id: string;
};

type Named = { id: string; name: string };

/** What few lines have. Absent members are none. */
export type LineDetails = {
  variant?: Named;
  /** `factor`: how many units it holds. */
  presentation?: Named & { factor: number };
  options?: readonly { group: Named; value: Named; price_delta: number }[];
  /** Purchase invoices that the line charges on. */
  linked_expenses?: readonly { id: string; number: string }[];
  /** The pack that the line was a part of, as it was then. */
  original_pack_data?: Record<string, unknown>;
  source?: LineSource;
  /** In a template: the keys that the line says, of those it may omit. The others are found anew each time. */
  said?: readonly string[];
  /** The line did not say its discount: a list, its pack or its client did. It goes when the line sells something else. */
  is_discount_found?: true;
  /** The line did not say how it is taxed: its client, product or company did. It is asked anew with another client. */
  is_tax_found?: true;
  /** Set even in a document whose prices are without tax, for a pro-forma's carriage. */
  price_includes_tax?: true;
  /** Names one of several tickets that a full invoice replaced. Lines that say the same are rounded together, as they were there. */
  rounded_with?: string;
  /** In another currency: their euros are rounded together too. Older lines do not say it, and their records did not. */
  is_rounded_in_euros?: true;
};

export type LineRow = {
  document_id: string;
  position: number;
  id: string;
  description: string;
  product_id: string | null;
  product_name: string | null;
  quantity: string;
  unit: string | null;
  /** Null in older lines, made before it was asked for. */
  kind: LineKind | null;
  is_kind_stated: boolean;
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
  is_regime_key_stated: boolean;
  is_surcharge_stated: boolean;
  /** Null in a plain line. */
  details: LineDetails | null;
  subtotal: string;
  taxes: string;
  total: string;
};

/** The lines that share kind, key, qualification or exemption, and rates. */
export type TaxRow = {
  document_id: string;
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

export type Bundle<R extends DocumentRow = DocumentRow> = {
  document: R;
  lines: readonly LineRow[];
  tax_rows: readonly TaxRow[];
};

export const documentColumns = {
  id: 'uuid',
  version: 'integer',
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
  currency: 'text',
  prices_include_tax: 'boolean',
  subtotal: 'numeric',
  discount_total: 'numeric',
  taxes_total: 'numeric',
  surcharge_total: 'numeric',
  retention_total: 'numeric',
  total: 'numeric',
  amount_due: 'numeric',
  notes: 'text',
  external_id: 'text',
  external_hash: 'text',
  external_total: 'numeric',
  metadata: 'jsonb',
  tags: 'text[]',
  custom_fields: 'jsonb',
  sent_at: 'timestamptz',
  link_renewed_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies ColumnTypes<DocumentRow>;

/** Without the reference to the document, which each family names. */
export const lineColumns = {
  position: 'integer',
  id: 'uuid',
  description: 'text',
  product_id: 'uuid',
  product_name: 'text',
  quantity: 'numeric',
  unit: 'text',
  kind: 'text',
  is_kind_stated: 'boolean',
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
  details: 'jsonb',
  subtotal: 'numeric',
  taxes: 'numeric',
  total: 'numeric',
} as const satisfies ColumnTypes<Omit<LineRow, 'document_id'>>;

export const taxRowColumns = {
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
} as const satisfies ColumnTypes<Omit<TaxRow, 'document_id'>>;
