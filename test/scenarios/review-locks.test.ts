/** Locks: what happens to requests that meet on the same rows. Each would be a deadlock or a fault of ours without care. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../harness.ts';

test('given edits of the company that meet, each with an idempotency key, when they run, then all are carried out', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      app.put('/v1/account/company', {
        key,
        headers: { 'Idempotency-Key': randomUUID() },
        body: { phone: `+34 91 000 000${i}` },
      }),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array(8).fill(200),
  );
});
