/** Each filter has an index in id order (migration 0013). */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readCreatedIds } from '../../platform/created-ids.ts';
import { hasRange, readPageRows, rangeCondition } from '../../platform/page-rows.ts';
import type { EmailPurpose, EmailRow, EmailStatus } from './emails.rows.ts';

/** All but the message. */
const columns = [
  'id',
  'purpose',
  'document_kind',
  'document_id',
  'status',
  'reason',
  '"to"',
  'cc',
  'subject',
  'attempts',
  'last_attempt_at',
  'next_attempt_at',
  'answer',
  'refused',
  'sent_at',
  'created_at',
] as const;

export type ListedEmail = Pick<EmailRow, Exclude<(typeof columns)[number], '"to"'> | 'to'>;

export type EmailFilter = {
  status?: EmailStatus;
  purpose?: EmailPurpose;
  document_id?: string;
} & Record<string, unknown>;

/** Usually the most selective first. */
const streams = ['document_id', 'status', 'purpose'] as const;

/** The cost depends on the filters, not on the number of messages. */
export async function listEmails(tx: Tx, company_id: string, page: PageRequest, filter: EmailFilter) {
  const conditions = streams.flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [tx`and t.${tx(column)} = ${value}`];
  });
  const ids = hasRange(filter, 'created') ? await readCreatedIds(tx, company_id, 'emails', filter) : null;
  const range = ids ? tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${idRange(tx, ids)}` : null;
  // Ids that imply the creation time also give the order.
  const by_id = ids !== null && (ids.from ?? ids.to) !== null;
  const base = by_id && range ? range : tx``;
  const of = (condition: Fragment) => tx`from emails t where t.company_id = ${company_id} ${condition}`;
  const [leading, ...others] = conditions;
  const finders: Finders = {
    walk: () => of(tx`${leading ?? tx``} ${base}`),
    is_whole: others.length === 0 && (range === null || by_id),
    matches: [...conditions, ...(range ? [range] : [])].map(of),
    text: null,
    bounds: [],
  };
  return readPageRows<ListedEmail>(tx, company_id, page, {
    table: 'emails',
    columns: tx.unsafe(columns.map((name) => `t.${name}`).join(', ')),
    where: [...conditions, range ?? tx``].reduce((all, one) => tx`${all} ${one}`, tx``),
    finders,
  });
}
