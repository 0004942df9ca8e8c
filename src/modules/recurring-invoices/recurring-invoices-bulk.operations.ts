/** The operations on many recurrences. Each id of the body stands alone. */
import { type Ctx, defineOperation } from '../../kernel/operation.ts';
import { fail, Problem, problemMessage } from '../../kernel/problem.ts';
import { Described, One, Type, Uuid, Shape, Text } from '../../kernel/schema.ts';
import { bulkIds, lockDocuments, checkBulkIds, deleteRow } from '../sales/index.ts';
import { recurringErrors as e } from './recurring-invoices.errors.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { moved, writeMoved, nextStatus } from './moves.ts';
import { deleteOccurrences } from './recurring-invoices.store.ts';
import { refuseAfterRun } from './rules/recurring-fields.ts';

const Ids = bulkIds('las facturas recurrentes');

const BulkResult = One(
  Type.Object({
    object: Type.Literal('bulk_result'),
    id: Described(Uuid, 'Id de la empresa'),
    total: Type.Integer({ description: 'Ids enviados' }),
    successful: Type.Integer({ description: 'Los que se han cambiado' }),
    failed: Type.Integer({ description: 'Los que no' }),
    failures: Type.Array(
      Type.Object({
        id: Uuid,
        error_code: Type.String({ description: 'Código del error' }),
        error_message: Type.String({ description: 'Por qué no se ha cambiado' }),
      }),
      { description: 'Los que no se han cambiado, en el orden enviado' },
    ),
  }),
);

/**
 * Locks the rows by id, and asks each what becomes of it. Nothing is written before all were asked.
 * @param ask throws the Problem that refuses one
 */
async function askEach<T>(
  ctx: Ctx,
  ids: readonly string[],
  ask: (row: RecurringRow) => Promise<T>,
): Promise<{ accepted: T[]; data: Record<string, unknown> }> {
  const { tx, company } = ctx;
  const byId = await lockDocuments(tx, family, company.company_id, ids);
  const accepted: T[] = [];
  const failures: { id: string; error_code: string; error_message: string }[] = [];
  for (const id of ids) {
    const row = byId.get(id);
    try {
      if (!row) throw fail(e.recurring_invoice_not_found);
      accepted.push(await ask(row));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { def, details } = error;
      failures.push({ id, error_code: def.code, error_message: problemMessage(def, details.values) });
    }
  }
  return {
    accepted,
    data: {
      object: 'bulk_result',
      id: company.company_id,
      total: ids.length,
      successful: accepted.length,
      failed: failures.length,
      failures,
    },
  };
}

const moveOf = { active: 'resume', paused: 'pause' } as const;

/** A recurrence that has ended says so, whatever the call asks. */
function refuseEnded({ status }: RecurringRow): void {
  if (status === 'cancelled') throw fail(e.recurring_invoice_cancelled_cannot_resume);
  if (status === 'completed') throw fail(e.recurring_invoice_completed_cannot_resume);
}

export const bulkChangeRecurringInvoiceStatus = defineOperation({
  name: 'bulk_change_recurring_invoice_status',
  method: 'POST',
  path: '/v1/recurring_invoices/bulk-status',
  scope: 'recurring_invoices:transition',
  tag: family.collection,
  summary: 'Pausa o reanuda hasta 50 facturas recurrentes de una vez.',
  description:
    'Pausa (new_status paused) o reanuda (active) cada factura recurrente de ids, con las reglas de pause_recurring_invoice y resume_recurring_invoice. La que no se puede cambiar no detiene a las demás: sale en failures con su motivo, y la respuesta es 200 aunque fallen todas. Con más de 50 ids, con ids repetidos o con otro new_status se rechaza la llamada entera con invalid_param_value, y no cambia nada.',
  transaction: 'own',
  mcp: true,
  status: 200,
  body: Shape({
    ids: Ids,
    new_status: Text(40, { description: 'active las reanuda, paused las pausa' }),
  }),
  output: BulkResult,
  errors: [c.invalid_param_value],
  events: ['recurring_invoice.paused', 'recurring_invoice.activated'],
  examples: [{ title: 'Pausar', body: { ids: ['{recurring_invoice}'], new_status: 'paused' } }],

  async handle(ctx, { body }) {
    const { ids } = body;
    checkBulkIds(ids);
    if (!Object.hasOwn(moveOf, body.new_status)) {
      const reason = 'se admiten active y paused.';
      throw fail(c.invalid_param_value, { param: 'new_status', values: { reason } });
    }
    const move = moveOf[body.new_status as keyof typeof moveOf];
    const { accepted, data } = await askEach(ctx, ids, async (before) => {
      refuseEnded(before);
      return { before, after: await moved(ctx, before, move) };
    });
    await writeMoved(ctx, accepted, move);
    return { data };
  },
});

export const bulkDeleteRecurringInvoices = defineOperation({
  name: 'bulk_delete_recurring_invoices',
  method: 'POST',
  path: '/v1/recurring_invoices/bulk-delete',
  scope: 'recurring_invoices:delete',
  tag: family.collection,
  summary: 'Borra hasta 50 facturas recurrentes de una vez.',
  description:
    'Borra para siempre cada factura recurrente de ids que no ha hecho ninguna factura. La que no se puede borrar no detiene a las demás: sale en failures, con recurring_invoice_not_found o invalid_status_transition, y la respuesta es 200 aunque fallen todas. Con más de 50 ids o con ids repetidos se rechaza la llamada entera con invalid_param_value. La que ya ha hecho alguna se cancela con cancel_recurring_invoice.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  status: 200,
  body: Shape({ ids: Ids }),
  output: BulkResult,
  errors: [c.invalid_param_value],
  events: ['recurring_invoice.deleted'],
  examples: [{ title: 'Borrar una', body: { ids: ['{recurring_invoice}'] } }],

  async handle(ctx, { body }) {
    const { tx, company, emit } = ctx;
    checkBulkIds(body.ids);
    const { accepted, data } = await askEach(ctx, body.ids, async (row) => {
      nextStatus(row, 'delete');
      refuseAfterRun(row);
      return row;
    });
    await deleteOccurrences(
      tx,
      company.company_id,
      accepted.map(({ id }) => id),
    );
    for (const row of accepted) {
      await deleteRow(tx, family, company.company_id, row);
      emit('recurring_invoice.deleted', row.id);
    }
    return { data };
  },
});
