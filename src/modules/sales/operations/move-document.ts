/** One move of the state table as an operation. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { Shape, type TProperties } from '../../../kernel/schema.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import type { Family, SentContent } from '../family.ts';
import { moveInto } from '../moves.ts';
import { answered, warningsOf, weighed } from '../warnings.ts';
import { idOf, idParams, pathOf, type VerbTexts, verbTextsOf } from './verb-texts.ts';

/**
 * @param move also the last word of the path, with hyphens
 * @param body what the family's `moving` gets; every member is optional
 */
export function moveDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  move: string,
  said: VerbTexts,
  body?: TProperties,
): Operation {
  return defineOperation({
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `${pathOf(family)}/${move.replaceAll('_', '-')}`,
    transaction: 'own',
    mcp: true,
    status: 200,
    params: idParams(family),
    ...(body ? { body: Shape(body), body_optional: true } : {}),
    output: answered(family, documentOutput(family)),
    ...(family.withdraws?.includes(move) ? { reopens: family.object } : {}),
    errors: [
      c.resource_not_found,
      c.invalid_status_transition,
      c.missing_required_param,
      c.business_rule_violation,
      ...(said.errors ?? []),
    ],

    async handle(ctx, { params, body: sent }) {
      const content = (sent ?? {}) as SentContent;
      const moved = await moveInto(ctx, family, idOf(family, params), move, content);
      const { document } = moved;
      const warnings =
        family.creation?.move === move
          ? await weighed(ctx, family, { ...document, number: null }, document)(document)
          : warningsOf(family.warn?.(document));
      return { data: presentDocument(family, moved, ctx), ...warnings };
    },
  });
}
