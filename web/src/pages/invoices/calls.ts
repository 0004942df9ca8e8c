import type { Event } from '../../../../src/modules/events/events.schema.ts';
import type { Payment } from '../../../../src/modules/payments/payments.schema.ts';
import type { ListedProduct as ListedProductSchema } from '../../../../src/modules/products/products.schema.ts';
import type { Series } from '../../../../src/modules/series/series.schema.ts';
import type { Tax } from '../../../../src/modules/taxes/taxes.schema.ts';
import type { VerifactuRecord } from '../../../../src/modules/verifactu/records/records.schema.ts';
import type { VerifactuConfig } from '../../../../src/modules/verifactu/settings/config.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';
import type { ChangedInvoice, Client, Invoice, NewInvoice } from '../../printed/resources.ts';
import type { CorrectedLine } from './corrected-lines.ts';
import type { Sums } from './sums.ts';

export type InvoicePayment = Invoice['payments']['detail'][number];
export type DryRun = {
  can_issue: boolean;
  reasons: { code: string; message: string; param: string | null; line_index: number | null }[];
  /** Null where they cannot be counted. */
  amounts: Sums | null;
};
type OfInvoice = { invoice: string };
/** What the law misses in it does not keep an invoice from being issued (ADR 30). */
type Warned<T> = One<T> & { warnings?: string[] };

export const listInvoices = call<{ query: ListQuery; answer: Page<Invoice> }>('list_invoices');
export const getInvoice = call<{ params: OfInvoice; answer: One<Invoice> }>('get_invoice');
export const createInvoice = call<{ body: NewInvoice; answer: One<Invoice> }>('create_invoice');
export const updateInvoice = call<{ params: OfInvoice; body: ChangedInvoice; answer: One<Invoice> }>(
  'update_invoice',
);
export const deleteInvoice = call<{ params: OfInvoice; answer: unknown }>('delete_invoice');
export const duplicateInvoice = call<{ params: OfInvoice; answer: One<Invoice> }>('duplicate_invoice');
export type Tried = Warned<DryRun>;
export const canIssueInvoice = call<{ params: OfInvoice; answer: Tried }>('can_issue_invoice');
export const issueInvoice = call<{ params: OfInvoice; answer: Warned<Invoice> }>('issue_invoice');
export const sendInvoice = call<{
  params: OfInvoice;
  body: { to?: string[] };
  answer: One<Invoice & Required<Pick<Invoice, 'email'>>>;
}>('send_invoice');
export const registerInvoicePayment = call<{
  params: OfInvoice;
  body: {
    amount: number;
    payment_method: InvoicePayment['payment_method'];
    payment_date: string | null;
    reference: string | null;
  };
  answer: One<Wire<typeof Payment>>;
}>('register_invoice_payment');
export const reverseInvoicePayment = call<{
  params: OfInvoice & { payment: string };
  body: { reason: string; note: string | null };
  answer: One<Wire<typeof Payment>>;
}>('reverse_invoice_payment');
export type Correction = {
  correction: { type: 'differences' | 'substitution'; reason: string | null };
  lines?: CorrectedLine[];
};
const corrective = 'create_corrective_invoice';
export const createCorrectiveInvoice = call<{
  params: OfInvoice;
  body: Correction;
  answer: Warned<Invoice>;
}>(corrective);
export const tryCorrectiveInvoice = call<{
  params: OfInvoice;
  body: Correction & { dry_run: true };
  answer: Tried;
}>(corrective);
export const annulInvoice = call<{
  params: OfInvoice;
  body: { revert_collections: boolean };
  answer: One<Invoice>;
}>('annul_invoice');
export const voidInvoice = call<{ params: OfInvoice; answer: One<Invoice> }>('void_invoice');

export const listClients = call<{
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<Client>;
}>('list_clients');
export type ListedProduct = Wire<typeof ListedProductSchema>;
export const listProducts = call<{
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<ListedProduct>;
}>('list_products');
export const getClient = call<{ params: { client: string }; answer: One<Client> }>('get_client');
export const listSeries = call<{
  query: ListQuery & { document_type?: string; is_archived?: boolean };
  answer: Page<Wire<typeof Series>>;
}>('list_series');
export const listTaxes = call<{
  query: ListQuery & { is_active?: boolean };
  answer: Page<Wire<typeof Tax>>;
}>('list_taxes');
export const activeTaxes = { query: { is_active: true, limit: 100 } };
export const listEvents = call<{
  query: ListQuery & { aggregate_id: string };
  answer: Page<Wire<typeof Event>>;
}>('list_events');
export const getVerifactuConfig = call<{ answer: One<Wire<typeof VerifactuConfig>> }>('get_verifactu_config');
export const listVerifactuRecords = call<{
  query: ListQuery & { invoice_id: string };
  answer: Page<Wire<typeof VerifactuRecord>>;
}>('list_verifactu_records');
