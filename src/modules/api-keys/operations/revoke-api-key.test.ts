import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertInvalidKey, idOf, newKey, rotateKey, keyWorks } from '../../../../test/support/api-keys.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';
import { newId } from '../../../kernel/uuid7.ts';

const path = '/v1/account/api-keys';

test('given a key, when it is revoked, then it opens nothing from then on and stays so', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await newKey(app, key);
  const before = (await app.get(`${path}/${made.id}`, { key })).body.data;
  assert.ok(await keyWorks(app, made.secret));
  const revoked = await app.post(`${path}/${made.id}/revoke`, { key });
  assert.equal(revoked.status, 200);
  const revoked_at = app.clock.now().toISOString();
  const { last_used_at, ...rest } = revoked.body.data;
  const { last_used_at: _, ...known } = before;
  assert.deepEqual(rest, { ...known, revoked_at, is_active: false, is_revoked: true });
  assert.ok(!(await keyWorks(app, made.secret)));

  app.clock.advance(90_000);
  const again = await app.post(`${path}/${made.id}/revoke`, { key, body: { reason: 'otra vez' } });
  assert.equal(again.status, 200);
  assert.equal(again.body.data.revoked_at, revoked_at);
  const logged = await app.get('/v1/audit-log', { key, query: { action: 'api_key.revoked' } });
  assert.equal(logged.body.data.length, 1, 'the second revocation changed nothing');
});

test('given a key that revokes itself, when it calls again, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key, test_key } = await app.given.company();
  for (const key of [live_key, test_key]) {
    const id = await idOf(app, key);
    const headers = { 'Idempotency-Key': 'adios' };
    const revoked = await app.post(`${path}/${id}/revoke`, { key, headers });
    assert.deepEqual([revoked.status, revoked.body.data.is_revoked], [200, true]);
    // It does not even get its own stored answer.
    assertInvalidKey(await app.post(`${path}/${id}/revoke`, { key, headers }));
  }
});

test('given a rotated key, when it is revoked, then its previous secret ends as well', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await newKey(app, key);
  const { secret } = await rotateKey(app, key, made.id);
  assert.ok(await keyWorks(app, made.secret));
  await app.post(`${path}/${made.id}/revoke`, { key });
  assert.deepEqual([await keyWorks(app, made.secret), await keyWorks(app, secret)], [false, false]);
});

test('given a reason, when a key is revoked, then the audit log has it; one of over 500 characters is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const revoked_by = await idOf(app, key);
  for (const [body, reason] of [
    [{ reason: 'ñ'.repeat(500) }, 'ñ'.repeat(500)],
    [{ reason: null }, null],
    [{}, null],
    [undefined, null],
  ] as const) {
    const made = await newKey(app, key);
    const answer = await app.post(`${path}/${made.id}/revoke`, {
      key,
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(answer.status, 200, answer.text);
    const logged = await app.get('/v1/audit-log', { key, query: { action: 'api_key.revoked', limit: '1' } });
    const [entry] = logged.body.data;
    assert.deepEqual(entry.target, { object: 'api_key', id: made.id });
    assert.deepEqual(entry.details, { reason, revoked_by });
    assert.equal(entry.request_id, answer.headers['x-request-id']);
    assert.equal(entry.ip, '127.0.0.1');
  }
  const kept = await newKey(app, key);
  for (const [body, param] of [
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ reason: 7 }, 'reason'],
    [{ reason: 'a\0b' }, 'reason'],
    [{ motivo: 'no' }, 'motivo'],
    [[], 'body'],
    [null, 'body'],
  ] as const) {
    const answer = await app.post(`${path}/${kept.id}/revoke`, { key, body });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  assert.ok(await keyWorks(app, kept.secret));
});

test("given an id that is not the company's to revoke, when it is revoked, then no key is found and it goes on working", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const foreign = await newKey(app, other.live_key);
  const live = await newKey(app, acme.live_key);
  for (const [key, id] of [
    [acme.live_key, foreign.id],
    [acme.live_key, newId()],
    [acme.live_key, 'none'],
    [acme.test_key, live.id],
  ] as const) {
    assertRefused(await app.post(`${path}/${id}/revoke`, { key }), 404, 'api_key_not_found', 'api_key');
  }
  assert.deepEqual([await keyWorks(app, foreign.secret), await keyWorks(app, live.secret)], [true, true]);
  await assertNeedsScope(app, acme, 'account:write', 'POST', `${path}/${live.id}/revoke`);
});
