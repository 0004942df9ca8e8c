/** Events of invoices. `modules/verifactu` has those of their billing records. */
import { Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  makeClient,
  makeDraft,
  makePaidTicket,
  makeThen,
  makeTicket,
  newMetadata,
  post,
  put,
  Reference,
  remove,
  type TriggerApi,
} from '../events/index.ts';

async function substitute(api: TriggerApi): Promise<void> {
  const simplified = await makeTicket(api);
  const recipient = await makeClient(api);
  const body = { simplified_invoice_uuids: [simplified.id], client_id: recipient.id };
  await post(api, '/v1/invoices/substitute-simplified', body);
}

const correction = { correction: { type: 'differences', reason: 'Devolución' } };

const byEmail = (act: string, address: string) => ({
  data: Type.Object({ invoice: Reference, email: Reference }),
  other_way: `${act} ${address}@sandbox.example (docs/sandbox-magic-values.md).`,
});

export const invoicesEvents = defineEvents({
  'invoice.created': { trigger: makeDraft },
  'invoice.updated': {
    trigger: makeThen(makeDraft, (api, id) => put(api, `/v1/invoices/${id}`, { notes: 'Urgente' })),
  },
  'invoice.metadata_changed': {
    trigger: makeThen(makeDraft, (api, id) => put(api, `/v1/invoices/${id}`, newMetadata)),
  },
  'invoice.deleted': { trigger: makeThen(makeDraft, (api, id) => remove(api, `/v1/invoices/${id}`)) },
  'invoice.number_assigned': { trigger: makeTicket },
  'invoice.simplified_created': { trigger: makeTicket },
  'invoice.sent': { trigger: makeThen(makeTicket, (api, id) => post(api, `/v1/invoices/${id}/mark-sent`)) },
  'invoice.paid': { trigger: makePaidTicket },
  'invoice.cancelled': { trigger: makeThen(makeTicket, (api, id) => post(api, `/v1/invoices/${id}/void`)) },
  'invoice.annulled': { trigger: makeThen(makeTicket, (api, id) => post(api, `/v1/invoices/${id}/annul`)) },
  'invoice.rectified': {
    data: Type.Object({ invoice: Reference, corrective: Reference }),
    trigger: makeThen(makeTicket, (api, id) => post(api, `/v1/invoices/${id}/corrective`, correction)),
  },
  'invoice.simplified_substituted': {
    data: Type.Object({ invoice: Reference, substitute: Reference }),
    trigger: substitute,
  },
  'invoice.substituted_by_complete': { trigger: substitute },
  'invoice.overdue': {
    other_way: 'Issue an invoice with due_on, then move the sandbox clock beyond it (PUT /v1/sandbox/clock).',
  },
  'invoice.email_sent': byEmail('Send an invoice to', 'accepted'),
  'invoice.email_failed': byEmail('Send an invoice to', 'refused'),
  'invoice.payment_reminder_sent': byEmail('Send the reminder of an overdue invoice to', 'accepted'),
});
