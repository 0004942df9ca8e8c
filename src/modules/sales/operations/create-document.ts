/** Creates a draft. A known `external_id` gets its document. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody, type Operation, replayedHeaders } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { withShortLockWait } from '../../../platform/idempotency.ts';
import { type DocumentBody, documentInput, documentOutput, presentDocument } from '../documents.schema.ts';
import { findByExternalIds, insertDocuments, withParts } from '../documents.store.ts';
import type { Family } from '../family.ts';
import { write } from '../write-faults.ts';
import { hashOf, newDraft } from '../new-draft.ts';
import { type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function createDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `/v1/${family.collection}`,
    transaction: 'own',
    mcp: true,
    other_statuses: [
      { status: 200, when: `Ya existe ${family.one} con este external_id, y se responde con él.` },
    ],
    body_limit: largestBody,
    body: documentInput(family),
    output: One(documentOutput(family)),
    errors: [
      c.missing_required_param,
      c.business_rule_violation,
      lineErrors.amount_reconciliation_failed,
      ...(said.errors ?? []),
    ],
    events: [`${object}.created`, ...(said.events ?? [])],
    external_ids: ({ body }) => [(body as DocumentBody).external_id ?? []].flat(),

    async handle(ctx, { body: sent }) {
      const {
        tx,
        company: { company_id },
        emit,
      } = ctx;
      const body = sent as DocumentBody;
      const ids = body.external_id ? [body.external_id] : [];
      const [known] = await findByExternalIds(tx, family, company_id, ids);
      const replay = async () => {
        const [bundle] = await withParts(tx, family, company_id, known ? [known] : []);
        const data = presentDocument(family, bundle!, ctx);
        return { status: 200, headers: replayedHeaders, body: { data } };
      };
      // The hash recognises the same request, since prices and defaults may have changed.
      if (known?.external_hash === hashOf(family, body)) return replay();
      const { facts: _, regime_keys: __, ...draft } = await newDraft(ctx, family, body);
      if (known && known.external_total === draft.document.external_total) return replay();
      if (known)
        throw fail(c.idempotency_key_reused, { param: 'external_id', subcode: 'unattended_replay_mismatch' });
      const bundle = { ...draft, ...family.parts?.none?.() } as Parameters<typeof presentDocument<R, E>>[1];
      const insert = () => insertDocuments(tx, family, company_id, [bundle]);
      // Another process may be taking the same external id. The engine waits for it without a connection.
      await write(family, ids.length > 0 ? withShortLockWait(tx, insert) : insert());
      emit(`${object}.created`, bundle.document.id);
      await family.written?.(ctx, null, bundle.document);
      return { data: presentDocument(family, bundle, ctx) };
    },
  });
}
