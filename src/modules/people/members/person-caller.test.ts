/** Lists of a person's companies: what many at once may hold. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { newId } from '../../../kernel/uuid7.ts';
import { makePeople, type PeopleParts } from '../make-people.ts';

/** Each read waits until it is let go. */
function fakeDatabase(companies: Readonly<Record<string, number>>) {
  const waiting: { of: string; go(): void }[] = [];
  const owners = new Map<string, string>();
  const ids = Object.fromEntries(
    Object.entries(companies).map(([user_id, count]) => [user_id, Array.from({ length: count }, newId)]),
  );
  for (const [user_id, all] of Object.entries(ids)) for (const id of all) owners.set(id, user_id);
  const index = async (_: unknown, user_id: string) => ids[user_id]!.map((company_id) => ({ company_id }));
  const read = (company_id: string) =>
    new Promise<never[]>((resolve) => {
      waiting.push({ of: owners.get(company_id)!, go: () => resolve([]) });
    });
  return { db: { index, read }, waiting };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

test('given a person of many companies who opens a page many times at once, then their companies are read once at a time, and others do not wait', async () => {
  const { db, waiting } = fakeDatabase({ ana: 250, eva: 250, leo: 3 });
  const { listMemberships } = makePeople({ db, form_keys: [], mailer: {} } as unknown as PeopleParts);
  const asked = ['ana', 'ana', 'ana', 'ana', 'eva', 'leo', 'leo'].map((user_id) => listMemberships(user_id));
  await settle();
  assert.deepEqual(waiting.map(({ of }) => of).sort(), ['ana', 'eva', 'leo', 'leo']);
  let most = 0;
  while (waiting.length > 0) {
    most = Math.max(most, waiting.filter(({ of }) => of === 'ana').length);
    for (const { go } of waiting.splice(0)) go();
    await settle();
  }
  assert.deepEqual([most, (await Promise.all(asked)).length], [1, 7]);
});
