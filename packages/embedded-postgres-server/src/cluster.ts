/**
 * The database cluster on disk: where it is, and its first making. `<data_dir>/postgres`, unless a server that
 * root started could not get in there; then it lies elsewhere, and `<data_dir>/postgres.location` says where.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import {
  chooseDatabaseUser,
  type DatabaseUser,
  findBarrier,
  giveTree,
  isRoot,
  makeFolder,
  makePrivateFolder,
} from './database-user.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** `user` is undefined when the server runs as ourselves. */
export type Cluster = { data_dir: string; pgdata: string; user: DatabaseUser | undefined };

export const SUPERUSER = 'postgres';

/** Nothing inherited but what programs need: PGDATA, PGPORT, locale and the like must not reach the server. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  // Without it no socket can be opened on Windows.
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
};

/**
 * Decides where the cluster of `data_dir` lies and who runs it. Makes nothing but folders.
 * @throws EmbeddedPostgresError when data exist but are out of reach: an empty database in their place would look
 * like a loss.
 */
export function locateCluster(
  data_dir: string,
  options: { shared_root: string; log: (line: string) => void },
): Cluster {
  const moved = readLocation(data_dir);
  const usual = join(data_dir, 'postgres');
  if (!isRoot()) return { data_dir, pgdata: moved ?? usual, user: undefined };

  const user = chooseDatabaseUser(moved ?? usual);
  if (moved !== undefined) return { data_dir, pgdata: moved, user };
  const barrier = findBarrier(data_dir, user);
  if (barrier === undefined) return { data_dir, pgdata: usual, user };
  if (existsSync(usual)) {
    throw new EmbeddedPostgresError(
      `The database in ${usual} is out of reach for user ${user.name}, as whom it runs when root starts Folio: ` +
        `let all users enter ${barrier} (chmod o+x), or run Folio as the owner of that folder.`,
    );
  }
  const name = createHash('sha256').update(data_dir).digest('hex').slice(0, 16);
  const pgdata = join(options.shared_root, `data-${name}`, 'postgres');
  options.log(
    `Folio was started by root and PostgreSQL, which runs as user ${user.name}, may not enter ${barrier}: ` +
      `the database of ${data_dir} is kept in ${pgdata}.`,
  );
  return { data_dir, pgdata, user };
}

/**
 * Makes the cluster if there is none, and hands it to the user who runs it. It is made under another name and
 * renamed when complete, so that an interruption leaves nothing that looks like a database. Needs the exclusive
 * claim on the data folder.
 * @param durable whether it must be on disk, and not only written, before this returns.
 */
export async function ensureCluster(cluster: Cluster, binaries: Binaries, durable: boolean): Promise<void> {
  const { data_dir, pgdata, user } = cluster;
  makeFolder(dirname(pgdata), 0o711);
  removeUnfinished(pgdata);
  if (existsSync(join(pgdata, 'PG_VERSION'))) {
    refuseOtherMajor(pgdata, binaries);
    // A copy made by root, of a backup say, belongs to root; PostgreSQL asks for an owner and a mode of its own.
    if (user !== undefined && statSync(pgdata).uid !== user.uid) giveTree(pgdata, user);
    if ((statSync(pgdata).mode & 0o027) !== 0) chmodSync(pgdata, 0o700);
  } else {
    await makeCluster(cluster, binaries, durable);
  }
  if (pgdata !== join(data_dir, 'postgres'))
    writeFileSync(join(data_dir, 'postgres.location'), `${pgdata}\n`);
}

/**
 * The password of the superuser where the server listens on TCP; undefined where it has a private socket.
 * Windows only.
 */
export function readPassword(data_dir: string): string | undefined {
  return process.platform === 'win32' ? readFileSync(passwordFile(data_dir), 'utf8').trim() : undefined;
}

async function makeCluster(cluster: Cluster, binaries: Binaries, durable: boolean): Promise<void> {
  const { data_dir, pgdata, user } = cluster;
  if (existsSync(pgdata)) refuseForeignFolder(pgdata);
  const draft = `${pgdata}.init-${randomUUID()}`;
  makePrivateFolder(draft, user);
  const parameters = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
    ...authentication(data_dir),
  ];
  try {
    await promisify(execFile)(join(binaries.native, 'bin', 'initdb'), parameters, {
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    rmSync(pgdata, { recursive: true, force: true });
    renameSync(draft, pgdata);
    if (durable) syncFolder(dirname(pgdata));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `A new database could not be made in ${pgdata}: ${lastLine(error)}; see to that, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/**
 * Trust is fit only for a socket in a folder that nobody else may enter. On Windows, where the server listens on
 * the loopback address, a password in a private file keeps the other users of the machine out. (Windows was
 * written from the manual and not exercised.)
 */
function authentication(data_dir: string): string[] {
  if (process.platform !== 'win32') return ['--auth=trust'];
  if (!existsSync(passwordFile(data_dir))) {
    writeFileSync(passwordFile(data_dir), randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile(data_dir)}`];
}

function passwordFile(data_dir: string): string {
  return join(data_dir, 'postgres.password');
}

function readLocation(data_dir: string): string | undefined {
  const marker = join(data_dir, 'postgres.location');
  if (!existsSync(marker)) return undefined;
  const pgdata = readFileSync(marker, 'utf8').trim();
  if (existsSync(join(pgdata, 'PG_VERSION'))) return pgdata;
  throw new EmbeddedPostgresError(
    `The database of ${data_dir} was kept in ${pgdata} and this user finds none there: bring it back, ` +
      `run Folio as the user who made it, or delete ${marker} to start with an empty one.`,
  );
}

function refuseOtherMajor(pgdata: string, binaries: Binaries): void {
  const kept = readFileSync(join(pgdata, 'PG_VERSION'), 'utf8').trim();
  if (binaries.version.startsWith(`${kept}.`)) return;
  throw new EmbeddedPostgresError(
    `The database in ${pgdata} was made by PostgreSQL ${kept} and the installed one is ${binaries.version}: install ` +
      'the version of Folio that made it, or move the data to a PostgreSQL server and set DATABASE_URL.',
  );
}

/** Whatever lies there is not ours to delete. */
function refuseForeignFolder(pgdata: string): void {
  if (statSync(pgdata).isDirectory() && readdirSync(pgdata).length === 0) return;
  throw new EmbeddedPostgresError(
    `${pgdata} exists but holds no database: move it away, or choose another folder with FOLIO_DATA_DIR.`,
  );
}

/** What an interrupted making left. Its initdb may still be writing for a moment: the next start removes the rest. */
function removeUnfinished(pgdata: string): void {
  for (const name of readdirSync(dirname(pgdata))) {
    if (!name.startsWith(`${basename(pgdata)}.init-`)) continue;
    try {
      rmSync(join(dirname(pgdata), name), { recursive: true, force: true });
    } catch {
      // Only rubbish is left over.
    }
  }
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = text.split('\n').filter((line) => /error|fatal|could not/i.test(line));
  return (
    lines
      .at(-1)
      ?.replace(/^.*?(error|FATAL|PANIC): */, '')
      .trim() ?? (error instanceof Error ? error.message : String(error))
  );
}
