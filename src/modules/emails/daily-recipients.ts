/** The recipients that a plan has for a day. All processes count in one row. */
import { addDays, nextLocalMidnight } from '../../kernel/dates.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { plans, tierOf } from '../../kernel/plans.ts';
import { fail } from '../../kernel/problem.ts';
import { getPlan } from '../../platform/company-row.ts';
import { emailErrors } from './emails.errors.ts';
import { queueStatusOf } from './queue-email.ts';

type DayCtx = Pick<Ctx, 'tx' | 'company' | 'today' | 'now' | 'realNow' | 'ports'>;

/** Days that stay to be looked at. */
const daysKept = 40;

async function limitOf({ tx, company, realNow }: DayCtx): Promise<number> {
  const plan = await getPlan(tx, company.company_id);
  return plans[tierOf(plan, realNow())].email_recipients_per_day;
}

async function usedOn(tx: Tx, company_id: string, day: string): Promise<number> {
  const [row] = await tx<{ recipients: number }[]>`
    select recipients from email_days where company_id = ${company_id} and day = ${day}`;
  return row?.recipients ?? 0;
}

/** @throws 429 email_limit_exceeded */
export async function refuseOverDay(ctx: DayCtx): Promise<void> {
  const { tx, company, today, now } = ctx;
  // A sandbox's message to a magic address counts when it is tried.
  if (queueStatusOf(ctx, { to: [], cc: [] }).status !== 'queued') return;
  const [limit, used] = await Promise.all([limitOf(ctx), usedOn(tx, company.company_id, today)]);
  if (used < limit) return;
  const seconds = Math.ceil((nextLocalMidnight(company.time_zone, now).getTime() - now.getTime()) / 1000);
  throw fail(emailErrors.email_limit_exceeded, {
    retry_after_seconds: Math.max(1, seconds),
    values: { limit },
  });
}

/** @returns whether the day has room for them; then they are counted */
export async function takeRecipients(ctx: DayCtx, count: number): Promise<boolean> {
  const { tx, company, today } = ctx;
  const { company_id } = company;
  const limit = await limitOf(ctx);
  const taken = await tx<{ recipients: number }[]>`
    insert into email_days as d (company_id, day, recipients)
    values (${company_id}, ${today}, ${count})
    on conflict (company_id, day) do update set recipients = d.recipients + excluded.recipients
     where d.recipients + excluded.recipients <= ${limit}
    returning d.recipients`;
  if (taken[0]?.recipients === count)
    await tx`delete from email_days where company_id = ${company_id} and day < ${addDays(today, -daysKept)}`;
  return taken.length > 0;
}
