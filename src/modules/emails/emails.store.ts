import type { Tx } from '../../kernel/operation.ts';
import { insertMarked } from '../../platform/rows.ts';
import { emailColumns, type EmailRow } from './emails.rows.ts';

const columns = Object.keys(emailColumns)
  .map((name) => `t.${name}`)
  .join(', ');

/** In one statement; none for an empty list. */
export function insertEmails(tx: Tx, company_id: string, rows: readonly EmailRow[]): Promise<unknown> {
  return insertMarked(tx, company_id, 'emails', emailColumns, rows);
}

export async function findEmail(tx: Tx, company_id: string, id: string): Promise<EmailRow | undefined> {
  const [row] = await tx<EmailRow[]>`
    select ${tx.unsafe(columns)} from emails t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** The document must be locked before. */
export async function lockEmail(tx: Tx, company_id: string, id: string): Promise<EmailRow | undefined> {
  const [row] = await tx<EmailRow[]>`
    select ${tx.unsafe(columns)} from emails t where t.company_id = ${company_id} and t.id = ${id} for update`;
  return row;
}

/** Served by the index by document. */
export function findLastEmails(
  tx: Tx,
  company_id: string,
  document_ids: readonly string[],
  purpose: EmailRow['purpose'],
) {
  return tx<Pick<EmailRow, 'id' | 'document_id' | 'status'>[]>`
    select distinct on (t.document_id) t.id, t.document_id, t.status from emails t
     where t.company_id = ${company_id} and t.document_id = any(${document_ids as string[]}::uuid[]) and t.purpose = ${purpose}
     order by t.document_id, t.id desc`;
}

export function updateEmail(tx: Tx, company_id: string, row: EmailRow): Promise<unknown> {
  return tx`
    update emails
       set status = ${row.status}, reason = ${row.reason}, attempts = ${row.attempts},
           dated_at = ${row.dated_at}, last_attempt_at = ${row.last_attempt_at}, next_attempt_at = ${row.next_attempt_at}, answer = ${row.answer},
           waiting = ${row.waiting as string[]}, refused = ${row.refused as never}::jsonb, sent_at = ${row.sent_at}, updated_at = ${row.updated_at}
     where company_id = ${company_id} and id = ${row.id}`.execute();
}
