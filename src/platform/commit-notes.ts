/**
 * Notes of a transaction that this process reads once it has committed (`Database.watchCommits`). A note is a hint: one
 * that is lost with the process costs the wait for a poll.
 */
import type { Tx } from '../kernel/operation.ts';

/** The outbox of the webhooks has something for the company. */
export const outboxNote = 'outbox';

/** Background work was enqueued that is due now. */
export const dueNote = 'due';

const notes = new WeakMap<Tx, Set<string>>();

/** Leaves a note. Nobody hears of it when the transaction is rolled back. */
export function noteCommit(tx: Tx, note: string): void {
  const left = notes.get(tx);
  if (left) left.add(note);
  else notes.set(tx, new Set([note]));
}

/** The notes that were left in the transaction; undefined for none. */
export function notesOf(tx: Tx): ReadonlySet<string> | undefined {
  return notes.get(tx);
}
