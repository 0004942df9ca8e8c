/** Moves a document that is no legal record. Invoices move by plans. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { movedEvents } from './conversions.ts';
import { findBundle, lockDocument, replaceDocuments, updateDocuments } from './documents.store.ts';
import type { BundleOf, Family } from './family.ts';
import { numberDraft } from './number-draft.ts';
import { write } from './write-faults.ts';

/**
 * The first move out of draft takes the number. Counters are locked before documents, so a draft is read first and locked once it
 * has its number. A draft that changed meanwhile is tried again.
 * @param change own columns that the move sets
 * @throws 404 resource_not_found, the refusal of the state table, what refuses a number
 */
export async function moveInto<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  id: string,
  move: string,
  change: (row: R) => Partial<R> = () => ({}),
): Promise<BundleOf<R, E>> {
  const {
    tx,
    company: { company_id },
    emit,
    now,
  } = ctx;
  const bundle = await findBundle(tx, family, company_id, id);
  if (!bundle) throw fail(c.resource_not_found, { param: family.object });
  const { document } = bundle;
  const status = family.states.next(document.status, move);
  const is_numbered = document.number === null && family.series(document) !== null;
  const moved = is_numbered ? await numberDraft(ctx, family, bundle) : document;
  const locked = await lockDocument(tx, family, company_id, id);
  if (locked?.version !== document.version) throw new PlanStale('The document changed.');
  const version = document.version + 1;
  const next: R = { ...moved, ...change(moved), status, version, updated_at: now };
  await write(
    family,
    is_numbered
      ? replaceDocuments(tx, family, company_id, [locked], [{ ...bundle, document: next }])
      : [updateDocuments(tx, family, company_id, [next])],
  );
  for (const { type, data } of movedEvents(family, move, document, next))
    emit(type, id, data === undefined ? {} : { data });
  ctx.audit({
    action: `${family.object}.${move}`,
    object: family.object,
    object_id: id,
    details: { from: document.status, to: status },
  });
  return { ...bundle, document: next };
}
