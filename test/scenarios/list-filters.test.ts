/** Filters of every list: several values, times of change, days in company time (docs/conventions.md, Lists). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from '../../src/kernel/check.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { Shape, type TSchema } from '../../src/kernel/schema.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { eventCatalog } from '../../src/modules/events/index.ts';
import { type App, startApp } from '../harness.ts';
import { fillPath, givenSeeded, paramsOf, type SeededCompany } from '../support/catalogue-calls.ts';
import { fills, pathOf } from '../support/list-fills.ts';
import { recordLists } from '../support/lists.ts';
import { assertRefused } from '../support/resource-checks.ts';

type Kind = { type?: string; format?: string; enum?: string[] };
type Bounded = { minLength: number };
type Item = { id: string } & Record<string, unknown>;

/** No field of the row, or one that decides which list is read. */
const single = new Set(['q', 'sort', 'starting_after', 'ending_before', 'limit']);
const alone: Readonly<Record<string, readonly string[]>> = {
  list_verifactu_events: ['status'],
  // A client id may be an address, with commas.
  list_oauth_grants: ['client_id'],
};

function filtersOf({ name, query }: Operation): [string, Kind][] {
  return Object.entries((query?.properties ?? {}) as Record<string, Kind>).filter(
    ([field, { type, format }]) =>
      type === 'string' &&
      !field.includes('[') &&
      !single.has(field) &&
      !alone[name]?.includes(field) &&
      (format === undefined || format === 'uuid'),
  );
}

let shared: Promise<SeededCompany> | undefined;

let others: Promise<SeededCompany> | undefined;

function givenOther(app: App): Promise<SeededCompany> {
  others ??= givenSeeded(app);
  return others;
}

/** A company with two of most things. */
async function givenFilled(app: App): Promise<SeededCompany> {
  shared ??= (async () => {
    const seeded = await givenSeeded(app);
    const { key } = seeded;
    for (const [path, body] of [
      ['/v1/clients', { name: 'Dos', external_id: 'c-2', tax_id: 'B12345674', email: 'dos@example.com' }],
      ['/v1/clients', { name: 'Tres', external_id: 'c-3', tax_id: 'A58818501', email: 'Tres@Example.com' }],
      ['/v1/suppliers', { name: 'Dos', external_id: 's-2', tax_id: 'B12345674', email: 'dos@example.com' }],
      ['/v1/products', { name: 'Dos', code: 'P2', external_id: 'p-2' }],
      ['/v1/products', { name: 'Tres', code: 'P3', external_id: 'p-3' }],
      ['/v1/taxes', { name: 'Dos', kind: 'other', rate: 1, external_reference: 't-2' }],
      ['/v1/series', { code: 'ZZ', document_type: 'quote' }],
      [
        '/v1/invoices',
        {
          type: 'F2',
          external_id: 'i-2',
          tags: ['dos'],
          lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
          options: { issue: true },
        },
      ],
    ] as const) {
      const answer = await app.post(path, { key, body });
      assert.ok(answer.status === 201, answer.text);
    }
    const paid = await app.post(`/v1/invoices/${seeded.seed.issued}/payments`, {
      key,
      body: { amount: 1, payment_date: '2026-01-15', payment_method: 'cash', external_id: 'pay-1' },
    });
    assert.equal(paid.status, 201, paid.text);
    await app.get('/v1/products/none', { key });
    await app.service.flush();
    return seeded;
  })();
  return shared;
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(leaves);
}

async function idsOf(
  app: App,
  { key }: SeededCompany,
  path: string,
  query: Record<string, string>,
): Promise<string[]> {
  const { status, body, text } = await app.get(path, { key, query: { limit: '100', ...query } });
  assert.equal(status, 200, `${path} ${JSON.stringify(query)}: ${text}`);
  // The reading itself is logged.
  return body.data
    .filter((item: Item) => item.operation !== 'list_request_logs')
    .map((item: Item) => item.id);
}

