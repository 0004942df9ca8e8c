/** What paper reads of a stored document of any family. */
import type { Environment } from '../../kernel/operation.ts';
import type { DocumentRow, LineDetails, LineRow, TaxRow } from '../sales/rows.ts';
import type { StoredAddress } from './addresses.ts';
import type { PrintedLanguage, PrintedLogo } from './printed-document.ts';

/** These have fewer members than rows, so that samples are short. */
export type PrintedLineSource = Omit<
  LineRow,
  | 'document_id'
  | 'position'
  | 'id'
  | 'product_id'
  | 'product_name'
  | 'kind'
  | 'is_kind_stated'
  | 'taxes_id'
  | 'tax_name'
  | 'is_regime_key_stated'
  | 'is_surcharge_stated'
  | 'details'
  | 'taxes'
> & {
  details?: Pick<
    LineDetails,
    'price_includes_tax' | 'variant' | 'presentation' | 'options' | 'original_pack_data'
  > | null;
};

export type PrintedTaxSource = Omit<TaxRow, 'document_id' | 'position'>;

export type PrintedDocumentSource = Pick<
  DocumentRow,
  | 'number'
  | 'client_id'
  | 'client_name'
  | 'client_tax_id'
  | 'client_snapshot'
  | 'description'
  | 'notes'
  | 'currency'
  | 'prices_include_tax'
  | 'discount_total'
  | 'retention_total'
  | 'total'
  | 'amount_due'
>;

export type PrintedBundle = {
  document: PrintedDocumentSource;
  lines: readonly PrintedLineSource[];
  tax_rows: readonly PrintedTaxSource[];
};

/** A numbered document's snapshot; for a draft, the company's own data. */
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
  /** Older documents lack it. */
  registry_data?: string | null;
};

export type PrintSetting = {
  issuer: PrintedIssuer;
  environment: Environment;
  /** The alternative text comes from the issuer's name. */
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
};
