/** Lists of one company take turns while another calls (ADR 34). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineList } from '../../src/kernel/list-operation.ts';
import { pageAnswer } from '../../src/kernel/page.ts';
import { Shape, Uuid } from '../../src/kernel/schema.ts';
import { startApp } from '../harness.ts';

const begun: PromiseWithResolvers<void>[] = [];

/** Goes on until the test lets it end. */
const heldList = defineList({
  name: 'list_held',
  path: '/v1/held',
  scope: 'developers:read',
  tag: 'developers',
  summary: 'Espera a la prueba.',
  mcp: false,
  filters: {},
  item: Shape({ id: Uuid }),
  async list(_ctx, { page }) {
    const gate = Promise.withResolvers<void>();
    begun.push(gate);
    await gate.promise;
    return pageAnswer([], page, (row) => row);
  },
});

test('given one company that lists much at once, when another calls too, then few lists of the first are worked at a time, and all are answered', async (t) => {
  const app = await startApp(t, {
    fresh: true,
    more_operations: [heldList],
    list_turns: { at_once: 2, company_ms: Number.POSITIVE_INFINITY, turn_ms: 600_000 },
  });
  const [busy, other] = [await app.given.company(), await app.given.company()];
  const getOf = async ({ live_key: key }: typeof busy, path: string) => (await app.get(path, { key })).status;
  const untilBegun = async (count: number) => {
    while (begun.length < count) assert.equal(await getOf(other, '/v1/account'), 200);
  };
  assert.deepEqual([await getOf(busy, '/v1/clients'), await getOf(other, '/v1/account')], [200, 200]);

  const calls = Array.from({ length: 5 }, () => getOf(busy, '/v1/held'));
  await untilBegun(2);
  for (let i = 0; i < 5; i++) assert.equal(await getOf(other, '/v1/account'), 200);
  assert.equal(begun.length, 2, 'the others wait');
  for (let ended = 0; ended < 5; ended++) {
    begun[ended]!.resolve();
    await untilBegun(Math.min(5, ended + 3));
    assert.equal(begun.length, Math.min(5, ended + 3), 'one begins when one ends');
  }
  assert.deepEqual(await Promise.all(calls), [200, 200, 200, 200, 200]);
});
