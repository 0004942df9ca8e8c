/**
 * The private folder of the server's Unix socket. Whoever can enter it is the superuser of the database, so it
 * belongs to the user who runs the server and is closed to all others (root passes anyway). It lies in the
 * temporary folder because the path of a socket may have some 100 bytes only.
 */
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type DatabaseUser, findBarrier } from './database-user.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Names the socket's file only: nothing listens on TCP. */
export const SOCKET_PORT = 5432;

const PREFIX = 'folio-pg-';
/** 104 with the closing zero on macOS, 108 on Linux. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * Makes a folder for one socket, owned by `user` (by ourselves when undefined).
 * @throws EmbeddedPostgresError when no temporary folder will do.
 */
export function makeSocketFolder(user: DatabaseUser | undefined): string {
  const parent = [tmpdir(), '/tmp'].find((folder) => isSuitable(folder, user));
  if (parent === undefined) {
    throw new EmbeddedPostgresError(
      `The temporary folder ${tmpdir()} cannot hold the socket of the embedded database (its path is too long, ` +
        'or the database user may not enter it): set TMPDIR to another folder.',
    );
  }
  const folder = mkdtempSync(join(parent, PREFIX));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** Removes a socket folder whose server is dead; leaves anything else that a strange file may name. */
export function removeSocketFolder(folder: string | undefined): void {
  if (folder === undefined || !basename(folder).startsWith(PREFIX)) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // An empty folder in the temporary folder does no harm.
  }
}

function isSuitable(folder: string, user: DatabaseUser | undefined): boolean {
  if (!existsSync(folder)) return false;
  const path = join(folder, `${PREFIX}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return false;
  return user === undefined || findBarrier(folder, user) === undefined;
}
