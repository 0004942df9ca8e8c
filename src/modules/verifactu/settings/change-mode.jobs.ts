/** Background work of VeriFactu: the mode that begins on 1 January. The sender is in sender.jobs.ts. */
import { type JobHandler, lookAgainIn } from '../../../platform/job-handler.ts';
import { beginPlannedMode } from './change-mode.ts';

export const changeModeKind = 'verifactu.change_mode';

const hourMs = 3_600_000;

/** Writes down the mode that holds since the beginning of the day, if it was not decided otherwise meanwhile. */
export const changeMode: JobHandler = {
  kind: changeModeKind,
  async run(ctx) {
    if (await beginPlannedMode(ctx)) return undefined;
    ctx.log.warn({}, 'nobody can sign the event of a change of mode');
    return { next_run_at: lookAgainIn(ctx, hourMs) };
  },
};
