/**
 * Events that nobody could sign when they happened: the log takes only signed ones (Orden HAC/1177/2024, art. 9).
 * Once somebody can sign, they enter it in order, with a note of their time.
 */
import { instantIn } from '../../../kernel/dates.ts';
import { Problem, problemMessage } from '../../../kernel/problem.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { ensureSchedule } from '../../../platform/worker.ts';
import { type LogContext, logEvents, type NewEvent } from './event-log.ts';
import {
  deletePendingEvents,
  insertPendingEvents,
  lockPendingEvents,
  type PendingEventRow,
} from './pending-events.store.ts';

export const eventLogKind = 'verifactu.event_log';

/** By a user, for one event. The service itself tries without end. */
export const retriesMax = 5;
const hourMs = 3_600_000;
const batchMax = 100;
const noteMax = 100;

/** Logs events after those that wait. Where nobody can sign, they wait too. Never refuses. */
export async function logOrKeepEvents(ctx: LogContext, events: readonly NewEvent[]): Promise<void> {
  const failure = await logPendingEvents(ctx);
  const error = failure ?? (await tryLog(ctx, events));
  if (error === null) return;
  const { tx, company, now } = ctx;
  await insertPendingEvents(
    tx,
    company.company_id,
    events.map(({ id = newId(), details, note = null }) => ({
      id,
      type: details.type,
      details,
      note,
      occurred_at: now.toISOString(),
      attempts: 0,
      last_error: error,
    })),
  );
  await ensureEventLogJob(ctx, new Date(now.getTime() + hourMs));
}

/**
 * Oldest first.
 * @returns null when none waits any more, else why
 */
export async function logPendingEvents(ctx: LogContext): Promise<string | null> {
  const { tx, company } = ctx;
  for (;;) {
    const rows = await lockPendingEvents(tx, company.company_id, batchMax);
    if (rows.length === 0) return null;
    const error = await tryLog(
      ctx,
      rows.map((row) => ({ id: row.id, details: row.details, note: noteOf(row, company.time_zone) })),
    );
    if (error !== null) return error;
    await deletePendingEvents(
      tx,
      company.company_id,
      rows.map((row) => row.id),
    );
  }
}

function noteOf({ note, occurred_at }: PendingEventRow, time_zone: string): string {
  const at = `Ocurrido el ${instantIn(time_zone, new Date(occurred_at))}.`;
  return (note === null ? at : `${at} ${note}`).slice(0, noteMax);
}

/**
 * Signs before it writes anything.
 * @returns null when the events are logged, else why not
 */
async function tryLog(ctx: LogContext, events: readonly NewEvent[]): Promise<string | null> {
  if (events.length === 0) return null;
  try {
    await logEvents(ctx, events);
    return null;
  } catch (error) {
    // The message speaks of an invoice; the reason alone fits an event.
    if (error instanceof Problem)
      return String(error.details.values?.reason ?? problemMessage(error.def, error.details.values));
    return error instanceof Error ? error.message : 'error desconocido';
  }
}

export function ensureEventLogJob({ tx, company }: Pick<LogContext, 'tx' | 'company'>, next_run_at: Date) {
  return ensureSchedule(tx, company.company_id, { schedule: eventLogKind, kind: eventLogKind, next_run_at });
}
