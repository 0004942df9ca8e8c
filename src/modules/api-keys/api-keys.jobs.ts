/** Background work of keys: previous secrets are deleted once their grace is over. */
import type { JobHandler } from '../../platform/worker.ts';
import { purgePreviousSecrets } from './api-keys.store.ts';

export const purgeSecretJob = 'api_key.purge_previous_secret';

/** Deletes previous secrets of one key. The grace runs on the time of the company the key opens; what is not over yet stays. */
export const purgePreviousSecret: JobHandler = {
  kind: purgeSecretJob,
  async run({ tx, company_id, payload, now }) {
    await purgePreviousSecrets(tx, company_id, String(payload.key_id), now);
  },
};
