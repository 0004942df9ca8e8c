/** Pause, resume, activate and cancel: one move of one recurrence. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Nullable, One, Shape, Text, Type } from '../../../kernel/schema.ts';
import {
  documentOutput,
  findBundle,
  idOf,
  idParams,
  lockDocument,
  pathOf,
  presentDocument,
  type VerbTexts,
  verbTextsOf,
} from '../../sales/index.ts';
import { moved, type PlainMove, writeMoved } from '../moves.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';

const Reason = Shape({
  reason: Type.Optional(
    Nullable(Text(500, { description: 'Por qué se cancela; queda en el registro de auditoría' })),
  ),
});

/** @param word the last one of the path, where the move has several names */
export function moveRecurringInvoice(move: PlainMove, word: string, said: VerbTexts): Operation {
  const shared = {
    ...verbTextsOf(family, said),
    method: 'POST',
    path: `${pathOf(family)}/${word}`,
    transaction: 'own',
    mcp: true,
    status: 200,
    params: idParams(family),
    output: One(documentOutput(family)),
    errors: [c.resource_not_found, ...(said.errors ?? [])],
  } as const;
  const handle = async (ctx: Parameters<Operation['handle']>[0], params: unknown, details: object) => {
    const { tx, company } = ctx;
    const id = idOf(family, params);
    const before = await lockDocument(tx, family, company.company_id, id);
    if (!before) throw fail(c.resource_not_found, { param: family.object });
    const after = await moved(ctx, before, move);
    await writeMoved(ctx, [{ before, after }], move, { ...details });
    const bundle = await findBundle(tx, family, company.company_id, id);
    if (!bundle) throw new Error('The recurrence is locked and gone.');
    return { data: presentDocument(family, bundle, ctx) };
  };
  if (move !== 'cancel')
    return defineOperation({ ...shared, handle: (ctx, { params }) => handle(ctx, params, {}) });
  return defineOperation({
    ...shared,
    effects: 'withdraw',
    irreversible: true,
    body: Reason,
    body_optional: true,
    handle: (ctx, { params, body }) => handle(ctx, params, body?.reason ? { reason: body.reason } : {}),
  });
}
