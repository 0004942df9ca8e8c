/** SQL of occurrences and of the job of a recurrence. Its own rows are of `modules/sales`. */
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import { bringAllForward } from '../../platform/due-work.ts';
import { type JobEnd, sendEnds } from '../../platform/job-row.ts';
import { scheduleBy } from '../../platform/jobs.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { Companion, CompanionKind } from '../sales/index.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import { stepOf } from './rules/calendar.ts';
import { skippedDays } from './rules/states.ts';

export const runKind = 'recurring_invoice.run';

/**
 * The job has the recurrence's id, and lives while that is active. It finds later days by itself. A run of a sandbox sees its due
 * time, which is not before the call that asks for it: today's hour may have passed.
 */
export async function scheduleRun(
  { tx, company: { company_id }, now, realNow }: Pick<Ctx, 'tx' | 'company' | 'now' | 'realNow'>,
  { id, next_run_at }: Pick<RecurringRow, 'id' | 'next_run_at'>,
): Promise<void> {
  if (next_run_at === null) return;
  const due = new Date(next_run_at);
  const wanted = { id, schedule: `${runKind} ${id}`, kind: runKind, next_run_at: due < now ? now : due };
  await scheduleBy(tx, company_id, wanted, realNow());
}

export type OccurrenceRow = {
  id: string;
  recurring_invoice_id: string;
  occurrence_on: string;
  status: 'made' | 'skipped' | 'failed';
  invoice_id: string | null;
  error: { code: string; message: string; param: string | null } | null;
  created_at: Date | string;
  updated_at: Date | string;
};

