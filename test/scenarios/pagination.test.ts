/** Pages of every list (docs/conventions.md). A list is an operation with `starting_after`. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { type Answer, type App, startApp, type TestCompany } from '../harness.ts';
import { fills, pathOf } from '../support/list-fills.ts';
import { recordLists } from '../support/lists.ts';
import { assertRefused } from '../support/resource-checks.ts';

/** Other lists name theirs in their description. */
const specifiedSorts: Readonly<Record<string, readonly string[]>> = {
  list_invoices: ['created', 'total', 'number'],
  list_quotes: ['created', 'total', 'number', 'valid_until'],
  list_proformas: ['created', 'total', 'number', 'valid_until'],
  list_delivery_notes: ['created', 'number', 'delivery_date'],
  list_purchase_invoices: ['created', 'total', 'issued_on', 'due_on'],
  list_recurring_invoices: ['created', 'next_run_at'],
};

function sortFields(operation: Operation): readonly string[] {
  const { sort } = (operation.query?.properties ?? {}) as Record<
    string,
    { description?: string } | undefined
  >;
  if (!sort) return [];
  const named = /^Campo de orden: ([^;]+);/.exec(sort.description ?? '')?.[1];
  assert.ok(named, `the sort parameter of ${operation.name} names its fields`);
  return named.split(', ');
}

type Item = { id: string } & Record<string, unknown>;

/** By value, then by id, both ascending. */
function compare(field: string, a: Item, b: Item): number {
  const of = (item: Item) => (field === 'created' ? '' : (item[field] ?? ''));
  const [x, y] = [of(a), of(b)];
  if (typeof x === 'number' && typeof y === 'number' && x !== y) return x - y;
  const [s, t] = [String(x).toLowerCase(), String(y).toLowerCase()];
  if (typeof x !== 'number' && s !== t) return s < t ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

type List = { app: App; company: TestCompany; operation: Operation };
type Growing = List & { add(): Promise<unknown>; grow(count: number): Promise<void> };

async function get({ app, company, operation }: List, query: Record<string, string>): Promise<Answer> {
  return app.get(await pathOf(app, company, operation.path), { key: company.live_key, query });
}

async function page(
  list: List,
  query: Record<string, string>,
): Promise<{ data: Item[]; has_more: boolean; next_cursor: string | null; link: string | undefined }> {
  const answer = await get(list, query);
  assert.equal(answer.status, 200, answer.text);
  const { data, has_more, next_cursor } = answer.body;
  const limit = Number(query.limit ?? 25);
  assert.ok(data.length <= limit);
  assert.ok(!has_more || data.length === limit, 'a page with more beyond it is full');
  assert.equal(next_cursor, has_more ? data.at(-1).id : null);
  const link = answer.headers.link as string | undefined;
  assert.equal(link !== undefined, has_more, 'a Link leads on exactly when there is more');
  return { data, has_more, next_cursor, link };
}

/** Follows cursors from the start and runs `between` after each page. */
async function walkForwards(
  list: List,
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => undefined,
) {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 60; pages++) {
    const from: Record<string, string> = cursor === null ? {} : { starting_after: cursor };
    const { data, has_more, next_cursor, link } = await page(list, { ...query, ...from });
    items.push(...data);
    if (!has_more) return items;
    assert.equal(hrefOf(link).searchParams.get('starting_after'), next_cursor);
    cursor = next_cursor;
    await between();
  }
  throw new Error('The list has no end.');
}

/** @returns the items in the list's order */
async function walkBackwards(list: List, query: Record<string, string>, from: string) {
  let items: Item[] = [];
  const path = await pathOf(list.app, list.company, list.operation.path);
  let url = new URL(`${path}?${new URLSearchParams({ ...query, ending_before: from })}`, list.app.url);
  for (let pages = 0; pages < 60; pages++) {
    const { data, has_more, link } = await page(list, Object.fromEntries(url.searchParams));
    items = [...data, ...items];
    if (!has_more) return items;
    url = hrefOf(link, list.app.url);
    assert.equal(
      url.searchParams.get('ending_before'),
      data[0]?.id,
      'the way back goes on from the first item',
    );
    assert.equal(url.searchParams.get('starting_after'), null);
  }
  throw new Error('The list has no end.');
}

