/**
 * The server process (PostgreSQL's "postmaster"): finds, spawns, watches and ends it.
 * start-embedded-postgres.ts decides when.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  fchownSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { type Cluster, SERVER_ENVIRONMENT } from './cluster.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-postgres-error.ts';
import {
  findProcess,
  findWorkingDirectory,
  isAlive,
  type LivingProcess,
  type ProcessIdentity,
} from './processes.ts';

/** postmaster.pid. PostgreSQL's miscinit.c documents its lines. */
export type PostmasterFile = { pid: number; port: number; socket_dir: string | undefined; status: string };

export type Patience = { fast_seconds: number; hard_seconds: number; kills: boolean };

export type Postmaster = { identity: ProcessIdentity; died: Promise<void>; has_died(): boolean };

const POLL_MILLISECONDS = 10;
const WATCH_MILLISECONDS = 500;
/** A shutdown writes what the memory holds. */
export const ORDERLY: Patience = { fast_seconds: 60, hard_seconds: 15, kills: false };
/** For a server that does not react: it may be halted, and then hears no signal but the last. */
export const IMPATIENT: Patience = { fast_seconds: 5, hard_seconds: 5, kills: true };
const LOG_BYTES_MAX = 10_000_000;

/** Undefined without a file; 'garbled' when it does not start with a pid. */
export function readPostmasterFile(pgdata: string): PostmasterFile | 'garbled' | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const [pid, , , port, socket_dir, , , status] = lines.map((line) => line.trim());
  if (!/^-?[1-9]\d*$/.test(pid ?? '')) return 'garbled';
  return {
    pid: Math.abs(Number(pid)),
    port: Number(port),
    socket_dir: socket_dir || undefined,
    status: status ?? '',
  };
}

/** It takes no new connections. A smart shutdown (SIGTERM) then waits until the last old one is closed. */
export function isStopping(file: PostmasterFile | 'garbled' | undefined, server: Postmaster): boolean {
  return typeof file === 'object' && file.pid === server.identity.pid && file.status === 'stopping';
}

export function findPostmaster(pgdata: string, file: PostmasterFile): LivingProcess | undefined {
  const found = findProcess(file.pid);
  if (found === undefined) return undefined;
  // Windows hides command lines: the pid decides. Before adoption the server must answer a query.
  if (found.command === undefined) return process.platform === 'win32' ? found : undefined;
  const [program = '', ...parameters] = found.command;
  if (!/^postgres(\.exe)?$/.test(basename(program))) return undefined;
  const serves = parameters.includes(pgdata) || findWorkingDirectory(found.pid) === realpathSync(pgdata);
  return serves ? found : undefined;
}

export function watchPostmaster(identity: ProcessIdentity): Postmaster {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (isAlive(identity)) return;
    clearInterval(timer);
    resolve();
  }, WATCH_MILLISECONDS).unref();
  return { identity, died: promise, has_died: () => !isAlive(identity) };
}

/**
 * Spawns the server detached, with its output in the log file, so that it survives this process.
 * @param stale_pid the pid in a dead server's postmaster.pid; no server has it now
 */
