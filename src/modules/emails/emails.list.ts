/** Each filter has an index in id order (migration 0013). */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { valuesOf } from '../../kernel/list-filters.ts';
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
  const equals = streams.filter((column) => filter[column] !== undefined);
  const conditions = [
    ...equals.map((column) => tx`and t.${tx(column)} = ${filter[column] as string}`),
    ...streams.flatMap((column) => {
      const values = valuesOf(filter, column);
      return values ? [tx`and t.${tx(column)} = any(${values})`] : [];
    }),
    ...(hasRange(filter, 'updated') ? [rangeCondition(tx, 't.updated_at', filter, 'updated')] : []),
  ];
  const ids = await readCreatedIds(tx, company_id, 'emails', filter);
  const range = ids ? tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${idRange(tx, ids)}` : null;
  // Ids that imply the creation time also give the order.
  const by_id = ids !== null && (ids.from ?? ids.to) !== null;
  const base = by_id && range ? range : tx``;
  const of = (condition: Fragment) => tx`from emails t where t.company_id = ${company_id} ${condition}`;
  // An index gives the order for one value alone.
  const leading = equals.length > 0 ? conditions[0] : undefined;
  const others = conditions.filter((one) => one !== leading);
  const finders: Finders = {
    walk: () => of(tx`${leading ?? tx``} ${base}`),
    is_whole: others.length === 0 && (range === null || by_id),
    // What only follows from `updated` matches more than that.
    matches: [...conditions, ...(range && hasRange(filter, 'created') ? [range] : [])].map(of),
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
