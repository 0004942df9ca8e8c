/** Who holds a message about an account, on a database of its own: other files' messages would be taken too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretBox } from '../../../platform/secrets.ts';
import { onOwnDatabase } from '../../../../test/harness.ts';
import {
  delayAccountEmail,
  dropAccountEmail,
  queueAccountEmail,
  takeAccountEmail,
} from './account-emails.ts';

const startApp = onOwnDatabase();
const minuteMs = 60_000;

test('given a message that a slow process held for too long, when another takes it, then only that one moves its time', async (t) => {
  const { db, sql } = await startApp(t);
  const box = makeSecretBox('a secret key for the tests, 32 characters or more');
  const start = Date.now();
  const at = (minutes: number) => new Date(start + minutes * minuteMs);
  const take = async (minutes: number) => {
    const taken = await takeAccountEmail(db.index, box, at(minutes));
    return taken && 'attempts' in taken ? taken : undefined;
  };
  const dueIn = async () => {
    const rows = await sql<{ due_at: Date }[]>`select due_at from account_emails`;
    return rows.map(({ due_at }) => Math.round((due_at.getTime() - start) / minuteMs));
  };
  assert.ok(
    await queueAccountEmail(
      db.index,
      box,
      { kind: 'forgotten', to: 'eva@example.com', language: 'es' },
      at(0),
    ),
  );
  const slow = (await take(0))!;
  assert.deepEqual([slow.attempts, await dueIn()], [1, [5]]);
  assert.equal(await take(4), undefined, 'it is held');
  const second = (await take(6))!;
  assert.deepEqual([second.id, second.attempts, await dueIn()], [slow.id, 2, [11]]);
  await delayAccountEmail(db.index, slow, at(7));
  assert.deepEqual(await dueIn(), [11], 'the slow one comes too late');
  await delayAccountEmail(db.index, second, at(8));
  assert.deepEqual(await dueIn(), [8]);
  await dropAccountEmail(db.index, slow.id);
  assert.deepEqual(await dueIn(), [], 'what the slow one sent is not sent once more');
});
