/** The kind of series each type of invoice is numbered in: the law asks for separate ones (RD 1619/2012, art. 6). */
import type { DocumentKind } from '../../../domain/sales/default-series.ts';

export const invoiceTypes = ['F1', 'F2'] as const;
export type InvoiceType = (typeof invoiceTypes)[number];

const kinds: Record<InvoiceType, DocumentKind> = { F1: 'invoice', F2: 'simplified_invoice' };

export function seriesKindOf(type: InvoiceType): DocumentKind {
  return kinds[type];
}