export function spawnPostmaster(
  cluster: Cluster,
  binaries: Binaries,
  parameters: readonly string[],
  stale_pid: number | undefined,
): Postmaster {
  const log_path = join(cluster.data_dir, 'postgres.log');
  const log = openSync(log_path, 'a', 0o600);
  const { user } = cluster;
  if (user !== undefined) fchownSync(log, user.uid, user.gid);
  let child: ChildProcess;
  try {
    child = spawn(join(binaries.native, 'bin', 'postgres'), parameters, {
      cwd: '/',
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log],
      // Makes PostgreSQL ignore that pid.
      // It still refuses while the shared memory named in postmaster.pid is in use: keep that file.
      env: {
        ...SERVER_ENVIRONMENT,
        ...(stale_pid === undefined ? {} : { PG_GRANDPARENT_PID: String(stale_pid) }),
      },
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
  } finally {
    closeSync(log);
  }
  child.unref();
  const { promise, resolve } = Promise.withResolvers<void>();
  let is_dead = child.pid === undefined;
  const die = () => {
    is_dead = true;
    resolve();
  };
  child.once('exit', die);
  child.once('error', (error) => {
    // It never ran and wrote no reason.
    appendFileSync(log_path, `FATAL:  ${error.message}\n`);
    die();
  });
  const pid = child.pid ?? 0;
  const started = findProcess(pid)?.started ?? '';
  return { identity: { pid, started }, died: promise, has_died: () => is_dead };
}

/**
 * In a new container a server often has the pid of the one that was killed with the container before, whose file says
 * that it is ready. So the file has to tell of where this one listens.
 */
export async function waitUntilReady(
  pgdata: string,
  server: Postmaster,
  { socket_dir, port }: Pick<PostmasterFile, 'socket_dir' | 'port'>,
  wait_seconds: number,
): Promise<boolean> {
  const give_up_at = performance.now() + wait_seconds * 1000;
  while (!server.has_died() && performance.now() < give_up_at) {
    const file = readPostmasterFile(pgdata);
    if (file !== undefined && file !== 'garbled') {
      const is_its_own =
        file.pid === server.identity.pid && file.socket_dir === socket_dir && file.port === port;
      if (is_its_own && file.status === 'ready') return true;
    }
    await sleep(POLL_MILLISECONDS);
  }
  return false;
}

/**
 * Rolls back open transactions.
 * @throws EmbeddedPostgresError when the server does not end or belongs to another user
 */
export async function endPostmaster(
  server: Postmaster,
  pgdata: string,
  binaries: Binaries,
  patience = ORDERLY,
): Promise<void> {
  const { pid } = server.identity;
  try {
    if (server.has_died()) return;
    if (process.platform === 'win32') {
      // Windows has no signals: a kill would be a crash.
      await promisify(execFile)(join(binaries.native, 'bin', 'pg_ctl'), [
        'stop',
        '-D',
        pgdata,
        '-m',
        'fast',
        '-w',
      ]);
    } else {
      process.kill(pid, 'SIGINT');
    }
    if (await waitForDeath(server, patience.fast_seconds)) return;
    // Ends without writing its buffers; the next start recovers them from the log.
    process.kill(pid, 'SIGQUIT');
    if (await waitForDeath(server, patience.hard_seconds)) return;
    if (patience.kills) {
      process.kill(pid, 'SIGKILL');
      if (await waitForDeath(server, patience.hard_seconds)) return;
    }
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return;
    if (errnoOf(error) !== 'EPERM') throw error;
  }
  throw new EmbeddedPostgresError(
    `The embedded database server (process ${pid}) does not end: end it by hand.`,
  );
}

/** Call it before a start, when nobody writes the log. */
export function rotateLog(data_dir: string): void {
  const path = join(data_dir, 'postgres.log');
  const size = logSize(data_dir);
  if (size > LOG_BYTES_MAX) {
    rmSync(`${path}.1`, { force: true });
    renameSync(path, `${path}.1`);
  }
}

export function logSize(data_dir: string): number {
  return statSync(join(data_dir, 'postgres.log'), { throwIfNoEntry: false })?.size ?? 0;
}

/** The last fatal message since `offset`, else the last line. */
export function readLastWord(data_dir: string, offset: number): string {
  const lines = readFileSync(join(data_dir, 'postgres.log'))
    .subarray(offset)
    .toString('utf8')
    .trim()
    .split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC): /.test(line));
  const word = (fatal ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC):\s*/, '').trim();
  return word === '' ? 'it ended without a message' : word;
}

async function waitForDeath(server: Postmaster, wait_seconds: number): Promise<boolean> {
  const give_up_at = performance.now() + wait_seconds * 1000;
  while (!server.has_died()) {
    if (performance.now() >= give_up_at) return false;
    await sleep(POLL_MILLISECONDS);
  }
  return true;
}
