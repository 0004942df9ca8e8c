/** Moves documents that are no legal records. Invoices move by plans. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { writeCompanions } from './conversions.ts';
import { findBundle, lockDocument, replaceDocuments, updateDocuments } from './documents.store.ts';
import { type BundleOf, type Family, type SentContent, statusOn, withStatus } from './family.ts';
import type { DocumentFacts } from './facts.ts';
import { numberDraft } from './number-draft.ts';
import { tellMove } from './tell-move.ts';
import { write, writeLast } from './write-faults.ts';

/** Work to send with the locks of a number, because the next caller waits for that number. */
export type WithNumber = {
  /** Gets the write of the counter, which is on its way: to be awaited with the document's own. Without it, the move waits. */
  writes?: Promise<unknown>[];
  /** Sends the lock of the document. */
  lock?: () => void;
  /** What a document refers to that this transaction has just made. */
  facts?: DocumentFacts;
};

/**
 * The document as the move leaves it, not stored yet. The first move out of draft takes the number; counters are locked before
 * documents, so the caller locks the document only after this.
 * @throws the refusal of the state table, what refuses a number
 */
export async function movedDocument<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
  move: string,
  sent: SentContent = {},
  { writes, lock, facts }: WithNumber = {},
): Promise<R> {
  const { document } = bundle;
  const status = family.states.next(statusOn(family, document, ctx.today), move);
  const takes_number = document.number === null && family.series(document) !== null;
  const numbered = takes_number ? await numberDraft(ctx, family, bundle, { lock, facts }) : null;
  if (writes && numbered) writes.push(numbered.saved);
  else await numbered?.saved;
  const row = numbered?.row ?? document;
  return withStatus(family, { ...row, ...family.fields.moving?.(move, row, sent, ctx), status });
}

/**
 * A draft that changed meanwhile is tried again.
 * @param sent the body of the call
 * @throws 404 resource_not_found, and what `movedDocument` throws
 */
export async function moveInto<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  id: string,
  move: string,
  sent: SentContent = {},
): Promise<BundleOf<R, E>> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const bundle = await findBundle(tx, family, company_id, id);
  if (!bundle) throw fail(c.resource_not_found, { param: family.object });
  const before = bundle.document;
  const writes: Promise<unknown>[] = [];
  let locking: Promise<R | undefined> | undefined;
  const lockOnce = () => (locking ??= lockDocument(tx, family, company_id, id));
  const lock = () => void lockOnce().catch(() => undefined);
  const moved = await movedDocument(ctx, family, bundle, move, sent, { writes, lock });
  const locked = await lockOnce();
  if (locked?.version !== before.version) throw new PlanStale('The document changed.');
  if (family.withdraws?.includes(move)) {
    const target = { object: family.object, id };
    await writeCompanions(ctx, await ctx.ports.conversions.reopen(ctx, target));
  }
  const after: R = { ...moved, version: before.version + 1, updated_at: now };
  await family.checkMove?.(ctx, before, after);
  const own =
    before.number === after.number
      ? [updateDocuments(tx, family, company_id, [after])]
      : replaceDocuments(tx, family, company_id, [locked], [{ ...bundle, document: after }]);
  await writeLast(ctx, family, [...writes, ...own]);
  tellMove(ctx, family, { move, before, after, sent });
  return { ...bundle, document: after };
}

/** Moves a set of locked documents, as a job does. */
export async function moveLocked<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  rows: readonly R[],
  move: string,
): Promise<void> {
  const moved = rows.map((before): { before: R; after: R } => {
    const status = family.states.next(before.status, move);
    const own = family.fields.moving?.(move, before, {}, ctx);
    return { before, after: { ...before, ...own, status, version: before.version + 1, updated_at: ctx.now } };
  });
  const written = moved.map(({ after }) => after);
  await write(family, [updateDocuments(ctx.tx, family, ctx.company.company_id, written)]);
  for (const one of moved) tellMove(ctx, family, { move, ...one });
}
