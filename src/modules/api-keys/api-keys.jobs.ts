/** Background work of keys: previous secrets are deleted once their grace is over. */
import { companyTime } from '../../platform/clock.ts';
import type { JobHandler } from '../../platform/worker.ts';
import { findApiKey, getOpenedClock, purgePreviousSecrets } from './api-keys.store.ts';

export const purgeSecretJob = 'api_key.purge_previous_secret';

/** Deletes previous secrets of one key. The grace runs on the time of the company the key opens; what is not over yet stays. */
export const purgePreviousSecret: JobHandler = {
  kind: purgeSecretJob,
  async run({ tx, company_id, payload, real_now }) {
    const key = await findApiKey(tx, company_id, String(payload.key_id), ['live', 'test']);
    if (!key) return;
    const clock = await getOpenedClock(tx, company_id, key.opens_company_id);
    const key_now = companyTime({ clock_offset_ms: Number(clock.clock_offset_ms), clock_frozen_at: clock.clock_frozen_at }, real_now);
    await purgePreviousSecrets(tx, company_id, key.id, key_now);
  },
};
