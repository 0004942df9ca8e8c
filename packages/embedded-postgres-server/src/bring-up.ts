/** Adopts a cluster's running server or launches one. The caller holds the exclusive claim. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type Cluster, readPassword } from './cluster.ts';
import { askServer, type ServerFacts, type ServerPlace } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import {
  endPostmaster,
  findPostmaster,
  isStopping,
  logSize,
  type Postmaster,
  type PostmasterFile,
  readLastWord,
  readPostmasterFile,
  rotateLog,
  spawnPostmaster,
  waitUntilReady,
  watchPostmaster,
} from './postmaster.ts';
import { serverArguments } from './server-settings.ts';
import {
  clearOwnSocket,
  hasListener,
  makeSocketFolder,
  removeSocketFolder,
  SOCKET_PORT,
} from './socket-folder.ts';

type Wanted = {
  durable: boolean;
  settings: Readonly<Record<string, string>>;
  has_other_users: boolean;
  log: (line: string) => void;
};

export type RunningServer = {
  postmaster: Postmaster;
  place: ServerPlace;
  socket_dir: string | undefined;
  adopted: boolean;
};

/** Bounds a hanging start. Crash recovery takes seconds. */
const START_SECONDS = 300;
const ORPHANS_SECONDS = 20;
const REFUSALS_MAX = 3;
const LOOPBACK = '127.0.0.1';

/**
 * Two servers would destroy the data. One in another container has a process that nobody here sees.
 * @throws EmbeddedPostgresError when such a server is there
 */
export async function refuseServerElsewhere({ data_dir, pgdata, program }: Cluster): Promise<void> {
  const file = readPostmasterFile(pgdata);
  if (file === undefined || (file !== 'garbled' && findPostmaster(pgdata, file) !== undefined)) return;
  const give_up_at = performance.now() + ORPHANS_SECONDS * 1000;
  while (await hasListener(pgdata)) {
    // Workers of a killed server live on for a moment.
    const answers = (await askServer({ host: pgdata, port: SOCKET_PORT, password: undefined })) !== undefined;
    if (answers || performance.now() >= give_up_at) {
      throw new EmbeddedPostgresError(
        `A server in another container works on the database in ${data_dir}: run ${program.name} in that container, ` +
          `end it first, or ${program.use_other_folder}.`,
      );
    }
    await sleep(200);
  }
}

/** @throws EmbeddedPostgresError when no server answers */
export async function adoptOrLaunch(
  cluster: Cluster,
  binaries: Binaries,
  wanted: Wanted,
): Promise<RunningServer> {
  return (await adopt(cluster, binaries, wanted)) ?? (await launch(cluster, binaries, wanted));
}

/** Ends a running server that does not fit, and returns undefined. */
async function adopt(
  cluster: Cluster,
  binaries: Binaries,
  wanted: Wanted,
): Promise<RunningServer | undefined> {
  const file = readPostmasterFile(cluster.pgdata);
  if (file === undefined || file === 'garbled') return undefined;
  const found = findPostmaster(cluster.pgdata, file);
  if (found === undefined) return undefined;

  const server = watchPostmaster(found);
  const answer = await waitForAnswer(cluster, server);
  if (server.has_died()) return undefined;
  const is_stopping = answer === 'stopping';
  const misfit = is_stopping ? 'is shutting down' : findMisfit(answer?.facts, binaries, wanted);
  if (answer !== undefined && !is_stopping && misfit === undefined) {
    wanted.log(
      `Adopted the embedded PostgreSQL ${answer.facts.version} that is still running (process ${found.pid}).`,
    );
    return { postmaster: server, place: answer.place, socket_dir: answer.file.socket_dir, adopted: true };
  }
  // Other users lose a server that is stopping in any case.
  if (wanted.has_other_users && !is_stopping) {
    throw new EmbeddedPostgresError(
      `Another ${cluster.program.name} process uses the embedded database in ${cluster.data_dir}, whose server ${misfit}: end that process first.`,
    );
  }
  wanted.log(
    `The embedded database server that is still running (process ${found.pid}) ${misfit}: it is started anew.`,
  );
  await endPostmaster(server, cluster.pgdata, binaries);
  removeSocketFolder(file.socket_dir, cluster.program);
  return undefined;
}

