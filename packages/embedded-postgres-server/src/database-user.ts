/**
 * PostgreSQL refuses to run as root. Root's server runs as another user, who must reach programs and data.
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
import type { Program } from './program.ts';

export type DatabaseUser = { name: string; uid: number; gid: number };

/** From the packages of distributions; `_postgres` on macOS. */
const KNOWN_USERS = ['postgres', '_postgres'];

function ownUserOf({ id }: Program): string {
  return `${id}-postgres`;
}

/** Never true on Windows. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The owner of `pgdata` unless that is root, else a user for databases, else `nobody`.
 * @throws EmbeddedPostgresError when no user exists or can be created
 */
export function chooseDatabaseUser(pgdata: string, program: Program): DatabaseUser {
  if (existsSync(pgdata)) {
    const { uid, gid } = statSync(pgdata);
    if (uid !== 0) return { name: `uid ${uid}`, uid, gid };
  }
  for (const name of [...KNOWN_USERS, ownUserOf(program)]) {
    const user = findUser(name);
    if (user !== undefined) return user;
  }
  const user = makeUser(ownUserOf(program)) ?? findUser('nobody');
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root and no system user for it could be made: run ${program.name} as another user, ` +
      `add a system user named postgres, or ${program.use_other_server}.`,
  );
}

/** @param bits 4 read, 2 write, 1 enter or execute; `user` must have all */
export function isAllowed(path: string, user: DatabaseUser, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const granted = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
  return (granted & bits) === bits;
}

/** The first folder on the way to `path`, or `path` itself, that `user` may not enter. */
export function findBarrier(path: string, user: DatabaseUser): string | undefined {
  const way: string[] = [];
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    way.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return way.find((folder) => !isAllowed(folder, user, 1));
}

/** Gives the root last: a tree given by half keeps its old owner. */
export function giveTree(path: string, user: DatabaseUser): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) giveTree(join(path, name), user);
  }
  lchownSync(path, user.uid, user.gid);
}

/** Gives new folders this mode, whatever the umask. Existing folders keep theirs. */
export function makeFolder(path: string, mode: number): void {
  const first = makeMissing(path);
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) chmodSync(folder, mode);
}

/**
 * The recursion of Node says ENOENT where the file system is read-only, and does not end within /proc.
 * @returns the first folder that was missing
 */
function makeMissing(path: string): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path) === path ? undefined : makeMissing(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been first.
    if (!isFolder(path)) throw error;
  }
  return above ?? path;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export function makePrivateFolder(path: string, user: DatabaseUser | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

/** `id` also knows users outside /etc/passwd. */
function findUser(name: string): DatabaseUser | undefined {
  try {
    const ask = (flag: string) => Number(run('id', [flag, name]).trim());
    const user = { name, uid: ask('-u'), gid: ask('-g') };
    return user.uid > 0 ? user : undefined;
  } catch {
    return undefined;
  }
}

function makeUser(name: string): DatabaseUser | undefined {
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  const attempts: readonly (readonly [string, string[]])[] = [
    ['useradd', ['--system', '--user-group', ...home, name]],
    // BusyBox
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', name]],
  ];
  for (const [command, parameters] of attempts) {
    try {
      run(command, parameters);
      return findUser(name);
    } catch {
      // This system lacks the command or refused it.
    }
  }
  return undefined;
}

function run(command: string, parameters: readonly string[]): string {
  return execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
