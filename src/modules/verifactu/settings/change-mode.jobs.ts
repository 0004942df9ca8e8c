import { type JobHandler, lookAgainIn } from '../../../platform/job-handler.ts';
import { beginPlannedMode } from './change-mode.ts';

export const changeModeKind = 'verifactu.change_mode';

const hourMs = 3_600_000;

export const changeMode: JobHandler = {
  kind: changeModeKind,
  async run(ctx) {
    if (await beginPlannedMode(ctx)) return undefined;
    ctx.log.warn({}, 'nobody can sign the event of a change of mode');
    return { next_run_at: lookAgainIn(ctx, hourMs) };
  },
};
