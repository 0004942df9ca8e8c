/**
 * `folio events trigger`: makes an event happen in the sandbox by doing the real thing over the API, so that all that
 * belongs to it happens too (an invoice that is paid was created and numbered before).
 */
import { randomInt } from 'node:crypto';
import type { EventName } from '../modules/events/index.ts';
import type { ApiClient } from './api-client.ts';

type Made = { id: string; [member: string]: unknown };
type Step = (api: ApiClient) => Promise<unknown>;

const lines = [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 }];

async function post(api: ApiClient, path: string, body: unknown = {}): Promise<Made> {
  return (await api.call<{ data: Made }>('POST', path, { body })).body.data;
}

const put = (api: ApiClient, path: string, body: unknown) => api.call('PUT', path, { body });
const remove = (api: ApiClient, path: string) => api.call('DELETE', path);

/** A tax id of the simulator's, whose records are accepted (docs/sandbox-magic-values.md). */
const client = (api: ApiClient) =>
  post(api, '/v1/clients', { name: 'Librería Norte SL', tax_id: 'B00000018' });
const product = (api: ApiClient) => post(api, '/v1/products', { name: 'Consultoría', unit_price: 100 });
const tax = (api: ApiClient) => post(api, '/v1/taxes', { name: 'IVA 21 %', kind: 'vat', rate: 21 });
const draft = (api: ApiClient) => post(api, '/v1/invoices', { type: 'F2', lines });
const ticket = (api: ApiClient, more: object = {}) =>
  post(api, '/v1/invoices', { type: 'F2', lines, options: { issue: true }, ...more });
const paid = (api: ApiClient) => ticket(api, { payment: { method: 'card' } });

/** Its code has letters and digits that no other has had, most likely. */
function series(api: ApiClient): Promise<Made> {
  const code = `T${randomInt(36 ** 5)
    .toString(36)
    .toUpperCase()
    .padStart(5, '0')}Z`;
  return post(api, '/v1/series', { code, document_type: 'proforma', name: 'Prueba' });
}

/** Makes a series of pro-formas the default, and then the one that was. */
async function changeDefault(api: ApiClient): Promise<void> {
  const made = await series(api);
  const { body } = await api.call<{ data: Made[] }>('GET', '/v1/series', { query: { limit: '100' } });
  const before = body.data.find((one) => one.document_type === 'proforma' && one.is_default === true);
  await post(api, `/v1/series/${made.id}/set-default`);
  if (before) await post(api, `/v1/series/${before.id}/set-default`);
}

async function substitute(api: ApiClient): Promise<void> {
  const simplified = await ticket(api);
  const recipient = await client(api);
  const body = { simplified_invoice_uuids: [simplified.id], client_id: recipient.id };
  await post(api, '/v1/invoices/substitute-simplified', body);
}

async function reversePayment(api: ApiClient): Promise<void> {
  const invoice = await paid(api);
  const { detail } = invoice.payments as { detail: Made[] };
  const path = `/v1/invoices/${invoice.id}/payments/${detail[0]?.id}/reversal`;
  await post(api, path, { reason: 'direct_debit_return' });
}

/** Makes a resource, and then does something with it. */
const then =
  (make: (api: ApiClient) => Promise<Made>, act: (api: ApiClient, id: string) => Promise<unknown>): Step =>
  async (api) =>
    act(api, (await make(api)).id);

const metadata = { metadata: { origin: 'folio events trigger' } };

/** What to do for each event; those that are not here cannot be triggered. */
export const eventTriggers: { readonly [name in EventName]?: Step } = {
  'client.created': client,
  'client.updated': then(client, (api, id) => put(api, `/v1/clients/${id}`, { name: 'Librería Sur SL' })),
  'client.metadata_changed': then(client, (api, id) => put(api, `/v1/clients/${id}`, metadata)),
  'client.deleted': then(client, (api, id) => remove(api, `/v1/clients/${id}`)),
  'product.created': product,
  'product.updated': then(product, (api, id) => put(api, `/v1/products/${id}`, { unit_price: 120 })),
  'tax.metadata_changed': then(tax, (api, id) => put(api, `/v1/taxes/${id}`, metadata)),
  'tax.validity_changed': then(tax, (api, id) => put(api, `/v1/taxes/${id}`, { valid_to: '2099-12-31' })),
  'tax.external_reference_changed': then(tax, (api, id) =>
    put(api, `/v1/taxes/${id}`, { external_reference: 'ERP-21' }),
  ),
  'series.created': series,
  'series.updated': then(series, (api, id) => put(api, `/v1/series/${id}`, { name: 'Prueba bis' })),
  'series.deleted': then(series, (api, id) => remove(api, `/v1/series/${id}`)),
  'series.archived': then(series, (api, id) => post(api, `/v1/series/${id}/archive`)),
  'series.unarchived': then(series, async (api, id) => {
    await post(api, `/v1/series/${id}/archive`);
    await post(api, `/v1/series/${id}/unarchive`);
  }),
  'series.marked_as_default': changeDefault,
  'series.demoted_from_default': changeDefault,
  'series.number_consumed': (api) => ticket(api),
  'invoice.created': draft,
  'invoice.updated': then(draft, (api, id) => put(api, `/v1/invoices/${id}`, { notes: 'Urgente' })),
  'invoice.metadata_changed': then(draft, (api, id) => put(api, `/v1/invoices/${id}`, metadata)),
  'invoice.deleted': then(draft, (api, id) => remove(api, `/v1/invoices/${id}`)),
  'invoice.number_assigned': (api) => ticket(api),
  'invoice.simplified_created': (api) => ticket(api),
  'invoice.sent': then(ticket, (api, id) => post(api, `/v1/invoices/${id}/mark-sent`)),
  'invoice.paid': paid,
  'invoice.cancelled': then(ticket, (api, id) => post(api, `/v1/invoices/${id}/void`)),
  'invoice.annulled': then(ticket, (api, id) => post(api, `/v1/invoices/${id}/annul`)),
  'invoice.rectified': then(ticket, (api, id) =>
    post(api, `/v1/invoices/${id}/corrective`, { correction: { type: 'differences', reason: 'Devolución' } }),
  ),
  'invoice.simplified_substituted': substitute,
  'invoice.substituted_by_complete': substitute,
  'payment.received': paid,
  'payment.reversed': reversePayment,
};

/** Events that this build emits and no call alone brings about: what does. */
export const otherWays: { readonly [name in EventName]?: string } = {
  'invoice.email_sent': 'A sandbox sends no e-mail: only live companies have it.',
  'invoice.email_failed': 'A sandbox sends no e-mail: only live companies have it.',
  'invoice.payment_reminder_sent': 'A sandbox sends no e-mail: only live companies have it.',
  'invoice.overdue':
    'Issue an invoice with due_on, then move the sandbox clock beyond it (PUT /v1/sandbox/clock).',
  'invoice.verifactu_submitted':
    'Turn VeriFactu on (PUT /v1/verifactu/settings) and issue an invoice: the simulator accepts it.',
  'invoice.verifactu_failed':
    'Turn VeriFactu on and issue an invoice with a magic value that is rejected (docs/sandbox-magic-values.md).',
  'series.year_reset': 'Issue an invoice, move the sandbox clock to the next year and issue another.',
  'series.month_reset':
    'Issue an invoice in a series with reset month, move the sandbox clock to the next month and issue another.',
};
