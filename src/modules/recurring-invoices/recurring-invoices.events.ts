/** Events of recurrences. The invoices that they make have their own. */
import { DayText, Nullable, Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  makeThen,
  newMetadata,
  post,
  put,
  Reference,
  remove,
  type TriggerApi,
} from '../events/index.ts';

const draft = {
  name: 'Cuota de {month_name}',
  type: 'F2',
  frequency: 'monthly',
  starts_on: '2199-01-31',
  lines: [{ description: 'Cuota {month}/{year}', unit_price: 50, tax_rate: 21 }],
};

const path = '/v1/recurring_invoices';
const makeRecurrence = (api: TriggerApi) => post(api, path, draft);
const makePaused = (api: TriggerApi) => post(api, path, { ...draft, status: 'paused' });
const act = (word: string) => (api: TriggerApi, id: string) => post(api, `${path}/${id}/${word}`);

export const recurringInvoicesEvents = defineEvents({
  'recurring_invoice.created': { trigger: makeRecurrence },
  'recurring_invoice.updated': {
    trigger: makeThen(makeRecurrence, (api, id) => put(api, `${path}/${id}`, { notes: 'Gracias' })),
  },
  'recurring_invoice.metadata_changed': {
    trigger: makeThen(makeRecurrence, (api, id) => put(api, `${path}/${id}`, newMetadata)),
  },
  'recurring_invoice.deleted': {
    trigger: makeThen(makeRecurrence, (api, id) => remove(api, `${path}/${id}`)),
  },
  'recurring_invoice.activated': { trigger: makeThen(makePaused, act('resume')) },
  'recurring_invoice.paused': { trigger: makeThen(makeRecurrence, act('pause')) },
  'recurring_invoice.cancelled': { trigger: makeThen(makeRecurrence, act('cancel')) },
  'recurring_invoice.executed': {
    data: Type.Object({ recurring_invoice: Reference, invoice: Reference }),
    trigger: makeThen(makeRecurrence, act('emit')),
  },
  'recurring_invoice.failed': {
    data: Type.Object({
      recurring_invoice: Reference,
      occurrence_on: DayText,
      error: Type.Object({
        code: Type.String({ examples: ['business_rule_violation'] }),
        param: Nullable(Type.String()),
      }),
    }),
    other_way:
      'Archive the client of a recurrence, then move the sandbox clock beyond its next_run_at (PUT /v1/sandbox/clock).',
  },
  'recurring_invoice.completed': {
    trigger: makeThen((api) => post(api, path, { ...draft, max_occurrences: 1 }), act('emit')),
  },
});
