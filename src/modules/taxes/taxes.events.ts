import { defineEvents, makeThen, newMetadata, post, put, type TriggerApi } from '../events/index.ts';

const makeTax = (api: TriggerApi) => post(api, '/v1/taxes', { name: 'IVA 21 %', kind: 'vat', rate: 21 });
const change = (fields: object) => makeThen(makeTax, (api, id) => put(api, `/v1/taxes/${id}`, fields));

export const taxesEvents = defineEvents({
  'tax.metadata_changed': { trigger: change(newMetadata) },
  'tax.validity_changed': { trigger: change({ valid_to: '2099-12-31' }) },
  'tax.external_reference_changed': { trigger: change({ external_reference: 'ERP-21' }) },
});
