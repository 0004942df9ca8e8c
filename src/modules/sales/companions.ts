/**
 * Rows that change together with an invoice, such as the original of a corrective, or a converted quote. The plan's transaction
 * locks them after its counters, by kind and id, compares their versions, and writes them with the invoice. Both are kept, or none.
 */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Tx } from '../../kernel/operation.ts';
import { lockVersions, updateDocuments } from './documents.store.ts';
import type { Family } from './family.ts';

export type VersionedRow = { id: string; version: number };

/** How companions of one kind are locked and written: as sets, since one commit may carry many. */
export type CompanionKind = {
  /** Kinds are locked in the order of their names. */
  name: string;
  /** Locks the rows in the order of their ids. @returns those that exist */
  lock(tx: Tx, company_id: string, ids: readonly string[]): Promise<readonly VersionedRow[]>;
  /** Writes the locked rows. Sends at once. */
  write(tx: Tx, company_id: string, rows: readonly VersionedRow[]): readonly Promise<unknown>[];
};

export type Companion = {
  kind: CompanionKind;
  /** As read. If its version has changed, the plan is prepared again. */
  stored: VersionedRow;
  /** As it is once the plan commits. */
  row: VersionedRow;
};

const kinds = new WeakMap<Family, CompanionKind>();

export function companionKind(family: Family): CompanionKind {
  const known = kinds.get(family);
  if (known) return known;
  const made: CompanionKind = {
    name: family.object,
    lock: (tx, company_id, ids) =>
      ids.length === 0 ? Promise.resolve([]) : lockVersions(tx, family, company_id, ids),
    write: (tx, company_id, rows) => [
      updateDocuments(tx, family, company_id, rows as unknown as DocumentRow[]),
    ],
  };
  kinds.set(family, made);
  return made;
}

export function companion<R extends DocumentRow>(
  family: Family<R, object>,
  stored: R,
  change: Partial<R>,
  now: Date,
): Companion {
  const row = { ...stored, ...change, version: stored.version + 1, updated_at: now.toISOString() };
  return { kind: companionKind(family), stored: { id: stored.id, version: stored.version }, row };
}

/** Companions of many plans, by kind, in locking order. */
export function byKind<C extends Pick<Companion, 'kind'>>(companions: readonly C[]): [CompanionKind, C[]][] {
  const kinds = Map.groupBy(companions, ({ kind }) => kind);
  return [...kinds].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
}
