import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commonErrors } from './common.errors.ts';
import { pageAnswer, pageInSteps, readPage } from './page.ts';
import { jsonBytesInSteps, jsonText } from './json.ts';
import { Problem } from './problem.ts';
import { runSteps } from './steps.ts';
import { newId } from './uuid7.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

test('without parameters a page holds 25 items, newest first', () => {
  assert.deepEqual(readPage({}), { limit: 25, order: { field: 'created', descending: true }, cursor: null });
});

test('a cursor walks with the order or against it, in lower case', () => {
  assert.deepEqual(readPage({ starting_after: id.toUpperCase() }).cursor, { direction: 'after', id });
  assert.deepEqual(readPage({ ending_before: id }).cursor, { direction: 'before', id });
});

test('sort names an allowed field, descending with a minus', () => {
  assert.deepEqual(readPage({ sort: 'total' }, ['created', 'total']).order, {
    field: 'total',
    descending: false,
  });
  assert.deepEqual(readPage({ sort: '-total' }, ['created', 'total']).order, {
    field: 'total',
    descending: true,
  });
});

const refusals = [
  ['both cursors', { starting_after: id, ending_before: id }, 'parameter_invalid', 'ending_before'],
  ['a cursor that is no id', { starting_after: 'x' }, 'parameter_invalid_cursor', 'starting_after'],
  ['an empty cursor', { starting_after: '' }, 'parameter_invalid_cursor', 'starting_after'],
  [
    'a backward cursor that is no id',
    { ending_before: `${id}0` },
    'parameter_invalid_cursor',
    'ending_before',
  ],
  ['an unknown field', { sort: 'size' }, 'parameter_invalid', 'sort'],
  ['an empty sort', { sort: '' }, 'parameter_invalid', 'sort'],
  ['a minus alone', { sort: '-' }, 'parameter_invalid', 'sort'],
  ['two minuses', { sort: '--created' }, 'parameter_invalid', 'sort'],
  ['a member of every object', { sort: 'constructor' }, 'parameter_invalid', 'sort'],
] as const;
for (const [what, query, code, param] of refusals) {
  test(`${what} is refused with ${code}`, () => {
    assert.throws(
      () => readPage(query),
      (error) => error instanceof Problem && error.def.code === code && error.details.param === param,
    );
  });
}

test('the message of a refused cursor is true of an unknown id, too', () => {
  const { message } = commonErrors.parameter_invalid_cursor;
  assert.match(message.es, /ningún elemento de la lista/);
});

type Item = { id: string; rank: number };

/** As a store reads: up to limit + 1 rows beyond the cursor, nearest first. */
function readRows(all: readonly Item[], page: ReturnType<typeof readPage>): Item[] {
  const at = page.cursor === null ? -1 : all.findIndex((item) => item.id === page.cursor?.id);
  const beyond = page.cursor?.direction === 'before' ? all.slice(0, at).reverse() : all.slice(at + 1);
  return beyond.slice(0, page.limit + 1);
}

test('walking forwards and backwards visits every item once, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 9 }), (count, limit) => {
      const all = Array.from({ length: count }, (_, rank) => ({ id: newId(), rank }));
      const forward: Item[] = [];
      let cursor: string | null | undefined;
      do {
        const page = readPage({ limit, ...(cursor ? { starting_after: cursor } : {}) });
        const answer = pageAnswer(readRows(all, page), page, (row) => row);
        assert.equal(answer.next_cursor, answer.has_more ? answer.data.at(-1)?.id : null);
        forward.push(...answer.data);
        cursor = answer.next_cursor;
      } while (cursor);
      assert.deepEqual(forward, all);

      const backward: Item[] = [];
      let before = all.at(-1)?.id;
      let has_more = before !== undefined;
      while (has_more && before) {
        const page = readPage({ limit, ending_before: before });
        const answer = pageAnswer(readRows(all, page), page, (row) => row);
        // In both directions the page's last id (docs/conventions.md, Lists).
        assert.equal(answer.next_cursor, answer.has_more ? answer.data.at(-1)?.id : null);
        backward.unshift(...answer.data);
        before = answer.data[0]?.id;
        has_more = answer.has_more;
      }
      assert.deepEqual(backward, all.slice(0, -1));
    }),
  );
});

test('a page ends at two megabytes, whatever its limit, and holds one item at least', () => {
  for (const [size, shown] of [
    [10, 100],
    [100_000, 19],
    [900_000, 2],
    [3_000_000, 1],
  ] as const) {
    const all = Array.from({ length: 120 }, (_, rank) => ({ id: newId(), rank }));
    const present = ({ id, rank }: Item) => ({ id, rank, text: 'ñ'.repeat(size / 2) });
    const page = readPage({ limit: 100 });
    const answer = pageAnswer(readRows(all, page), page, present);
    assert.deepEqual([answer.data.length, answer.has_more], [shown, true]);
    assert.equal(answer.next_cursor, all[shown - 1]!.id);
    assert.equal(jsonText(answer), JSON.stringify(answer));
    const before = readPage({ limit: 100, ending_before: all.at(-1)!.id });
    const backward = pageAnswer(readRows(all, before), before, present);
    assert.deepEqual(
      backward.data.map((item) => item.rank),
      all.slice(-1 - shown, -1).map((item) => item.rank),
    );
    assert.equal(backward.next_cursor, backward.data.at(-1)!.id);
    assert.equal(jsonText(backward), JSON.stringify(backward));
  }
});

test('a page of one long item is written in parts, and no step takes all of it', () => {
  const rows = Array.from({ length: 500 }, (_, at) => ({ at, text: 'ñ'.repeat(3000) }));
  const all = [{ id: newId(), rank: 0, rows }];
  const answer = pageAnswer(readRows(all, readPage({})), readPage({}), (row) => row);
  const written = runSteps(jsonBytesInSteps(answer));
  assert.equal(Buffer.concat(written).toString(), JSON.stringify(answer));
  const longest = Math.max(...written.map((part) => part.length));
  assert.ok(longest < 100_000, `${longest} bytes in one part`);
});

test('a page whose rows are not all there ends with those that are', () => {
  const all = Array.from({ length: 9 }, (_, rank) => ({ id: newId(), rank }));
  const page = readPage({ limit: 8 });
  const answer = runSteps(pageInSteps(readRows(all, page), page, (row) => row, 3));
  assert.deepEqual(answer, { data: all.slice(0, 3), has_more: true, next_cursor: all[2]!.id });
});
