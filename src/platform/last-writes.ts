/**
 * The writes that a transaction ends with: the commit goes out with them, so they cost no round trip of their own, and whoever waits
 * for a row that they hold waits less. One that fails turns the commit into a rollback.
 */
import type { Tx } from '../kernel/operation.ts';

const last = new WeakMap<Tx, Promise<unknown>>();

/**
 * Call it once, right before the work of the transaction ends.
 * @param writes whose statements are all sent; what is sent later is refused. The transaction fails as they do
 */
export function commitWith(tx: Tx, writes: Promise<unknown>): void {
  writes.catch(() => undefined);
  last.set(tx, writes);
}

/** Settles at once where the transaction has none. */
export function lastWritesOf(tx: Tx): Promise<unknown> {
  return last.get(tx) ?? Promise.resolve();
}
