/**
 * Kills a checkout's process at each statement that writes, and between commit and answer. A second try completes it
 * once.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Agent } from 'undici';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import {
  askChild,
  assertCompletes,
  assertNumbers,
  beginnings,
  checkout,
  isWhole,
  readStored,
} from '../support/checkouts.ts';
import { type DatabaseWire, openWire } from '../support/database-wire.ts';
import { holdAt } from '../support/held-statement.ts';
import { create } from '../support/resource-checks.ts';
import { type ServiceChild, startChild } from '../support/service-child.ts';

const startApp = onOwnDatabase();

type Stored = Awaited<ReturnType<typeof readStored>>;

type First = (typeof beginnings)[number][1];
type Place = { app: App; agent: Agent; wire: DatabaseWire; child: ServiceChild };
type Held = { acme: TestCompany; external_id: string; before: Stored; status: Promise<unknown> };

/** Each call keeps a connection, and stands still at a statement of its own until one kill ends them all. */
async function holdAtEach({ app, agent, wire, child }: Place, first: First): Promise<Held[]> {
  const calls: Held[] = [];
  for (let n = 0, is_over = false; !is_over; n++) {
    // Of its own, so that none waits for the locks of another. It has issued before.
    const acme = await app.given.company();
    await create(app, '/v1/invoices', acme.live_key, { ...checkout, external_id: 'earlier' });
    const external_id = `kill ${n}`;
    if (first) await create(app, '/v1/invoices', acme.live_key, { ...first, external_id });
    const before = await readStored(app, acme, external_id);
    const held = holdAt(wire, n, /for update/);
    const status = askChild(agent, child, acme, { ...checkout, external_id });
    const answered = status.then((told) => assert.fail(`statement ${n}: ${told}`));
    is_over = (await Promise.race([held, answered])).is_last;
    calls.push({ acme, external_id, before, status });
  }
  return calls;
}

async function assertOnce(t: TestContext, { app }: Place, calls: readonly Held[]): Promise<void> {
  const seen = { killed: 0, whole: 0 };
  for (const [n, { acme, external_id, before, status }] of calls.entries()) {
    assert.equal(await status, undefined, `statement ${n}: it died before it answered`);
    const stored = await readStored(app, acme, external_id);
    if (n === calls.length - 1) assert.ok(isWhole(stored));
    else assert.deepEqual(stored, before, `statement ${n}`);
    await assertCompletes(app, acme, external_id, stored);
    seen.killed += 1;
    if (isWhole(stored)) seen.whole += 1;
    assert.equal(await assertNumbers(app, acme), 2, `statement ${n}`);
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.whole === 1 && seen.killed > 5, JSON.stringify(seen));
}

test('one process takes checkouts of every beginning, and is killed', async (t) => {
  const app = await startApp(t);
  const agent = new Agent();
  t.after(() => agent.destroy());
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false, pool_size: 80 });
  const place = { app, agent, wire, child };
  const held: (readonly [what: string, calls: readonly Held[]])[] = [];
  for (const [what, first] of beginnings) held.push([what, await holdAtEach(place, first)]);
  await child.kill();
  for (const [what, calls] of held)
    await t.test(
      `given ${what} of a checkout, when its process is killed at any statement, then a second call completes it once`,
      (t) => assertOnce(t, place, calls),
    );
});
