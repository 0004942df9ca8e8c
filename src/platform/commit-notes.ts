/**
 * Notes in a transaction that this process reads after the commit (`Database.watchCommits`). A note is only a hint:
 * if it is lost, polling finds the work.
 */
import type { Tx } from '../kernel/operation.ts';

/** The company has events for the webhooks' outbox. */
export const outboxNote = 'outbox';

/** Background work is due now. */
export const dueNote = 'due';

const notes = new WeakMap<Tx, Set<string>>();

/** Nobody hears of the note when the transaction rolls back. */
export function noteCommit(tx: Tx, note: string): void {
  const left = notes.get(tx);
  if (left) left.add(note);
  else notes.set(tx, new Set([note]));
}

export function notesOf(tx: Tx): ReadonlySet<string> | undefined {
  return notes.get(tx);
}
