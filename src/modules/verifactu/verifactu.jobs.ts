/** Background work of VeriFactu: the mode that begins on 1 January. The sender is in sender.jobs.ts. */
import type { JobHandler } from '../../platform/worker.ts';
import { applyMode } from './change-mode.ts';
import { signingFault } from './recorder.ts';
import { findRegistration } from './registration.store.ts';
import { lockModes } from './settings.store.ts';

export const changeModeKind = 'verifactu.change_mode';

const hourMs = 3_600_000;

/**
 * Writes down the mode that holds since the beginning of the day, if it was not decided otherwise meanwhile. Its event
 * has to be signed: while nobody can sign it waits, and nothing can be issued in no-verifactu mode either.
 */
export const changeMode: JobHandler = {
  kind: changeModeKind,
  async run(ctx) {
    const { tx, company_id, company, ports, now, today } = ctx;
    const { verifactu_mode, verifactu_next_mode, verifactu_next_on } = await lockModes(tx, company_id);
    if (verifactu_next_mode === null || verifactu_next_on === null || today < verifactu_next_on)
      return undefined;
    if ([verifactu_mode, verifactu_next_mode].includes('no_verifactu')) {
      const row = await findRegistration(tx, company_id);
      if (row && signingFault(ports, company, row, now, today)) {
        ctx.log.warn({}, 'nobody can sign the event of a change of mode');
        return { next_run_at: new Date(now.getTime() + hourMs) };
      }
    }
    await applyMode(ctx, verifactu_mode, verifactu_next_mode === 'off' ? null : verifactu_next_mode);
    return undefined;
  },
};
