/** Runs the blocks of docs/mcp.md and docs/oauth.md. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onOwnDatabase } from '../harness.ts';
import { projectRoot } from '../support/installation.ts';
import { consent, KeptSignIn, newClient, transportOf } from '../support/mcp-sign-in.ts';
import { givenPerson, openConsent, sendForm } from '../support/oauth.ts';
import { ServiceProcess } from '../support/service-process.ts';

const startApp = onOwnDatabase();

const page = readFileSync(join(projectRoot, 'docs', 'mcp.md'), 'utf8');

async function run(
  command: string,
  words: readonly string[],
  key: string,
  more: Record<string, string> = {},
): Promise<string> {
  const env = { ...process.env, FOLIO_API_KEY: key, ...more };
  const started = new ServiceProcess(command, words, { cwd: projectRoot, env });
  await started.exited();
  return started.stdout + started.stderr;
}

test('given the page about tools, when its blocks are run, then each does what it says', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  const { body } = await app.post('/v1/clients', { key, body: { name: 'Librería Norte' } });
  const blocks = [...page.replaceAll('http://127.0.0.1:3000', app.url).matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const written = (language: string) =>
    blocks.filter(([, one]) => one === language).map(([, , text = '']) => text);
  assert.deepEqual(
    blocks.map(([, language]) => language),
    ['json', 'ts', 'json', 'sh', 'sh', '', 'sh'],
  );

  const hosts = written('json').map(
    (text) => JSON.parse(text.replace(/\$\{FOLIO_API_KEY\}/, key)).mcpServers.folio,
  );
  const [{ url, headers }, by_sign_in] = hosts;
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const answer = await client.callTool({ name: 'list_clients', arguments: {} });
  assert.equal((answer.structuredContent as { data: { id: string }[] }).data[0]?.id, body.data.id);
  await client.close();

  const [registration = '', challenge = '', call = ''] = written('sh');
  const registered = JSON.parse(await run('bash', ['-c', registration], key)).data;
  const kept = new KeptSignIn({ ...registered, redirect_uri: 'http://127.0.0.1:61234/callback' });
  const asking = transportOf(by_sign_in.url, kept);
  await assert.rejects(newClient().connect(asking), { name: 'UnauthorizedError' });
  await consent(app, await givenPerson(app, acme), kept, asking);
  const signed_in = newClient();
  await signed_in.connect(transportOf(by_sign_in.url, kept));
  assert.notEqual((await signed_in.callTool({ name: 'list_clients', arguments: {} })).isError, true);
  await signed_in.close();

  const [program = ''] = written('ts');
  assert.equal(program.trim().split('\n').length, 5);
  const printed = await run(process.execPath, ['--input-type=module-typescript', '--eval', program], key);
  assert.match(printed, /Librería Norte/);

  const [told = ''] = written('');
  assert.equal((await run('bash', ['-c', challenge], key)).trim(), told.trim());
  assert.match(await run('bash', ['-c', call], key), /"structuredContent":\{"data":\{"object":"api_key"/);
});

test('given the page about applications, when its blocks are run, then each does what it says', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const text = readFileSync(join(projectRoot, 'docs', 'oauth.md'), 'utf8').replaceAll(
    'http://127.0.0.1:3000',
    app.url,
  );
  const [register = '', send = '', exchange = '', refresh = '', revoke = ''] = [
    ...text.matchAll(/^```sh\n(.*?)^```$/gms),
  ].map(([, block = '']) => block);
  const kept: Record<string, string> = {};
  const sh = (block: string) => run('bash', ['-c', block], acme.live_key, kept);

  const { client_id, secret } = JSON.parse(await sh(register)).data;
  Object.assign(kept, { CLIENT_ID: client_id, CLIENT_SECRET: secret });
  // A secret may begin with a dash.
  const [challenge = ''] = /^CHALLENGE=.*$/m.exec(send) ?? [];
  assert.equal(
    (await sh(`VERIFIER=-dash; ${challenge}; echo $CHALLENGE`)).trim(),
    createHash('sha256').update('-dash').digest('base64url'),
  );
  const [verifier = '', address = ''] = (await sh(send)).trim().split('\n');
  const person = await givenPerson(app, acme);
  const { fields } = await openConsent(app, person, new URL(address).search.slice(1));
  const answer = await sendForm(app, person, [...fields, ['decision', 'allow']]);
  const back = new URL(String(answer.headers.location));
  assert.deepEqual([back.host, back.searchParams.get('state')], ['crm.example', 'abc']);
  Object.assign(kept, { CODE: back.searchParams.get('code') ?? '', VERIFIER: verifier });
  const tokens = JSON.parse(await sh(exchange));
  assert.equal(tokens.scope, 'contacts.read invoices.read');
  kept.REFRESH_TOKEN = tokens.refresh_token;
  const renewed = JSON.parse(await sh(refresh));
  const read = async () => (await app.get('/v1/clients', { key: renewed.access_token })).status;
  assert.equal(await read(), 200);
  app.given.secrets.push(secret, kept.CODE!, tokens.access_token, tokens.refresh_token);
  app.given.secrets.push(renewed.access_token, renewed.refresh_token);
  assert.deepEqual([await sh(revoke), await read()], ['200', 401]);
});
