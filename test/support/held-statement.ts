/** A call that stands still at one of its statements, until its process is killed. */
import { isWrite } from './checkouts.ts';
import type { Cut, DatabaseWire } from './database-wire.ts';

/**
 * Holds the next call that locks a row, by its connection. Reads before the locks decide nothing, so they are skipped.
 * @param n which of its locks, writes and commits is held before it runs. The commit counts twice: one more holds its result
 * @param lock what locks
 * @returns when it is held, and then whether that was the last place
 */
export function holdAt(wire: DatabaseWire, n: number, lock: RegExp): Promise<{ is_last: boolean }> {
  const held = Promise.withResolvers<{ is_last: boolean }>();
  let writing: number | undefined;
  let left = n;
  wire.watch = (text, connection): Cut | undefined => {
    const is_lock = lock.test(text);
    if (is_lock) writing = connection;
    if (connection !== writing || !(is_lock || isWrite(text) || text === 'commit')) return undefined;
    if (left-- === 0) return { cut: 'before', on_held: () => held.resolve({ is_last: false }) };
    return text === 'commit' ? { cut: 'after', on_held: () => held.resolve({ is_last: true }) } : undefined;
  };
  return held.promise;
}
