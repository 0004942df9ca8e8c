/** The tax of lines that name none: a rate for each kind of document, and which tax has these rates. */
import type { DocumentKind } from './document-kinds.ts';

/** A company of the Canary Islands charges IGIC, one of Ceuta or Melilla IPSI. */
export const defaultTaxKinds = ['vat', 'igic', 'ipsi'] as const;
export type DefaultTaxKind = (typeof defaultTaxKinds)[number];

/** VAT where the company has said nothing. @param default_vat as it is stored */
export function defaultTaxKind({ tax_kind }: Readonly<Record<string, unknown>>): DefaultTaxKind {
  return defaultTaxKinds.find((kind) => kind === tax_kind) ?? 'vat';
}

/** The rate is exact text. @param default_vat as it is stored */
export function defaultTaxOf(default_vat: Readonly<Record<string, unknown>>, kind: DocumentKind) {
  const rate = default_vat[kind];
  return {
    default_vat: typeof rate === 'string' ? rate : null,
    default_tax_kind: defaultTaxKind(default_vat),
  };
}
