/**
 * Starts one PostgreSQL server per data folder, on a private Unix socket that all processes share.
 * It survives a `kill -9` of its program, and the next start adopts it.
 * A server that lives but takes no connections is ended. The caller restarts a server that died.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBinaries, prepareBinaries } from './binaries.ts';
import { adoptOrLaunch, refuseServerElsewhere, type RunningServer } from './bring-up.ts';
import { addShared, type Claim, countShared, findOwner, takeExclusive } from './claims.ts';
import { ensureCluster, locateCluster, SUPERUSER } from './cluster.ts';
import { connectionOptions, type EmbeddedConnection } from './connection.ts';
import { isRoot, makeFolder } from './database-user.ts';
import { EmbeddedPostgresError, explainSystemError } from './embedded-postgres-error.ts';
import { endWhenHalfDead, type HalfDeathWatch } from './ending-half-dead.ts';
import { endPostmaster } from './postmaster.ts';
import type { Program } from './program.ts';
import { removeSocketFolder } from './socket-folder.ts';

export type EmbeddedPostgresOptions = {
  /** Holds the database and its log `postgres.log`; created when missing. */
  data_dir: string;
  program: Program;
  /** False is for tests: a crash may lose commits. Default true. */
  durable?: boolean;
  log: (line: string) => void;
  /** By PostgreSQL's names. */
  settings?: Readonly<Record<string, string>>;
  /**
   * Root's start keeps here what the server's user cannot reach elsewhere. Default `/var/lib/<program.id>`.
   */
  shared_root?: string;
};

/** `expected`: stop() ended the server or left it to others. Otherwise it died. */
type EmbeddedPostgresExit = { expected: boolean; message: string };

export type EmbeddedPostgres = {
  /** Undefined on Windows, where the server listens on the loopback address. */
  socket_dir: string | undefined;
  port: number;
  superuser: string;
  pid: number;
  adopted: boolean;
  /** For postgres.js. On Windows they hold the superuser's password; give other roles the same one. */
  connection(user: string, database: string): EmbeddedConnection;
  /**
   * Ends the server, unless other living processes use it. May be called twice.
   * @throws EmbeddedPostgresError when the server does not end
   */
  stop(): Promise<void>;
  /** Resolves when the server is gone or left to others. Never rejects. */
  exited: Promise<EmbeddedPostgresExit>;
};

const START_CLAIM_SECONDS = 120;
const STOP_CLAIM_SECONDS = 20;

/**
 * Adopts a running server. Makes a missing database.
 * @throws EmbeddedPostgresError with one sentence for the person at the terminal
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const data_dir = resolve(options.data_dir);
  try {
    const installed = findBinaries(options.program);
    makeFolder(data_dir, isRoot() ? 0o711 : 0o700);
    return await startIn(realpathSync(data_dir), installed, options);
  } catch (error) {
    throw explainSystemError(error, data_dir, options.program);
  }
}

async function startIn(
  data_dir: string,
  installed: ReturnType<typeof findBinaries>,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { program, log, durable = true, settings = {} } = options;
  const shared_root = options.shared_root ?? `/var/lib/${program.id}`;
  const paths = { exclusive: join(data_dir, 'postgres.lock'), shared: join(data_dir, 'postgres.user-') };

  const claim = await takeExclusive(paths.exclusive, START_CLAIM_SECONDS);
  if (claim === undefined) {
    throw new EmbeddedPostgresError(
      `Another ${program.name} process (${findOwner(paths.exclusive)?.pid ?? 'just ended'}) has been starting or stopping the ` +
        `database in ${data_dir} for two minutes: wait for it, or end it.`,
    );
  }
  let use: Claim | undefined;
  try {
    const cluster = locateCluster(data_dir, { shared_root, program, log });
    const { user } = cluster;
    const binaries = prepareBinaries(installed, {
      user,
      shared_root: user ? shared_root : data_dir,
      program,
      log,
    });
    await ensureCluster(cluster, binaries, durable);
    // Before claims are counted: those of another container look dead.
    await refuseServerElsewhere(cluster);
    const has_other_users = countShared(paths.shared) > 0;
    use = addShared(paths.shared);
    const server = await adoptOrLaunch(cluster, binaries, { durable, settings, has_other_users, log });
    const { pgdata } = cluster;
    const end = () => endPostmaster(server.postmaster, pgdata, binaries);
    const watch = endWhenHalfDead({ ...server, pgdata, binaries, log });
    return superviseServer(server, { data_dir, program, paths, use, end, watch, log });
  } catch (error) {
    use?.release();
    throw error;
  } finally {
    claim.release();
  }
}

type Supervision = {
  data_dir: string;
  program: Program;
  paths: { exclusive: string; shared: string };
  use: Claim;
  end: () => Promise<void>;
  watch: HalfDeathWatch;
  log: (line: string) => void;
};

function superviseServer(
  server: RunningServer,
  { data_dir, program, paths, use, end, watch, log }: Supervision,
): EmbeddedPostgres {
  const { postmaster, place, socket_dir, adopted } = server;
  const { pid } = postmaster.identity;
  const exit = Promise.withResolvers<EmbeddedPostgresExit>();
  let stopping: Promise<void> | undefined;

  void postmaster.died.then(() => {
    watch.stop();
    use.release();
    const expected = stopping !== undefined;
    exit.resolve({
      expected,
      message: `The embedded database server (process ${pid}) ${whatBecame(expected)}.`,
    });
  });

  function whatBecame(expected: boolean): string {
    if (expected) return 'was stopped';
    if (watch.has_ended()) return 'took no new connections and was ended';
    return `ended by itself; ${join(data_dir, 'postgres.log')} may tell why`;
  }

  async function stop(): Promise<void> {
    watch.stop();
    use.release();
    // The claim keeps new users out between the count and the end.
    // When no claim can be written (folder gone, disk full), the server ends all the same.
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
      removeSocketFolder(socket_dir, program);
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
