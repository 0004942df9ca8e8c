/** Which document became which. */
import type { Tx } from '../../kernel/operation.ts';
import { insertRows } from '../../platform/rows.ts';
import type { Companion, CompanionKind, VersionedRow } from './companions.ts';

export type DocumentRef = { object: string; id: string };

export type LinkRow = {
  source_kind: string;
  source_id: string;
  target_kind: string;
  target_id: string;
  source_status_before: string;
  created_at: string;
};

const columns = {
  source_kind: 'text',
  source_id: 'uuid',
  target_kind: 'text',
  target_id: 'uuid',
  source_status_before: 'text',
  created_at: 'timestamptz',
} as const;

/** Sent at once. */
export function insertLinks(tx: Tx, company_id: string, rows: readonly LinkRow[]): Promise<unknown> {
  return insertRows(tx, company_id, 'document_links', columns, rows);
}

export type SourceOf = Pick<LinkRow, 'source_kind' | 'source_id' | 'source_status_before'>;

/** Those that became the target, while the link is in force. */
export function findSourcesOf(tx: Tx, company_id: string, { object, id }: DocumentRef) {
  return tx<SourceOf[]>`
    select source_kind, source_id, source_status_before from document_links
     where company_id = ${company_id} and target_id = ${id} and target_kind = ${object} and undone_at is null
     order by source_id`;
}

/** Of these sources; null: of all. */
type EndedLink = VersionedRow & { undone_at: Date; sources: readonly string[] | null };

/** The documents themselves are locked, so links need no lock. */
const endedLinks: CompanionKind = {
  name: 'document_link',
  lock: () => Promise.resolve([]),
  write: (tx, company_id, rows) =>
    (rows as readonly EndedLink[]).map(({ id, undone_at, sources }) =>
      tx`
        update document_links set undone_at = ${undone_at}
         where company_id = ${company_id} and target_id = ${id} and undone_at is null
           ${sources === null ? tx`` : tx`and source_id = any(${[...sources]}::uuid[])`}`.execute(),
    ),
};

/** Ends the links to a document that goes with the plan, or those of the sources that it loses. */
export function endOfLinks(
  { id }: DocumentRef,
  now: Date,
  sources: readonly string[] | null = null,
): Companion {
  const row: EndedLink = { id, version: 0, undone_at: now, sources };
  return { kind: endedLinks, stored: null, row };
}
