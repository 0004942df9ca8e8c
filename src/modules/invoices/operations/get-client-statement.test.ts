import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, openDesk } from '../../../../test/support/client-accounts.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

test('given a statement, when it is filtered and read page by page, then the balance runs on', async (t) => {
  const { app, desk } = await openDesk(t);
  const client = await desk.client();
  for (let day = 1; day <= 5; day++) {
    const id = await desk.sell(client, { issued_on: `2026-05-0${day}` });
    if (day % 2) await desk.pay(id, 21, `2026-05-0${day}`);
  }
  const whole = await desk.statement(client);
  assert.equal(whole.length, 8);
  assert.deepEqual(await desk.statement(client, { 'date[gte]': '2026-05-04' }), whole.slice(5));
  assert.deepEqual(await desk.statement(client, { currency: 'USD' }), []);
  const path = `/v1/clients/${client}/statement`;
  const seen: Entry[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: Record<string, string> = { limit: '3', ...(after ? { starting_after: after } : {}) };
    const { body } = await app.get(path, { key: desk.key, query });
    seen.push(...body.data);
    after = body.next_cursor;
  }
  assert.deepEqual(seen, whole);
  const before = { limit: '2', ending_before: whole[4]!.id };
  assert.deepEqual(await desk.statement(client, before), whole.slice(2, 4));
  const stranger = await app.get(path, { key: desk.key, query: { starting_after: client } });
  assertRefused(stranger, 422, 'parameter_invalid_cursor', 'starting_after');
});
