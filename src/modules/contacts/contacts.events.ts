/** Suppliers have no events. */
import { defineEvents, makeClient, makeThen, newMetadata, put, remove } from '../events/index.ts';

export const contactsEvents = defineEvents({
  'client.created': { trigger: makeClient },
  'client.updated': {
    trigger: makeThen(makeClient, (api, id) => put(api, `/v1/clients/${id}`, { name: 'Librería Sur SL' })),
  },
  'client.metadata_changed': {
    trigger: makeThen(makeClient, (api, id) => put(api, `/v1/clients/${id}`, newMetadata)),
  },
  'client.deleted': { trigger: makeThen(makeClient, (api, id) => remove(api, `/v1/clients/${id}`)) },
});
