/**
 * The database cluster, in `<data_dir>/postgres`. Root's server may be unable to enter that folder.
 * Then `<data_dir>/postgres.location` names another.
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
import type { Program } from './program.ts';

/** `user` is undefined when the server runs as this process's user. */
export type Cluster = {
  data_dir: string;
  pgdata: string;
  user: DatabaseUser | undefined;
  program: Program;
};

export const SUPERUSER = 'postgres';

/** Keeps PGDATA, PGPORT, locale and the like from the server. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  // Windows opens no socket without it.
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
};

/** @throws EmbeddedPostgresError for unreachable data: an empty database would look like a loss */
export function locateCluster(
  data_dir: string,
  options: { shared_root: string; program: Program; log: (line: string) => void },
): Cluster {
  const { program } = options;
  const moved = readLocation(data_dir, program);
  const usual = join(data_dir, 'postgres');
  if (!isRoot()) return { data_dir, pgdata: moved ?? usual, user: undefined, program };

  const user = chooseDatabaseUser(moved ?? usual, program);
  if (moved !== undefined) return { data_dir, pgdata: moved, user, program };
  const barrier = findBarrier(data_dir, user);
  if (barrier === undefined) return { data_dir, pgdata: usual, user, program };
  if (existsSync(usual)) {
    throw new EmbeddedPostgresError(
      `The database in ${usual} is out of reach for user ${user.name}, as whom it runs when root starts ${program.name}: ` +
        `let all users enter ${barrier} (chmod o+x), or run ${program.name} as the owner of that folder.`,
    );
  }
  const name = createHash('sha256').update(data_dir).digest('hex').slice(0, 16);
  const pgdata = join(options.shared_root, `data-${name}`, 'postgres');
  options.log(
    `${program.name} was started by root and PostgreSQL, which runs as user ${user.name}, may not enter ${barrier}: ` +
      `the database of ${data_dir} is kept in ${pgdata}.`,
  );
  return { data_dir, pgdata, user, program };
}

/**
 * Makes a missing cluster. The caller holds the exclusive claim.
 * A rename puts a complete cluster in place: an interruption leaves nothing that looks like one.
 * @param durable whether it must be on disk before this returns
 */
export async function ensureCluster(cluster: Cluster, binaries: Binaries, durable: boolean): Promise<void> {
  const { data_dir, pgdata, user, program } = cluster;
  makeFolder(dirname(pgdata), 0o711);
  removeUnfinished(pgdata);
  if (existsSync(join(pgdata, 'PG_VERSION'))) {
    refuseOtherMajor(pgdata, binaries, program);
    // PostgreSQL requires its own owner and mode. A backup that root restored belongs to root.
    if (user !== undefined && statSync(pgdata).uid !== user.uid) giveTree(pgdata, user);
    if ((statSync(pgdata).mode & 0o027) !== 0) chmodSync(pgdata, 0o700);
  } else {
    await makeCluster(cluster, binaries, durable);
  }
  if (pgdata !== join(data_dir, 'postgres'))
    writeFileSync(join(data_dir, 'postgres.location'), `${pgdata}\n`);
}

/** On Windows only. */
export function readPassword(data_dir: string): string | undefined {
  return process.platform === 'win32' ? readFileSync(passwordFile(data_dir), 'utf8').trim() : undefined;
}

async function makeCluster(cluster: Cluster, binaries: Binaries, durable: boolean): Promise<void> {
  const { data_dir, pgdata, user, program } = cluster;
  if (existsSync(pgdata)) refuseForeignFolder(pgdata, program);
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
      `A new database could not be made in ${pgdata}: ${lastLine(error)}; see to that, or ${program.use_other_server}.`,
    );
  }
}

/**
 * A socket in a private folder needs no password.
 * On Windows a password in a private file keeps other users off the loopback address.
 * (Windows was written from the manual and never run.)
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

function readLocation(data_dir: string, program: Program): string | undefined {
  const marker = join(data_dir, 'postgres.location');
  if (!existsSync(marker)) return undefined;
  const pgdata = readFileSync(marker, 'utf8').trim();
  if (existsSync(join(pgdata, 'PG_VERSION'))) return pgdata;
  throw new EmbeddedPostgresError(
    `The database of ${data_dir} was kept in ${pgdata} and this user finds none there: bring it back, ` +
      `run ${program.name} as the user who made it, or delete ${marker} to start with an empty one.`,
  );
}

function refuseOtherMajor(pgdata: string, binaries: Binaries, program: Program): void {
  const kept = readFileSync(join(pgdata, 'PG_VERSION'), 'utf8').trim();
  if (binaries.version.startsWith(`${kept}.`)) return;
  throw new EmbeddedPostgresError(
    `The database in ${pgdata} was made by PostgreSQL ${kept} and the installed one is ${binaries.version}: install ` +
      `the version of ${program.name} that made it, or move the data to another server and ${program.use_other_server}.`,
  );
}

function refuseForeignFolder(pgdata: string, program: Program): void {
  if (statSync(pgdata).isDirectory() && readdirSync(pgdata).length === 0) return;
  throw new EmbeddedPostgresError(
    `${pgdata} exists but holds no database: move it away, or ${program.use_other_folder}.`,
  );
}

function removeUnfinished(pgdata: string): void {
  for (const name of readdirSync(dirname(pgdata))) {
    if (!name.startsWith(`${basename(pgdata)}.init-`)) continue;
    try {
      rmSync(join(dirname(pgdata), name), { recursive: true, force: true });
    } catch {
      // An initdb may still write there: the next start tries again.
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
