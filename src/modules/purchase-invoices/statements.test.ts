/** What registering a purchase asks of the database: its number costs the lock of its series and one statement more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { watchStatements } from '../../../test/support/statements.ts';

test('given a purchase of five lines, when it is received with its number, then its counter is asked for once', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const send = await watchStatements(t, app, key);
  let made = 0;
  const statements = () =>
    send('/v1/purchase_invoices', {
      supplier_id: supplier.id,
      number: `A-${++made}`,
      issued_on: '2026-01-12',
      lines: Array.from({ length: 5 }, () => ({ description: 'Papel', unit_price: 100, tax_rate: 21 })),
      expected_total: 605,
    });
  // The first calls of a process and of a key read more.
  await statements();
  await statements();
  const sent = await statements();
  assert.equal(sent.filter((text) => /\bseries_counters\b/.test(text)).length, 1);
  // From the credential to the commit.
  assert.ok(sent.length <= 16, `${sent.length} statements`);
});
