/** What REST holds is held at the tools' address too: secrets, sessions, faults, and what only POST may do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { askMcp, callTool } from '../../../test/support/mcp-client.ts';
import { givenPerson } from '../../../test/support/oauth.ts';
import { until } from '../../../test/support/worker-place.ts';

const startApp = onOwnDatabase();

test('given a tool that answers a secret, then the answer is kept sealed, and a repeated call gets it again', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const args = {
    url: 'https://hooks.example.com/in',
    enabled_events: ['invoice.*'],
    idempotency_key: 'one-secret',
  };
  const call = async () => (await callTool(app, key, 'create_webhook_endpoint', args)).body.result;
  const [first, again] = [await call(), await call()];
  const { secret } = first.structuredContent.data;
  assert.match(secret, /^whsec_/);
  assert.deepEqual(again.structuredContent, first.structuredContent);
  assert.equal(again._meta['folio/idempotent-replayed'], true);
  const stored = await app.sql`
    select answer, sealed_answer from idempotency_keys where company_id = ${company_id} and key = 'one-secret'`;
  assert.equal(stored.length, 1);
  assert.equal(stored[0]?.answer, null);
  assert.ok(!Buffer.from(stored[0]?.sealed_answer).includes(secret));
});

test('given a session of the pages, or another method, then the address gives nothing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { cookie } = await givenPerson(app, acme);
  const status = async (headers: Record<string, string>) =>
    (await askMcp(app, 'tools/list', {}, { headers })).status;
  const session = cookie.split('=')[1]?.split(';')[0] ?? '';
  assert.ok(session.length > 20);
  assert.equal(await status({ cookie }), 401);
  assert.equal(await status({ authorization: `Bearer ${session}` }), 401);
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await fetch(`${app.url}/mcp`, { method });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'OPTIONS, POST'], method);
  }
});

test('given a tool of the other environment, then no scope is named that would open it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const refused = await callTool(app, key, 'update_sandbox_clock', { now: '2026-05-04T10:00:00Z' });
  assert.deepEqual([refused.status, refused.body.error.data.code], [403, 'insufficient_scope']);
  assert.doesNotMatch(String(refused.headers['www-authenticate']), /[ ,]scope=/);
});

test('given an argument that is no idempotency key, then its call is in the request log, and the key is not', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const given = ['a\0', '\ud800', 'ñ', 'x'.repeat(256), 'x'.repeat(255)];
  const sent = await Promise.all(
    given.map(async (idempotency_key) => {
      const { body, headers } = await callTool(app, key, 'create_client', { name: 'X', idempotency_key });
      assert.equal(body.error?.data.param, idempotency_key.length === 255 ? undefined : 'idempotency_key');
      return String(headers['x-request-id']);
    }),
  );
  const logged = async () => {
    await app.service.flush();
    const { body } = await app.get('/v1/request-logs', { key, query: { limit: '100' } });
    return new Map(body.data.map((one: Record<string, unknown>) => [one.request_id, one.idempotency_key]));
  };
  await until(async () => {
    const known = await logged();
    return sent.every((id) => known.has(id));
  });
  const known = await logged();
  assert.deepEqual(
    sent.map((id) => known.get(id)),
    [null, null, null, null, given.at(-1)],
  );
});

test('given a call that the protocol refuses in an answer 200, then the request log tells that it was refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const refused = [
    await callTool(app, key, 'no_such_tool'),
    await askMcp(app, 'tools/call', { arguments: {} }, { key }),
    await askMcp(app, 'tools/list', { cursor: 'x' }, { key }),
  ];
  for (const { status, body, text } of refused)
    assert.deepEqual([status, body.error?.code], [200, -32602], text);
  const done = await callTool(app, key, 'get_account');
  const logged = async () => {
    await app.service.flush();
    const { body } = await app.get('/v1/request-logs', { key, query: { limit: '100' } });
    return new Map(body.data.map((one: Record<string, unknown>) => [one.request_id, one.status]));
  };
  const ids = [...refused, done].map(({ headers }) => String(headers['x-request-id']));
  await until(async () => {
    const known = await logged();
    return ids.every((id) => known.has(id));
  });
  const known = await logged();
  assert.deepEqual(
    ids.map((id) => known.get(id)),
    [400, 400, 400, 200],
  );
});

const faults: [name: string, table: string, method: string][] = [
  ['the list', 'company_children', 'tools/list'],
  ['discovery', 'companies', 'server/discover'],
];

for (const [name, table, method] of faults)
  test(`given a fault of ours in ${name}, then it is told as over REST, logged, and says nothing of itself`, async (t) => {
    const app = await startApp(t, { fresh: true });
    const { live_key: key } = await app.given.company();
    await app.sql`alter table ${app.sql(table)} rename to gone`;
    const answer = await askMcp(app, method, {}, { key, expects_fault: true });
    await app.sql`alter table gone rename to ${app.sql(table)}`;
    assert.deepEqual(
      [answer.body.error.code, answer.body.error.data?.code],
      [-32603, 'internal_error'],
      answer.text,
    );
    assert.doesNotMatch(answer.text, /relation|gone/);
    assert.ok(app.log_lines.some((line) => line.includes('request failed')));
  });
