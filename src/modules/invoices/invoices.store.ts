/** SQL of invoices and their parts. */
import type { Tx } from '../../kernel/operation.ts';
import { insertRows } from '../../platform/rows.ts';
import { listPaymentsOf } from '../payments/index.ts';
import { summaryOf } from '../verifactu/index.ts';
import type { InvoiceBundle, InvoiceRow, LineRow, TaxRow } from './invoices.rows.ts';
import { invoiceColumns, lineColumns, mutableColumns, taxRowColumns } from './invoices.rows.ts';
import { clientSnapshot, type SnapshotClient } from '../../domain/sales/client-snapshot.ts';

const tagColumns = { tag: 'text', invoice_id: 'uuid' } as const;

const columnNames = Object.keys(invoiceColumns)
  .map((name) => `t.${name}`)
  .join(', ');

/** The columns of an invoice, and how its last record stands; one without a record is not asked for it. */
export function invoiceFields(tx: Tx, company_id: string) {
  return tx`${tx.unsafe(columnNames)}, case when t.has_record then ${summaryOf(tx, company_id, 't.id')} end as record`;
}

export async function findInvoice(tx: Tx, company_id: string, id: string) {
  const [row] = await tx<InvoiceRow[]>`
    select ${invoiceFields(tx, company_id)} from invoices t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** The invoices of the ids that are the company's, in no order. */
export function findInvoices(tx: Tx, company_id: string, ids: readonly string[]) {
  return tx<InvoiceRow[]>`
    select ${invoiceFields(tx, company_id)} from invoices t
     where t.company_id = ${company_id} and t.id = any(${ids as string[]}::uuid[])`;
}

const lockTriesMax = 100;

/**
 * Locks the invoice, so that two moves on it run one after the other. A draft that others were changing meanwhile has
 * a new row under its id, which only another look finds: one that is there without a lock is there.
 */
export async function lockInvoice(tx: Tx, company_id: string, id: string): Promise<InvoiceRow | undefined> {
  for (let tries = 0; tries < lockTriesMax; tries++) {
    const row = await tryLockInvoice(tx, company_id, id);
    if (row) return row;
    const [seen] = await tx`select 1 from invoices where company_id = ${company_id} and id = ${id}`;
    if (!seen) return undefined;
  }
  throw new Error('A draft was replaced time and again while it was waited for.');
}

async function tryLockInvoice(tx: Tx, company_id: string, id: string) {
  const [row] = await tx<InvoiceRow[]>`
    select ${invoiceFields(tx, company_id)} from invoices t where t.company_id = ${company_id} and t.id = ${id} for update of t`;
  return row;
}

/** Locks invoices by id, as issuing locks them, so that neither waits for the other crosswise. */
export function lockInvoices(tx: Tx, company_id: string, ids: readonly string[]) {
  return tx<{ id: string }[]>`
    select id from invoices where company_id = ${company_id} and id = any(${ids as string[]}::uuid[])
     order by id for update`;
}

export function listLines(tx: Tx, company_id: string, invoice_ids: readonly string[]) {
  return tx<LineRow[]>`
    select invoice_id, position, id, description, product_id, product_name, quantity, unit, unit_price, discount_percent, taxes_id,
           tax_name, tax_kind, tax_rate, retention_rate, surcharge_rate, qualification, exemption_reason,
           exemption_reason_text, regime_key, is_regime_key_stated, is_surcharge_stated, subtotal, taxes, total
      from invoice_lines
     where company_id = ${company_id} and invoice_id = any(${invoice_ids as string[]}::uuid[])
     order by invoice_id, position`;
}

export function listTaxRows(tx: Tx, company_id: string, invoice_ids: readonly string[]) {
  return tx<TaxRow[]>`
    select invoice_id, position, tax_kind, regime_key, qualification, exemption_reason, tax_rate, surcharge_rate, base, tax, surcharge
      from invoice_tax_rows
     where company_id = ${company_id} and invoice_id = any(${invoice_ids as string[]}::uuid[])
     order by invoice_id, position`;
}

type DraftClient = SnapshotClient & { id: string; name: string; tax_id: string | null };

/** The clients of drafts as they are now: only an issued invoice keeps its own copy. */
function listDraftClients(tx: Tx, company_id: string, client_ids: readonly string[]) {
  return tx<DraftClient[]>`
    select id, name, tax_id, address, vat_id, alternative_id, email, commercial_name, payment_preferences from contacts
     where company_id = ${company_id} and id = any(${client_ids as string[]}::uuid[])`;
}

/** The invoices with all their parts, in the order given. */
export async function withParts(
  tx: Tx,
  company_id: string,
  rows: readonly InvoiceRow[],
): Promise<InvoiceBundle[]> {
  const ids = rows.map((r) => r.id);
  if (ids.length === 0) return [];
  const client_ids = rows.flatMap((r) => (r.status === 'draft' && r.client_id ? [r.client_id] : []));
  const [lines, tax_rows, payments, clients] = await Promise.all([
    listLines(tx, company_id, ids),
    listTaxRows(tx, company_id, ids),
    listPaymentsOf(tx, company_id, ids),
    client_ids.length > 0 ? listDraftClients(tx, company_id, client_ids) : [],
  ]);
  const parts = <R extends { invoice_id: string }>(all: readonly R[]) =>
    Map.groupBy(all, (row) => row.invoice_id);
  const [linesOf, taxRowsOf, paymentsOf] = [parts(lines), parts(tax_rows), parts(payments)];
  const clientOf = new Map(clients.map((client) => [client.id, client]));
  return rows.map((row) => ({
    invoice: row.status === 'draft' ? withClient(row, clientOf.get(row.client_id ?? '')) : row,
    lines: linesOf.get(row.id) ?? [],
    tax_rows: taxRowsOf.get(row.id) ?? [],
    payments: paymentsOf.get(row.id) ?? [],
  }));
}

/** The draft with its client as the contact is now. */
export function withClient(row: InvoiceRow, client: DraftClient | undefined): InvoiceRow {
  if (!client) return row;
  return {
    ...row,
    client_name: client.name,
    client_tax_id: client.tax_id,
    client_snapshot: clientSnapshot(client),
  };
}

/** The invoice with its client as the contact is now, for a draft made from it. */
export async function withCurrentClient(tx: Tx, company_id: string, row: InvoiceRow): Promise<InvoiceRow> {
  if (row.client_id === null) return row;
  const [client] = await listDraftClients(tx, company_id, [row.client_id]);
  return withClient(row, client);
}

/** One invoice with its parts, its four reads in one pipeline. */
export async function findBundle(tx: Tx, company_id: string, id: string): Promise<InvoiceBundle | undefined> {
  const [row, lines, tax_rows, payments] = await Promise.all([
    findInvoice(tx, company_id, id),
    listLines(tx, company_id, [id]),
    listTaxRows(tx, company_id, [id]),
    listPaymentsOf(tx, company_id, [id]),
  ]);
  if (!row) return undefined;
  const [client] =
    row.status === 'draft' && row.client_id ? await listDraftClients(tx, company_id, [row.client_id]) : [];
  return { invoice: row.status === 'draft' ? withClient(row, client) : row, lines, tax_rows, payments };
}

/** Inserts whole invoices as sets, in one pipeline. */
export function insertInvoices(
  tx: Tx,
  company_id: string,
  invoices: readonly InvoiceRow[],
  lines: readonly LineRow[],
  tax_rows: readonly TaxRow[],
): Promise<unknown>[] {
  return [
    insertRows(tx, company_id, 'invoices', invoiceColumns, invoices),
    insertTags(tx, company_id, invoices),
    ...insertParts(tx, company_id, lines, tax_rows),
  ];
}

/** The tags of invoices as rows, by which the list finds them; nothing is sent for invoices without any. */
function insertTags(
  tx: Tx,
  company_id: string,
  invoices: readonly Pick<InvoiceRow, 'id' | 'tags'>[],
): Promise<unknown> {
  const rows = invoices.flatMap(({ id, tags }) => [...new Set(tags)].map((tag) => ({ tag, invoice_id: id })));
  return insertRows(tx, company_id, 'invoice_tags', tagColumns, rows);
}

function deleteTags(tx: Tx, company_id: string, { id, tags }: Pick<InvoiceRow, 'id' | 'tags'>) {
  return tx`delete from invoice_tags
             where company_id = ${company_id} and tag = any(${tags}) and invoice_id = ${id}`.execute();
}

/** Puts other tags on a stored invoice that the caller has locked; the only way to change them. */
export function replaceTags(
  tx: Tx,
  company_id: string,
  stored: Pick<InvoiceRow, 'id' | 'tags'>,
  tags: string[],
): Promise<unknown>[] {
  const { id } = stored;
  return [
    deleteTags(tx, company_id, stored),
    insertTags(tx, company_id, [{ id, tags }]),
    tx`update invoices set tags = ${tags} where company_id = ${company_id} and id = ${id}`.execute(),
  ];
}

/**
 * Puts drafts as they are now in the place of those stored, which the caller has locked; their ids stay. Issued
 * content is never written over, so a draft is deleted and inserted again (migration 0009).
 */
export function replaceDrafts(
  tx: Tx,
  company_id: string,
  stored: readonly Pick<InvoiceRow, 'id' | 'tags'>[],
  bundles: readonly Pick<InvoiceBundle, 'invoice' | 'lines' | 'tax_rows'>[],
): Promise<unknown>[] {
  if (stored.length === 0) return [];
  return [
    ...stored.map((draft) => deleteInvoice(tx, company_id, draft)),
    ...insertInvoices(
      tx,
      company_id,
      bundles.map(({ invoice }) => invoice),
      bundles.flatMap(({ lines }) => lines),
      bundles.flatMap(({ tax_rows }) => tax_rows),
    ),
  ];
}

function insertParts(
  tx: Tx,
  company_id: string,
  lines: readonly LineRow[],
  tax_rows: readonly TaxRow[],
): Promise<unknown>[] {
  return [
    insertRows(tx, company_id, 'invoice_lines', lineColumns, lines),
    insertRows(tx, company_id, 'invoice_tax_rows', taxRowColumns, tax_rows),
  ];
}

/** Whether a corrective of the invoice was not withdrawn. */
export async function hasCorrectiveInForce(
  tx: Tx,
  company_id: string,
  { corrective_ids }: Pick<InvoiceRow, 'corrective_ids'>,
): Promise<boolean> {
  if (corrective_ids.length === 0) return false;
  const rows = await tx`
    select 1 from invoices where company_id = ${company_id} and id = any(${corrective_ids}::uuid[])
       and status not in ('voided', 'annulled') limit 1`;
  return rows.length > 0;
}

/** The invoice of an external id: what a replay is compared with. */
export type ExternalInvoice = {
  id: string;
  external_id: string;
  external_type: string | null;
  external_total: string | null;
  external_hash: string | null;
};

export function findByExternalIds(tx: Tx, company_id: string, external_ids: readonly string[]) {
  return tx<ExternalInvoice[]>`
    select id, external_id, external_type, external_total, external_hash from invoices
     where company_id = ${company_id} and external_id = any(${external_ids as string[]})`;
}

/** Deletes a draft that the caller has locked; its lines and breakdown go with it. */
export function deleteInvoice(tx: Tx, company_id: string, draft: Pick<InvoiceRow, 'id' | 'tags'>) {
  return Promise.all([
    deleteTags(tx, company_id, draft),
    tx`delete from invoices where company_id = ${company_id} and id = ${draft.id}`.execute(),
  ]);
}

const assignments = mutableColumns
  .filter((name) => name !== 'tags')
  .map((name) => `${name} = x.${name}`)
  .join(', ');
const recordset = ['id', ...mutableColumns]
  .map((name) => `${name} ${invoiceColumns[name as keyof typeof invoiceColumns]}`)
  .join(', ');

/** Writes what may change of issued invoices, but their tags, as a set; the rows are locked by the transaction. */
export function updateInvoices(tx: Tx, company_id: string, rows: readonly InvoiceRow[]): Promise<unknown> {
  if (rows.length === 0) return Promise.resolve();
  const text = `update invoices as t set ${assignments} from json_to_recordset($2::text::json) as x(${recordset}) where t.company_id = $1 and t.id = x.id`;
  return tx.unsafe(text, [company_id, JSON.stringify(rows)], { prepare: true }).execute();
}

/**
 * Invoices with something to pay past their due day that nobody has marked yet, the longest due first; locked by id, as issuing locks
 * them, so that neither waits for the other crosswise. The partial index invoices_due serves it.
 */
export function lockDue(tx: Tx, company_id: string, today: string, limit: number) {
  return tx<{ id: string; status: InvoiceRow['status'] }[]>`
    select t.id, t.status from invoices t
     where t.company_id = ${company_id} and t.due_on < ${today} and t.status in ('issued', 'sent')
       and t.id = any (array(select d.id from invoices d
                              where d.company_id = ${company_id} and d.due_on < ${today} and d.status in ('issued', 'sent')
                                and d.settled_in_id is null
                                and d.amount_due + d.corrected_amount > d.paid_amount + d.carried_amount
                              order by d.due_on, d.id limit ${limit}))
     order by t.id
       for update`;
}

export function setOverdue(tx: Tx, company_id: string, ids: readonly string[], now: Date) {
  return tx`update invoices set status = 'overdue', version = version + 1, updated_at = ${now}
             where company_id = ${company_id} and id = any(${ids as string[]}::uuid[])`;
}

/** Marks an invoice that the caller has locked as sent. */
export function setSent(tx: Tx, company_id: string, id: string, status: InvoiceRow['status'], now: Date) {
  return tx`update invoices set status = ${status}, sent_at = ${now}, version = version + 1, updated_at = ${now}
             where company_id = ${company_id} and id = ${id}`;
}
