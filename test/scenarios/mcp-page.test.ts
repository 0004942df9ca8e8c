/** Runs the blocks of docs/mcp.md. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startApp } from '../harness.ts';
import { projectRoot } from '../support/installation.ts';
import { consent, KeptSignIn, newClient, transportOf } from '../support/mcp-sign-in.ts';
import { givenPerson } from '../support/oauth.ts';

const page = readFileSync(join(projectRoot, 'docs', 'mcp.md'), 'utf8');

function run(command: string, words: readonly string[], key: string): Promise<string> {
  const child = spawn(command, words, { cwd: projectRoot, env: { ...process.env, FOLIO_KEY: key } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) => child.on('close', () => resolve(said)));
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
    (text) => JSON.parse(text.replace(/\$\{FOLIO_KEY\}/, key)).mcpServers.folio,
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
