import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { givenPaidInvoice } from '../../../test/support/paid-invoice.ts';
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
