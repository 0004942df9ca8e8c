/**
 * What a client owes, from the invoices themselves (ADR 32). Drafts and withdrawn invoices do not count, nor do reversed payments.
 * Each statement reads all documents of one client, so a client with too many has none.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { type PageRequest, rangeBounds } from '../../kernel/page.ts';
import { rangeCondition } from '../../platform/page-rows.ts';
import { livePaymentsOf, type PaymentMethod } from '../payments/index.ts';
import type { InvoiceType } from './rules/invoice-types.ts';

/** For a condition of the payment t. */
export function paymentOfClients(tx: Tx, client_ids: readonly string[]): Fragment {
  return tx`exists (select from invoices i where i.company_id = t.company_id and i.id = t.invoice_id
                       and i.client_id = any(${client_ids as string[]}::uuid[]))`;
}

export const documentsMax = 50_000;

/** Alias i. Index: invoices_by_client. */
function counted(tx: Tx, company_id: string, client_id: string): Fragment {
  return tx`from invoices i where i.company_id = ${company_id} and i.client_id = ${client_id}
               and i.number is not null and i.status not in ('voided', 'annulled')`;
}

/** Whether its documents or payments are more than a statement reads. */
export async function hasTooMany(tx: Tx, company_id: string, client_id: string): Promise<boolean> {
  const documents = tx`select i.id ${counted(tx, company_id, client_id)} limit ${documentsMax + 1}`;
  const [row] = await tx<{ documents: number; payments: number }[]>`
    with d as materialized (${documents})
    select (select count(*)::int from d) as documents,
           (select count(*)::int from (select from ${livePaymentsOf(tx, company_id, tx`select id from d`)} p
                                        limit ${documentsMax + 1}) m) as payments`;
  return row!.documents > documentsMax || row!.payments > documentsMax;
}

export type BalanceRow = {
  currency: string;
  invoiced: string;
  paid: string;
  pending: string;
  overdue: string;
};

/**
 * Counts only invoices that are not settled in another. Their amounts include their correctives and what they replaced
 * (ADR 14).
 */
export function readBalances(tx: Tx, company_id: string, client_id: string, today: string) {
  return tx<BalanceRow[]>`
    select i.currency, sum(i.amount_due + i.corrected_amount)::text as invoiced,
           sum(i.paid_amount + i.carried_amount)::text as paid,
           (sum(i.pending_cents) / 100)::numeric(20, 2)::text as pending,
           (coalesce(sum(i.pending_cents) filter (where i.due_on < ${today} and i.pending_cents > 0), 0) / 100)::numeric(20, 2)::text as overdue
      ${counted(tx, company_id, client_id)} and i.settled_in_id is null
     group by i.currency order by i.currency`;
}

export type StatementRow = {
  id: string;
  day: string;
  kind: 'invoice' | 'payment';
  invoice_id: string;
  number: string;
  type: InvoiceType;
  payment_method: PaymentMethod | null;
  currency: string;
  amount: string;
  balance: string;
};

export type StatementFilter = { currency?: string } & Record<string, unknown>;

/**
 * A corrective that moves the tax alone adds that part (ADR 103). A replacement adds only its difference, because the invoices that
 * it replaced are listed too. If those were in another client's name, it adds its whole amount with their corrections, less what was
 * received for them, and takes in that client's account what was left of them. No index finds what was settled in an invoice, so those
 * that it names are looked up by their ids.
 */
function entriesOf(tx: Tx, company_id: string, client_id: string): Fragment {
  return tx`
    docs as materialized (
      select i.id, i.issued_on as day, i.number, i.type, i.currency,
             coalesce((i.corrected_invoices -> 0 ->> 'debt')::numeric, i.amount_due) + case when i.type = 'F3' or i.correction_type = 'substitution' then
               (select coalesce(sum(case when r.client_id = i.client_id
                                         then -r.amount_due - case when i.type = 'F3' then 0 else r.corrected_amount end
                                         else r.corrected_amount - r.paid_amount - r.carried_amount end), 0)
                  from (select distinct (x ->> 'id')::uuid as id
                          from jsonb_array_elements(i.corrected_invoices || i.substituted_invoices) x) named
                 cross join lateral (select r.* from invoices r where r.company_id = ${company_id} and r.id = named.id offset 0) r
                 where r.settled_in_id = i.id)
             else 0 end as amount,
             i.substituted_by_id, i.amount_due + i.corrected_amount - i.paid_amount - i.carried_amount as left_of_it
        ${counted(tx, company_id, client_id)}),
    entries as materialized (
      select d.id, d.day, 'invoice' as kind, d.id as invoice_id, d.number, d.type, null as payment_method, d.currency, d.amount
        from docs d
      union all
      select f.id, f.issued_on, 'invoice', f.id, f.number, f.type, null, f.currency, -sum(d.left_of_it)
        from docs d
        join invoices f on f.company_id = ${company_id} and f.id = d.substituted_by_id and f.client_id <> ${client_id}
       group by f.company_id, f.id
      union all
      select p.id, p.payment_date, 'payment', d.id, d.number, d.type, p.payment_method, d.currency, -p.amount
        from docs d join ${livePaymentsOf(tx, company_id, tx`select id from docs`)} p on p.invoice_id = d.id)`;
}

/**
 * Up to `limit + 1` rows on from the cursor, else from the oldest. They follow each other in their currency, so a balance is the sum of all
 * before the page and of those of the page until it: to walk through all entries for it took twice as long.
 */
export async function readStatement(
  tx: Tx,
  company_id: string,
  client_id: string,
  { cursor, limit }: PageRequest,
  filter: StatementFilter,
): Promise<StatementRow[] | 'no such cursor'> {
  const is_back = cursor?.direction === 'before';
  const way = is_back ? tx`desc` : tx`asc`;
  const beyond = is_back ? tx`<` : tx`>`;
  const from = cursor
    ? tx`and (e.day, e.id) ${beyond} (select c.day, c.id from entries c where c.id = ${cursor.id})`
    : tx``;
  const days = Object.fromEntries(rangeBounds.map((bound) => [`day[${bound}]`, filter[`date[${bound}]`]]));
  const rows = await tx<(StatementRow & { is_known: boolean })[]>`
    with ${entriesOf(tx, company_id, client_id)},
    page as (
      select e.* from entries e
       where true ${filter.currency === undefined ? tx`` : tx`and e.currency = ${filter.currency}`}
             ${rangeCondition(tx, 'e.day', days, 'day')} ${from}
       order by e.day ${way}, e.id ${way} limit ${limit + 1}),
    opening as (
      select e.currency, sum(e.amount) as amount from entries e
       where (e.day, e.id) < (select p.day, p.id from page p order by p.day, p.id limit 1)
       group by e.currency)
    select k.is_known, p.id, p.day, p.kind, p.invoice_id, p.number, p.type, p.payment_method, p.currency,
           p.amount::text as amount,
           (coalesce(o.amount, 0) + sum(p.amount) over (partition by p.currency order by p.day, p.id rows unbounded preceding))::text
             as balance
      from (select ${cursor === null ? tx`true` : tx`exists (select from entries e where e.id = ${cursor.id})`} as is_known) k
      left join page p on true
      left join opening o on o.currency = p.currency
     order by p.day ${way}, p.id ${way}`;
  if (!rows[0]!.is_known) return 'no such cursor';
  return rows.filter(({ id }) => id !== null);
}
