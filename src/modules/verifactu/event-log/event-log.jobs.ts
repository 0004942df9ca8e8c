/** Logs a summary at least every six hours (Orden HAC/1177/2024, art. 9), and the events that wait to be signed. */
import type { JobHandler } from '../../../platform/worker.ts';
import { logSummary } from './event-summary.ts';
import { eventLogKind, logPendingEvents } from './pending-events.ts';
import { isLogging } from '../settings/rules/mode.ts';
import { findSettings } from '../settings/settings.store.ts';

const hourMs = 3_600_000;
/** A little early: the job may have to wait for its turn. */
export const summaryEveryMs = 6 * hourMs - 300_000;

export const eventLog: JobHandler = {
  kind: eventLogKind,
  async run(ctx) {
    const { tx, company, now, today } = ctx;
    const { company_id } = company;
    const is_logging = isLogging(company, today);
    const settings = await findSettings(tx, company_id);
    let last = settings?.last_summary_at ?? now;
    if (is_logging && (!settings?.last_summary_at || now.getTime() - last.getTime() >= summaryEveryMs)) {
      await logSummary(ctx);
      last = now;
    }
    const is_waiting = (await logPendingEvents(ctx)) !== null;
    if (!is_logging && !is_waiting) return undefined;
    const next = [
      ...(is_logging ? [last.getTime() + summaryEveryMs] : []),
      ...(is_waiting ? [now.getTime() + hourMs] : []),
    ];
    // A sandbox's clock may jump over hours: they get no summaries.
    return { next_run_at: new Date(Math.max(Math.min(...next), ctx.job.clock_now.getTime())) };
  },
};
