/**
 * Scheduled reminders (ADR 19). The transaction that enqueues the first batch also records the day as handled, and concurrent
 * runs wait for it, so each reminder is queued once. Batches are separate jobs, so a fault in one delays no other. The day begins
 * at midnight, but its mail leaves in the morning.
 */
import type { JobCtx } from '../../platform/worker.ts';
import { findReminders, getIssuer, lockReminders, setRemindersThrough } from '../companies/index.ts';
import { findDocumentParties } from '../contacts/index.ts';
import { queueEmails, reminderTime } from '../emails/index.ts';
import { findInvoices } from './stored-invoices.ts';
import { planEmail } from '../sales/index.ts';
import { reminderEmail } from './reminder-email.ts';
import { type DuePosition, findNextStage, listUnpaidDue } from './reminders.store.ts';
import { dueDays, isRemindable, stageOf } from './rules/reminder-stages.ts';
import { addressesOf } from '../../domain/sales/recipients.ts';

const batchMax = 200;

export const remindRestKind = 'invoices.remind_rest';

/** `behind` is where the last batch ended. */
type Rest = { stages: readonly number[]; after: string; through: string; behind: DuePosition | null };

/** Daily task: starts the reminders of the days since its last run. */
export async function sendDueReminders(ctx: JobCtx) {
  const schedule = await findReminders(ctx.tx, ctx.company.company_id);
  return schedule && (() => startReminders(ctx));
}

async function startReminders(ctx: JobCtx): Promise<void> {
  const {
    tx,
    company: { company_id },
    today,
  } = ctx;
  const schedule = await lockReminders(tx, company_id);
  if (!schedule) return;
  const { through, days_after_due: stages } = schedule;
  if (through !== null && through >= today) return;
  await setRemindersThrough(tx, company_id, today);
  if (through === null) return;
  const rest: Rest = { stages, after: through, through: today, behind: null };
  const [first] = await listUnpaidDue(tx, company_id, dueDays(stages, rest), null, 1);
  if (first) ctx.enqueue(remindRestKind, rest);
}

/** @returns the next day on which an invoice is reminded of */
export async function nextReminders({ tx, company: { company_id }, today }: JobCtx): Promise<string | null> {
  const schedule = await findReminders(tx, company_id);
  return schedule ? findNextStage(tx, company_id, schedule.days_after_due, today) : null;
}

/** Queues a batch, unless reminders were switched off meanwhile. */
export async function remindRest(ctx: JobCtx): Promise<void> {
  const {
    tx,
    company: { company_id },
    job: { payload },
  } = ctx;
  if (await lockReminders(tx, company_id)) await remindBatch(ctx, payload as Rest);
}

async function remindBatch(ctx: JobCtx, rest: Rest): Promise<void> {
  const {
    tx,
    company: { company_id },
  } = ctx;
  const { stages, behind } = rest;
  const found = await listUnpaidDue(tx, company_id, dueDays(stages, rest), behind, batchMax);
  const last = found.at(-1);
  if (!last) return;
  const invoices = await findInvoices(
    tx,
    company_id,
    found.map(({ id }) => id),
  );
  // Skips an invoice that was paid meanwhile.
  const due = invoices.filter((one) => isRemindable(one) && stageOf(one, stages, rest) !== null);
  const client_ids = due.flatMap(({ client_id }) => client_id ?? []);
  const [clients, sender] = await Promise.all([
    findDocumentParties(tx, company_id, 'client', [...new Set(client_ids)]),
    getIssuer(tx, company_id),
  ]);
  const clientOf = new Map(clients.map((client) => [client.id, client]));
  const drafts = due.flatMap((invoice) => {
    const to = addressesOf(clientOf.get(invoice.client_id ?? ''));
    return to.length === 0 ? [] : [reminderEmail(ctx, invoice, planEmail({ to, cc: [] }, sender))];
  });
  const morning = reminderTime(ctx.company.time_zone, ctx.today);
  await queueEmails(ctx, drafts, morning > ctx.now ? morning : null);
  if (found.length === batchMax) ctx.enqueue(remindRestKind, { ...rest, behind: last });
}
