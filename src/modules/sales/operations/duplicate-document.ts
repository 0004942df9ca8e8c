/** Copies a document into a new draft. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import { findBundle, insertDocuments } from '../documents.store.ts';
import { copyOf } from '../copy-document.ts';
import type { Family } from '../family.ts';
import { write } from '../write-faults.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function duplicateDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const party = family.party === 'client' ? 'cliente' : 'proveedor';
  const description = `${said.description} Cada llamada hace una copia más, que se cambia con update_${object}. Si su ${party} está archivado, se rechaza.`;
  return defineOperation({
    ...verbTextsOf(family, { ...said, description }),
    method: 'POST',
    path: `${pathOf(family)}/duplicate`,
    transaction: 'own',
    mcp: true,
    params: idParams(family),
    output: One(documentOutput(family)),
    errors: [
      c.resource_not_found,
      c.business_rule_violation,
      lineErrors.amount_reconciliation_failed,
      ...(said.errors ?? []),
    ],
    events: [`${object}.created`],

    async handle(ctx, { params }) {
      const {
        tx,
        company: { company_id },
        emit,
      } = ctx;
      const bundle = await findBundle(tx, family, company_id, idOf(family, params));
      if (!bundle) throw fail(c.resource_not_found, { param: object });
      const copy = await copyOf(ctx, family, bundle);
      await write(family, insertDocuments(tx, family, company_id, [copy]));
      emit(`${object}.created`, copy.document.id);
      return { data: presentDocument(family, copy, ctx) };
    },
  });
}
