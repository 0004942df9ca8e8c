/** The program of a service child (service-child.ts). It prints its address. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { readConfig } from '../../src/main/config.ts';
import { startService } from '../../src/main/service.ts';
import { openDatabase } from '../../src/platform/db.ts';
import { loopbackPorts } from './loopback-ports.ts';
import type { SenderOptions } from './sender-steps.ts';
import type { ChildOptions } from './service-child.ts';

const target = JSON.parse(process.env.FOLIO_TEST_TARGET ?? '') as never;
const {
  name,
  clock,
  writes_request_log,
  works,
  only_works,
  is_held,
  env,
  sender,
  delivers,
  pool_size: own_size = 8,
} = JSON.parse(process.env.FOLIO_TEST_CHILD ?? '') as ChildOptions & {
  name: string;
};
const config = readConfig({
  PORT: '0',
  FOLIO_SECRET_KEY: 'a secret key for the tests, 32 characters or more',
  FOLIO_RATE_LIMITS: 'off',
  FOLIO_LOG_LEVEL: 'error',
  ...env,
});
// A company that is held within a transaction keeps its connection.
const kept = Object.values(sender?.steps ?? {}).filter((step) => step === 'noting' || step === 'settling');
const pool_size = own_size + kept.length;
const database = openDatabase({ target, pool_size, role: null, application_name: name });
let begun_at = typeof clock?.when === 'number' ? clock.when : undefined;
const shown = clock && {
  now() {
    if (typeof clock.when === 'string' && begun_at === undefined && existsSync(clock.when))
      begun_at = Number(readFileSync(clock.when, 'utf8'));
    return new Date(clock.shows + (begun_at === undefined ? 0 : (Date.now() - begun_at) * clock.speed));
  },
};
if (is_held) {
  // The timer keeps the process alive.
  const timer = setInterval(() => undefined, 60_000);
  const told = once(process, 'SIGUSR2');
  process.stdout.write('held\n');
  await told;
  clearInterval(timer);
}
const service = await startService({
  config,
  database,
  role: only_works ? 'worker' : 'api',
  writes_request_log: writes_request_log ?? true,
  ...((writes_request_log ?? true) ? {} : { purge_every_ms: null }),
  // The log would only hold failures that the test causes.
  log_stream: { write: () => undefined },
  ...(shown ? { clock: shown } : {}),
  ...(delivers ? { wrap_ports: loopbackPorts(delivers.ca) } : {}),
  ...(sender ? await holding(sender) : {}),
});
// A killed process writes nothing at its end.
if (process.env.NODE_COMPILE_CACHE) flushCompileCache();
process.stdout.write(`${service.url}\n`);
if (sender || works) service.worker.start();
if (delivers) service.deliveries.start();

/** Few children send, and its steps load the authority's simulator. */
async function holding(wanted: SenderOptions) {
  const { holdSender } = await import('./sender-steps.ts');
  return { ...holdSender(database, wanted), outside_concurrency: Object.keys(wanted.steps).length };
}
