import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, onOwnDatabase } from '../../../test/harness.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { Database } from '../../platform/db.ts';
import { systemClock } from '../../platform/clock.ts';
import { fanOut } from './fan-out.ts';

const startApp = onOwnDatabase();

/** Sees every text that a statement of its transactions is given. */
function watching(db: Database, see: (text: string) => void): Database {
  const seen = (tx: Tx) =>
    new Proxy(tx, {
      apply(target, self, given: unknown[]) {
        for (const value of given) if (typeof value === 'string') see(value);
        return Reflect.apply(target as never, self, given) as unknown;
      },
    });
  const transaction: Database['transaction'] = (company_id, work, share) =>
    db.transaction(company_id, (tx) => work(seen(tx)), share);
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Its annulment takes back each of its payments. */
async function givenPaidInvoice(
  app: App,
  key: string,
  company_id: string,
  payments: number,
): Promise<string> {
  const lines = [{ description: 'x', unit_price: 100, tax_rate: 21 }];
  const made = await app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  const paid = await app.post(`/v1/invoices/${id}/payments`, {
    key,
    body: { amount: 1, payment_method: 'cash', metadata },
  });
  assert.equal(paid.status, 201, paid.text);
  await app.sql`
    insert into payments (company_id, id, invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at)
    select company_id, gen_random_uuid(), invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at
      from payments, generate_series(2, ${payments}::int) where company_id = ${company_id} and invoice_id = ${id}`;
  await app.sql`update invoices set paid_amount = ${payments} where company_id = ${company_id} and id = ${id}`;
  return id;
}

test('given an annulment that takes back many large payments, when its events become deliveries, then no statement is given them all, and each delivery is there', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const body = { url: 'https://hooks.example.com/folio', enabled_events: ['payment.reversed'] };
  for (let i = 0; i < 2; i++) {
    const endpoint = await app.post('/v1/webhook_endpoints', { key, body });
    assert.equal(endpoint.status, 201, endpoint.text);
  }
  const id = await givenPaidInvoice(app, key, company_id, 100);
  const annulled = await app.post(`/v1/invoices/${id}/annul`, { key, body: { revert_collections: true } });
  assert.equal(annulled.status, 200, annulled.text);
  let longest = 0;
  const db = watching(app.db, ({ length }) => {
    longest = Math.max(longest, length);
  });

  const made = await fanOut({ db, clock: systemClock }, company_id, undefined);

  assert.deepEqual(
    made.fed.map(({ deliveries }) => deliveries.length),
    [100, 100],
  );
  assert.ok(longest < 600_000, `${longest} characters`);
  const rows = await app.sql<{ event_id: string; is_own: boolean }[]>`
    select d.event_id, d.request_body like '%' || e.aggregate_id || '%' as is_own
      from webhook_deliveries d join events e on e.company_id = d.company_id and e.id = d.event_id
     where d.company_id = ${company_id}`;
  assert.equal(rows.length, 200);
  assert.ok(rows.every(({ is_own }) => is_own));
});
