/**
 * Kills a checkout's process at each statement that writes, and between commit and answer. A second try completes it
 * once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from 'undici';
import { onOwnDatabase } from '../harness.ts';
import {
  askChild,
  assertCompletes,
  assertNumbers,
  beginnings,
  checkout,
  isWhole,
  isWrite,
  readStored,
} from '../support/checkouts.ts';
import { type Cut, openWire } from '../support/database-wire.ts';
import { create } from '../support/resource-checks.ts';
import { startChild } from '../support/service-child.ts';

const startApp = onOwnDatabase();

for (const [what, first] of beginnings) {
  test(`given ${what} of a checkout, when its process is killed at any statement, then a second call completes it once`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const agent = new Agent();
    t.after(() => agent.destroy());
    const starting = async () => {
      const wire = await openWire(t, app);
      return { wire, child: await startChild(t, app, { target: wire.target, writes_request_log: false }) };
    };
    const seen = { killed: 0, whole: 0 };
    let next = starting();
    for (let n = 0, is_over = false; !is_over; n++) {
      const { wire, child } = await next;
      const external_id = `kill ${n}`;
      if (first) await create(app, '/v1/invoices', acme.live_key, { ...first, external_id });
      const before = await readStored(app, acme, external_id);
      let writing: number | undefined;
      let left = n;
      wire.watch = (text, connection): Cut | undefined => {
        // Reads before the locks decide nothing, so they are skipped. The commit counts twice.
        const is_lock = /for update/.test(text);
        if (is_lock) writing = connection;
        if (connection !== writing || !(is_lock || isWrite(text) || text === 'commit')) return undefined;
        if (left-- === 0) return { cut: 'before', on_end: () => child.signal('SIGKILL') };
        if (text !== 'commit') return undefined;
        is_over = true;
        return { cut: 'after', on_end: () => child.signal('SIGKILL') };
      };
      const status = await askChild(agent, child, acme, { ...checkout, external_id });
      // While the checks run.
      if (!is_over) next = starting();
      assert.equal(status, undefined, 'it died before it answered');
      await child.kill();
      const stored = await readStored(app, acme, external_id);
      if (is_over) assert.ok(isWhole(stored));
      else assert.deepEqual(stored, before);
      await assertCompletes(app, acme, external_id, stored);
      seen.killed += 1;
      if (isWhole(stored)) seen.whole += 1;
    }
    t.diagnostic(JSON.stringify(seen));
    assert.equal(await assertNumbers(app, acme), seen.killed);
    assert.ok(seen.whole === 1 && seen.killed > 5, JSON.stringify(seen));
  });
}
