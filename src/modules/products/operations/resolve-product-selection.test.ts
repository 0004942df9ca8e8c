/** The rules are in domain/pricing; here is what the operation asks for, refuses and answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { shirt } from '../../../../test/support/configured-products.ts';
import { resolveProductSelection } from './resolve-product-selection.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any;

test('given a configured product, when a selection is resolved, then what is left, its state and its price are answered', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA 4 %', kind: 'vat', rate: 4 });
  const made = await create<Json>(app, '/v1/products', key, shirt);
  const [red, blue] = made.variants;
  const [unit, box] = made.presentations;
  const [engraving, bag] = made.option_groups;
  const path = `/v1/products/${made.id}/resolve-selection`;
  const resolve = async (body: object): Promise<Json> => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const told = ({ status, reason_code, variant, presentation, unit_price }: Json) => [
    status,
    reason_code,
    variant?.id ?? null,
    presentation?.id ?? null,
    unit_price,
  ];
  const ids = (list: Json[]) => list.map(({ id }) => id);

  const open = await resolve({});
  assert.deepEqual(told(open), ['ambiguous', 'several_variants_match', null, null, null]);
  assert.deepEqual(ids(open.compatible_variants), [red.id, blue.id]);
  assert.deepEqual(ids(open.compatible_presentations), [unit.id, box.id]);
  assert.deepEqual(
    open.pending_option_groups.map((one: Json) => [one.id, one.is_required, one.values.length]),
    [
      [engraving.id, true, 2],
      [bag.id, false, 1],
    ],
  );

  const [colour] = made.attributes;
  const by_colour = { attributes: [{ attribute_id: colour.id, value_id: colour.values[1].id }] };
  const blues = await resolve(by_colour);
  assert.deepEqual(told(blues), ['incomplete', 'option_groups_pending', blue.id, unit.id, null]);
  assert.deepEqual(ids(blues.pending_option_groups), [engraving.id]);

  const laser = { group_id: engraving.id, value_id: engraving.values[0].id };
  const sold = await resolve({ ...by_colour, presentation_id: box.id, options: [laser] });
  assert.deepEqual(told(sold), ['resolved', null, blue.id, box.id, 154.04320975]);
  assert.deepEqual(sold.options, [
    {
      group: { id: engraving.id, name: 'Grabado' },
      value: { id: laser.value_id, name: 'Láser' },
      price_delta: 2.5,
    },
  ]);
  assert.deepEqual(
    [sold.currency, sold.prices_include_tax, sold.price_list, sold.taxes],
    ['EUR', false, null, null],
  );

  const of_red = await resolve({ variant_id: red.id, presentation_id: box.id });
  assert.deepEqual(told(of_red).slice(0, 2), ['unavailable', 'presentation_not_for_variant']);
  assert.deepEqual(told(await resolve({ currency: 'USD' })).slice(0, 2), [
    'unavailable',
    'no_price_in_currency',
  ]);
  const against = await resolve({ variant_id: red.id, ...by_colour });
  assert.deepEqual(told(against).slice(0, 2), ['unavailable', 'no_variant_matches']);

  const { id, variants } = made;
  await app.put(`/v1/products/${id}`, {
    key,
    body: { variants: [{ id: red.id, taxes_id: tax.id }, variants[1]] },
  });
  const taxed = await resolve({ variant_id: red.id, options: [laser] });
  assert.deepEqual(
    [taxed.status, taxed.unit_price, taxed.taxes],
    ['resolved', 12.5, { id: tax.id, name: 'IVA 4 %', rate: 4 }],
  );

  const refused: [body: object, param: string][] = [
    [{ variant_id: newId() }, 'variant_id'],
    [{ presentation_id: newId() }, 'presentation_id'],
    [{ attributes: [{ attribute_id: newId(), value_id: colour.values[0].id }] }, 'attributes.0.attribute_id'],
    [{ attributes: [{ attribute_id: colour.id, value_id: newId() }] }, 'attributes.0.value_id'],
    [{ options: [{ group_id: newId(), value_id: laser.value_id }] }, 'options.0.value_id'],
    [{ options: [laser, { ...laser, value_id: engraving.values[1].id }] }, 'options.1'],
    [{ client_id: newId() }, 'client_id'],
    [{ currency: 'euros' }, 'currency'],
  ];
  for (const [body, param] of refused)
    assertRefused(await app.post(path, { key, body }), 422, 'parameter_invalid', param);

  await app.put(`/v1/products/${id}`, { key, body: { is_active: false } });
  assert.deepEqual(told(await resolve({})).slice(0, 2), ['unavailable', 'product_archived']);
  await assertNeedsScope(app, acme, 'products:read', 'POST', path, { body: {} });
  const other = await app.given.company();
  await assertHidesForeignIds(app, 'POST', (x) => `/v1/products/${x}/resolve-selection`, id, {
    key: other.live_key,
    body: {},
  });
});

test('given the operation, then it is rated as a read, keeps nothing, and takes no key', () => {
  const { rate, transaction, idempotency, events } = resolveProductSelection;
  assert.deepEqual([rate, transaction, idempotency, events ?? []], ['read', 'read', 'none', []]);
});
