import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { newKey, rotateKey } from '../../../../test/support/api-keys.ts';
import { assertNeedsScope } from '../../../../test/support/resource-checks.ts';

test('given a key, when it asks for itself, then it gets its own metadata and never the secret', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ plan: 'starter' });
  const expires_at = '2099-12-31T23:00:00.000Z';
  for (const environment of ['live', 'test']) {
    const made = await newKey(app, acme.live_key, { name: 'Propia', environment, expires_at });
    const { status, body } = await app.get('/v1/account', { key: made.secret });
    assert.equal(status, 200);
    // The key may be read before or after this call is noted.
    assert.ok([null, app.clock.now().toISOString()].includes(body.data.last_used_at));
    assert.deepEqual(body, {
      data: {
        object: 'api_key',
        id: made.id,
        name: 'Propia',
        prefix: made.prefix,
        scopes: ['account:read'],
        tier: 'starter',
        last_used_at: body.data.last_used_at,
        expires_at,
        account: { object: 'account', id: acme.company_id, name: 'Acme SL' },
        active_profile: null,
      },
    });
  }
});

test('given a rotated key, when the previous secret asks, then it sees the key with its new prefix', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const made = await newKey(app, acme.live_key);
  const rotated = await rotateKey(app, acme.live_key, made.id);
  const { body, text } = await app.get('/v1/account', { key: made.secret });
  assert.deepEqual([body.data.id, body.data.prefix], [made.id, rotated.prefix]);
  assert.ok(!text.includes(rotated.secret));
});

test('given a master key that works for a child, when it asks for itself, then it is still itself, and says whom it works for', async (t) => {
  const app = await startApp(t);
  const master = await app.given.company({ name: 'Gestoría Sur SL' });
  const child = await app.given.company({ parent_id: master.company_id, plan: 'free' });
  const own = await app.get('/v1/account', { key: master.live_key });
  const headers = { 'X-Active-Profile': child.company_id };
  const answer = await app.get('/v1/account', { key: master.live_key, headers });
  const asked = (body: { data: object }) => ({ ...body.data, last_used_at: null });
  assert.deepEqual(asked(answer.body), { ...asked(own.body), active_profile: child.company_id });
  const account = { object: 'account', id: master.company_id, name: 'Gestoría Sur SL' };
  assert.deepEqual(answer.body.data.account, account);
  const of_sandbox = await app.get('/v1/account', {
    key: master.test_key,
    headers: { 'X-Active-Profile': child.sandbox_company_id },
  });
  assert.deepEqual(
    [of_sandbox.body.data.account, of_sandbox.body.data.active_profile],
    [account, child.sandbox_company_id],
  );
  await assertNeedsScope(app, master, 'account:read', 'GET', '/v1/account');
});
