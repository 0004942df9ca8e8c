/**
 * The PostgreSQL that Folio brings along for when no DATABASE_URL is given: one server per data folder, on a
 * private Unix socket, shared by all Folio processes of that folder. It is not tied to the life of the process that
 * spawned it: it survives a `kill -9`, and the next start adopts it. Restarting it when it dies is left to main/.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBinaries, prepareBinaries } from './binaries.ts';
import { adoptOrLaunch, type RunningServer } from './bring-up.ts';
import { addShared, type Claim, countShared, findOwner, takeExclusive } from './claims.ts';
import { ensureCluster, locateCluster, SUPERUSER } from './cluster.ts';
import { connectionOptions, type EmbeddedConnection } from './connection.ts';
import { isRoot, makeFolder } from './database-user.ts';
import { EmbeddedPostgresError, explainSystemError } from './embedded-postgres-error.ts';
import { endPostmaster } from './postmaster.ts';
import { removeSocketFolder } from './socket-folder.ts';

type EmbeddedPostgresOptions = {
  /** The folder of the database and of its log `postgres.log`; made when missing. */
  data_dir: string;
  /** False only for tests: what was committed may be lost. Default true. */
  durable?: boolean;
  /** Gets whole sentences about what is done, for the log. */
  log: (line: string) => void;
  /** Server settings to add or to change, by PostgreSQL name. */
  settings?: Readonly<Record<string, string>>;
  /** Where a start by root keeps what its database user could not reach otherwise. */
  shared_root?: string;
};

/** How the server ended: `expected` when stop() did it (or left it to other users), else it died under us. */
type EmbeddedPostgresExit = { expected: boolean; message: string };

export type EmbeddedPostgres = {
  /** Folder of the Unix socket; undefined on Windows, where the server listens on the loopback address. */
  socket_dir: string | undefined;
  port: number;
  superuser: string;
  /** Process id of the server. */
  pid: number;
  /** Whether the server was running already. */
  adopted: boolean;
  /** Options for postgres.js. On Windows they hold the superuser's password, which other roles must be given too. */
  connection(user: string, database: string): EmbeddedConnection;
  /**
   * Ends the server, or leaves it running while other living processes use it. Never does it twice.
   * @throws EmbeddedPostgresError when the server does not end.
   */
  stop(): Promise<void>;
  /** Settled once, when the server is gone or no longer ours; never rejected. */
  exited: Promise<EmbeddedPostgresExit>;
};

const START_CLAIM_SECONDS = 120;
const STOP_CLAIM_SECONDS = 20;

/**
 * Makes the database of a data folder if there is none, and starts its server or adopts the running one.
 * @throws EmbeddedPostgresError, one sentence for the person who started Folio, when that cannot be done.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const data_dir = resolve(options.data_dir);
  try {
    const installed = findBinaries();
    makeFolder(data_dir, isRoot() ? 0o711 : 0o700);
    return await startIn(realpathSync(data_dir), installed, options);
  } catch (error) {
    throw explainSystemError(error, data_dir);
  }
}

async function startIn(
  data_dir: string,
  installed: ReturnType<typeof findBinaries>,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, durable = true, settings = {} } = options;
  const shared_root = options.shared_root ?? '/var/lib/folio';
  const paths = { exclusive: join(data_dir, 'postgres.lock'), shared: join(data_dir, 'postgres.user-') };

  const claim = await takeExclusive(paths.exclusive, START_CLAIM_SECONDS);
  if (claim === undefined) {
    throw new EmbeddedPostgresError(
      `Another Folio process (${findOwner(paths.exclusive)?.pid ?? 'just ended'}) has been starting or stopping the ` +
        `database in ${data_dir} for two minutes: wait for it, or end it.`,
    );
  }
  let use: Claim | undefined;
  try {
    const cluster = locateCluster(data_dir, { shared_root, log });
    const { user } = cluster;
    const binaries = prepareBinaries(installed, { user, shared_root: user ? shared_root : data_dir, log });
    await ensureCluster(cluster, binaries, durable);
    const has_other_users = countShared(paths.shared) > 0;
    use = addShared(paths.shared);
    const server = await adoptOrLaunch(cluster, binaries, { durable, settings, has_other_users, log });
    const end = () => endPostmaster(server.postmaster, cluster.pgdata, binaries);
    return superviseServer(server, { data_dir, paths, use, end, log });
  } catch (error) {
    use?.release();
    throw error;
  } finally {
    claim.release();
  }
}

type Supervision = {
  data_dir: string;
  paths: { exclusive: string; shared: string };
  use: Claim;
  end: () => Promise<void>;
  log: (line: string) => void;
};

function superviseServer(
  server: RunningServer,
  { data_dir, paths, use, end, log }: Supervision,
): EmbeddedPostgres {
  const { postmaster, place, socket_dir, adopted } = server;
  const { pid } = postmaster.identity;
  const exit = Promise.withResolvers<EmbeddedPostgresExit>();
  let stopping: Promise<void> | undefined;

  void postmaster.died.then(() => {
    use.release();
    const expected = stopping !== undefined;
    const message = expected
      ? `The embedded database server (process ${pid}) was stopped.`
      : `The embedded database server (process ${pid}) ended by itself; ${join(data_dir, 'postgres.log')} may tell why.`;
    exit.resolve({ expected, message });
  });

  async function stop(): Promise<void> {
    use.release();
    // Under the claim nobody can begin to use the server between the count and its end. Without a folder, or with a
    // full disk, there is no claim to be had, and the server is ended nevertheless.
    const claim = await takeExclusive(paths.exclusive, STOP_CLAIM_SECONDS).catch(
      () => 'unavailable' as const,
    );
    try {
      if (claim === undefined || (existsSync(data_dir) && countShared(paths.shared) > 0)) {
        const message = `The embedded database server (process ${pid}) is left to the other processes that use it.`;
        log(message);
        exit.resolve({ expected: true, message });
        return;
      }
      await end();
      removeSocketFolder(socket_dir);
    } finally {
      if (claim !== undefined && claim !== 'unavailable') claim.release();
    }
  }

  return {
    socket_dir,
    port: place.port,
    superuser: SUPERUSER,
    pid,
    adopted,
    connection: (user, database) => connectionOptions(place, user, database),
    stop() {
      stopping ??= stop();
      return stopping;
    },
    exited: exit.promise,
  };
}
