/** The transaction that takes a number emits its events. */
import { randomInt } from 'node:crypto';
import { documentKinds } from '../../domain/sales/document-kinds.ts';
import { Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  type Made,
  makeThen,
  makeTicket,
  post,
  put,
  Reference,
  remove,
  type TriggerApi,
} from '../events/index.ts';

/** The random code makes a clash unlikely. */
function makeSeries(api: TriggerApi): Promise<Made> {
  const code = `T${randomInt(36 ** 5)
    .toString(36)
    .toUpperCase()
    .padStart(5, '0')}Z`;
  return post(api, '/v1/series', { code, document_type: 'proforma', name: 'Prueba' });
}

/** Restores the earlier default. */
async function changeDefault(api: TriggerApi): Promise<void> {
  const made = await makeSeries(api);
  const { body } = await api.call<{ data: Made[] }>('GET', '/v1/series', { query: { limit: '100' } });
  const before = body.data.find((one) => one.document_type === 'proforma' && one.is_default === true);
  await post(api, `/v1/series/${made.id}/set-default`);
  if (before) await post(api, `/v1/series/${before.id}/set-default`);
}

/** The document that took the number: one of these. Purchase invoices have numbers and no paper. */
const numbered = Object.fromEntries(
  [...Object.keys(documentKinds), 'purchase_invoice'].map((kind) => [kind, Type.Optional(Reference)]),
);

export const seriesEvents = defineEvents({
  'series.created': { trigger: makeSeries },
  'series.updated': {
    trigger: makeThen(makeSeries, (api, id) => put(api, `/v1/series/${id}`, { name: 'Prueba bis' })),
  },
  'series.deleted': { trigger: makeThen(makeSeries, (api, id) => remove(api, `/v1/series/${id}`)) },
  'series.archived': { trigger: makeThen(makeSeries, (api, id) => post(api, `/v1/series/${id}/archive`)) },
  'series.unarchived': {
    trigger: makeThen(makeSeries, async (api, id) => {
      await post(api, `/v1/series/${id}/archive`);
      await post(api, `/v1/series/${id}/unarchive`);
    }),
  },
  'series.marked_as_default': { trigger: changeDefault },
  'series.demoted_from_default': { trigger: changeDefault },
  'series.number_consumed': {
    data: Type.Object({ series: Reference, ...numbered }),
    trigger: makeTicket,
  },
  'series.year_reset': {
    other_way: 'Issue an invoice, move the sandbox clock to the next year and issue another.',
  },
  'series.month_reset': {
    other_way:
      'Issue an invoice in a series with reset month, move the sandbox clock to the next month and issue another.',
  },
});