function hrefOf(link: string | undefined, base = 'http://folio.test'): URL {
  const path = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
  assert.ok(path, `a Link to the next page: ${link}`);
  return new URL(path, base);
}

const ids = (items: readonly Item[]) => items.map((i) => i.id);

for (const operation of recordLists) {
  const { name } = operation;

  async function given(app: App): Promise<Growing> {
    const fill = fills[name];
    assert.ok(fill, `nothing in test/support/list-fills.ts fills ${name}`);
    const company = await app.given.company();
    let made = 0;
    const add = () => fill(app, company, made++);
    const grow = async (count: number) => {
      while (made < count) await add();
      await app.service.flush();
    };
    return { app, company, operation, add, grow };
  }

  let filled: Promise<Growing> | undefined;
  /** Of seven items, for all tests that only read. */
  async function givenFilled(t: TestContext) {
    const app = await startApp(t);
    filled ??= (async () => {
      const list = await given(app);
      await list.grow(7);
      return list;
    })();
    return filled;
  }

  let growing: Promise<Growing> | undefined;
  /** Of so many items or more, for all tests that add some: each leaves it longer, and none counts them. */
  async function givenGrowing(t: TestContext, count: number): Promise<Growing> {
    const app = await startApp(t);
    growing ??= given(app);
    const list = await growing;
    await list.grow(count);
    return list;
  }

  test(`${name}: limit is 1 to 100, cursors are ids, one at a time`, async (t) => {
    const list = await givenFilled(t);
    for (const limit of [
      '0',
      '101',
      '-1',
      '1.5',
      'x',
      '',
      '1e9',
      '1e1',
      '0x5',
      ' 10',
      '+5',
      '5.0',
      '99999999999999999999',
    ]) {
      assertRefused(await get(list, { limit }), 422, 'parameter_invalid', 'limit');
    }
    for (const limit of ['1', '100']) assert.equal((await get(list, { limit })).status, 200);
    for (const param of ['starting_after', 'ending_before']) {
      for (const wrong of ['x', '', '0', `${newId()}x`, 'null', newId().replaceAll('-', ''), newId()]) {
        assertRefused(await get(list, { [param]: wrong }), 422, 'parameter_invalid_cursor', param);
      }
    }
    const both = { starting_after: newId(), ending_before: newId() };
    const refused = await get(list, both);
    assert.equal(refused.status, 422);
    assert.equal(refused.body.error.type, 'invalid_request_error');
    for (const unknown of ['page', 'offset', 'cursor', 'Limit', '__proto__']) {
      assertRefused(await get(list, { [unknown]: '2' }), 422, 'parameter_invalid', unknown);
    }
    for (const twice of ['limit=1&limit=2', `starting_after=${newId()}&starting_after=${newId()}`]) {
      const answer = await list.app.get(`${await pathOf(list.app, list.company, operation.path)}?${twice}`, {
        key: list.company.live_key,
      });
      assert.equal(answer.status, 422, answer.text);
    }
  });

  test(`${name}: sort takes the fields it names, either way, and no other`, async (t) => {
    const list = await givenFilled(t);
    const fields = sortFields(operation);
    const specified = specifiedSorts[name];
    if (specified) assert.deepEqual(fields.toSorted(), specified.toSorted());
    for (const sort of [...fields, ...fields.map((f) => `-${f}`)]) {
      const answer = await get(list, { sort });
      assert.equal(answer.status, 200, answer.text);
    }
    const wrong = [
      'size',
      '',
      '-',
      '--created',
      'created,id',
      'created desc',
      'id',
      'constructor',
      'CREATED',
    ];
    for (const sort of wrong) assertRefused(await get(list, { sort }), 422, 'parameter_invalid', 'sort');
    // A cursor needs the item's value, so a missing item has no position.
    for (const sort of fields.filter((f) => f !== 'created')) {
      const gone = await get(list, { sort, starting_after: newId() });
      assertRefused(gone, 422, 'parameter_invalid_cursor', 'starting_after');
    }
  });

  for (const sort of ['', ...sortFields(operation).flatMap((f) => [f, `-${f}`])]) {
    const query: Record<string, string> = sort === '' ? {} : { sort };
    test(`${name}: in the order "${sort}" both ways visit every item once`, async (t) => {
      const list = await givenFilled(t);
      // This test's requests are in the request log, so the list is read again.
      const there = (await page(list, { ...query, limit: '100' })).data;
      assert.ok(there.length >= 7, `${there.length} items`);
      const known = new Set(ids(there));
      const old = (items: readonly Item[]) => items.filter((i) => known.has(i.id));
      for (const limit of ['1', '3', String(there.length)]) {
        const forwards = await walkForwards(list, { ...query, limit });
        assert.equal(new Set(ids(forwards)).size, forwards.length, 'nothing comes twice');
        assert.deepEqual(ids(old(forwards)), ids(there));
        const last = forwards.at(-1)!;
        const backwards = await walkBackwards(list, { ...query, limit }, last.id);
        assert.equal(new Set(ids(backwards)).size, backwards.length, 'nothing comes twice');
        assert.deepEqual(ids(old([...backwards, last])), ids(there));
      }
      const field = sort === '' ? 'created' : sort.replace('-', '');
      const falls = sort === '' || sort.startsWith('-');
      const ascending = there.toSorted((a, b) => compare(field, a, b));
      const ordered = falls ? ascending.toReversed() : ascending;
      // No day comes last, both ways.
      const is_day = ['valid_until', 'delivery_date', 'issued_on', 'due_on'].includes(field);
      const isLast = (item: Item) => is_day && item[field] === null;
      const expected = [...ordered.filter((item) => !isLast(item)), ...ordered.filter(isLast)];
      assert.deepEqual(ids(there), ids(expected));
    });

    test(`${name}: in the order "${sort}" items added while walking shift nothing`, async (t) => {
      const list = await givenGrowing(t, 6);
      const there = ids((await page(list, { ...query, limit: '100' })).data);
      const known = new Set(there);
      // Three pages, so that some are left when the first are added.
      const limit = String(Math.ceil(there.length / 3));
      let added = 0;
      const seen = await walkForwards(list, { ...query, limit }, async () => {
        if (added++ < 3) await list.add();
      });
      assert.equal(new Set(ids(seen)).size, seen.length, 'nothing comes twice');
      assert.deepEqual(
        ids(seen).filter((id) => known.has(id)),
        there,
      );
    });
  }

  test(`${name}: only newer items come with ending_before`, async (t) => {
    const list = await givenGrowing(t, 2);
    const newest = (await page(list, { limit: '1' })).data[0]!;
    await list.add();
    await list.add();
    await list.app.service.flush();
    const newer = await page(list, { limit: '100', ending_before: newest.id });
    assert.ok(newer.data.length >= 2 && ids(newer.data).every((id) => id > newest.id));
    assert.deepEqual(ids(newer.data), ids(newer.data).toSorted().reverse());
    assert.deepEqual([newer.has_more, newer.next_cursor], [false, null]);
    // The item nearest to the cursor, with more in the direction of travel.
    const one = await page(list, { limit: '1', ending_before: newest.id });
    assert.deepEqual([one.data[0]?.id, one.has_more], [newer.data.at(-1)?.id, true]);
  });

  // Last, since the tests before have added nearly enough items.
  test(`${name}: without parameters 25 items come, newest first`, async (t) => {
    const list = await givenGrowing(t, 26);
    const { data, has_more } = await page(list, {});
    assert.deepEqual([data.length, has_more], [25, true]);
    assert.deepEqual(ids(data), ids(data).toSorted().reverse());
  });

  test(`${name}: a Link keeps the other parameters of the request`, async (t) => {
    const list = await givenFilled(t);
    const { link } = await page(list, { limit: '1' });
    const next = hrefOf(link);
    assert.equal(next.pathname, await pathOf(list.app, list.company, operation.path));
    assert.equal(next.searchParams.get('limit'), '1');
  });
}
