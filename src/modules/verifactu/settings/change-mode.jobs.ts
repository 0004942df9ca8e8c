import { dayStart } from '../../../kernel/dates.ts';
import { type JobHandler, lookAgainIn } from '../../../platform/job-handler.ts';
import { beginPlannedMode } from './change-mode.ts';

export const changeModeKind = 'verifactu.change_mode';

const hourMs = 3_600_000;

export const changeMode: JobHandler = {
  kind: changeModeKind,
  async run(ctx) {
    const waiting = await beginPlannedMode(ctx);
    if (!waiting) return undefined;
    // The company has moved to another zone, where the day begins at another instant.
    if (waiting.waits_for === 'day') return { next_run_at: dayStart(ctx.company.time_zone, waiting.on) };
    ctx.log.warn({}, 'nobody can sign the event of a change of mode');
    return { next_run_at: lookAgainIn(ctx, hourMs) };
  },
};
