import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { startApp } from '../../test/harness.ts';
import { addHealth } from './health.ts';

test('given many looks at readiness within a second, then the database is asked once, and again after it', async (t) => {
  const { db } = await startApp(t);
  let asked = 0;
  let is_broken = false;
  const probe: typeof db.probe = (work) => {
    asked++;
    return is_broken ? Promise.reject(new Error('gone')) : db.probe(work);
  };
  let now = 1000;
  let is_stopping = false;
  let others_start = false;
  const server = Fastify();
  t.after(() => server.close());
  addHealth(server, {
    db: { ...db, probe },
    metrics: null,
    isStopping: () => is_stopping,
    isIncomplete: () => others_start,
    now: () => now,
  });
  const look = async () => (await server.inject('/readyz')).statusCode;
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, look)), Array(20).fill(200));
  assert.equal(asked, 1);
  is_broken = true;
  now = 1999;
  assert.deepEqual([await look(), asked], [200, 1]);
  now = 2000;
  assert.deepEqual([await look(), await look(), asked], [503, 503, 2]);
  is_broken = false;
  now = 3000;
  assert.deepEqual([await look(), asked], [200, 3]);
  others_start = true;
  const early = await server.inject('/readyz');
  assert.deepEqual([early.statusCode, early.json()], [503, { status: 'other processes are starting' }]);
  others_start = false;
  assert.equal(await look(), 200);
  // The end of the service waits for nothing.
  is_stopping = true;
  assert.deepEqual([await look(), asked], [503, 3]);
});
