/** Deletes a document if its state table allows it. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted } from '../../../kernel/schema.ts';
import { writeCompanions } from '../conversions.ts';
import { deleteDocument as deleteRow, lockDocument } from '../documents.store.ts';
import { type Family, plainEvent, statusOn } from '../family.ts';
import { tellDeletion } from '../tell-move.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function deleteDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const deleted = plainEvent(family, 'deleted');
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'DELETE',
    path: pathOf(family),
    transaction: 'own',
    mcp: true,
    effects: 'withdraw',
    irreversible: true,
    params: idParams(family),
    output: Deleted(object),
    errors: [c.resource_not_found, c.invalid_status_transition, ...(said.errors ?? [])],
    events: [...(deleted ? [deleted] : []), ...(said.events ?? [])],
    reopens: object,

    async handle(ctx, { params }) {
      const {
        tx,
        company: { company_id },
      } = ctx;
      const row = await lockDocument(tx, family, company_id, idOf(family, params));
      if (!row) throw fail(c.resource_not_found, { param: object });
      family.states.next(statusOn(family, row, ctx.today), 'delete');
      await family.deleting?.(ctx, row);
      family.fields.checkDelete?.(row);
      const reopened = await ctx.ports.conversions.reopen(ctx, { object, id: row.id });
      await deleteRow(tx, family, company_id, row);
      await writeCompanions(ctx, reopened);
      tellDeletion(ctx, family, row);
      return { data: { id: row.id, object, deleted: true } };
    },
  });
}
