/** What a product is sold as: it is kept as sent, checked as a whole, and what documents name stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { assertRefused, assertRoundTrip, create } from '../../../test/support/resource-checks.ts';

type Named = { id: string; name: string };
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Product = any;

export const shirt = {
  name: 'Camiseta',
  unit_price: 10,
  attributes: [
    { name: 'Color', values: [{ name: 'Rojo' }, { name: 'Azul' }] },
    { name: 'Talla', values: [{ name: 'S' }, { name: 'M' }] },
  ],
  variants: [
    {
      code: 'RS',
      values: [
        { attribute: 'Color', value: 'Rojo' },
        { attribute: 'Talla', value: 'S' },
      ],
    },
    {
      name: 'Azul mediana',
      code: 'AM',
      barcode: '8412345678905',
      values: [
        { attribute: 'Talla', value: 'M' },
        { attribute: 'Color', value: 'Azul' },
      ],
      unit_price: 12.12345678,
    },
  ],
  presentations: [
    { name: 'Unidad', factor: 1, is_default: true },
    { name: 'Caja', unit: 'caja', factor: 12.5, code: 'C12', variant_ids: ['AM'] },
  ],
  option_groups: [
    { name: 'Grabado', is_required: true, values: [{ name: 'Láser', price_delta: 2.5 }, { name: 'Tinta' }] },
    { name: 'Bolsa', variant_ids: ['RS'], values: [{ name: 'Papel', price_delta: 0.1 }] },
  ],
};

async function given(t: Parameters<Parameters<typeof test>[1] & object>[0]) {
  const app: App = await startApp(t as never);
  const company = await app.given.company();
  const key = company.live_key;
  const make = (body: object): Promise<Product> => create(app, '/v1/products', key, body);
  const put = (id: string, body: object) => app.put(`/v1/products/${id}`, { key, body });
  return { app, company, key, make, put };
}

const names = (list: Named[]) => list.map(({ name }) => name);

test('given all parts, when a product is made, then they are kept as sent, listed in brief, and put back unchanged', async (t) => {
  const { app, company, key, make } = await given(t);
  const made = await make(shirt);
  const [colour, size] = made.attributes;
  assert.deepEqual(names(made.variants), ['Rojo / S', 'Azul mediana']);
  assert.deepEqual(made.variants[1], {
    id: made.variants[1].id,
    name: 'Azul mediana',
    code: 'AM',
    barcode: '8412345678905',
    values: [
      { attribute_id: size.id, value_id: size.values[1].id },
      { attribute_id: colour.id, value_id: colour.values[1].id },
    ],
    unit_price: 12.12345678,
    taxes_id: null,
    is_active: true,
  });
  assert.deepEqual(made.presentations[1], {
    id: made.presentations[1].id,
    name: 'Caja',
    unit: 'caja',
    factor: 12.5,
    unit_price: null,
    code: 'C12',
    barcode: null,
    variant_ids: [made.variants[1].id],
    is_default: false,
    is_active: true,
  });
  assert.deepEqual(
    made.option_groups.map((one: Product) => [
      one.name,
      one.is_required,
      one.variant_ids,
      one.values.map((v: Product) => v.price_delta),
    ]),
    [
      ['Grabado', true, null, [2.5, 0]],
      ['Bolsa', false, [made.variants[0].id], [0.1]],
    ],
  );
  assert.deepEqual((await app.get(`/v1/products/${made.id}`, { key })).body.data, made);
  const {
    attributes: _,
    variants: __,
    presentations: ___,
    option_groups: ____,
    pack: _____,
    ...brief
  } = made;
  assert.deepEqual((await app.get('/v1/products', { key })).body.data, [brief]);
  assert.deepEqual(
    [made.has_variants, made.has_presentations, made.has_options, made.is_pack],
    [true, true, true, false],
  );
  await assertRoundTrip(app, company, '/v1/products', made.id);
});
