/** SQL of scheduled reminders. */
import type { Tx } from '../../kernel/operation.ts';
import type { DayRange } from './rules/reminder-stages.ts';

/** Where a batch ended. */
export type DuePosition = { due_on: string; id: string };

/** The first day after today that is one of the stages of an unpaid invoice. Index: invoices_unpaid. */
export async function findNextStage(
  tx: Tx,
  company_id: string,
  stages: readonly number[],
  today: string,
): Promise<string | null> {
  const [row] = await tx<{ day: string | null }[]>`
    select min(d.due_on + s.stage) as day from unnest(${[...stages]}::integer[]) as s(stage)
     cross join lateral (
       select min(t.due_on) as due_on from invoices t
        where t.company_id = ${company_id} and t.due_on > ${today}::date - s.stage
          and t.status in ('issued', 'sent', 'overdue') and t.due_on is not null) d`;
  return row?.day ?? null;
}

/**
 * Unpaid invoices with a client, due on these days. One whose tax was recovered (R2, R3) is left to be reminded of by hand (ADR 103), until
 * what recovered it is undone. Each range reads at most `limit` rows of the index invoices_unpaid.
 * @param due_days ranges that do not overlap
 */
export function listUnpaidDue(
  tx: Tx,
  company_id: string,
  due_days: readonly DayRange[],
  behind: DuePosition | null,
  limit: number,
) {
  const { due_on, id } = behind ?? { due_on: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  return tx<DuePosition[]>`
    select d.due_on, d.id from json_to_recordset(${JSON.stringify(due_days)}::text::json) as r("after" date, through date)
     cross join lateral (
       select t.due_on, t.id from invoices t
        where t.company_id = ${company_id} and t.due_on > r.after and t.due_on <= r.through
          and (t.due_on, t.id) > (${due_on}::date, ${id}::uuid)
          and t.status in ('issued', 'sent', 'overdue') and t.settled_in_id is null and t.client_id is not null
          and t.amount_due + t.corrected_amount > t.paid_amount + t.carried_amount
          and not (t.type in ('R2', 'R3') and t.correction_type = 'substitution')
          and coalesce((select sum(k.amount_due + k.corrected_amount) from invoices k
                         where k.company_id = t.company_id and k.id = any(t.corrective_ids) and k.type in ('R2', 'R3')
                           and k.correction_type = 'differences' and k.status not in ('voided', 'annulled')), 0) >= 0
        order by t.due_on, t.id limit ${limit}) d
     order by d.due_on, d.id limit ${limit}`;
}
