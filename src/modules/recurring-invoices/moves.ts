/** Pauses, resumes and cancels recurrences, one by one or in bulk. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Operation } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { findDocumentParties } from '../contacts/index.ts';
import {
  channelOf,
  updateDocuments,
  documentOutput,
  findBundle,
  idOf,
  idParams,
  lockDocument,
  pathOf,
  presentDocument,
  type VerbTexts,
  verbTextsOf,
} from '../sales/index.ts';
import { recurringErrors as e } from './recurring-invoices.errors.ts';
import { recurringInvoices, recurringInvoices as family } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import { insertSkipped, newSkipped, scheduleRun } from './recurring-invoices.store.ts';
import { checkDelivery } from './rules/recurring-fields.ts';
import {
  indexFromToday,
  scheduledAt,
  type RecurringMove,
  recurringStates,
  type RecurringStatus,
} from './rules/states.ts';
import { Nullable, One, Shape, Text, Type } from '../../kernel/schema.ts';

/** @throws what the state table says */
export function nextStatus({ status }: Pick<RecurringRow, 'status'>, move: RecurringMove): RecurringStatus {
  return recurringStates.next(status, move, { param: 'recurring_invoice' });
}

const events = {
  pause: 'recurring_invoice.paused',
  resume: 'recurring_invoice.activated',
  cancel: 'recurring_invoice.cancelled',
} as const;
export type PlainMove = keyof typeof events;

/**
 * @param row locked
 * @returns the row as it will be. Writes nothing
 * @throws Problem that refuses the move
 */
export async function moved(ctx: Ctx, row: RecurringRow, move: PlainMove): Promise<RecurringRow> {
  const status = nextStatus(row, move);
  const next = { ...row, status, version: row.version + 1, updated_at: ctx.now };
  if (move !== 'resume') return { ...next, next_occurrence_on: null, next_run_at: null };
  const ids = row.client_id === null ? [] : [row.client_id];
  const [client] = await findDocumentParties(ctx.tx, ctx.company.company_id, 'client', ids);
  const index = indexFromToday(row, ctx.today);
  const scheduled = scheduledAt(next, index, ctx.company.time_zone) as RecurringRow;
  if (scheduled.status === 'completed')
    throw fail(e.recurring_invoice_completed_cannot_resume, { param: 'recurring_invoice' });
  checkDelivery(row, client);
  const { last_error } = row;
  // A day that is tried again goes on counting.
  const is_same = last_error?.occurrence_on === scheduled.next_occurrence_on;
  return { ...next, ...scheduled, last_error: is_same ? last_error : null };
}

type Moved = { before: RecurringRow; after: RecurringRow };

/** Writes rows that made the same move, with their events and audit entries. */
export async function writeMoved(
  ctx: Ctx,
  all: readonly Moved[],
  move: PlainMove,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { tx, company, now } = ctx;
  const skipped = all.flatMap(({ before, after }) =>
    move === 'resume' ? newSkipped(before, after.next_index, now) : [],
  );
  await Promise.all([
    updateDocuments(
      tx,
      recurringInvoices,
      company.company_id,
      all.map(({ after }) => after),
    ),
    insertSkipped(tx, company.company_id, skipped),
  ]);
  for (const { before, after } of all) {
    if (move === 'resume') await scheduleRun(ctx, after);
    ctx.emit(events[move], after.id);
    ctx.audit({
      action: `recurring_invoice.${move}`,
      object: 'recurring_invoice',
      object_id: after.id,
      details: { from: before.status, to: after.status, channel: channelOf(ctx), ...details },
    });
  }
}

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
