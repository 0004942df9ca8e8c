/** Events of delivery notes. The catalogue has none for a number, a deletion or metadata alone. */
import { Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  type Made,
  makeClient,
  makeThen,
  newMetadata,
  post,
  put,
  Reference,
  type TriggerApi,
} from '../events/index.ts';

const path = '/v1/delivery_notes';

async function makeNote(api: TriggerApi): Promise<Made> {
  const client = await makeClient(api);
  const lines = [{ description: 'Cuaderno', quantity: 10, unit_price: 2.5, tax_rate: 21 }];
  return post(api, path, { client_id: client.id, lines, options: { mark_pending: true } });
}

const byEmail = (address: string) => ({
  data: Type.Object({ delivery_note: Reference, email: Reference }),
  other_way: `Send a delivery note to ${address}@sandbox.example (docs/sandbox-magic-values.md).`,
});

export const deliveryNotesEvents = defineEvents({
  'delivery_note.created': { trigger: makeNote },
  'delivery_note.updated': {
    trigger: makeThen(makeNote, (api, id) => put(api, `${path}/${id}`, newMetadata)),
  },
  'delivery_note.status_changed': {
    data: Type.Object({
      delivery_note: Reference,
      from: Type.String({ description: 'Estado anterior', examples: ['pending'] }),
      to: Type.String({ description: 'Estado nuevo', examples: ['delivered'] }),
    }),
    trigger: makeThen(makeNote, (api, id) => post(api, `${path}/${id}/mark-delivered`)),
  },
  'delivery_note.signed': {
    trigger: makeThen(makeNote, (api, id) => post(api, `${path}/${id}/sign`, { signed_by: 'Eva Ruiz' })),
  },
  'delivery_note.converted': {
    data: Type.Object({ delivery_note: Reference, invoice: Reference }),
    trigger: makeThen(makeNote, (api, id) => post(api, `${path}/${id}/convert`, { target: 'invoice' })),
  },
  'delivery_note.email_sent': byEmail('accepted'),
  'delivery_note.email_failed': byEmail('refused'),
});
