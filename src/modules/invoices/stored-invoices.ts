/** The store of `modules/sales`, for invoices. */
import type { Bundle, LineRow } from '../../domain/sales/rows.ts';
import type { Tx } from '../../kernel/operation.ts';
import { listPagePayments } from '../payments/index.ts';
import * as sales from '../sales/index.ts';
import { invoices } from './invoices.family.ts';
import type { InvoiceBundle, InvoiceRow } from './invoices.rows.ts';

export function findInvoices(tx: Tx, company_id: string, ids: readonly string[]): Promise<InvoiceRow[]> {
  return sales.findDocuments(tx, invoices, company_id, ids);
}

export function findBundle(tx: Tx, company_id: string, id: string): Promise<InvoiceBundle | undefined> {
  return sales.findBundle(tx, invoices, company_id, id);
}

export function withParts(
  tx: Tx,
  company_id: string,
  rows: readonly InvoiceRow[],
  lines?: Promise<LineRow[]>,
): Promise<InvoiceBundle[]> {
  return sales.withParts(tx, invoices, company_id, rows, lines);
}

/** For what looks at amounts alone: a hundred invoices may have a gigabyte of payments. */
export function withoutPayments(
  tx: Tx,
  company_id: string,
  rows: readonly InvoiceRow[],
  lines: Promise<LineRow[]>,
): Promise<InvoiceBundle[]> {
  const none = Promise.resolve(() => ({ payments: [] }));
  return sales.withParts(tx, invoices, company_id, rows, lines, none);
}

/** Of those that exist, with their payments as long as these have some megabytes. @returns the first ones, in the order given */
export async function withSomePayments(
  tx: Tx,
  company_id: string,
  rows: readonly InvoiceRow[],
  bytes_max: number,
): Promise<InvoiceBundle[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const { payments, whole } = await listPagePayments(tx, company_id, ids, bytes_max);
  const of_invoice = Map.groupBy(payments, ({ invoice_id }) => invoice_id);
  const partsOf = (id: string) => ({ payments: of_invoice.get(id) ?? [] });
  return sales.withParts(tx, invoices, company_id, rows.slice(0, whole), undefined, Promise.resolve(partsOf));
}

export function listPageLines(tx: Tx, company_id: string, ids: readonly string[]) {
  return sales.listPageLines(tx, invoices, company_id, ids);
}

export function lockInvoice(tx: Tx, company_id: string, id: string): Promise<InvoiceRow | undefined> {
  return sales.lockDocument(tx, invoices, company_id, id);
}

/** By id, as issuing does, to avoid a deadlock. */
export function lockInvoices(tx: Tx, company_id: string, ids: readonly string[]) {
  return sales.lockVersions(tx, invoices, company_id, ids);
}

export function insertInvoices(tx: Tx, company_id: string, bundles: readonly Bundle[]): Promise<unknown>[] {
  return sales.insertDocuments(tx, invoices, company_id, bundles);
}

export function replaceDrafts(
  tx: Tx,
  company_id: string,
  stored: readonly Pick<InvoiceRow, 'id' | 'tags'>[],
  bundles: readonly Bundle[],
): Promise<unknown>[] {
  return sales.replaceDocuments(tx, invoices, company_id, stored, bundles);
}

/** Mutable columns except tags. The transaction has locked the rows. */
export function updateInvoices(tx: Tx, company_id: string, rows: readonly InvoiceRow[]): Promise<unknown> {
  return sales.updateDocuments(tx, invoices, company_id, rows);
}
