/** Who has no price list pays nothing for it, and who has one two statements, whatever the document has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { openWire } from '../../../test/support/database-wire.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { startChild } from '../../../test/support/service-child.ts';

/** Written beside the call. */
const isAside = (text: string) => /api_keys|rate_windows/.test(text);
const isOfPrices = (text: string) => /\bprice_list(s|_items)\b/.test(text);

test('given no price list, when an invoice takes the prices of its products, then it sends what it sends with prices', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await create(app, '/v1/products', key, { name: 'Silla', unit_price: 100 });
  const client = await create(app, '/v1/clients', key, { name: 'Librería' });
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  const statements = async (line: object) => {
    const texts: string[] = [];
    wire.watch = (text) => {
      if (!isAside(text)) texts.push(text);
      return undefined;
    };
    const answer = await fetch(new URL('/v1/invoices', child.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: client.id,
        lines: [{ product_id: product.id, tax_rate: 21, ...line }],
      }),
    });
    assert.equal(answer.status, 201, await answer.text());
    wire.watch = () => undefined;
    return texts;
  };
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
