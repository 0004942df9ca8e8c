/** What paper reads of a stored document. The rows of every family have these members. */
import type { Environment } from '../../kernel/operation.ts';
import type { StoredAddress } from './addresses.ts';
import type { PrintedLanguage, PrintedLogo } from './printed-document.ts';

/** Numerics are the exact texts of the database. */
export type PrintedLineSource = {
  description: string;
  quantity: string;
  unit: string | null;
  unit_price: string;
  discount_percent: string | null;
  tax_kind: string;
  tax_rate: string | null;
  retention_rate: string | null;
  surcharge_rate: string | null;
  qualification: string | null;
  exemption_reason: string | null;
  exemption_reason_text: string | null;
  regime_key: string | null;
  subtotal: string;
  total: string;
};

export type PrintedTaxSource = {
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

export type PrintedDocumentSource = {
  number: string | null;
  client_id: string | null;
  client_name: string | null;
  client_tax_id: string | null;
  client_snapshot: Record<string, unknown> | null;
  description: string | null;
  notes: string | null;
  currency: string;
  prices_include_tax: boolean;
  discount_total: string;
  retention_total: string;
  total: string;
  amount_due: string;
};

export type PrintedBundle = {
  document: PrintedDocumentSource;
  lines: readonly PrintedLineSource[];
  tax_rows: readonly PrintedTaxSource[];
};

/** The snapshot of a numbered document; for a draft, the company's own data. */
export type PrintedIssuer = {
  name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  address?: StoredAddress | null;
  email?: string | null;
  phone?: string | null;
  website?: string | null;
  iban?: string | null;
  colour?: string | null;
};

export type PrintSetting = {
  issuer: PrintedIssuer;
  environment: Environment;
  /** This folder writes the alternative text, from the issuer's name. */
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
};
