/** A discount that a line says stays; one that came with its price goes with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any;

const shirt = {
  name: 'Camisa',
  unit_price: 10,
  attributes: [{ name: 'Talla', values: [{ name: 'S' }, { name: 'M' }, { name: 'L' }] }],
  variants: ['S', 'M', 'L'].map((value) => ({ values: [{ attribute: 'Talla', value }] })),
  presentations: [
    { name: 'Unidad', factor: 1, is_default: true },
    { name: 'Caja', factor: 10 },
  ],
};

test('given lines of a price list, when they sell something else, then the discount that they say stays, and the one of the list goes', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = (path: string, body: object): Promise<Json> => create<Json>(app, path, key, body);
  const product = await make('/v1/products', shirt);
  const [small, medium, large] = product.variants.map(({ id }: Json) => id);
  const box = product.presentations[1].id;
  const plain = await make('/v1/products', { name: 'Gorra', unit_price: 3 });
  const list = await make('/v1/price-lists', { name: 'Única' });
  const item = (body: object) =>
    make(`/v1/price-lists/${list.id}/items`, { product_id: product.id, ...body });
  await item({ variant_id: medium, discount_percent: 5 });
  await item({ variant_id: large, unit_price: 8 });
  const clients = {
    plain: await make('/v1/clients', { name: 'Ana', price_list_id: list.id }),
    usual: await make('/v1/clients', { name: 'Eva', price_list_id: list.id, default_discount: 3 }),
  };
  const recurrence = { name: 'Cuota', frequency: 'monthly', starts_on: '2199-01-01' };
  const families = [
    ['/v1/quotes', {}],
    ['/v1/recurring_invoices', recurrence],
  ] as const;
  type Case = [client: keyof typeof clients, line: object, change: object, kept: [number, number | null]];
  const cases: Case[] = [
    ['plain', { discount_percent: 7 }, { variant_id: medium }, [10, 7]],
    ['plain', { discount_percent: 7 }, { variant_id: large }, [8, 7]],
    ['plain', { discount_percent: 7 }, { presentation_id: box }, [100, 7]],
    ['plain', { discount_percent: 7 }, { product_id: plain.id }, [3, 7]],
    ['plain', {}, { variant_id: medium }, [10, 5]],
    ['plain', { variant_id: medium }, { variant_id: large }, [8, null]],
    ['plain', { variant_id: medium }, { product_id: plain.id }, [3, null]],
    ['plain', { variant_id: medium }, { variant_id: small, unit_price: 9 }, [9, null]],
    ['plain', { variant_id: medium }, { quantity: 2 }, [10, 5]],
    ['plain', { variant_id: medium }, { variant_id: large, discount_percent: 1 }, [8, 1]],
    ['usual', {}, { variant_id: medium }, [10, 5]],
    ['usual', { variant_id: medium }, { variant_id: large }, [8, 3]],
    ['usual', { discount_percent: 0 }, { variant_id: medium }, [10, 0]],
  ];
  for (const [path, own] of families)
    for (const [client, line, change, kept] of cases) {
      // A template finds anew what its lines do not say.
      if (path !== '/v1/quotes' && 'discount_percent' in line) continue;
      const sold = { product_id: product.id, variant_id: small, tax_rate: 21, ...line };
      const made = await make(path, { ...own, client_id: clients[client].id, lines: [sold] });
      const edit = { id: made.lines[0].id, ...('product_id' in change ? { tax_rate: 21 } : {}), ...change };
      const answer = await app.put(`${path}/${made.id}`, { key, body: { lines: [edit] } });
      assert.equal(answer.status, 200, answer.text);
      const [now] = answer.body.data.lines;
      const what = `${path} ${client} ${JSON.stringify([line, change])}`;
      assert.deepEqual([now.unit_price, now.discount_percent], kept, what);
      assert.ok(!('is_discount_found' in now), what);
    }

  // Said later, it is as good as said at first, also of a copy.
  const made = await make('/v1/quotes', {
    client_id: clients.plain.id,
    lines: [{ product_id: product.id, variant_id: medium, tax_rate: 21 }],
  });
  const copy = (await app.post(`/v1/quotes/${made.id}/duplicate`, { key })).body.data;
  const line = async (quote: Json, change: object): Promise<Json> => {
    const body = { lines: [{ id: quote.lines[0].id, ...change }] };
    const [now] = (await app.put(`/v1/quotes/${quote.id}`, { key, body })).body.data.lines;
    return [now.unit_price, now.discount_percent];
  };
  assert.deepEqual(await line(copy, { variant_id: large }), [8, null]);
  assert.deepEqual(await line(made, { discount_percent: 5, quantity: 4 }), [10, 5]);
  assert.deepEqual(await line(made, { discount_percent: 6 }), [10, 6]);
  assert.deepEqual(await line(made, { variant_id: large }), [8, 6]);

  const supplier = await make('/v1/suppliers', { name: 'Textil SL', default_discount: 2 });
  const bought = { product_id: product.id, variant_id: small, description: 'x', unit_price: 6, tax_rate: 21 };
  let count = 0;
  for (const [said, change, kept] of [
    [4, { variant_id: large }, 4],
    [4, { presentation_id: box }, 4],
    [null, { variant_id: large }, null],
  ] as const) {
    const purchase = await make('/v1/purchase_invoices', {
      supplier_id: supplier.id,
      number: `F-${++count}`,
      issued_on: '2026-06-15',
      lines: [{ ...bought, discount_percent: said }],
    });
    const body = { lines: [{ id: purchase.lines[0].id, ...change }] };
    const answer = await app.put(`/v1/purchase_invoices/${purchase.id}`, { key, body });
    assert.equal(answer.status, 200, answer.text);
    const [now] = answer.body.data.lines;
    assert.deepEqual([now.unit_price, now.discount_percent], [6, kept]);
  }
});
