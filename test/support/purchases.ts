/** Purchases of one company, registered by calls. */
import assert from 'node:assert/strict';
import type { Answer, App } from '../harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer
type Answered = any;

export const purchasesPath = '/v1/purchase_invoices';

export async function givenPurchases(app: App) {
  const company = await app.given.company();
  const key = company.live_key;
  const post = (at: string, body: object = {}): Promise<Answer> => app.post(at, { key, body });
  const done = async (at: string, body?: object): Promise<Answered> => {
    const answer = await post(at, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${at}: ${answer.text}`);
    return answer.body.data;
  };
  const supplier = await done('/v1/suppliers', { name: 'Papelera del Sur', tax_id: 'B00000018' });
  let count = 0;
  /** A full invoice of 100 € at 21 %, with what is said of it. */
  const paper = (more: object = {}) => ({
    supplier_id: supplier.id as string,
    number: `A-${++count}`,
    issued_on: '2026-01-12',
    received_on: '2026-01-14',
    lines: [{ description: 'Papel', unit_price: 100, tax_rate: 21 }],
    ...more,
  });
  const register = (more: object = {}) => done(purchasesPath, paper(more));
  const at = (id: string, word = '') => `${purchasesPath}/${id}${word}`;
  const read = async (id: string): Promise<Answered> => (await app.get(at(id), { key })).body.data;
  const put = (id: string, body: object) => app.put(at(id), { key, body });
  const eventsOf = (id: string) => app.eventTypes(company, id);
  return { company, key, post, put, done, supplier, paper, register, at, read, eventsOf };
}
