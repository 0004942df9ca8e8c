/** Retrieves a document with its parts. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import { findBundle } from '../documents.store.ts';
import type { Family } from '../family.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function getDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'GET',
    path: pathOf(family),
    transaction: 'read',
    row: family.tables.documents,
    mcp: true,
    params: idParams(family),
    output: One(documentOutput(family)),
    errors: [c.resource_not_found, ...(said.errors ?? [])],

    prefetch: (tx, company_id, { params }) => findBundle(tx, family, company_id, idOf(family, params)),

    async handle(ctx, _input, bundle) {
      if (!bundle) throw fail(c.resource_not_found, { param: family.object });
      return { data: presentDocument(family, bundle, ctx) };
    },
  });
}
