/** Deletes a draft. Only drafts can be deleted: an issued invoice is a legal record. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Shape, Uuid } from '../../../kernel/schema.ts';
import { deleteInvoice as deleteRow, lockInvoice } from '../invoices.store.ts';
import { invoiceStates } from '../rules/states.ts';

export const deleteInvoice = defineOperation({
  name: 'delete_invoice',
  method: 'DELETE',
  path: '/v1/invoices/:invoice',
  scope: 'invoices:delete',
  tag: 'invoices',
  summary: 'Borra una factura en borrador.',
  transaction: 'own',
  mcp: true,
  params: Shape({ invoice: Uuid }),
  output: Deleted('invoice'),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['invoice.deleted'],
  examples: [{ title: 'Borrar un borrador' }],

  async handle({ tx, caller, emit }, { params }) {
    const row = await lockInvoice(tx, caller.company_id, params.invoice);
    if (!row) throw fail(c.resource_not_found, { param: 'invoice' });
    invoiceStates.next(row.status, 'delete');
    await deleteRow(tx, caller.company_id, row);
    emit('invoice.deleted', row.id);
    return { data: { id: row.id, object: 'invoice', deleted: true } };
  },
});
