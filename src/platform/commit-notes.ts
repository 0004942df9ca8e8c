/**
 * Hints that this process reads after the commit (`Database.watchCommits`). If one is lost, polling finds the work.
 */
import type { Tx } from '../kernel/operation.ts';

/** The company has events for the webhooks' outbox. */
export const outboxNote = 'outbox';

export const dueNote = 'due';

const notes = new WeakMap<Tx, Set<string>>();

/** A rollback drops the note. */
export function noteCommit(tx: Tx, note: string): void {
  const left = notes.get(tx);
  if (left) left.add(note);
  else notes.set(tx, new Set([note]));
}

export function notesOf(tx: Tx): ReadonlySet<string> | undefined {
  return notes.get(tx);
}
