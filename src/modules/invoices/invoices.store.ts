/** SQL that only invoices need. */
import type { Tx } from '../../kernel/operation.ts';
import type { InvoiceRow } from './invoices.rows.ts';

/** In force means not withdrawn. */
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

/** Drafts have no number. Index: invoices_number. */
export function findIdsByNumber(tx: Tx, company_id: string, numbers: readonly string[]) {
  return tx<{ id: string }[]>`
    select id from invoices where company_id = ${company_id} and number = any(${numbers as string[]})`;
}

/** What a replay compares: the invoice as it is, and what its creation asked for. */
export type ExternalInvoice = Pick<
  InvoiceRow,
  'id' | 'status' | 'type' | 'total' | 'external_type' | 'external_total' | 'external_hash'
> & { external_id: string };

export function findByExternalIds(tx: Tx, company_id: string, external_ids: readonly string[]) {
  return tx<ExternalInvoice[]>`
    select id, external_id, status, type, total, external_type, external_total, external_hash from invoices
     where company_id = ${company_id} and external_id = any(${external_ids as string[]})`;
}

/**
 * Unpaid invoices past their due day and not marked yet, longest due first. Locked by id, as issuing does, to avoid a deadlock.
 * Index: invoices_due.
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

/** The first due day, from today on, of an invoice that may become overdue. Index: invoices_due. */
export async function findNextDue(tx: Tx, company_id: string, today: string): Promise<string | null> {
  const [row] = await tx<{ due_on: string | null }[]>`
    select min(due_on) as due_on from invoices
     where company_id = ${company_id} and due_on >= ${today} and status in ('issued', 'sent')`;
  return row?.due_on ?? null;
}

export function setOverdue(tx: Tx, company_id: string, ids: readonly string[], now: Date) {
  return tx`update invoices set status = 'overdue', version = version + 1, updated_at = ${now}
             where company_id = ${company_id} and id = any(${ids as string[]}::uuid[])`;
}

/** The caller has locked the invoice. */
export function setSent(tx: Tx, company_id: string, id: string, status: InvoiceRow['status'], now: Date) {
  return tx`update invoices set status = ${status}, sent_at = ${now}, version = version + 1, updated_at = ${now}
             where company_id = ${company_id} and id = ${id}`;
}
