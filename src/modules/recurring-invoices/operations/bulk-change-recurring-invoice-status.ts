import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Shape, Text } from '../../../kernel/schema.ts';
import { checkBulkIds } from '../../sales/index.ts';
import { moved, writeMoved } from '../moves.ts';
import { recurringErrors as e } from '../recurring-invoices.errors.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import type { RecurringRow } from '../recurring-invoices.schema.ts';
import { askEach, BulkResult, Ids } from './bulk-recurring-invoices.ts';

const moveOf = { active: 'resume', paused: 'pause' } as const;

/** One that has ended says so, whatever is asked of it. */
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
    'Pausa (new_status paused) o reanuda (active) cada factura recurrente de ids, con las mismas reglas que de una en una. La que no se puede cambiar no detiene a las demás: sale en failures con su motivo, y la respuesta es 200 aunque fallen todas. Con más de 50 ids, con ids repetidos o con otro new_status se rechaza la llamada entera con invalid_param_value, y no cambia nada.',
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