/** These have no value in the seed, or no two values. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  list_webhook_deliveries: ['event_id'],
  // Seeds have no items of variants, and no scan that was read. Tests of their modules do.
  list_price_list_items: ['variant_id'],
  list_purchase_scans: ['supplier_id'],
};

/** Types outside the catalogue are refused, and currencies and methods of another form. */
function noneOf(name: string, field: string, texts: readonly string[]): string {
  if (field === 'currency') return 'XTS';
  if (field === 'method') return 'BREW';
  if (name !== 'list_events' || field !== 'type') return 'zz-none';
  return eventCatalog.find((one) => !texts.includes(one.name))!.name;
}

/** One more than a filter takes. Three capitals have the form of a currency and of a method. */
function tooMany(name: string, field: string, are_ids: boolean): string[] {
  if (are_ids) return Array.from({ length: 51 }, newId);
  if (name === 'list_events' && field === 'type') return eventCatalog.slice(0, 51).map((one) => one.name);
  return Array.from(
    { length: 51 },
    (_, i) => `Z${'ABC'[Math.floor(i / 26)]}${String.fromCharCode(65 + (i % 26))}`,
  );
}

function sortsOf({ query }: Operation): string[] {
  const { sort } = (query?.properties ?? {}) as Record<string, { description?: string } | undefined>;
  return /^Campo de orden: ([^;]*);/.exec(sort?.description ?? '')?.[1]?.split(', ') ?? [];
}

