/** Tokens at /mcp: the official client from its first 401 to a wider grant, and what a token may not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { askMcp, callTool } from '../support/mcp-client.ts';
import { consent, KeptSignIn, newClient, transportOf } from '../support/mcp-sign-in.ts';
import { givenClient, givenPerson, grantTokens } from '../support/oauth.ts';

const hour = 3_600_000;

test('given the address alone, when the official client signs in, then it calls, asks for more, and renews by itself', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const person = await givenPerson(app, acme);
  const kept = new KeptSignIn(await givenClient(app, acme));
  const url = `${app.url}/mcp?toolsets=contacts`;

  const first = transportOf(url, kept);
  await assert.rejects(newClient().connect(first), { name: 'UnauthorizedError' });
  const asked = kept.sent_to[0]?.searchParams;
  assert.deepEqual([asked?.get('resource'), asked?.get('scope')], [`${app.url}/mcp`, 'svc.read svc.write']);
  await consent(app, person, kept, first);

  const second = transportOf(url, kept);
  const client = newClient();
  await client.connect(second);
  const made = await client.callTool({ name: 'create_client', arguments: { name: 'Librería Norte' } });
  const { id } = (made.structuredContent as { data: { id: string } }).data;

  // Sensitive scopes were not granted: the client asks for what it holds and this one together.
  const remove = { name: 'delete_client', arguments: { client: id } };
  await assert.rejects(client.callTool(remove), { name: 'UnauthorizedError' });
  const wider = kept.sent_to[1]?.searchParams.get('scope')?.split(' ') ?? [];
  assert.ok(wider.includes('contacts.delete') && wider.length > 1, wider.join(' '));
  await consent(app, person, kept, second, ['contacts.delete']);
  assert.notEqual((await client.callTool(remove)).isError, true);

  app.clock.advance(2 * hour);
  const listed = await client.callTool({ name: 'list_clients', arguments: {} });
  assert.deepEqual((listed.structuredContent as { data: unknown[] }).data, []);
  assert.equal(kept.sent_to.length, 2);
  await client.close();
});

test('given a token, then it works at its own surface alone, for its own company, and in no older revision', async (t) => {
  const app = await startApp(t, { env: { FOLIO_MCP_LEGACY: 'api_keys' } });
  const master = await app.given.company();
  const child = await app.given.company({ parent_id: master.company_id, plan: 'free' });
  const person = await givenPerson(app, master);
  const client = await givenClient(app, master);
  const grant = (resource: string) =>
    grantTokens(app, person, client, { scope: 'svc.read', resource: `${app.url}${resource}` });
  const { access_token: key } = await grant('/mcp');
  const v1 = await grant('/v1');

  const { tools } = (await askMcp(app, 'tools/list', {}, { key })).body.result;
  assert.ok(tools.every((one: { annotations: { readOnlyHint: boolean } }) => one.annotations.readOnlyHint));
  assert.ok(!('active_profile' in tools[0].inputSchema.properties));
  const refused = await askMcp(app, 'tools/list', {}, { key: v1.access_token });
  assert.deepEqual([refused.status, refused.body.error.data.code], [401, 'invalid_api_key']);
  const other = await callTool(app, key, 'get_company', { active_profile: child.company_id });
  assert.deepEqual([other.body.error.code, other.body.error.data.code], [404, 'profile_not_found']);
  const old = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const answer = await app.post('/mcp', { key, body: old });
  assert.deepEqual([answer.status, answer.body.error.code], [400, -32022]);
  const account = await callTool(app, key, 'get_account');
  assert.equal(account.body.result.structuredContent.data.object, 'oauth_grant');
});
