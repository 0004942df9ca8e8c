/**
 * Cuts a checkout's database connection before and after each statement. Its transaction is kept whole or not at all,
 * and a second try completes it once.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Agent } from 'undici';
import { type App, onOwnDatabase } from '../harness.ts';
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
import { type Cut, type DatabaseWire, openWire } from '../support/database-wire.ts';
import { create } from '../support/resource-checks.ts';
import { type ServiceChild, startChild } from '../support/service-child.ts';

const startApp = onOwnDatabase();

/** Written beside the call. */
const isAside = (text: string) => /api_keys|rate_windows/.test(text);

/** The statements of one call, by connection. */
async function record(wire: DatabaseWire, call: () => Promise<unknown>): Promise<string[][]> {
  const texts = new Map<number, string[]>();
  wire.watch = (text, connection) => {
    if (!isAside(text)) texts.set(connection, [...(texts.get(connection) ?? []), text]);
    return undefined;
  };
  await call();
  wire.watch = () => undefined;
  return [...texts.values()];
}

/** Later beginnings meet a service that has lost connections in the rounds before. */
test('one service takes checkouts', async (t) => {
  const place = await givenPlace(t);
  for (const [what, first] of beginnings) {
    await t.test(
      `given ${what} of a checkout, when it is sent, then all that it writes is in one transaction`,
      () => sendWhole(place, first),
    );
    await t.test(
      `given ${what} of a checkout, when its connection is cut at any statement, then a second call completes it once`,
      (t) => sendCut(t, place, first),
    );
  }
});

type First = (typeof beginnings)[number][1];

async function sendWhole(place: Place, first: First): Promise<void> {
  const { app, agent, wire, child } = place;
  const acme = await app.given.company();
  if (first) await create(app, '/v1/invoices', acme.live_key, { ...first, external_id: 'one' });
  const sent = await record(wire, () => askChild(agent, child, acme, { ...checkout, external_id: 'one' }));
  const writing = sent.filter((texts) => texts.some(isWrite));
  assert.equal(writing.length, 1, 'one connection writes');
  const texts = writing[0]!;
  const begin = texts.indexOf('begin');
  assert.ok(begin >= 0 && begin < texts.findIndex(isWrite));
  assert.ok(texts.indexOf('commit', begin) > texts.findLastIndex(isWrite));
  assert.equal(texts.filter((text) => text === 'begin').length, 1);
  assert.ok(texts.filter(isWrite).length >= 3, texts.join('\n'));
  assert.ok(isWhole(await readStored(app, acme, 'one')));
}

async function sendCut(t: TestContext, place: Place, first: First): Promise<void> {
  const { app, agent, wire, child } = place;
  const acme = await app.given.company();
  const seen = { asked: 0, whole: 0, as_before: 0 };
  for (const cut of ['before', 'after'] as const) {
    for (let n = 0, is_cut = true; is_cut; n++) {
      const external_id = `${cut} ${n}`;
      if (first) await create(app, '/v1/invoices', acme.live_key, { ...first, external_id });
      const before = await readStored(app, acme, external_id);
      let left = n;
      is_cut = false;
      wire.watch = (text): Cut | undefined => {
        if (is_cut || isAside(text) || left-- > 0) return undefined;
        is_cut = true;
        return { cut };
      };
      const status = await askChild(agent, child, acme, { ...checkout, external_id });
      wire.watch = () => undefined;
      const stored = await readStored(app, acme, external_id);
      if (status === 503) assert.ok(is_cut);
      else assert.equal(status, first ? 200 : 201, `cut ${cut} statement ${n}`);
      if (isWhole(stored)) seen.whole += 1;
      else {
        assert.equal(status, 503);
        assert.deepEqual(stored, before, `cut ${cut} statement ${n}`);
        seen.as_before += 1;
      }
      await assertCompletes(app, acme, external_id, stored);
      seen.asked += 1;
    }
  }
  t.diagnostic(JSON.stringify(seen));
  assert.equal(await assertNumbers(app, acme), seen.asked);
  // Each round ends without a cut. One cut comes after the commit.
  assert.ok(seen.whole >= 3 && seen.as_before > 20, JSON.stringify(seen));
}

type Place = { app: App; agent: Agent; wire: DatabaseWire; child: ServiceChild };

async function givenPlace(t: TestContext): Promise<Place> {
  const app = await startApp(t);
  const agent = new Agent();
  t.after(() => agent.destroy());
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  return { app, agent, wire, child };
}
