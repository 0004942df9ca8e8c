/** What triggers share: calls of a sandbox's API, and common documents. */

export type TriggerApi = {
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: { query?: Record<string, string>; body?: unknown },
  ): Promise<{ body: T }>;
};

/** Does the real thing, so that all that belongs to the event happens too. */
export type Trigger = (api: TriggerApi) => Promise<unknown>;

export type Made = { id: string; [member: string]: unknown };
type Make = (api: TriggerApi) => Promise<Made>;

export async function post(api: TriggerApi, path: string, body: unknown = {}): Promise<Made> {
  return (await api.call<{ data: Made }>('POST', path, { body })).body.data;
}

export const put = (api: TriggerApi, path: string, body: unknown) => api.call('PUT', path, { body });
export const remove = (api: TriggerApi, path: string) => api.call('DELETE', path);

export const makeThen =
  (make: Make, act: (api: TriggerApi, id: string) => Promise<unknown>): Trigger =>
  async (api) =>
    act(api, (await make(api)).id);

export const newMetadata = { metadata: { origin: 'folio events trigger' } };

/** The simulator accepts the records of this tax id (docs/sandbox-magic-values.md). */
export const makeClient: Make = (api) =>
  post(api, '/v1/clients', { name: 'Librería Norte SL', tax_id: 'B00000018' });

const lines = [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 }];

export const makeDraft: Make = (api) => post(api, '/v1/invoices', { type: 'F2', lines });

export const makeTicket: Make = (api) =>
  post(api, '/v1/invoices', { type: 'F2', lines, options: { issue: true } });

export const makePaidTicket: Make = (api) =>
  post(api, '/v1/invoices', { type: 'F2', lines, options: { issue: true }, payment: { method: 'card' } });
