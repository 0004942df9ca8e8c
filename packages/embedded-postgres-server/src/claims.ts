/**
 * A claim is a small file on a data folder that names its owner process.
 * A process needs the exclusive claim to start or stop the server, and a shared one to use it.
 * The last user stops the server. Claims of dead processes do not count.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from './embedded-postgres-error.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from './processes.ts';

/** `release` may be called twice. */
export type Claim = { path: string; release(): void };

const POLL_MILLISECONDS = 20;

/** Waits while a living process has the claim: undefined after `wait_seconds`. */
export async function takeExclusive(path: string, wait_seconds: number): Promise<Claim | undefined> {
  const give_up_at = performance.now() + wait_seconds * 1000;
  for (;;) {
    const claim = tryExclusive(path);
    if (claim !== undefined) return claim;
    if (performance.now() >= give_up_at) return undefined;
    await sleep(POLL_MILLISECONDS);
  }
}

export function findOwner(path: string): ProcessIdentity | undefined {
  const owner = parseOwner(readClaim(path));
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

export function addShared(prefix: string): Claim {
  const path = `${prefix}${randomUUID()}`;
  writeClaim(path);
  return { path, release: () => rmSync(path, { force: true }) };
}

/** Removes the claims of dead processes. */
export function countShared(prefix: string): number {
  let living = 0;
  for (const name of readdirSync(dirname(prefix))) {
    if (!name.startsWith(basename(prefix))) continue;
    const path = join(dirname(prefix), name);
    if (findOwner(path) !== undefined) living += 1;
    else rmSync(path, { force: true });
  }
  return living;
}

/**
 * Links a finished file, so that nobody reads half a claim.
 * A dead owner's claim is replaced under a second claim, and only if unchanged: one process wins.
 */
function tryExclusive(path: string): Claim | undefined {
  const draft = `${path}.${randomUUID()}`;
  try {
    const content = writeClaim(draft);
    linkSync(draft, path);
    return heldClaim(path, content);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }

  const found = readClaim(path);
  const owner = parseOwner(found);
  if (found === undefined || (owner !== undefined && isAlive(owner))) return undefined;
  const takeover = tryExclusive(`${path}~`);
  if (takeover === undefined) return undefined;
  try {
    if (readClaim(path) !== found) return undefined;
    const mine = writeClaim(draft);
    renameSync(draft, path);
    return heldClaim(path, mine);
  } finally {
    takeover.release();
  }
}

function heldClaim(path: string, content: string): Claim {
  return {
    path,
    release() {
      if (readClaim(path) === content) rmSync(path, { force: true });
    },
  };
}

function writeClaim(path: string): string {
  const content = JSON.stringify({ ...ownIdentity(), token: randomUUID() });
  writeFileSync(path, content, { mode: 0o644 });
  return content;
}

function readClaim(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Claims are written whole: the owner of an unreadable one died. */
function parseOwner(text: string | undefined): ProcessIdentity | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value))
      return undefined;
    const { pid, started } = value;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}
