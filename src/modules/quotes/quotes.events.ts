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
  remove,
  type TriggerApi,
} from '../events/index.ts';

const lines = [{ description: 'Reforma del local', quantity: 1, unit_price: 1200, tax_rate: 21 }];

async function makeQuote(api: TriggerApi, more: object = {}): Promise<Made> {
  const client = await makeClient(api);
  return post(api, '/v1/quotes', { client_id: client.id, lines, ...more });
}
const makePending = (api: TriggerApi) => makeQuote(api, { options: { mark_pending: true } });
const move = (word: string) => makeThen(makePending, (api, id) => post(api, `/v1/quotes/${id}/${word}`));

const byEmail = (address: string) => ({
  data: Type.Object({ quote: Reference, email: Reference }),
  other_way: `Send a quote to ${address}@sandbox.example (docs/sandbox-magic-values.md).`,
});

export const quotesEvents = defineEvents({
  'quote.created': { trigger: makeQuote },
  'quote.updated': {
    trigger: makeThen(makeQuote, (api, id) => put(api, `/v1/quotes/${id}`, { notes: 'Urgente' })),
  },
  'quote.deleted': { trigger: makeThen(makeQuote, (api, id) => remove(api, `/v1/quotes/${id}`)) },
  'quote.metadata_changed': {
    trigger: makeThen(makeQuote, (api, id) => put(api, `/v1/quotes/${id}`, newMetadata)),
  },
  'quote.number_assigned': { trigger: makePending },
  'quote.marked_as_pending': { trigger: makePending },
  'quote.approved': { trigger: move('accept') },
  'quote.rejected': { trigger: move('reject') },
  'quote.cancelled': { trigger: move('cancel') },
  'quote.expired': {
    other_way:
      'Mark a quote with valid_until as pending, then move the sandbox clock beyond it (PUT /v1/sandbox/clock).',
  },
  'quote.converted': {
    data: Type.Object({
      quote: Reference,
      invoice: Type.Optional(Reference),
      proforma: Type.Optional(Reference),
    }),
    trigger: move('convert'),
  },
  'quote.email_sent': byEmail('accepted'),
  'quote.email_failed': byEmail('refused'),
});
