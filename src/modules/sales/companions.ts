/**
 * Rows that change with an invoice, such as a corrective's original or a converted quote. The plan's transaction locks them after
 * its counters, by kind and id, compares their versions, and writes them with the invoice.
 */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Tx } from '../../kernel/operation.ts';
import { lockVersions, updateDocuments } from './documents.store.ts';
import type { Family } from './family.ts';

export type VersionedRow = { id: string; version: number };

/** Locks and writes sets, since one commit may carry many companions. */
export type CompanionKind = {
  /** Kinds are locked by name. */
  name: string;
  /** Locks by id. @returns the rows that exist */
  lock(tx: Tx, company_id: string, ids: readonly string[]): Promise<readonly VersionedRow[]>;
  /** The rows are locked. Sends at once. */
  write(tx: Tx, company_id: string, rows: readonly VersionedRow[]): readonly Promise<unknown>[];
};

export type Companion = {
  kind: CompanionKind;
  /** As read; null for a new row. A changed version makes the plan stale. */
  stored: VersionedRow | null;
  /** As the commit writes it. */
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

/** In locking order. */
export function groupByKind<C extends Pick<Companion, 'kind'>>(
  companions: readonly C[],
): [CompanionKind, C[]][] {
  const kinds = Map.groupBy(companions, ({ kind }) => kind);
  return [...kinds].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
}