async function launch(cluster: Cluster, binaries: Binaries, wanted: Wanted): Promise<RunningServer> {
  const { data_dir, pgdata, user, program } = cluster;
  const give_up_at = performance.now() + ORPHANS_SECONDS * 1000;
  rotateLog(data_dir);
  for (;;) {
    const stale = clearStaleFile(cluster, wanted.log);
    const socket_dir = process.platform === 'win32' ? undefined : makeSocketFolder(user, program);
    const port = socket_dir === undefined ? await findFreePort() : SOCKET_PORT;
    const place = { host: socket_dir ?? LOOPBACK, port, password: readPassword(data_dir) };
    const own_dir = clearOwnSocket(pgdata);
    const parameters = serverArguments(pgdata, wanted.durable, wanted.settings, {
      socket_dir,
      own_dir,
      port,
    });

    const log_offset = logSize(data_dir);
    const server = spawnPostmaster(cluster, binaries, parameters, stale?.pid);
    const is_ready = await waitUntilReady(pgdata, server, { socket_dir, port }, START_SECONDS);
    const facts = is_ready ? await askServer(place) : undefined;
    if (facts !== undefined) {
      wanted.log(
        `Started the embedded PostgreSQL ${facts.version} on ${pgdata} (process ${server.identity.pid}).`,
      );
      return { postmaster: server, place, socket_dir, adopted: false };
    }

    const had_died = server.has_died();
    await endPostmaster(server, pgdata, binaries);
    removeSocketFolder(socket_dir, program);
    const reason = had_died ? readLastWord(data_dir, log_offset) : 'it did not answer in time';
    if (/shared memory block/.test(reason)) {
      // Workers of a killed server live on for a moment and make PostgreSQL refuse to start.
      if (performance.now() < give_up_at) {
        await sleep(200);
        continue;
      }
      throw new EmbeddedPostgresError(
        `Processes of a database server that was killed still work on ${pgdata}: wait until they end, or end them.`,
      );
    }
    throw new EmbeddedPostgresError(
      `The embedded database server on ${pgdata} did not start (${reason.replace(/\.$/, '')}): ` +
        `${join(data_dir, 'postgres.log')} tells more.`,
    );
  }
}

type Answer = { facts: ServerFacts; place: ServerPlace; file: PostmasterFile };

/**
 * Undefined when the server dies, or is ready but does not answer. One that is stopping may wait for its users for
 * ever.
 */
async function waitForAnswer(cluster: Cluster, server: Postmaster): Promise<Answer | 'stopping' | undefined> {
  const give_up_at = performance.now() + START_SECONDS * 1000;
  for (let refusals = 0; refusals < REFUSALS_MAX; ) {
    if (server.has_died() || performance.now() >= give_up_at) return undefined;
    const file = readPostmasterFile(cluster.pgdata);
    if (isStopping(file, server)) return 'stopping';
    if (file !== undefined && file !== 'garbled' && file.status === 'ready') {
      const place = {
        host: file.socket_dir ?? LOOPBACK,
        port: file.port,
        password: readPassword(cluster.data_dir),
      };
      const facts = await askServer(place);
      if (facts !== undefined) return { facts, place, file };
      refusals += 1;
    }
    await sleep(100);
  }
  return undefined;
}

/** Why a server does not fit, as the end of a sentence. */
function findMisfit(facts: ServerFacts | undefined, binaries: Binaries, wanted: Wanted): string | undefined {
  if (facts === undefined) return 'does not answer';
  if (wanted.durable && !facts.is_durable) return 'was started without durable commits';
  // Other users keep their minor version; the next start without them renews it.
  if (!wanted.has_other_users && !binaries.version.startsWith(`${facts.version}.`)) {
    return `is PostgreSQL ${facts.version} and the installed one is ${binaries.version}`;
  }
  return undefined;
}

/** The pid file stays: PostgreSQL finds the old shared memory by it. */
function clearStaleFile(
  { pgdata, program }: Cluster,
  log: (line: string) => void,
): PostmasterFile | undefined {
  const stale = readPostmasterFile(pgdata);
  if (stale === 'garbled') {
    log(`Removed ${join(pgdata, 'postmaster.pid')}, which was cut short when the machine went down.`);
    rmSync(join(pgdata, 'postmaster.pid'), { force: true });
    return undefined;
  }
  removeSocketFolder(stale?.socket_dir, program);
  return stale;
}

async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().once('error', reject);
  probe.listen(0, LOOPBACK, () => {
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return promise;
}
