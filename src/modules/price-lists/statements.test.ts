/** Who has no price list pays nothing for it, and who has one two statements, whatever the document has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { countRowsRead } from '../../../test/support/rows-read.ts';
import { watchStatements } from '../../../test/support/statements.ts';
import { findItemsFor } from './price-list-items.store.ts';

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

test('given combinations of a hundred steps, when a price is looked for, then they are walked in their order, up to it', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const list = await create(app, '/v1/price-lists', key, { name: 'Por cantidad' });
  const products = 30;
  await app.sql`
    insert into products (company_id, id, name, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), 'Silla', now(), now() from generate_series(1, ${products}::int)`;
  await app.sql`
    insert into price_list_items (company_id, id, price_list_id, product_id, min_quantity, unit_price, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), ${list.id}, p.id, n, 200 - n, now(), now()
      from products p, generate_series(1, 100) n where p.company_id = ${company_id}`;
  const ids = await app.sql<{ id: string }[]>`select id from products where company_id = ${company_id}`;
  const cases = [
    // The last step is the first that is read; for the next one all are passed over.
    { quantity: '1000', with_next: false, found: 1, read: 1 },
    { quantity: '1000', with_next: true, found: 1, read: 101 },
    { quantity: '0.5', with_next: true, found: 1, read: 102 },
    { quantity: '98.5', with_next: true, found: 2, read: 104 },
  ];
  for (const { quantity, with_next, found, read } of cases) {
    const asked = ids.map(({ id }) => ({
      product_id: id,
      variant_id: null,
      presentation_id: null,
      quantity,
    }));
    const got = await countRowsRead(app, company_id, 'price_list_items', (tx) =>
      findItemsFor(tx, company_id, list.id, asked, { on_date: '2026-11-23', with_next }),
    );
    assert.equal(got.found.length / products, found, quantity);
    assert.ok(got.read <= read * products, `${quantity} read ${got.read / products} rows a product`);
  }
});
