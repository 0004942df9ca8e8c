/** A desk that sells to clients and holds their accounts against what their invoices say. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type App, startApp } from '../harness.ts';

export const line = { description: 'Trabajo', unit_price: 100, tax_rate: 21 };

export type Entry = {
  id: string;
  date: string;
  type: string;
  currency: string;
  amount: number;
  balance: number;
  invoice: { id: string; number: string; type: string };
};
type Balance = { currency: string; invoiced: number; paid: number; pending: number; overdue: number };

export class Desk {
  readonly app: App;
  readonly key: string;
  constructor(app: App, key: string) {
    this.app = app;
    this.key = key;
  }
  async make(path: string, body: object = {}, status = 201) {
    const answer = await this.app.post(path, { key: this.key, body });
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.body.data;
  }
  async client(name = 'Norte SL'): Promise<string> {
    return (await this.make('/v1/clients', { name, tax_id: 'A58818501' })).id;
  }
  async sell(client_id: string | null, fields: object = {}): Promise<string> {
    const body = { client_id, lines: [line], options: { issue: true }, ...fields };
    return (await this.make('/v1/invoices', body)).id;
  }
  async pay(id: string, amount: number, payment_date?: string): Promise<string> {
    const body = { amount, payment_method: 'cash', ...(payment_date ? { payment_date } : {}) };
    return (await this.make(`/v1/invoices/${id}/payments`, body)).id;
  }
  async correct(id: string, type: 'differences' | 'substitution', quantity: number): Promise<string> {
    const body = { correction: { type }, lines: [{ ...line, quantity }] };
    return (await this.make(`/v1/invoices/${id}/corrective`, body)).id;
  }
  async balances(client: string): Promise<Balance[]> {
    const answer = await this.app.get(`/v1/clients/${client}/balance`, { key: this.key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.balances;
  }
  async statement(client: string, query: Record<string, string> = {}): Promise<Entry[]> {
    const answer = await this.app.get(`/v1/clients/${client}/statement`, { key: this.key, query });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  }
  /** Balance, statement and the invoices' own pending amounts are the same, and each entry's balance runs on. */
  async holds(client: string): Promise<void> {
    const query = { client_id: client, limit: '100' };
    const { data, has_more } = (await this.app.get('/v1/invoices', { key: this.key, query })).body;
    assert.equal(has_more, false);
    const entries = await this.statement(client, { limit: '100' });
    const cents = (amount: number) => Math.round(amount * 100);
    const balances = await this.balances(client);
    assert.deepEqual(
      new Set(entries.map(({ currency }) => currency)),
      new Set(balances.map(({ currency }) => currency)),
    );
    for (const { currency, invoiced, paid, pending } of balances) {
      assert.equal(cents(invoiced) - cents(paid), cents(pending));
      const own = data.filter(
        (one: { currency: string; status: string }) => one.currency === currency && one.status !== 'draft',
      );
      const sum = own.reduce(
        (all: number, one: { pending_amount: number }) => all + cents(one.pending_amount),
        0,
      );
      assert.equal(cents(pending), sum, currency);
      const moved = entries.filter((entry) => entry.currency === currency);
      let balance = 0;
      for (const entry of moved) {
        balance += cents(entry.amount);
        assert.equal(cents(entry.balance), balance, JSON.stringify(moved));
      }
      assert.equal(balance, sum, JSON.stringify(moved));
    }
  }
}

export async function openDesk(t: TestContext) {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  return { app, acme, desk: new Desk(app, acme.live_key) };
}
