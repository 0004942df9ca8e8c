/** Closed lists are the same for every company. They have pages and refusals like every list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { declaredVersions } from '../../src/modules/verifactu/identity/declarations.ts';
import { eventCatalog } from '../../src/modules/events/index.ts';
import { startApp } from '../harness.ts';
import { assertRefused } from '../support/resource-checks.ts';

const lists = [
  { path: '/v1/event-catalog', all: eventCatalog.map(({ name }) => name) },
  {
    path: '/v1/verifactu/declaracion-responsable/history',
    all: declaredVersions.map(({ version }) => version).toReversed(),
  },
];
type Item = { id: string; object: string };
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

for (const { path, all } of lists) {
  test(`given ${path}, when it is walked by pages of any size in both ways, then each item comes once and in order`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const plain = await app.get(path, { key });
    assert.deepEqual(ids(plain.body.data), all.slice(0, 25));
    assert.equal(plain.body.has_more, all.length > 25);
    for (const limit of ['1', '7', '100']) {
      const forwards: Item[] = [];
      for (let query: Record<string, string> = { limit }; ; ) {
        const { body, headers } = await app.get(path, { key, query });
        forwards.push(...body.data);
        assert.equal(body.next_cursor, body.has_more ? body.data.at(-1).id : null);
        assert.equal(headers.link !== undefined, body.has_more);
        if (!body.has_more) break;
        query = { limit, starting_after: body.next_cursor };
      }
      assert.deepEqual(ids(forwards), all);
      let backwards: Item[] = [];
      for (let before = all.at(-1)!; ; ) {
        const { body } = await app.get(path, { key, query: { limit, ending_before: before } });
        backwards = [...body.data, ...backwards];
        if (!body.has_more) break;
        before = body.data[0].id;
      }
      assert.deepEqual(ids(backwards), all.slice(0, -1));
    }
  });

  test(`given ${path}, when limit or cursor are wrong, then it is refused as in any list`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    for (const limit of ['0', '101', 'x', '1.5'])
      assertRefused(await app.get(path, { key, query: { limit } }), 422, 'parameter_invalid', 'limit');
    for (const param of ['starting_after', 'ending_before']) {
      for (const wrong of ['', 'x', newId(), '__proto__']) {
        const answer = await app.get(path, { key, query: { [param]: wrong } });
        assertRefused(answer, 422, 'parameter_invalid_cursor', param);
      }
    }
    const both = { starting_after: all[0]!, ending_before: all[0]! };
    assertRefused(await app.get(path, { key, query: both }), 422, 'parameter_invalid', 'ending_before');
  });
}
