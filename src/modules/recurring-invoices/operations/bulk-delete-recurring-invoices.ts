import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { Shape } from '../../../kernel/schema.ts';
import { checkBulkIds, deleteRow } from '../../sales/index.ts';
import { nextStatus } from '../moves.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import { deleteOccurrences } from '../recurring-invoices.store.ts';
import { refuseAfterRun } from '../rules/recurring-fields.ts';
import { askEach, BulkResult, Ids } from './bulk-recurring-invoices.ts';

export const bulkDeleteRecurringInvoices = defineOperation({
  name: 'bulk_delete_recurring_invoices',
  method: 'POST',
  path: '/v1/recurring_invoices/bulk-delete',
  scope: 'recurring_invoices:delete',
  tag: family.collection,
  summary: 'Borra hasta 50 facturas recurrentes de una vez.',
  description:
    'Borra para siempre cada factura recurrente de ids que no ha hecho ninguna factura. La que no se puede borrar no detiene a las demás: sale en failures, con recurring_invoice_not_found o invalid_status_transition, y la respuesta es 200 aunque fallen todas. Con más de 50 ids o con ids repetidos se rechaza la llamada entera con invalid_param_value.',
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