for (const operation of recordLists) {
  const { name, query } = operation;
  const properties = (query?.properties ?? {}) as Record<string, TSchema>;

  test(`${name}: field[in] gives what its values give one by one`, async (t) => {
    const app = await startApp(t);
    const seeded = await givenFilled(app);
    const path = fillPath(operation, paramsOf(operation, seeded.seed));
    const { body } = await app.get(path, { key: seeded.key, query: { limit: '100' } });
    const texts = [...new Set<string>([...leaves(body.data), seeded.seed.client])].filter(
      (text) => !text.includes(','),
    );
    for (const [field, kind] of filtersOf(operation)) {
      assert.ok(properties[`${field}[in]`], `${name} has no ${field}[in]`);
      // One schema for all texts, as each new one is compiled.
      const shape = Shape({ v: properties[field]! });
      const fits = (text: string) => text !== '' && checkSchema(shape, { v: text }, true).length === 0;
      // Leaves under the field's name come first, so that few calls find values.
      const named = body.data.flatMap((item: Item) => [
        ...leaves(item[field] ?? null),
        ...leaves((item[field.replace(/_id$/, '')] as Item | undefined)?.id ?? null),
      ]) as string[];
      const candidates = kind.enum ?? [...new Set([...named, ...texts])].filter(fits).slice(0, 40);
      const found = new Map<string, string[]>();
      for (const value of candidates) {
        const ids = await idsOf(app, seeded, path, { [field]: value });
        if (ids.length > 0) found.set(value, ids);
        if (found.size === 3) break;
      }
      const values = [...found.keys()];
      if (!unseen[name]?.includes(field))
        assert.ok(values.length > 0 || body.data.length === 0, `${name}: no value of ${field} was found`);
      const other =
        kind.enum?.find((value) => !found.has(value)) ?? (kind.format ? newId() : noneOf(name, field, texts));
      for (const asked of [
        [...values, other],
        [...values.slice(0, 1), other],
        [other, ...values.slice(1, 3)],
      ]) {
        const known = asked.flatMap((value) => found.get(value) ?? []);
        const is_all_known = !kind.enum || asked.every((value) => found.has(value) || value === other);
        const ids = await idsOf(app, seeded, path, { [`${field}[in]`]: asked.join(',') });
        if (is_all_known && !(kind.enum && found.size === 3 && asked.includes(other)))
          assert.deepEqual(ids.toSorted(), [...new Set(known)].toSorted(), `${name} ${field} ${asked}`);
        else for (const id of known) assert.ok(ids.includes(id), `${name} ${field} ${asked}`);
      }
      // Both together: what both let through.
      if (values.length > 1) {
        const both = { [field]: values[0]!, [`${field}[in]`]: values.slice(1).join(',') };
        const ids = await idsOf(app, seeded, path, both);
        const first = new Set(found.get(values[0]!));
        const rest = values.slice(1).flatMap((value) => found.get(value)!);
        if (!(name === 'list_events' && field === 'type'))
          assert.deepEqual(ids.toSorted(), rest.filter((id) => first.has(id)).toSorted());
      }
      // A value that is said again counts once.
      const again = await idsOf(app, seeded, path, { [`${field}[in]`]: `${other},${other}` });
      assert.deepEqual(again, await idsOf(app, seeded, path, { [field]: other }), `${name} ${field} twice`);
      const too_many = kind.enum ? [] : [tooMany(name, field, kind.format !== undefined).join(',')];
      for (const bad of ['', ',', `${values[0] ?? other},`, ...too_many])
        assertRefused(
          await app.get(path, { key: seeded.key, query: { [`${field}[in]`]: bad } }),
          422,
          'parameter_invalid',
          `${field}[in]`,
        );
      if (!kind.enum && !kind.format) continue;
      const { body: refusal } = await app.get(path, {
        key: seeded.key,
        query: { [`${field}[in]`]: `${other}, ${other}` },
      });
      const allowed = kind.enum
        ? `Cada valor debe ser uno de: ${kind.enum.join(', ')}`
        : 'Cada valor debe ser un UUID';
      assert.equal(refusal.error.errors[0].message, `${allowed}; separados por comas, sin espacios.`);
    }
  });

  if (properties.q)
    test(`${name}: blanks around q are no part of it`, async (t) => {
      const app = await startApp(t);
      const seeded = await givenFilled(app);
      const path = fillPath(operation, paramsOf(operation, seeded.seed));
      const get = (query: Record<string, string>) => app.get(path, { key: seeded.key, query });
      for (const q of ['', '   ', ' \t a'.slice(0, (properties.q as Bounded).minLength)])
        assertRefused(await get({ q }), 422, 'parameter_invalid', 'q');
      const { body } = await get({});
      const words = leaves(body.data).filter((text) => /^\p{L}{3,}$/u.test(text));
      for (const word of new Set(words.slice(0, 20)))
        assert.deepEqual(
          await idsOf(app, seeded, path, { q: `  ${word} ` }),
          await idsOf(app, seeded, path, { q: word }),
          word,
        );
    });

  test(`${name}: created and updated take instants and days, and every bound`, async (t) => {
    const app = await startApp(t);
    const seeded = await givenFilled(app);
    const path = fillPath(operation, paramsOf(operation, seeded.seed));
    const all = await idsOf(app, seeded, path, {});
    for (const field of ['created', 'updated']) {
      for (const bound of ['gte', 'gt'])
        for (const past of ['2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00+02:00'])
          assert.deepEqual(await idsOf(app, seeded, path, { [`${field}[${bound}]`]: past }), all);
      for (const bound of ['lte', 'lt'])
        for (const past of ['2020-01-01', '2020-01-01T00:00:00Z'])
          assert.deepEqual(await idsOf(app, seeded, path, { [`${field}[${bound}]`]: past }), []);
      for (const bad of ['2026-02-30', 'today', '2026-01', ''])
        assertRefused(
          await app.get(path, { key: seeded.key, query: { [`${field}[lt]`]: bad } }),
          422,
          'parameter_invalid',
          `${field}[lt]`,
        );
    }
  });

  test(`${name}: a cursor that is no item of the list is refused in every order`, async (t) => {
    const app = await startApp(t);
    const seeded = await givenFilled(app);
    const path = fillPath(operation, paramsOf(operation, seeded.seed));
    const sorts = sortsOf(operation);
    const other = await givenOther(app);
    const foreign = (await idsOf(app, other, fillPath(operation, paramsOf(operation, other.seed)), {}))[0];
    for (const sort of ['', ...sorts.flatMap((field) => [field, `-${field}`])])
      for (const param of ['starting_after', 'ending_before'])
        for (const id of [newId(), seeded.seed.event, seeded.seed.supplier, seeded.seed.client, foreign]) {
          if (id === undefined || (await isIn(app, seeded, path, id))) continue;
          const query = { [param]: id, ...(sort === '' ? {} : { sort }) };
          assertRefused(
            await app.get(path, { key: seeded.key, query }),
            422,
            'parameter_invalid_cursor',
            param,
          );
        }
  });
}

