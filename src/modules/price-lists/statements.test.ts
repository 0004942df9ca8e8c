/**
 * Without a price list no statement is sent for prices; with one, two are, however long the document is. A call that only asks reads
 * prices together with products.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { onOwnDatabase, startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { countRowsRead } from '../../../test/support/rows-read.ts';
import { watchStatements } from '../../../test/support/statements.ts';
import { findItemsFor, findSteps } from './price-list-items.store.ts';

/** What is known of a table decides which plan PostgreSQL keeps. */
const startAlone = onOwnDatabase();

const isOfPrices = (text: string) => /\bprice_list(s|_items)\b/.test(text);
const isOfPlans = (text: string) => /\benable_sort\b/.test(text);

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
  // Around the one of the prices: that it may not sort, and that others may.
  assert.deepEqual(listed.filter(isOfPlans), ['set local enable_sort = off', 'set local enable_sort = on']);
  assert.equal(listed.length, said.length + 4);
});

test('given a list, when lines are resolved, then what they say is read at once, and only what is sold instead once more', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const list = await create(app, '/v1/price-lists', key, { name: 'Única', is_default: true });
  const client = await create(app, '/v1/clients', key, { name: 'Librería', price_list_id: list.id });
  const [plain, other] = await Promise.all(
    ['Silla', 'Mesa'].map((name) => create(app, '/v1/products', key, { name, unit_price: 100 })),
  );
  const boxed = await create(app, '/v1/products', key, {
    name: 'Papel',
    unit_price: 4,
    presentations: [{ name: 'Caja', factor: 5, is_default: true }],
  });
  const send = await watchStatements(t, app, key);
  const itemsReadFor = async (body: object) => {
    const sent = await send('/v1/price-lists/resolve', body);
    return sent.filter((text) => /\bprice_list_items\b/.test(text)).length;
  };
  const two = [{ product_id: plain!.id, quantity: 3 }, { product_id: other!.id }];
  for (const by of [{}, { client_id: client.id }, { price_list_id: list.id }])
    assert.equal(await itemsReadFor({ ...by, lines: two }), 1);
  // Its default presentation is what is sold.
  assert.equal(await itemsReadFor({ lines: [...two, { product_id: boxed.id }] }), 2);
});

test('given combinations of a hundred steps, when a price is looked for, then no other step is read', async (t) => {
  const app = await startAlone(t);
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
  await app.sql`analyze price_list_items`;
  const ids = await app.sql<{ id: string }[]>`select id from products where company_id = ${company_id}`;
  const cases = [
    { units: 1_000_000_000n, with_next: false, found: 1, read: 1 },
    { units: 1_000_000_000n, with_next: true, found: 1, read: 1 },
    { units: 500_000n, with_next: true, found: 1, read: 2 },
    // One more row, to see that the next quantity has no other period.
    { units: 98_500_000n, with_next: true, found: 2, read: 3 },
  ];
  for (const { units, with_next, found, read } of cases) {
    const asked = ids.map(({ id }) => ({
      product_id: id,
      variant_id: null,
      presentation_id: null,
      units,
    }));
    const got = await countRowsRead(app, company_id, 'price_list_items', (tx) =>
      findItemsFor(tx, company_id, list.id, asked, { on_date: '2026-11-23', with_next }),
    );
    assert.equal(got.found.length / products, found, String(units));
    assert.ok(got.read <= read * products, `${units} read ${got.read / products} rows a product`);
  }
});

/** A list of 20 variants with 100 steps each, which PostgreSQL supposes to be empty: it has counted another one alone. */
async function importedList(t: TestContext) {
  const app = await startAlone(t);
  const { live_key: key, company_id } = await app.given.company();
  const [counted, imported] = await Promise.all(
    ['Contada', 'Importada'].map((name) => create(app, '/v1/price-lists', key, { name })),
  );
  const values = Array.from({ length: 20 }, (_, at) => `Talla ${at}`);
  const product = await create(app, '/v1/products', key, {
    name: 'Camiseta',
    unit_price: 10,
    attributes: [{ name: 'Talla', values: values.map((name) => ({ name })) }],
    variants: values.map((value) => ({ name: value, values: [{ attribute: 'Talla', value }] })),
    presentations: [{ name: 'Caja', factor: 5 }],
  });
  const fill = (list_id: string) => app.sql`
    insert into price_list_items (company_id, id, price_list_id, product_id, variant_id, min_quantity, unit_price, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), ${list_id}, v.product_id, v.id, n, 200 - n, now(), now()
      from product_variants v, generate_series(1, 100) n where v.company_id = ${company_id}`;
  await app.sql`alter table price_list_items set (autovacuum_enabled = false)`;
  await fill(counted!.id);
  await app.sql`analyze price_list_items`;
  await fill(imported!.id);
  const { variants, presentations } = product as unknown as Record<string, { id: string }[]>;
  return {
    app,
    company_id,
    list_id: imported!.id,
    product_id: product.id,
    variant_ids: variants!.map(({ id }) => id),
    presentation_id: presentations![0]!.id,
  };
}

test('given a list that was imported since PostgreSQL counted the rows, when prices of variants are looked for, then no other step is read', async (t) => {
  const { app, company_id, list_id, product_id, variant_ids, presentation_id } = await importedList(t);
  const asked = variant_ids.map((variant_id) => ({
    product_id,
    variant_id,
    presentation_id,
    units: 50_000_000n,
  }));
  for (const [with_next, each] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const got = await countRowsRead(app, company_id, 'price_list_items', (tx) =>
      findItemsFor(tx, company_id, list_id, asked, { on_date: '2026-11-23', with_next }),
    );
    assert.equal(got.found.length, each * asked.length);
    // One more row, to see that the next quantity has no other period.
    assert.ok(got.read <= (each + 1) * asked.length, `${got.read} rows read for ${asked.length} variants`);
  }
});

test('given a list that was imported since PostgreSQL counted the rows, when more of it is imported, then only the steps that it meets are read', async (t) => {
  const { app, company_id, list_id, product_id, variant_ids, presentation_id } = await importedList(t);
  const plain = { price_list_id: list_id, min_quantity: '1', unit_price: '1', discount_percent: null };
  const item = { ...plain, product_id, valid_from: null, valid_to: null };
  const cases = [
    { variant_id: variant_ids[0]!, presentation_id: null, steps: 100 },
    { variant_id: variant_ids[0]!, presentation_id, steps: 0 },
    { variant_id: null, presentation_id, steps: 0 },
    { variant_id: null, presentation_id: null, steps: 0 },
  ];
  for (const { steps, ...named } of cases) {
    const { found, read } = await countRowsRead(app, company_id, 'price_list_items', (tx) =>
      findSteps(tx, company_id, list_id, [{ ...item, ...named }]),
    );
    assert.equal(found.length, steps);
    assert.ok(read <= steps, `${read} rows read for ${steps} steps of ${JSON.stringify(named)}`);
  }
});
