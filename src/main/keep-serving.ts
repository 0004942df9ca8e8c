/**
 * Keeps a service running until somebody asks it to end. When the embedded database dies, service and database start
 * again on the same data and port. A database in DATABASE_URL recovers by itself; until then callers get 503. At the
 * start it is waited for.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import { isUnreachable } from '../platform/db.ts';
import { awaitDatabase } from './await-database.ts';
import type { Config } from './config.ts';
import { waysTo } from './database.ts';
import { StartError } from './start-error.ts';
import { watchFaults } from './faults.ts';
import { stopSignals, watchStopSignals } from './stop-signals.ts';
import { say } from './terminal.ts';

/** Pauses before further attempts to start. */
const pausesMs = [100, 500, 1000, 2000, 5000];
/** After so many losses within a minute another start does not help. */
const lossesMax = 30;

export type Running = {
  url: string;
  port: number;
  /** Null for a database of DATABASE_URL. */
  embedded: EmbeddedPostgres | null;
  /** Tells the person at the terminal, once. */
  introduce(): void;
  /** Logs what ends the program. */
  tellFault(error: unknown): void;
  /** Finishes the requests in flight, and ends everything. */
  end(): Promise<void>;
  /** Ends without waiting: the embedded database is gone. */
  abandon(): Promise<void>;
  /** Ends at once, before the program does. */
  kill(): void;
};

/**
 * Returns once one of the signals has ended the service.
 * @throws StartError, ConfigError or EmbeddedPostgresError
 */
export async function keepServing(
  config: Config,
  start: (config: Config) => Promise<Running>,
  signals: readonly NodeJS.Signals[] = stopSignals,
): Promise<void> {
  let running: Running | undefined;
  const stop = watchStopSignals(signals, (signal) => {
    say(`Ending at once on a second ${signal}.`);
    running?.kill();
    process.exit(1);
  });
  const faults = watchFaults({
    log: (error) => running?.tellFault(error),
    end: async () => {
      running?.kill();
      await running?.embedded?.stop();
    },
  });
  const losses: number[] = [];
  let port = config.PORT;
  try {
    if (config.DATABASE_URL !== null && !(await awaitDatabase(waysTo(config, say), say, stop.first))) {
      say('Stopped.');
      return;
    }
    for (;;) {
      running = await startPatiently({ ...config, PORT: port }, start, losses.length > 0);
      port = running.port;
      if (losses.length === 0) running.introduce();
      else say(`Folio listens again on ${running.url}.`);

      const loss = await Promise.race([stop.first.then(() => null), whenLost(running)]);
      if (loss === null) {
        say(`Stopping on ${await stop.first}: requests in flight are finished first.`);
        await running.end();
        say('Stopped.');
        return;
      }
      say(`${loss} It is started again.`);
      await running.abandon();
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

/** Tries again when the embedded database dies during the start or does not come back at once. */
async function startPatiently(
  config: Config,
  start: (config: Config) => Promise<Running>,
  is_again: boolean,
): Promise<Running> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await start(config);
    } catch (error) {
      const pause = pausesMs[attempt];
      const is_passing = isUnreachable(error) || (error instanceof StartError && error.may_pass);
      const may_pass = config.DATABASE_URL === null && (is_again || is_passing);
      if (!may_pass || pause === undefined) throw error;
      say(`The start did not succeed (${(error as Error).message}); it is tried again.`);
      await wait(pause);
    }
  }
}

/** Resolves with a sentence when the embedded database ends unexpectedly. */
function whenLost({ embedded }: Running): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  void embedded?.exited.then(({ expected, message }) => {
    if (!expected) resolve(message);
  });
  return promise;
}
