/** What registering a purchase asks of the database: its number costs the lock of its series and one statement more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { countRowsRead } from '../../../test/support/rows-read.ts';
import { watchStatements } from '../../../test/support/statements.ts';
import type { Tx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import { insertRows } from '../../platform/rows.ts';
import { findDocuments } from '../sales/documents.store.ts';
import { purchaseInvoices } from './index.ts';
import { findSamePaper, hasSameNumber } from './purchase-invoices.store.ts';

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

test('given a supplier of many papers and no statistics, when one is looked for, then no other is read', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const lines = [{ description: 'Papel', unit_price: 100, tax_rate: 21 }];
  const paper = { supplier_id: supplier.id, number: 'A-1', issued_on: '2026-01-12', draft: true, lines };
  const { id } = await create(app, '/v1/purchase_invoices', key, paper);
  const [model] = await findDocuments(app.sql, purchaseInvoices, company_id, [id]);
  assert.ok(model);
  const copies = Array.from({ length: 2000 }, (_, i) => ({
    ...model,
    id: newId(),
    supplier_number: `B-${i >> 1}`,
    issued_on: i % 2 === 0 ? '2026-01-12' : '2026-01-13',
  }));
  const columns = purchaseInvoices.written_columns;
  await app.db.transaction(company_id, (tx) =>
    insertRows(tx, company_id, 'purchase_invoices', columns, copies),
  );
  const readBy = <T>(work: (tx: Tx) => Promise<T>) =>
    countRowsRead(app, company_id, 'purchase_invoices', work);
  const last = copies.at(-1)!;
  const other = await readBy((tx) => hasSameNumber(tx, company_id, last));
  assert.equal(other.found, true);
  const none = await readBy((tx) => hasSameNumber(tx, company_id, { ...last, supplier_number: 'C-1' }));
  assert.equal(none.found, false);
  const same = await readBy((tx) =>
    findSamePaper(tx, company_id, { supplier_id: supplier.id, number: 'b-999' }),
  );
  assert.deepEqual(
    same.found,
    copies
      .slice(-2)
      .map((one) => one.id)
      .reverse(),
  );
  assert.deepEqual(
    [other, none, same].filter(({ read }) => read > 4),
    [],
  );
});
