import { defineEvents, makeThen, post, put, type TriggerApi } from '../events/index.ts';

const makeProduct = (api: TriggerApi) => post(api, '/v1/products', { name: 'Consultoría', unit_price: 100 });

export const productsEvents = defineEvents({
  'product.created': { trigger: makeProduct },
  'product.updated': {
    trigger: makeThen(makeProduct, (api, id) => put(api, `/v1/products/${id}`, { unit_price: 120 })),
  },
});
