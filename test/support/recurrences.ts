/** Recurrences for tests. */
import assert from 'node:assert/strict';
import type { App } from '../harness.ts';

export const line = { description: 'Cuota de {month_name} de {year}', unit_price: 50, tax_rate: 21 };

export function recurrence(more: object = {}) {
  return {
    name: 'Alquiler local',
    type: 'F2',
    frequency: 'monthly',
    starts_on: '2027-01-31',
    lines: [line],
    ...more,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
export type Shown = any;

/** A company at a time of its own, with a client who has an address. */
export async function given(app: App, time: string, environment: 'live' | 'test' = 'live') {
  app.clock.set(time);
  const company = await app.given.company();
  const key = environment === 'live' ? company.live_key : company.test_key;
  const company_id = environment === 'live' ? company.company_id : company.sandbox_company_id;
  const path = '/v1/recurring_invoices';
  const post = (at: string, body?: unknown) => app.post(at, { key, ...(body === undefined ? {} : { body }) });
  const make = async (at: string, body: unknown): Promise<Shown> => {
    const answer = await post(at, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const client = await make('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'n@example.com',
  });
  return {
    company,
    company_id,
    key,
    path,
    client,
    post,
    make,
    create: (more: object = {}) => make(path, recurrence(more)),
    get: async (id: string): Promise<Shown> => (await app.get(`${path}/${id}`, { key })).body.data,
    put: (id: string, body: unknown) => app.put(`${path}/${id}`, { key, body }),
    act: (id: string, word: string, body?: unknown) => post(`${path}/${id}/${word}`, body),
    invoices: async (): Promise<Shown[]> =>
      (await app.get('/v1/invoices', { key, query: { limit: '100', sort: 'created' } })).body.data,
    /** Oldest first. */
    occurrences: async (id: string): Promise<Shown[]> =>
      (await app.get(`${path}/${id}/occurrences`, { key, query: { limit: '100' } })).body.data.reverse(),
    /** Live companies run on real time. */
    runAt: async (now: string) => {
      app.clock.set(now);
      await app.service.worker.runDue(company_id);
    },
  };
}
