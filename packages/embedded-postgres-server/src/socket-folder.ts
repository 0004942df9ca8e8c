/**
 * The private folder of the server's Unix socket. Whoever enters it is the database's superuser.
 * It is in the temporary folder because a socket's path has at most some 100 bytes. A second socket lies in the data.
 */
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type DatabaseUser, findBarrier } from './database-user.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-postgres-error.ts';
import type { Program } from './program.ts';

/** Part of the socket's name; nothing listens on TCP. */
export const SOCKET_PORT = 5432;

const prefixOf = ({ id }: Program) => `${id}-pg-`;
/** 104 with the closing zero on macOS, 108 on Linux. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * Without `user`, this process's user owns the folder.
 * @throws EmbeddedPostgresError when no temporary folder works
 */
export function makeSocketFolder(user: DatabaseUser | undefined, program: Program): string {
  const prefix = prefixOf(program);
  const parent = [tmpdir(), '/tmp'].find((folder) => isSuitable(folder, prefix, user));
  if (parent === undefined) {
    throw new EmbeddedPostgresError(
      `The temporary folder ${tmpdir()} cannot hold the socket of the embedded database (its path is too long, ` +
        'or the database user may not enter it): set TMPDIR to another folder.',
    );
  }
  const folder = mkdtempSync(join(parent, prefix));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** Never removes another folder that a damaged file names. */
export function removeSocketFolder(folder: string | undefined, program: Program): void {
  if (folder === undefined || !basename(folder).startsWith(prefixOf(program))) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A leftover in the temporary folder does no harm.
  }
}

const socketIn = (folder: string) => join(folder, `.s.PGSQL.${SOCKET_PORT}`);

/**
 * Whether a server listens on a second socket within its data. Containers see neither each other's processes nor their
 * temporary folders, but the socket of a folder that they share.
 */
export async function hasListener(pgdata: string): Promise<boolean> {
  if (!fitsSocket(pgdata) || !existsSync(socketIn(pgdata))) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createConnection(socketIn(pgdata));
  probe.once('connect', () => resolve(true));
  // EAGAIN: somebody listens, and many wait for it.
  probe.once('error', (error) => resolve(errnoOf(error) === 'EAGAIN'));
  return promise.finally(() => probe.destroy());
}

/** Clears what a server that was killed left. @returns the folder, where its path is short enough */
export function clearOwnSocket(pgdata: string): string | undefined {
  if (!fitsSocket(pgdata)) return undefined;
  for (const path of [socketIn(pgdata), `${socketIn(pgdata)}.lock`]) rmSync(path, { force: true });
  return pgdata;
}

const fitsSocket = (folder: string) =>
  process.platform !== 'win32' && Buffer.byteLength(socketIn(folder)) <= SOCKET_PATH_BYTES_MAX;

function isSuitable(folder: string, prefix: string, user: DatabaseUser | undefined): boolean {
  if (!existsSync(folder)) return false;
  const path = join(folder, `${prefix}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return false;
  return user === undefined || findBarrier(folder, user) === undefined;
}
