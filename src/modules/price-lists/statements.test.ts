/** Who has no price list pays nothing for it, and who has one two statements, whatever the document has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { watchStatements } from '../../../test/support/statements.ts';

const isOfPrices = (text: string) => /\bprice_list(s|_items)\b/.test(text);

test('given no price list, when an invoice takes the prices of its products, then it sends what it sends with prices', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await create(app, '/v1/products', key, { name: 'Silla', unit_price: 100 });
  const client = await create(app, '/v1/clients', key, { name: 'Librería' });
  const send = await watchStatements(t, app, key);
  const statements = (line: object) =>
    send('/v1/invoices', {
      client_id: client.id,
      lines: [{ product_id: product.id, tax_rate: 21, ...line }],
    });
  // The first calls of a process and of a key read more.
  await statements({ unit_price: 9 });
  await statements({});
  const said = await statements({ unit_price: 9 });
  const unsaid = await statements({});
  assert.ok(said.length >= 5);
  assert.deepEqual(unsaid, said);
  assert.deepEqual(unsaid.filter(isOfPrices), []);

  const list = await create(app, '/v1/price-lists', key, { name: 'Única', is_default: true });
  await create(app, `/v1/price-lists/${list.id}/items`, key, { product_id: product.id, unit_price: 90 });
  assert.deepEqual(await statements({ unit_price: 9 }), said);
  await statements({});
  const listed = await statements({});
  assert.equal(listed.filter(isOfPrices).length, 2);
  assert.equal(listed.length, said.length + 2);
});
