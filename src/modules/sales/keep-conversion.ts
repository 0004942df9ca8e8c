/** Stores a draft that documents became: the draft, its links and their new states, all or none. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { withShortLockWait } from '../../platform/idempotency.ts';
import { companion } from './companions.ts';
import { insertLinks } from './document-links.ts';
import { insertDocuments, updateDocuments } from './documents.store.ts';
import type { BundleOf, Family } from './family.ts';
import { tellMove } from './tell-move.ts';
import { writeLast } from './write-faults.ts';

/** @param converted the sources, locked before they were read, with their next state */
export async function keepConversion<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  converted: readonly { source: R; status: string }[],
  // biome-ignore lint/suspicious/noExplicitAny: of any family
  target: { family: Family<any, any>; draft: BundleOf<DocumentRow, object> },
): Promise<void> {
  const { tx } = ctx;
  const { company_id } = ctx.company;
  const { object } = family;
  const made = { object: target.family.object as string, id: target.draft.document.id };
  const changes = converted.map(({ source, status }) => ({
    source,
    change: { ...family.fields.converted?.(made), status } as Partial<R>,
  }));
  const links = converted.map(({ source }) => ({
    source_kind: object,
    source_id: source.id,
    target_kind: made.object,
    target_id: made.id,
    source_status_before: source.status,
    created_at: ctx.now.toISOString(),
  }));
  const rows = changes.map(({ source, change }) => companion(family, source, change, ctx.now).row as R);
  // In one pipeline, while others wait for the sources.
  const all = () => [
    ...insertDocuments(tx, target.family, company_id, [target.draft]),
    updateDocuments(tx, family, company_id, rows),
    insertLinks(tx, company_id, links),
  ];
  const has_external_id = target.draft.document.external_id !== null;
  await writeLast(ctx, target.family, has_external_id ? withShortLockWait(tx, all) : all());
  ctx.emit(`${made.object}.created`, made.id);
  for (const { source, change } of changes)
    tellMove(ctx, family, {
      move: 'convert',
      before: source,
      after: { ...source, ...change },
      data: { [object]: { id: source.id }, [made.object]: { id: made.id } },
      details: { [made.object]: made.id },
    });
}
