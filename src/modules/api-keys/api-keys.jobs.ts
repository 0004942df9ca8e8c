import { companyTime, realDueTime } from '../../platform/clock.ts';
import type { JobHandler } from '../../platform/worker.ts';
import { getOpenedClock } from '../../platform/company-row.ts';
import { findApiKey, purgePreviousSecrets } from './api-keys.store.ts';

export const purgeSecretJob = 'api_key.purge_previous_secret';

/** How soon to look again at a clock that stands still. */
const patienceMs = 24 * 3_600_000;

/**
 * Deletes a key's previous secrets after their grace, by the clock of the company that the key opens. While
 * one still runs, the job returns at its end.
 */
export const purgePreviousSecret: JobHandler = {
  kind: purgeSecretJob,
  async run({ tx, company: { company_id }, realNow, job: { payload } }) {
    const real_now = realNow();
    const key = await findApiKey(tx, company_id, String(payload.key_id), ['live', 'test']);
    if (!key) return;
    const clock = await getOpenedClock(tx, company_id, key.opens_company_id);
    const opened = { clock_offset_ms: Number(clock.clock_offset_ms), clock_frozen_at: clock.clock_frozen_at };
    const left_until = await purgePreviousSecrets(tx, company_id, key.id, companyTime(opened, real_now));
    if (left_until === null) return;
    const waited = new Date(real_now.getTime() + patienceMs);
    return { next_run_at: realDueTime(opened, left_until, real_now) ?? waited };
  },
};
