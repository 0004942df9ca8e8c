/** Replaces a document's public address. Earlier addresses open nothing any more (ADR 31). */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import { findBundle, lockDocument, updateDocuments } from '../documents.store.ts';
import type { Family } from '../family.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function revokeDocumentLink<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const description = `${said.description} La dirección nueva no se envía a nadie: para eso está send_${family.object}.`;
  return defineOperation({
    ...verbTextsOf(family, { ...said, description }),
    method: 'POST',
    path: `${pathOf(family)}/public-link/revoke`,
    transaction: 'own',
    mcp: true,
    status: 200,
    effects: 'withdraw',
    irreversible: true,
    params: idParams(family),
    output: One(documentOutput(family)),
    errors: [c.resource_not_found, c.invalid_status_transition, ...(said.errors ?? [])],
    events: [`${family.object}.updated`],

    async handle(ctx, { params }) {
      const { tx, company, now, realNow } = ctx;
      const id = idOf(family, params);
      const row = await lockDocument(tx, family, company.company_id, id);
      if (!row) throw fail(c.resource_not_found, { param: family.object });
      if (row.status === 'draft') {
        const values = { reason: 'es un borrador, y no tiene enlace.' };
        throw fail(c.invalid_status_transition, { param: family.object, values });
      }
      const link_renewed_at = nextInstant(row.link_renewed_at, realNow()).toISOString();
      const renewed = { ...row, link_renewed_at, version: row.version + 1, updated_at: now };
      await updateDocuments(tx, family, company.company_id, [renewed]);
      ctx.emit(`${family.object}.updated`, id);
      ctx.audit({ action: `${family.object}.public_link_revoked`, object: family.object, object_id: id });
      const bundle = await findBundle(tx, family, company.company_id, id);
      if (!bundle) throw new Error('The document is locked and gone.');
      return { data: presentDocument(family, bundle, ctx) };
    },
  });
}

/** The instant tells addresses apart, so two never share one. */
function nextInstant(last: Date | string | null, now: Date): Date {
  return last === null ? now : new Date(Math.max(now.getTime(), new Date(last).getTime() + 1));
}
