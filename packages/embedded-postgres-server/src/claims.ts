/**
 * Claims of processes on a data folder: small files that name their owner. A process holds the exclusive claim to
 * start or stop the server, and a shared claim while it uses it; the last user stops the server. Claims of dead
 * processes do not count.
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

/**
 * Takes the exclusive claim at `path`; waits while a living process has it.
 * @returns undefined after `wait_seconds`
 */
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

/** Adds a shared claim of this process: a file `<prefix><random>`. */
export function addShared(prefix: string): Claim {
  const path = `${prefix}${randomUUID()}`;
  writeClaim(path);
  return { path, release: () => rmSync(path, { force: true }) };
}

/** Counts shared claims of living processes and removes those of dead ones. */
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
 * A link to a finished file appears at once, so that nobody reads half a claim. A dead owner's claim is replaced
 * under a second claim, and only if it is unchanged. So one of two processes that find it dead wins, and the other
 * sees a living owner.
 */
function tryExclusive(path: string): Claim | undefined {
  const draft = `${path}.${randomUUID()}`;
  const content = writeClaim(draft);
  try {
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

/** Undefined also for an unreadable text: claims are written whole, so its owner died. */
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
