/** Events of purchase invoices. The catalogue has none for a deletion; a reception number is an update. */
import { Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  type Made,
  makeThen,
  newMetadata,
  post,
  put,
  Reference,
  type TriggerApi,
} from '../events/index.ts';

const path = '/v1/purchase_invoices';

async function makePurchase(api: TriggerApi): Promise<Made> {
  const supplier = await post(api, '/v1/suppliers', { name: 'Papelera del Sur' });
  const lines = [{ description: 'Papel', quantity: 10, unit_price: 5, tax_rate: 21 }];
  const issued_on = '2025-12-15';
  return post(api, path, { supplier_id: supplier.id, number: 'A-1', issued_on, lines });
}

const paid = makeThen(makePurchase, (api, id) =>
  post(api, `${path}/${id}/mark-paid`, { payment_method: 'bank_transfer' }),
);

export const purchaseInvoicesEvents = defineEvents({
  'purchase_invoice.created': { trigger: makePurchase },
  'purchase_invoice.updated': {
    trigger: makeThen(makePurchase, (api, id) => post(api, `${path}/${id}/mark-accounted`)),
  },
  'purchase_invoice.paid': { trigger: paid },
  'purchase_invoice.payment_registered': {
    data: Type.Object({ purchase_invoice: Reference, payment: Reference }),
    trigger: paid,
  },
  'purchase_invoice.cancelled': {
    trigger: makeThen(makePurchase, (api, id) => post(api, `${path}/${id}/cancel`)),
  },
  'purchase_invoice.metadata_changed': {
    trigger: makeThen(makePurchase, (api, id) => put(api, `${path}/${id}`, newMetadata)),
  },
});
