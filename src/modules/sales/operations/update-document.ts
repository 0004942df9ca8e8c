/** Changes a document's content if its state allows it, else only its labels. */
import { isDeepStrictEqual } from 'node:util';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { checkScopesOfChange } from '../../../platform/check-call.ts';
import { lostSources, writeCompanions } from '../conversions.ts';
import {
  asRead,
  contentOf,
  documentOutput,
  documentUpdate,
  labelKeys,
  presentDocument,
} from '../documents.schema.ts';
import {
  findBundle,
  lockDocument,
  replaceDocuments,
  replaceTags,
  updateDocuments,
} from '../documents.store.ts';
import { editContent, editLabels, isContentEdit, withLabels } from '../edit-draft.ts';
import { type Family, plainEvent } from '../family.ts';
import { answered, weighed } from '../warnings.ts';
import { write } from '../write-faults.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

export function updateDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const metadataEvent = plainEvent(family, 'metadata_changed') ?? `${object}.updated`;
  const operation: Operation = defineOperation({
    ...verbTextsOf(family, said),
    method: 'PUT',
    path: pathOf(family),
    transaction: 'own',
    mcp: true,
    params: idParams(family),
    body_limit: largestBody,
    body: documentUpdate(family),
    output: answered(family, documentOutput(family)),
    errors: [
      c.resource_not_found,
      c.invalid_status_transition,
      c.missing_required_param,
      c.business_rule_violation,
      lineErrors.amount_reconciliation_failed,
      ...(said.errors ?? []),
    ],
    events: [...new Set([`${object}.updated`, metadataEvent, ...(said.events ?? [])])],

    async handle(ctx, { params, body: sent }) {
      const {
        tx,
        company: { company_id },
        emit,
      } = ctx;
      const id = idOf(family, params);
      const locked = await lockDocument(tx, family, company_id, id);
      const bundle = locked && (await findBundle(tx, family, company_id, id));
      if (!bundle) throw fail(c.resource_not_found, { param: object });
      const stored = bundle.document;
      const shown = presentDocument(family, bundle, ctx);
      const body = asRead(family, contentOf(family, sent), shown);
      checkScopesOfChange(ctx.caller, operation, { body, shown });
      const is_open = isContentEdit(family, stored, body, shown, ctx.today);
      const written = is_open
        ? await editContent(ctx, family, bundle, body, shown)
        : editLabels(family, bundle, body, shown, ctx.today);
      const { withoutSources } = family.fields;
      const lost = withoutSources ? lostSources(bundle.lines, written.lines) : [];
      const edited =
        withoutSources && lost.length > 0
          ? { ...written, document: { ...written.document, ...withoutSources(written.document, lost) } }
          : written;
      const after = presentDocument(family, edited, ctx);
      const changed = Object.keys(after).filter((key) => !isDeepStrictEqual(after[key], shown[key]));
      if (changed.length === 0) return { data: shown };
      const has_new_content = changed.some((key) => !(labelKeys as readonly string[]).includes(key));
      // A numbered document keeps its copies of client and issuer while its content stays: its paper prints more of them than
      // the answer shows.
      const is_replaced = is_open && (has_new_content || stored.number === null);
      const next = is_replaced ? edited : { ...bundle, document: withLabels(stored, body) };
      const document: R = {
        ...next.document,
        ...(has_new_content ? family.fields.edited?.(next.document) : {}),
        version: stored.version + 1,
        updated_at: ctx.now,
      };
      const warnings = is_replaced ? await weighed(ctx, family, stored, document)(document) : {};
      await write(
        family,
        is_replaced
          ? replaceDocuments(tx, family, company_id, [stored], [{ ...next, document }])
          : [
              updateDocuments(tx, family, company_id, [document]),
              ...(changed.includes('tags') ? replaceTags(tx, family, company_id, stored, document.tags) : []),
            ],
      );
      if (lost.length > 0)
        await writeCompanions(ctx, await ctx.ports.conversions.reopen(ctx, { object, id }, lost));
      const events = changed.map((key) => (key === 'metadata' ? metadataEvent : `${object}.updated`));
      for (const event of new Set(events.sort())) emit(event, document.id);
      await family.written?.(ctx, stored, document);
      return { data: presentDocument(family, { ...next, document }, ctx), ...warnings };
    },
  });
  return operation;
}
