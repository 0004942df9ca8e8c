/** The service in a process of its own, on the database of a test that started it; it prints where it listens. */
import { readConfig } from '../../src/main/config.ts';
import { startService } from '../../src/main/service.ts';
import { openDatabase } from '../../src/platform/db.ts';

const target = JSON.parse(process.env.FOLIO_TEST_TARGET ?? '') as never;
const config = readConfig({
  PORT: '0',
  FOLIO_SECRET_KEY: 'a secret key for the tests, 32 characters or more',
  FOLIO_RATE_LIMITS: 'off',
  FOLIO_LOG_LEVEL: 'error',
});
const database = openDatabase({ target, pool_size: 8, role: null, application_name: 'folio child' });
const service = await startService({ config, database, role: 'api' });
process.stdout.write(`${service.url}\n`);
