/**
 * The first processes of a service, started before the supervisor has loaded what it needs itself: what they load takes longest.
 * So this file imports little.
 */
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetSettingsFile } from '../environment.ts';
import { say } from '../terminal.ts';
import { forkMember, type Member } from './member.ts';
import type { Order } from './messages.ts';

/** @param processes of the API; of background work where the role is worker */
export function rolesOf(role: 'all' | Order['role'], processes: number): readonly Order['role'][] {
  const many = new Array<Order['role']>(processes).fill(role === 'worker' ? 'worker' : 'api');
  return role === 'all' ? [...many, 'worker'] : many;
}

/**
 * The processes that callers wait for: as many of the API as can load at a time beside the database, at least one. The
 * others load the program once these are ready (ADR 86, ADR 89). Without any of the API all start at once.
 * @param roles those of the API come first, also in the answer
 */
export function firstOf(
  roles: readonly Order['role'][],
  processors = availableParallelism(),
): readonly Order['role'][] {
  const api = roles.filter((role) => role === 'api');
  return api.length > 0 ? api.slice(0, Math.max(1, processors - 1)) : roles;
}

/** One of each role. Call it once the settings are known to be right. */
export function forkFirst(roles: readonly Order['role'][]): Member[] {
  // So that processes that are started later read the file as it is then.
  forgetSettingsFile(process.env);
  cluster.setupPrimary({ exec: programFile() });
  return roles.map(forkOne);
}

export function forkOne(role: Order['role']): Member {
  const { exec = '' } = cluster.settings;
  // Set in its environment, because its first source is looked up in the cache before its own code runs.
  const cache = join(dirname(exec), '../../../node_modules/.cache/folio');
  return forkMember({ role, say, env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || cache } });
}

/** By the path that was typed: it may lead through a link to the version that is installed now. */
function programFile(): string {
  const typed = join(dirname(process.argv[1] ?? ''), 'processes', 'process-program.ts');
  return existsSync(typed) ? typed : fileURLToPath(new URL('./process-program.ts', import.meta.url));
}