const known = new Map<string, string[]>();
async function isIn(app: App, seeded: SeededCompany, path: string, id: string): Promise<boolean> {
  const ids = known.get(path) ?? (await idsOf(app, seeded, path, {}));
  known.set(path, ids);
  return ids.includes(id);
}

const deletions = catalog.flatMap((deletion) => {
  const list = recordLists.find(
    ({ path }) => deletion.path === `${path}/:${deletion.path.split(':').at(-1)}`,
  );
  return deletion.name.startsWith('delete_') && list ? [{ deletion, list }] : [];
});

for (const { deletion, list } of deletions) {
  test(`${deletion.name}: a cursor that it deleted is refused by ${list.name} in every order`, async (t) => {
    assert.ok(deletions.length >= 7);
    const app = await startApp(t);
    const company = await app.given.company();
    const { live_key: key } = company;
    for (let i = 0; i < 4; i++) await fills[list.name]!(app, company, i);
    const path = await pathOf(app, company, list.path);
    const { data } = (await app.get(path, { key })).body;
    let deleted: string | undefined;
    // An issued invoice is not deleted, nor a series in use.
    for (const { id } of data.slice(0, 3)) {
      const { status } = await app.delete(`${path}/${id}`, { key });
      if (status === 200) deleted = id;
    }
    assert.ok(deleted, 'one was deleted');
    const kept = (await app.get(path, { key })).body.data;
    assert.ok(!kept.some(({ id }: Item) => id === deleted));
    for (const sort of ['', ...sortsOf(list).flatMap((field) => [field, `-${field}`])])
      for (const param of ['starting_after', 'ending_before']) {
        const query = { [param]: deleted, ...(sort === '' ? {} : { sort }) };
        assertRefused(await app.get(path, { key, query }), 422, 'parameter_invalid_cursor', param);
      }
  });
}

test('given a change, when a list is asked for what changed since, then it is there and the others are not', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const start = app.clock.now().getTime();
  const since = new Date(start + 3_600_000).toISOString();
  const make = async (path: string, body: object) =>
    (await app.post(path, { key, body })).body.data.id as string;
  const line = { description: 'x', unit_price: 10, tax_rate: 21 };
  const resources: [path: string, body: object, change: object][] = [
    ['/v1/clients', { name: 'x' }, { name: 'y' }],
    ['/v1/products', { name: 'x' }, { name: 'y' }],
    ['/v1/taxes', { name: 'x', kind: 'vat', rate: 3 }, { name: 'y' }],
    ['/v1/series', { code: 'X1', document_type: 'quote' }, { name: 'y' }],
    ['/v1/invoices', { type: 'F2', lines: [line] }, { notes: 'y' }],
    [
      '/v1/webhook_endpoints',
      { url: 'https://hooks.example.com/x', enabled_events: ['*'] },
      { description: 'y' },
    ],
  ];
  const made = new Map<string, string>();
  for (const [path, body] of resources) {
    made.set(path, await make(path, body));
    if (path !== '/v1/series') await make(path, body);
  }
  const keys = '/v1/account/api-keys';
  const rotated = await make(keys, { name: 'x', scopes: ['invoices:read'] });
  app.clock.set(new Date(start + 7_200_000));
  for (const [path, , change] of resources) {
    const { status, text } = await app.put(`${path}/${made.get(path)}`, { key, body: change });
    assert.equal(status, 200, text);
  }
  await app.post(`${keys}/${rotated}/rotate_secret`, { key });
  made.set(keys, rotated);
  for (const [path, id] of made) {
    const { body } = await app.get(path, { key, query: { 'updated[gte]': since } });
    assert.deepEqual(
      body.data.map((item: Item) => item.id),
      [id],
      path,
    );
  }
});
