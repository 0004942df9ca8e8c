import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { idOf, newKey, rotateKey } from '../../../../test/support/api-keys.ts';
import {
  assertNeedsScope,
  assertPages,
  assertRefused,
  listAll,
} from '../../../../test/support/resource-checks.ts';
import { until } from '../../../../test/support/worker-place.ts';

const path = '/v1/account/api-keys';

test('given a key, when keys are listed, then it has the fields of a list item and no secret', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const sent = { name: 'Informes', scopes: ['invoices:read'], allowed_ips: ['192.0.2.1'] };
  const made = await newKey(app, key, sent);
  const rotated = await rotateKey(app, key, made.id);
  const { body, text } = await app.get(path, { key, query: { limit: '1' } });
  assert.deepEqual(body.data, [
    {
      ...sent,
      object: 'api_key',
      id: made.id,
      prefix: rotated.prefix,
      tier: 'scale',
      environment: 'live',
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      active: true,
      revoked: false,
    },
  ]);
  assert.deepEqual([body.has_more, body.next_cursor], [true, made.id]);
  for (const secret of [key, made.secret, rotated.secret]) assert.ok(!text.includes(secret));
});

test('given revoked and expired keys, when keys are listed, then they are there and say so', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const expires_at = new Date(app.clock.now().getTime() + 1000).toISOString();
  const expired = await newKey(app, key, { expires_at });
  const revoked = await newKey(app, key);
  await app.post(`${path}/${revoked.id}/revoke`, { key });
  const revoked_at = app.clock.now().toISOString();
  app.clock.advance(1000);
  const { body } = await app.get(path, { key });
  const shown = new Map(body.data.map((k: { id: string }) => [k.id, k]));
  const pick = (id: string) => {
    const { active, revoked, revoked_at, expires_at } = shown.get(id) as Record<string, unknown>;
    return { active, revoked, revoked_at, expires_at };
  };
  assert.deepEqual(pick(expired.id), { active: false, revoked: false, revoked_at: null, expires_at });
  assert.deepEqual(pick(revoked.id), { active: false, revoked: true, revoked_at, expires_at: null });
});

test('given keys of both environments and of another company, when they are listed, then each caller sees its own', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const live_id = await idOf(app, acme.live_key);
  const test_id = await idOf(app, acme.test_key);
  const list = async (key: string) =>
    (await app.get(path, { key })).body.data.map((k: { id: string }) => k.id);
  assert.deepEqual(await list(acme.live_key), [test_id, live_id]);
  assert.deepEqual(await list(acme.test_key), [test_id]);
  assert.equal((await list(other.live_key)).includes(live_id), false);
  await assertNeedsScope(app, acme, 'account:read', 'GET', path);
});

test('given five keys, when they are listed in pages, then each page follows the other in both directions', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const first = (await app.get(path, { key })).body.data.map((k: { id: string }) => k.id).toReversed();
  const ids: string[] = [...first];
  for (let i = 0; i < 3; i++) ids.push((await newKey(app, key)).id);
  // The key's use is noted apart from its answers, and would make the pages differ.
  await until(async () => {
    const { data } = (await app.get(path, { key })).body;
    return data.some((k: { last_used_at: string | null }) => k.last_used_at !== null);
  });
  await assertPages(app, path, key, {}, {});
  const walked = await listAll(app, path, key, {});
  assert.deepEqual(
    walked.map((k) => k.id),
    ids.toReversed(),
  );
  for (const [limit, ok] of [
    ['100', true],
    ['0', false],
    ['101', false],
    ['-1', false],
    ['1.5', false],
    ['x', false],
  ] as const) {
    const answer = await app.get(path, { key, query: { limit } });
    if (ok) assert.equal(answer.body.data.length, 5);
    else assertRefused(answer, 422, 'parameter_invalid', 'limit');
  }
  // A client asks for newer ones with the newest id that it knows.
  const newer = await app.get(path, { key, query: { ending_before: ids[2]! } });
  assert.deepEqual(
    newer.body.data.map((k: { id: string }) => k.id),
    [ids[4], ids[3]],
  );
  assert.deepEqual([newer.body.has_more, newer.body.next_cursor], [false, null]);
});
