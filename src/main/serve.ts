/**
 * `folio serve`: database, migrations, service, and an orderly end. When the embedded database dies, both start again
 * on the same data and port. A database in DATABASE_URL recovers by itself; until then callers get 503.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { findWithoutAddress } from '../modules/companies/index.ts';
import { makeSetupLink } from '../modules/people/index.ts';
import { type Database, isUnreachable } from '../platform/db.ts';
import { renewListener } from '../platform/due-hint.ts';
import { type Config, settings } from './config.ts';
import { type DatabaseHandle, findDatabase, migrateDatabase, warnOfLogin } from './database.ts';
import { StartError } from './explain.ts';
import { watchFaults } from './faults.ts';
import { commandHint, sampleAddress } from './hints.ts';
import { terminalLog } from './pretty-logs.ts';
import { type Role, type Service, startService } from './service.ts';
import { watchStopSignals } from './stop-signals.ts';
import { say } from './terminal.ts';

const quietMs = 300;
const drainMs = 30_000;
/** Pauses before further attempts to start. */
const pausesMs = [100, 500, 1000, 2000, 5000];
/** An operator with more companies does not mind each of them. */
const toldMost = 20;
/** After so many losses within a minute another start does not help. */
const lossesMax = 30;

type Running = { handle: DatabaseHandle; database: Database; listener: Sql | null; service: Service };

/**
 * Returns once SIGINT or SIGTERM has ended the service.
 * @throws StartError, ConfigError or EmbeddedPostgresError
 */
export async function serve(config: Config, role: Role): Promise<void> {
  const stop = watchStopSignals((signal) => {
    say(`Ending at once on a second ${signal}.`);
    process.exit(1);
  });
  let running: Running | undefined;
  const faults = watchFaults({
    log: (error) => running?.service.app.log.fatal({ err: error }, 'ending on a fault of the program'),
    end: async () => running?.handle.stop(),
  });
  const losses: number[] = [];
  let port = config.PORT;
  try {
    for (;;) {
      running = await startPatiently({ ...config, PORT: port }, role, losses.length > 0);
      port = running.service.port;
      if (losses.length === 0) void introduce(running, config, role);
      else say(`Folio listens again on ${running.service.url}.`);

      const loss = await Promise.race([stop.first.then(() => null), whenLost(running.handle)]);
      if (loss === null) {
        say(`Stopping on ${await stop.first}: requests in flight are finished first.`);
        await end(running);
        say('Stopped.');
        return;
      }
      say(`${loss} It is started again.`);
      await abandon(running);
      running = undefined;
      if (stop.has_come()) {
        say('Stopped.');
        return;
      }
      losses.push(performance.now());
      if (losses.filter((at) => at > performance.now() - 60_000).length > lossesMax) {
        throw new StartError(
          'The embedded database is lost again and again; postgres.log in the data folder may tell why.',
        );
      }
    }
  } finally {
    stop.release();
    faults.release();
  }
}

async function start(config: Config, role: Role): Promise<Running> {
  const handle = await findDatabase(config, say);
  let database: Database | undefined;
  let listener: Sql | null = null;
  try {
    const applied = await migrateDatabase(handle);
    if (applied.length > 0) say(`Migrations applied: ${applied.length}.`);
    const warning = await warnOfLogin(handle);
    if (warning !== null) say(`Warning: ${warning}`);
    database = handle.open(`folio ${role}`);
    const listening = handle.listener();
    listener = listening;
    if (listening) database.whenTurned(() => renewListener(listening));
    const log_stream = terminalLog(process.stdout);
    const service = await startService({ config, database, role, listener, log_stream });
    return { handle, database, listener, service };
  } catch (error) {
    await Promise.all([database?.close(), listener?.end({ timeout: 1 })]);
    await handle.stop();
    throw error;
  }
}

/** Tries again when the embedded database dies during the start or does not come back at once. */
async function startPatiently(config: Config, role: Role, is_again: boolean): Promise<Running> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await start(config, role);
    } catch (error) {
      const pause = pausesMs[attempt];
      const may_pass = config.DATABASE_URL === null && (is_again || isUnreachable(error));
      if (!may_pass || pause === undefined) throw error;
      say(`The start did not succeed (${(error as Error).message}); it is tried again.`);
      await wait(pause);
    }
  }
}

async function introduce(
  { handle, service, database }: Running,
  { FOLIO_PUBLIC_URL, FOLIO_DATA_DIR }: Config,
  role: Role,
): Promise<void> {
  const lines = [`Folio listens on ${service.url} (${handle.description}).`];
  if (role === 'worker')
    lines.push('It works in the background; /healthz, /readyz and /metrics are answered there.');
  else {
    const setup = await makeSetupLink(database.index, new Date()).catch(() => undefined);
    if (setup !== undefined)
      lines.push(
        'Set up the first person, and a company, within a day; the link opens once:',
        `  ${FOLIO_PUBLIC_URL ?? service.url}/setup/${setup}`,
      );
    const folio = commandHint(
      { FOLIO_DATA_DIR, PORT: service.port },
      { FOLIO_DATA_DIR: settings.FOLIO_DATA_DIR.default ?? '', PORT: settings.PORT.default ?? '' },
    );
    const where = handle.embedded ? '' : ', where the settings of this service are in force';
    lines.push(
      `${setup === undefined ? 'Make' : 'Or make'} a company and its first keys${where}:`,
      `  ${folio} company create --name "Acme SL" --tax-id B12345674 --plan scale --json --address '${sampleAddress}'`,
      `Reference: ${service.url}/docs`,
    );
  }
  // In one piece: lines of the log stand before or after it.
  setImmediate(() => ['', ...lines, ''].forEach(say));
  if (role !== 'worker') void tellOfAddresses(database);
}

/** Full invoices state the issuer's address (RD 1619/2012, art. 6.1.e). A platform of many companies is not told. */
async function tellOfAddresses(database: Database): Promise<void> {
  const missing = await findWithoutAddress(database, toldMost).catch(() => []);
  if (missing.length === 0) return;
  const named = missing.map(({ name, company_id }) => `${name ?? ''} (${company_id})`);
  say(`Companies without an address: ${named.join(', ')}. PUT /v1/account/company gives them one.`);
}

/** Resolves with a sentence when the embedded database ends unexpectedly. */
function whenLost({ embedded }: DatabaseHandle): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  void embedded?.exited.then(({ expected, message }) => {
    if (!expected) resolve(message);
  });
  return promise;
}

async function end({ handle, database, listener, service }: Running): Promise<void> {
  await service.drain(quietMs, drainMs);
  await service.stop();
  await Promise.all([database.close(), listener?.end({ timeout: 1 })]);
  await handle.stop();
}

async function abandon({ handle, database, listener, service }: Running): Promise<void> {
  // Closed first, so that whoever waits for the database is refused at once.
  await Promise.all([database.close(), listener?.end({ timeout: 0 }), service.abandon()]);
  await handle.stop();
}
