/** The rules of a selection against an oracle that enumerates every sale of small random products. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText } from '../money/amount.ts';
import { basePrice } from './base-price.ts';
import { type Choice, type Choices, type ChoiceVariant, resolveSelection } from './selection.ts';

/** A small generator of its own, so that a failure is found again by its seed. */
function dice(seed: number) {
  let state = seed;
  const next = (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  const maybe = (percent: number) => next(100) < percent;
  const some = <T>(list: readonly T[]) => list.filter(() => maybe(50));
  return { next, maybe, some, one: <T>(list: readonly T[]) => list[next(list.length)]! };
}

function anyProduct({ next, maybe, some }: ReturnType<typeof dice>): Choices {
  const price = () => `${next(40) - 10}.${next(100)}`;
  const variants = Array.from(
    { length: next(4) },
    (_, at): ChoiceVariant => ({
      id: `v${at}`,
      name: `v${at}`,
      unit_price: maybe(50) ? price() : null,
      taxes_id: null,
      values: [
        { attribute_id: 'a', value_id: `a${at % 2}` },
        { attribute_id: 'b', value_id: `b${at}` },
      ],
      is_active: maybe(75),
    }),
  );
  const variant_ids = () => (maybe(60) ? null : some(variants).map(({ id }) => id));
  const has_default = next(3);
  return {
    product: { id: 'p', unit_price: price(), is_active: maybe(95) },
    has_variants: variants.length > 0,
    has_active_variants: variants.some(({ is_active }) => is_active),
    variants,
    presentations: Array.from({ length: next(4) }, (_, at) => ({
      id: `p${at}`,
      name: `p${at}`,
      unit: null,
      factor: ['1', '12', '0.333333'][at % 3]!,
      unit_price: maybe(30) ? price() : null,
      variant_ids: variant_ids(),
      is_default: at === has_default,
      is_active: maybe(75),
    })),
    option_groups: Array.from({ length: next(3) }, (_, at) => ({
      id: `g${at}`,
      name: `g${at}`,
      is_required: maybe(40),
      variant_ids: variant_ids(),
      values: Array.from({ length: 1 + next(2) }, (__, v) => ({
        id: `g${at}o${v}`,
        name: 'o',
        price_delta: price(),
        is_active: maybe(80),
      })),
    })),
  };
}

function anyChoice(product: Choices, { next, maybe, one }: ReturnType<typeof dice>): Choice {
  const { variants, presentations, option_groups } = product;
  return {
    variant: variants.length > 0 && maybe(35) ? one(variants) : null,
    attributes: [
      ...(maybe(25) ? [{ attribute_id: 'a', value_id: `a${next(2)}` }] : []),
      ...(maybe(15) ? [{ attribute_id: 'b', value_id: `b${next(4)}` }] : []),
    ],
    presentation: presentations.length > 0 && maybe(35) ? one(presentations) : null,
    options: option_groups.flatMap((group) => (maybe(50) ? [{ group, value: one(group.values) }] : [])),
  };
}

type Sale = { variant: string | null; presentation: string | null; options: readonly string[] };

/** Every way to sell the product, without asking for what is required. */
function allSales({ product, variants, presentations, option_groups }: Choices): Sale[] {
  if (!product.is_active) return [];
  const goes = (ids: readonly string[] | null, id: string | null) =>
    ids === null || (id !== null && ids.includes(id));
  const of_variants =
    variants.length === 0 ? [null] : variants.filter((one) => one.is_active).map(({ id }) => id);
  return of_variants.flatMap((variant) => {
    const fitting = presentations
      .filter((one) => one.is_active && goes(one.variant_ids, variant))
      .map(({ id }) => id);
    let options: string[][] = [[]];
    for (const group of option_groups) {
      if (!goes(group.variant_ids, variant)) continue;
      const values = group.values.filter((one) => one.is_active).map(({ id }) => id);
      options = options.flatMap((chosen) => [chosen, ...values.map((id) => [...chosen, id])]);
    }
    return (fitting.length === 0 ? [null] : fitting).flatMap((presentation) =>
      options.map((chosen) => ({ variant, presentation, options: chosen })),
    );
  });
}

/** All sales that the choice leaves, before its options are asked for. */
function fittingSales(product: Choices, choice: Choice): Sale[] {
  const has = (variant: string | null) =>
    choice.attributes.every(({ attribute_id, value_id }) =>
      product.variants
        .find(({ id }) => id === variant)
        ?.values.some((one) => one.attribute_id === attribute_id && one.value_id === value_id),
    );
  const fits = ({ variant, presentation }: Sale) =>
    (choice.variant === null || variant === choice.variant.id) &&
    has(variant) &&
    (choice.presentation === null || presentation === choice.presentation.id);
  return allSales(product).filter(fits);
}

function expected(product: Choices, choice: Choice) {
  const chosen = choice.options.map(({ value }) => value.id);
  const fitting = fittingSales(product, choice);
  const sales = fitting.filter(({ options }) => chosen.every((id) => options.includes(id)));
  if (sales.length === 0) return { status: 'unavailable' };
  // Options narrow nothing.
  const variants = new Set(fitting.map(({ variant }) => variant));
  if (variants.size > 1) return { status: 'ambiguous', reason_code: 'several_variants_match' };
  const [variant = null] = variants;
  const presentations = [...new Set(fitting.map(({ presentation }) => presentation))];
  const standard = product.presentations.find(
    ({ id, is_default }) => is_default && presentations.includes(id),
  );
  if (presentations.length > 1 && !standard)
    return { status: 'ambiguous', reason_code: 'several_presentations_match' };
  const presentation = presentations.length > 1 ? standard!.id : (presentations[0] ?? null);
  const is_open = product.option_groups.some(
    ({ id, is_required, variant_ids }) =>
      is_required &&
      (variant_ids === null || (variant !== null && variant_ids.includes(variant))) &&
      !choice.options.some(({ group }) => group.id === id),
  );
  if (is_open) return { status: 'incomplete', reason_code: 'option_groups_pending', variant, presentation };
  return { status: 'resolved', reason_code: null, variant, presentation };
}

test('given random products and choices, when they are resolved, then it is what enumerating all sales says', () => {
  const seen: Record<string, number> = {};
  for (let seed = 1; seed <= 20_000; seed++) {
    const roll = dice(seed);
    const product = anyProduct(roll);
    const choice = anyChoice(product, roll);
    const found = resolveSelection(product, choice, basePrice);
    const { status, reason_code } = found;
    const wanted = expected(product, choice);
    const told = {
      status,
      reason_code,
      variant: found.variant?.id ?? null,
      presentation: found.presentation?.id ?? null,
    };
    for (const [name, value] of Object.entries(wanted))
      assert.deepEqual(told[name as keyof typeof told], value, `seed ${seed}: ${name}`);
    assert.equal(found.price !== null, status === 'resolved', `seed ${seed}`);
    const label = `${status} ${reason_code}`;
    seen[label] = (seen[label] ?? 0) + 1;
  }
  // Each reason but that of the currency has been reached.
  assert.equal(Object.keys(seen).length, 11, JSON.stringify(seen));
});

test('given random products and choices, when something is left, then it is what the fitting sales consist of', () => {
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
  const some = (list: readonly (string | null)[]) => [...new Set(list)].filter((id) => id !== null).sort();
  let narrowed = 0;
  for (let seed = 1; seed <= 20_000; seed++) {
    const roll = dice(seed);
    const product = anyProduct(roll);
    const choice = anyChoice(product, roll);
    const found = resolveSelection(product, choice, basePrice);
    if (found.status === 'unavailable') continue;
    const variants = new Set(fittingSales(product, choice).map(({ variant }) => variant));
    assert.deepEqual(ids(found.compatible_variants), some([...variants]), `seed ${seed}`);
    // Presentations that could replace a chosen one are compatible too.
    const of_variants = allSales(product).filter(({ variant }) => variants.has(variant));
    const presentations = some(of_variants.map(({ presentation }) => presentation));
    assert.deepEqual(ids(found.compatible_presentations), presentations, `seed ${seed}`);
    const taken = new Set(choice.options.map(({ group }) => group.id));
    const open = product.option_groups.flatMap(({ id, is_required, variant_ids, values }) => {
      const goes = variant_ids === null || variant_ids.some((one) => variants.has(one));
      const active = ids(values.filter(({ is_active }) => is_active));
      return !taken.has(id) && goes && (active.length > 0 || is_required) ? [[id, active]] : [];
    });
    assert.deepEqual(
      found.pending_groups.map(({ id, values }) => [id, ids(values)]),
      open,
      `seed ${seed}`,
    );
    if (found.compatible_variants.length < product.variants.length) narrowed++;
  }
  assert.ok(narrowed > 1000, String(narrowed));
});

const plain = { id: 'p', unit_price: '10', is_active: true };
const v = (id: string, more: object = {}) => ({
  id,
  name: id,
  unit_price: null,
  taxes_id: null,
  values: [],
  is_active: true,
  ...more,
});
const p = (id: string, more: object = {}) => ({
  id,
  name: id,
  unit: null,
  factor: '1',
  unit_price: null,
  variant_ids: null,
  is_default: false,
  is_active: true,
  ...more,
});
const g = (id: string, more: object = {}) => ({
  id,
  name: id,
  is_required: false,
  variant_ids: null,
  values: [{ id: `${id}o`, name: 'o', price_delta: '1', is_active: true }],
  ...more,
});
const of = (variants: object[], presentations: object[] = [], option_groups: object[] = []) =>
  ({
    product: plain,
    has_variants: variants.length > 0,
    has_active_variants: variants.some((one) => (one as ChoiceVariant).is_active),
    variants,
    presentations,
    option_groups,
  }) as Choices;
const nothing: Choice = { variant: null, attributes: [], presentation: null, options: [] };

const cases: [
  what: string,
  product: Choices,
  choice: Partial<Choice>,
  status: string,
  reason: string | null,
][] = [
  ['nothing to choose', of([]), {}, 'resolved', null],
  ['all variants archived', of([v('a', { is_active: false })]), {}, 'unavailable', 'variant_archived'],
  ['two variants', of([v('a'), v('b')]), {}, 'ambiguous', 'several_variants_match'],
  [
    'presentations of another variant only',
    of([v('a'), v('b')], [p('x', { variant_ids: ['b'] })]),
    { variant: v('a') },
    'resolved',
    null,
  ],
  [
    'a presentation that narrows to one variant',
    of([v('a'), v('b')], [p('x', { variant_ids: ['b'] })]),
    { presentation: p('x', { variant_ids: ['b'] }) },
    'resolved',
    null,
  ],
  [
    'a required group of another variant',
    of([v('a'), v('b')], [], [g('g', { is_required: true, variant_ids: ['b'] })]),
    { variant: v('a') },
    'resolved',
    null,
  ],
  [
    'a required group and two presentations',
    of([], [p('x'), p('y')], [g('g', { is_required: true })]),
    {},
    'ambiguous',
    'several_presentations_match',
  ],
  [
    'an archived presentation of an archived variant',
    of([v('a', { is_active: false })], [p('x', { is_active: false })]),
    { variant: v('a', { is_active: false }), presentation: p('x', { is_active: false }) },
    'unavailable',
    'variant_archived',
  ],
  [
    'an archived part that a line keeps',
    of([v('a', { is_active: false }), v('b')]),
    { variant: v('a', { is_active: false }), kept: new Set(['a']) },
    'resolved',
    null,
  ],
];

for (const [what, product, choice, status, reason_code] of cases)
  test(`given ${what}, when it is resolved, then it is ${status}`, () => {
    const found = resolveSelection(product, { ...nothing, ...choice }, basePrice);
    assert.deepEqual([found.status, found.reason_code], [status, reason_code]);
  });

test('given a choice without a price in the currency, when it is resolved, then it is unavailable before all open questions', () => {
  const found = resolveSelection(
    of([v('a'), v('b')], [p('x'), p('y')], [g('g', { is_required: true })]),
    nothing,
    () => null,
  );
  assert.deepEqual([found.status, found.reason_code], ['unavailable', 'no_price_in_currency']);
  const dear = resolveSelection(of([v('a'), v('b')]), nothing, ({ variant }) =>
    variant?.id === 'b' ? 1 : null,
  );
  assert.equal(dear.reason_code, 'several_variants_match');
});

const prices: [
  product: string,
  variant: string | null,
  factor: string | null,
  own: string | null,
  deltas: string[],
  price: string,
][] = [
  ['10', null, null, null, [], '10'],
  ['10', '12.5', null, null, ['-0.00000001'], '12.49999999'],
  ['0.33333333', null, '0.333333', null, [], '0.111111'],
  ['0.00000001', null, '0.5', null, [], '0.00000001'],
  ['-0.00000001', null, '0.5', null, [], '-0.00000001'],
  ['0.00000001', null, '0.5', null, ['0.00000001'], '0.00000002'],
  ['10', '12', '12', '99.95', ['1', '2.05'], '103'],
  ['1234567.12345678', null, '12', null, [], '14814805.4814814'],
  ['99999999.9999999', null, '1.000001', null, [], '100000100'],
];

for (const [unit_price, variant, factor, own, deltas, price] of prices)
  test(`given ${unit_price}, ${variant}, ${factor}, ${own} and ${deltas}, when it is priced, then once rounded it is ${price}`, () => {
    const amount = basePrice({
      product: { unit_price },
      variant: variant === null ? null : { unit_price: variant },
      presentation: factor === null ? null : { factor, unit_price: own },
      options: deltas.map((price_delta) => ({ price_delta })),
    });
    assert.equal(amountText(amount), price);
  });
