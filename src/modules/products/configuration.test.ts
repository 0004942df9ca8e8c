/** What a product is sold as: it is kept as sent, checked as a whole, and what documents name stays. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { shirt } from '../../../test/support/configured-products.ts';
import { assertRefused, assertRoundTrip, create } from '../../../test/support/resource-checks.ts';

type Named = { id: string; name: string };
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Product = any;

async function given(t: TestContext) {
  const app = await startApp(t);
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

const two = [{ name: 'A' }, { name: 'B' }];
const colours = { attributes: [{ name: 'Color', values: two }] };
const of = (value: string, more: object = {}) => ({ values: [{ attribute: 'Color', value }], ...more });
const box = { name: 'Caja', factor: 12 };
const group = { name: 'Grabado', values: [{ name: 'Láser' }] };
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}` }));

const refused: [what: string, parts: object, param: string][] = [
  ['six attributes', { attributes: many(6).map((one) => ({ ...one, values: two })) }, 'attributes'],
  [
    'an attribute twice',
    {
      attributes: [
        { name: 'A', values: two },
        { name: 'A', values: two },
      ],
    },
    'attributes.1.name',
  ],
  [
    'a value twice',
    { attributes: [{ name: 'A', values: [...two, { name: 'B' }] }] },
    'attributes.0.values.2.name',
  ],
  ['51 values', { attributes: [{ name: 'A', values: many(51) }] }, 'attributes.0.values'],
  [
    'an id on a new part',
    { attributes: [{ id: '019a0000-0000-7000-8000-000000000000', name: 'A', values: two }] },
    'attributes.0.id',
  ],
  ['a variant without all attributes', { ...colours, variants: [{ name: 'x' }] }, 'variants.0.values'],
  [
    'a variant with two values of one',
    { ...colours, variants: [{ values: [...of('A').values, ...of('B').values] }] },
    'variants.0.values',
  ],
  ['a value that is none', { ...colours, variants: [of('C')] }, 'variants.0.values.0.value'],
  ['the same combination', { ...colours, variants: [of('A'), of('A', { name: 'x' })] }, 'variants.1.values'],
  [
    'a code twice',
    { ...colours, variants: [of('A', { code: 'x' }), of('B', { code: 'x' })] },
    'variants.1.code',
  ],
  ['501 variants', { variants: many(501) }, 'variants'],
  [
    'a tax that is none',
    { variants: [{ name: 'x', taxes_id: '019a0000-0000-7000-8000-000000000000' }] },
    'variants.0.taxes_id',
  ],
  ['a factor of 0', { presentations: [{ ...box, factor: 0 }] }, 'presentations.0.factor'],
  [
    'a factor of seven decimals',
    { presentations: [{ ...box, factor: 0.0000001 }] },
    'presentations.0.factor',
  ],
  [
    'two defaults',
    {
      presentations: [
        { ...box, is_default: true },
        { ...box, name: 'x', is_default: true },
      ],
    },
    'presentations.1.is_default',
  ],
  [
    'a variant that is none',
    { presentations: [{ ...box, variant_ids: ['x'] }] },
    'presentations.0.variant_ids.0',
  ],
  ['21 presentations', { presentations: many(21).map((one) => ({ ...one, factor: 1 })) }, 'presentations'],
  ['a group without options', { option_groups: [{ ...group, values: [] }] }, 'option_groups.0.values'],
  ['51 options', { option_groups: [{ ...group, values: many(51) }] }, 'option_groups.0.values'],
  [
    'an addition of nine decimals',
    { option_groups: [{ ...group, values: [{ name: 'x', price_delta: 0.000000001 }] }] },
    'option_groups.0.values.0.price_delta',
  ],
  ['a pack without components', { pack: { components: [] } }, 'pack.components'],
  [
    'a pack of nobody',
    { pack: { components: [{ product_id: '019a0000-0000-7000-8000-000000000000' }] } },
    'pack.components.0.product_id',
  ],
];

test('given parts that do not go together, when a product is made, then the first at fault is named', async (t) => {
  const { app, key } = await given(t);
  for (const [what, parts, param] of refused) {
    const answer = await app.post('/v1/products', { key, body: { name: 'x', ...parts } });
    assert.equal(answer.status, 422, `${what} ${answer.text}`);
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  for (const [parts, param] of [
    [{ attributes: [{ values: two }] }, 'attributes.0.name'],
    [{ presentations: [{ name: 'Caja' }] }, 'presentations.0.factor'],
  ] as const)
    assertRefused(
      await app.post('/v1/products', { key, body: { name: 'x', ...parts } }),
      422,
      'missing_required_param',
      param,
    );
});

test('given parts, when some are sent again, then known ids keep what is not sent, and what is not named goes', async (t) => {
  const { app, company, make, put } = await given(t);
  const made = await make(shirt);
  const [red, blue] = made.variants;
  const [unit, crate] = made.presentations;
  const answer = await put(made.id, {
    variants: [{ id: blue.id, unit_price: null, is_active: false }],
    presentations: [
      { id: unit.id, name: 'Suelta' },
      { name: 'Palé', factor: 0.000001, is_default: true },
    ],
    option_groups: null,
  });
  assert.equal(answer.status, 200, answer.text);
  const { data } = answer.body;
  assert.deepEqual(data.variants, [{ ...blue, unit_price: null, is_active: false }]);
  const [loose, pallet] = data.presentations;
  assert.deepEqual(loose, { ...unit, name: 'Suelta', is_default: false });
  assert.deepEqual([pallet.name, pallet.factor, pallet.is_default], ['Palé', 0.000001, true]);
  assert.deepEqual([data.option_groups, data.has_options], [[], false]);
  assert.deepEqual(await app.eventTypes(company, made.id), ['product.created', 'product.updated']);
  for (const [path, id] of [
    ['variants', red.id],
    ['presentations', crate.id],
  ] as const)
    assertRefused(await put(made.id, { [path]: [{ id }] }), 422, 'parameter_invalid', `${path}.0.id`);
  // Nobody may lose the attribute of a variant that is sold.
  const back = await put(made.id, { variants: [{ id: blue.id, is_active: true }] });
  assert.equal(back.status, 200, back.text);
  assertRefused(await put(made.id, { attributes: [] }), 422, 'parameter_invalid', 'variants.0.values');
});
