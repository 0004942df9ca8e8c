/**
 * Under which system user the server runs. PostgreSQL refuses to run as root, so a Folio started by root hands
 * the server to another user, which must be able to reach the binaries and the data. Started by anybody else, the
 * server runs as that user and nothing here applies.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The system user to whom root hands the server. */
export type DatabaseUser = { name: string; uid: number; gid: number };

/** `postgres` of a distribution's package (`_postgres` on macOS), then the one that is made here. */
const MADE_USER = 'folio-postgres';
const KNOWN_USERS = ['postgres', '_postgres', MADE_USER];

/** Whether this process is root, which PostgreSQL refuses to be. Never on Windows. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Chooses the user for a server whose data are, or will be, in `pgdata`: the owner of existing data, unless that
 * is root; else a user made for databases; else `nobody`.
 * @throws EmbeddedPostgresError when there is no such user and none can be made.
 */
export function chooseDatabaseUser(pgdata: string): DatabaseUser {
  if (existsSync(pgdata)) {
    const { uid, gid } = statSync(pgdata);
    if (uid !== 0) return { name: `uid ${uid}`, uid, gid };
  }
  for (const name of KNOWN_USERS) {
    const user = findUser(name);
    if (user !== undefined) return user;
  }
  const user = makeUser() ?? findUser('nobody');
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and no system user for it could be made: run Folio as another user, ' +
      'add a system user named postgres, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Whether `user` may do all of `bits` (4 read, 2 write, 1 enter or execute) with an existing path. */
export function isAllowed(path: string, user: DatabaseUser, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const granted = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
  return (granted & bits) === bits;
}

/** The first folder on the way to `path`, itself included, that `user` may not enter; undefined when all is open. */
export function findBarrier(path: string, user: DatabaseUser): string | undefined {
  const way: string[] = [];
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    way.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return way.find((folder) => !isAllowed(folder, user, 1));
}

/** Gives a whole tree to `user`; its root last, so that a tree half given still shows its old owner. */
export function giveTree(path: string, user: DatabaseUser): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) giveTree(join(path, name), user);
  }
  lchownSync(path, user.uid, user.gid);
}

/** Makes a folder and those above it where they are missing, with this mode whatever the umask; others keep theirs. */
export function makeFolder(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) chmodSync(folder, mode);
}

/** Makes a private folder of `user` (of ourselves when undefined), inside an existing one. */
export function makePrivateFolder(path: string, user: DatabaseUser | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

/** Asks `id`, which also knows users that are not in /etc/passwd. */
function findUser(name: string): DatabaseUser | undefined {
  try {
    const ask = (flag: string) => Number(run('id', [flag, name]).trim());
    const user = { name, uid: ask('-u'), gid: ask('-g') };
    return user.uid > 0 ? user : undefined;
  } catch {
    return undefined;
  }
}

function makeUser(): DatabaseUser | undefined {
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  const attempts: readonly (readonly [string, string[]])[] = [
    ['useradd', ['--system', '--user-group', ...home, MADE_USER]],
    // BusyBox
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', MADE_USER]],
  ];
  for (const [command, parameters] of attempts) {
    try {
      run(command, parameters);
      return findUser(MADE_USER);
    } catch {
      // Not this kind of system: the next way, or nobody.
    }
  }
  return undefined;
}

function run(command: string, parameters: readonly string[]): string {
  return execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
