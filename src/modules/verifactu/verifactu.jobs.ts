/** Background work of VeriFactu: the mode that begins on 1 January. The sender is in sender.jobs.ts. */
import type { JobHandler } from '../../platform/worker.ts';
import { applyMode } from './change-mode.ts';
import { lockModes } from './settings.store.ts';

export const changeModeKind = 'verifactu.change_mode';

/** Writes down the mode that holds since the beginning of the day, if it was not decided otherwise meanwhile. */
export const changeMode: JobHandler = {
  kind: changeModeKind,
  async run(ctx) {
    const { verifactu_mode, verifactu_next_mode, verifactu_next_on } = await lockModes(
      ctx.tx,
      ctx.company_id,
    );
    if (verifactu_next_mode === null || verifactu_next_on === null || ctx.today < verifactu_next_on) return;
    await applyMode(ctx, verifactu_mode, verifactu_next_mode === 'off' ? null : verifactu_next_mode);
  },
};
