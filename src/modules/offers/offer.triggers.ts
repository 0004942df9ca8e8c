/** What causes the events of offers in a sandbox, for `folio events trigger`. */
import {
  type Made,
  makeClient,
  makeThen,
  newMetadata,
  post,
  put,
  remove,
  type Trigger,
  type TriggerApi,
} from '../events/index.ts';

const lines = [{ description: 'Reforma del local', quantity: 1, unit_price: 1200, tax_rate: 21 }];

/** @param path `/v1/quotes` */
export function offerTriggers(path: string) {
  const create = async (api: TriggerApi, more: object = {}): Promise<Made> => {
    const client = await makeClient(api);
    return post(api, path, { client_id: client.id, lines, ...more });
  };
  const make = (api: TriggerApi) => create(api);
  const pending = (api: TriggerApi) => create(api, { options: { mark_pending: true } });
  return {
    make: { trigger: make },
    edit: { trigger: makeThen(make, (api, id) => put(api, `${path}/${id}`, { notes: 'Urgente' })) },
    remove: { trigger: makeThen(make, (api, id) => remove(api, `${path}/${id}`)) },
    relabel: { trigger: makeThen(make, (api, id) => put(api, `${path}/${id}`, newMetadata)) },
    pending: { trigger: pending },
    /** @param word the last one of the move's path */
    move: (word: string): { trigger: Trigger } => ({
      trigger: makeThen(pending, (api, id) => post(api, `${path}/${id}/${word}`)),
    }),
    expire: {
      other_way:
        'Mark one with valid_until as pending, then move the sandbox clock beyond that day (PUT /v1/sandbox/clock).',
    },
    /** @param address of the magic ones */
    email: (address: string) => ({
      other_way: `Send one to ${address}@sandbox.example (docs/sandbox-magic-values.md).`,
    }),
  };
}
