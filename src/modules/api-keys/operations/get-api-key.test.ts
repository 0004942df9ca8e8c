import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { idOf, newKey } from '../../../../test/support/api-keys.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';
import { newId } from '../../../kernel/uuid7.ts';

const path = '/v1/account/api-keys';

test('given a key, when it is retrieved, then it has the fields of a retrieved key and no secret', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company({ plan: 'growth' });
  const sent = {
    name: 'Informes',
    scopes: ['invoices:read', 'account:read'],
    expires_at: '2099-01-01T01:00:00+01:00',
    allowed_ips: ['10.0.0.0/8', '2001:db8::1'],
  };
  const made = await newKey(app, key, { ...sent, environment: 'test' });
  const { status, body, text } = await app.get(`${path}/${made.id}`, { key });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: {
      ...sent,
      object: 'api_key',
      id: made.id,
      prefix: made.prefix,
      tier: 'growth',
      environment: 'test',
      created_at: app.clock.now().toISOString(),
      last_used_at: null,
      expires_at: '2099-01-01T00:00:00.000Z',
      revoked_at: null,
      is_active: true,
      is_revoked: false,
    },
  });
  assert.ok(!text.includes(made.secret));
});

test('given another company or nobody has the id, when it is retrieved, then no key is found', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const foreign = await newKey(app, other.live_key);
  const live = await newKey(app, acme.live_key);
  for (const [key, id] of [
    [acme.live_key, foreign.id],
    [acme.live_key, newId()],
    [acme.live_key, 'none'],
    [acme.live_key, live.prefix],
    [acme.live_key, live.secret],
    [acme.live_key, '%00'],
    [acme.live_key, acme.company_id],
    [acme.test_key, live.id],
  ] as const) {
    const answer = await app.get(`${path}/${id}`, { key });
    assertRefused(answer, 404, 'api_key_not_found', 'api_key');
    assert.equal(answer.body.error.type, 'not_found_error');
  }
});

test('given keys of both environments, when they are retrieved, then a live key sees all and a test key the test ones', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const test_id = await idOf(app, acme.test_key);
  for (const key of [acme.live_key, acme.test_key]) {
    const { body } = await app.get(`${path}/${test_id.toUpperCase()}`, { key });
    assert.deepEqual([body.data.id, body.data.environment], [test_id, 'test']);
  }
  await assertNeedsScope(app, acme, 'account:read', 'GET', `${path}/${test_id}`);
});
