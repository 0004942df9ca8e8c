/** The stored purchase, its lines and its payments. */
import type { Bundle, DocumentRow, LineRow, TaxRow } from '../../domain/sales/rows.ts';
import type { Columns } from '../../platform/rows.ts';
import type { PaidRow } from '../payments/index.ts';

export const purchaseKinds = [
  'invoice',
  'simplified',
  'corrective',
  'customs',
  'agricultural_receipt',
] as const;
export type PurchaseKind = (typeof purchaseKinds)[number];

export const operations = [
  'domestic',
  'reverse_charge',
  'intra_community_goods',
  'intra_community_services',
  'non_eu_services',
  'import',
] as const;
export type PurchaseOperation = (typeof operations)[number];

export const retentionKinds = ['professional', 'rent', 'agricultural', 'director', 'other'] as const;
export type RetentionKind = (typeof retentionKinds)[number];

export const prorataUses = ['with_right', 'without_right', 'common'] as const;
export type ProrataUse = (typeof prorataUses)[number];

/** The paper that a corrective corrects. */
export type Corrected = { purchase_invoice_id: string | null; number: string; issued_on: string | null };

/** `number` is the reception number, `client_*` the supplier. `status` is the database's (rules/status.ts). */
export type PurchaseRow = DocumentRow & {
  supplier_number: string | null;
  kind: PurchaseKind;
  operation: PurchaseOperation;
  operation_on: string | null;
  received_on: string | null;
  due_on: string | null;
  deduct_on: string | null;
  is_deduct_on_stated: boolean;
  /** Euros for one unit of the currency; null for euros. */
  exchange_rate: string | null;
  /** Euros. */
  self_charged_total: string;
  /** Euros, once all is due. */
  deductible_total: string;
  retention_kind: RetentionKind | null;
  has_recipient_data: boolean;
  /** The supplier's regime. */
  cash_accounting: boolean;
  has_investment_goods: boolean;
  corrects: Corrected | null;
  scan_ids: string[];
  /** Of the payments in force. */
  paid_amount: string;
  accounted_at: Date | string | null;
  cancelled_at: Date | string | null;
};

export const ownColumns = {
  supplier_number: 'text',
  kind: 'text',
  operation: 'text',
  operation_on: 'date',
  received_on: 'date',
  due_on: 'date',
  deduct_on: 'date',
  is_deduct_on_stated: 'boolean',
  exchange_rate: 'numeric',
  self_charged_total: 'numeric',
  deductible_total: 'numeric',
  retention_kind: 'text',
  has_recipient_data: 'boolean',
  cash_accounting: 'boolean',
  has_investment_goods: 'boolean',
  corrects: 'jsonb',
  scan_ids: 'uuid[]',
  paid_amount: 'numeric',
  accounted_at: 'timestamptz',
  cancelled_at: 'timestamptz',
} as const satisfies Columns & Record<Exclude<keyof PurchaseRow, keyof DocumentRow>, string>;

/** The service's role may update no other own columns (migration 0041). */
export const mutableColumns = [
  'paid_amount',
  'accounted_at',
  'cancelled_at',
] as const satisfies readonly (keyof typeof ownColumns)[];

type OwnLine = {
  /** As stated; null is 100. */
  deductible_percent: string | null;
  non_deductible_reason: string | null;
  /** Why nothing is deducted, whatever was stated. */
  forced_reason: string | null;
  is_investment_good: boolean;
  prorata_use: ProrataUse | null;
  expense_account: string | null;
  /** Euros. */
  self_charged: string;
  /** Euros. */
  deductible: string;
};
export type PurchaseLineRow = LineRow & OwnLine;

export const ownLineColumns = {
  deductible_percent: 'numeric',
  non_deductible_reason: 'text',
  forced_reason: 'text',
  is_investment_good: 'boolean',
  prorata_use: 'text',
  expense_account: 'text',
  self_charged: 'numeric',
  deductible: 'numeric',
} as const satisfies Columns & Record<keyof OwnLine, string>;

type OwnTaxRow = {
  /** The paper's, not what its lines give. */
  is_tax_stated: boolean;
  /** Euros. */
  self_charged: string;
  /** Euros. */
  deductible: string;
};
export type PurchaseTaxRow = TaxRow & OwnTaxRow;

export const ownTaxColumns = {
  is_tax_stated: 'boolean',
  self_charged: 'numeric',
  deductible: 'numeric',
} as const satisfies Columns & Record<keyof OwnTaxRow, string>;

export type PurchasePaymentRow = PaidRow & {
  purchase_invoice_id: string;
  /** Euros that it took, where the purchase is in another currency. */
  settled_amount: string | null;
};

export type Paid = { payments: readonly PurchasePaymentRow[] };

export type PurchaseBundle = Bundle<PurchaseRow> & Paid;