const occurrenceColumns: Columns = {
  id: 'uuid',
  recurring_invoice_id: 'uuid',
  occurrence_on: 'date',
  status: 'text',
  invoice_id: 'uuid',
  error: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

export function newOccurrence(
  recurring_invoice_id: string,
  occurrence_on: string,
  now: Date,
  what: Pick<OccurrenceRow, 'status'> & Partial<OccurrenceRow>,
): OccurrenceRow {
  const at = now.toISOString();
  return {
    id: newId(),
    recurring_invoice_id,
    occurrence_on,
    invoice_id: null,
    error: null,
    created_at: at,
    updated_at: at,
    ...what,
  };
}

/** Of a day that failed or was skipped, the row changes. @throws Error for a day that has its invoice */
export async function writeOccurrences(
  tx: Tx,
  company_id: string,
  rows: readonly OccurrenceRow[],
): Promise<void> {
  const written = await insertRows(
    tx,
    company_id,
    'recurring_occurrences',
    occurrenceColumns,
    rows,
    `on conflict (company_id, recurring_invoice_id, occurrence_on) do update
        set status = excluded.status, invoice_id = excluded.invoice_id, error = excluded.error, updated_at = excluded.updated_at
      where t.status <> 'made' returning t.id`,
  );
  if (written.length < rows.length) throw new Error('An occurrence has its invoice already.');
}

/** Days that a pause skipped, of one recurrence. */
export type Skipped = {
  /** The ids of the days begin with this one. */
  id: string;
  recurring_invoice_id: string;
  starts_on: string;
  days: number;
  months: number;
  first: number;
  until: number;
  at: string;
};

export function newSkipped(row: RecurringRow, until_index: number, now: Date): Skipped[] {
  const { first, until } = skippedDays(row, until_index);
  if (first >= until) return [];
  const { id: recurring_invoice_id, starts_on } = row;
  return [
    { id: newId(), recurring_invoice_id, starts_on, ...stepOf(row), first, until, at: now.toISOString() },
  ];
}

/**
 * Days that have a row keep it. The database counts the days, since one call may skip very many. Ids go on in the bits after
 * those of `newId` (RFC 9562, section 6.2), so they keep the order of the days.
 */
export function insertSkipped(tx: Tx, company_id: string, all: readonly Skipped[]): Promise<unknown> {
  if (all.length === 0) return Promise.resolve();
  return tx`
    insert into recurring_occurrences (company_id, recurring_invoice_id, occurrence_on, id, status, created_at, updated_at)
    select r.company_id, r.id,
           (x.starts_on + make_interval(months => n * x.months, days => n * x.days))::date,
           (left(x.id, 19) || '8' || lpad(to_hex(n - x.first), 3, '0') || '-' || right(gen_random_uuid()::text, 12))::uuid,
           'skipped', x.at, x.at
      from json_to_recordset(${JSON.stringify(all)}::text::json)
             as x(id text, recurring_invoice_id uuid, starts_on date, days int, months int, first int, until int, at timestamptz)
      join recurring_invoices r on r.company_id = ${company_id} and r.id = x.recurring_invoice_id
      cross join generate_series(x.first, x.until - 1) n
    on conflict (company_id, recurring_invoice_id, occurrence_on) do nothing`.execute();
}

export function deleteOccurrences(tx: Tx, company_id: string, ids: readonly string[]): Promise<unknown> {
  return tx`
    delete from recurring_occurrences
     where company_id = ${company_id} and recurring_invoice_id = any(${ids as string[]}::uuid[])`.execute();
}

/** Commits with the invoice. The recurrence's own row is locked, and its version compared. */
export const occurrenceKind: CompanionKind = {
  name: 'recurring_occurrence',
  lock: () => Promise.resolve([]),
  write: (tx, company_id, rows) => [
    writeOccurrences(
      tx,
      company_id,
      rows.map(({ version: _, ...row }) => row as unknown as OccurrenceRow),
    ),
  ],
};

/** Commits with an invoice that is made in a pause. */
export const skippedKind: CompanionKind = {
  name: 'recurring_skipped',
  lock: () => Promise.resolve([]),
  write: (tx, company_id, rows) => [
    insertSkipped(
      tx,
      company_id,
      rows.map(({ version: _, ...row }) => row as unknown as Skipped),
    ),
  ],
};

/** Commits with the invoice of a run, so that the run needs no transaction of its own to end. */
const jobEndKind: CompanionKind = {
  name: 'recurring_job',
  lock: () => Promise.resolve([]),
  write: (tx, company_id, rows) => [sendEnds(tx, company_id, rows as unknown as JobEnd[])],
};

/** @param row as the run leaves it */
export function jobEnd({ id, next_run_at }: RecurringRow, lease_id: string): Companion {
  const row = { id, version: 1, lease_id, next_run_at };
  return { kind: jobEndKind, stored: null, row };
}

/** Of those that issue by themselves. Index: recurring_invoices_by_run. */
export async function findNextRun(tx: Tx, company_id: string, after: Date): Promise<Date | null> {
  const [row] = await tx<{ next_run_at: Date }[]>`
    select next_run_at from recurring_invoices
     where company_id = ${company_id} and next_run_at > ${after} and auto_issue
     order by next_run_at, id limit 1`;
  return row?.next_run_at ?? null;
}

const rezonedMax = 500;

/**
 * Active recurrences run at the hour of the company's zone. In Spain's zones that hour lies in one day of UTC.
 * @returns the last id, if more may follow
 */
export async function rezoneRuns(
  tx: Tx,
  company_id: string,
  after: string,
  timeOf: (day: string) => Date,
): Promise<string | undefined> {
  const rows = await tx<{ id: string; next_run_at: Date }[]>`
    select id, next_run_at from recurring_invoices
     where company_id = ${company_id} and next_run_at is not null and id > ${after}
     order by id limit ${rezonedMax} for update`;
  const moved = rows
    .map(({ id, next_run_at }) => ({ id, run_at: timeOf(next_run_at.toISOString().slice(0, 10)) }))
    .filter(({ run_at }, at) => run_at.getTime() !== rows[at]?.next_run_at.getTime());
  if (moved.length > 0) {
    await tx`
      update recurring_invoices as t set next_run_at = x.run_at, version = t.version + 1
        from json_to_recordset(${JSON.stringify(moved)}::text::json) as x(id uuid, run_at timestamptz)
       where t.company_id = ${company_id} and t.id = x.id`;
    // A job that is now too early waits by itself.
    await bringAllForward(tx, company_id, moved);
  }
  return rows.length === rezonedMax ? rows.at(-1)?.id : undefined;
}
