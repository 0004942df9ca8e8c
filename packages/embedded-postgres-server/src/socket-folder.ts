/**
 * The private folder of the server's Unix socket. Whoever enters it is the database's superuser.
 * It is in the temporary folder because a socket's path has at most some 100 bytes.
 */
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type DatabaseUser, findBarrier } from './database-user.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
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

function isSuitable(folder: string, prefix: string, user: DatabaseUser | undefined): boolean {
  if (!existsSync(folder)) return false;
  const path = join(folder, `${prefix}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return false;
  return user === undefined || findBarrier(folder, user) === undefined;
}
