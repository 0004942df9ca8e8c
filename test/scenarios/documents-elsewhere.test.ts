/** Documents at an address of their own (FOLIO_DOCS_PORT): they are there alone, and what leads to them leads there (ADR 84). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { apiVersions, latestVersion } from '../../src/kernel/versions.ts';
import { startApp, startOnce } from '../harness.ts';

// Other systems have one loopback address alone.
const host = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
const elsewhere = { FOLIO_DOCS_PORT: '0', FOLIO_DOCS_HOST: host };
/** A service makes each document once: some take hundreds of milliseconds. */
const startElsewhere = startOnce({ env: elsewhere });

const documents = [
  '/docs',
  '/docs.md',
  '/docs/',
  '/docs/guides',
  '/docs/guides/en/first-invoice',
  '/docs/reference/invoices',
  '/docs/errors',
  '/docs/errors/resource_not_found',
  '/docs/events',
  '/docs/webhooks',
  '/docs/search.json',
  '/docs/changelog.atom',
  '/docs/es/changelog.atom',
  '/docs/es/changelog',
  '/docs/en/events',
  '/docs/event-schemas.json',
  '/docs/postman-collection.json',
  '/docs/style.css',
  '/docs/page.js',
  '/openapi.json',
  ...apiVersions.map((version) => `/openapi/${version}.json`),
  '/llms.txt',
];

const addressesIn = (text: string) => [...text.matchAll(/https?:\/\/[\w.:-]+/g)].map(([address]) => address);

test('given a port and an address of their own, when documents are asked for, then they are there and no longer beside the API', async () => {
  const app = await startElsewhere();
  const { docs_url } = app.service;
  // On two addresses the system may give the same port.
  assert.ok(docs_url && new URL(docs_url).origin !== new URL(app.url).origin);
  assert.equal(new URL(docs_url).hostname, host);
  for (const path of documents) {
    const there = await fetch(`${docs_url}${path}`);
    assert.equal(there.status, 200, path);
    assert.ok((await there.text()).length > 100, path);
    const beside = await app.get(path);
    assert.deepEqual([beside.status, beside.body?.error.code], [404, 'resource_not_found'], path);
  }
  assert.equal((await fetch(docs_url)).url, `${docs_url}/docs`);
  assert.equal((await fetch(`${docs_url}/docs/no-such-page`)).status, 404);
  assert.equal((await fetch(`${docs_url}/docs`, { method: 'POST' })).status, 405);
  const { live_key } = await app.given.company();
  for (const path of ['/v1/account', '/healthz', '/metrics', '/dashboard', '/sign-in', '/mcp']) {
    const { status } = await fetch(`${docs_url}${path}`, {
      headers: { authorization: `Bearer ${live_key}` },
    });
    assert.equal(status, 404, path);
  }
  assert.equal((await app.get('/v1/account', { key: live_key })).status, 200);
  assert.equal((await app.get('/readyz')).status, 200);
});

test('given documents elsewhere, when the service names one, then it is the address where it is', async () => {
  const app = await startElsewhere();
  const docs_url = app.service.docs_url!;
  const { live_key } = await app.given.company();
  const refused = await app.get('/v1/account');
  assert.equal(refused.body.error.doc_url, `${docs_url}/docs/errors/missing_api_key`);
  assert.equal((await fetch(refused.body.error.doc_url)).status, 200);
  assert.match(String(refused.headers['www-authenticate']), new RegExp(`"${app.url}/.well-known/`));
  const metadata = await app.get('/.well-known/oauth-authorization-server');
  assert.equal(metadata.body.service_documentation, `${docs_url}/docs`);
  const resource = await app.get('/.well-known/oauth-protected-resource/v1');
  assert.equal(resource.body.resource_documentation, `${docs_url}/docs`);

  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { Authorization: `Bearer ${live_key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }),
  );
  const missing = { name: 'get_client', arguments: { client: '01a1fc42-85f0-7d0e-b1a4-3c2f0e6a7b55' } };
  await assert.rejects(client.callTool(missing), (error: Error & { data?: { doc_url?: string } }) => {
    assert.equal(error.data?.doc_url, `${docs_url}/docs/errors/resource_not_found`);
    return true;
  });
  await client.close();
});

test('given documents elsewhere, when they are followed, then each link is there, and calls go to the API', async () => {
  const app = await startElsewhere();
  const docs_url = app.service.docs_url!;
  const read = async (path: string) => (await fetch(`${docs_url}${path}`)).text();
  const llms = await read('/llms.txt');
  const links = [...llms.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  assert.ok(links.length > 50);
  for (const link of links) {
    assert.ok(link.startsWith(`${docs_url}/`), link);
    assert.equal((await fetch(link)).status, 200, link);
  }
  assert.ok(llms.includes(`${app.url}/v1`));
  const feed = await read('/docs/changelog.atom');
  assert.deepEqual(
    [...new Set([...feed.matchAll(/<link[^>]* href="(https?:\/\/[^/]+)/g)].map(([, to]) => to))],
    [docs_url],
  );
  const openapi = JSON.parse(await read('/openapi.json'));
  assert.deepEqual(openapi.servers, [{ url: app.url }]);
  assert.deepEqual(openapi.externalDocs.url, `${docs_url}/docs`);
  assert.equal(openapi.info.version, latestVersion);
  const page = await read('/docs/reference/clients');
  assert.ok(addressesIn(page).includes(app.url), 'the samples call the API');
  // A page of another origin cannot: `/v1` is open to no script.
  assert.doesNotMatch(page, /data-try/);
});

test('given an address under which documents are reached, then links have it, and lie below its path', async (t) => {
  const app = await startApp(t, { env: { ...elsewhere, FOLIO_DOCS_URL: 'https://docs.example.com/folio' } });
  const { body } = await app.get('/v1/account');
  assert.equal(body.error.doc_url, 'https://docs.example.com/folio/docs/errors/missing_api_key');
  const page = await (await fetch(`${app.service.docs_url}/docs`)).text();
  assert.match(page, / href="\/folio\/docs\/errors"/);
  assert.doesNotMatch(page, / href="\/docs/);
});

test('given one public address for both, then a page may call the API', async (t) => {
  const url = 'https://folio.example.com';
  const app = await startApp(t, { env: { ...elsewhere, FOLIO_DOCS_URL: url, FOLIO_PUBLIC_URL: url } });
  const page = await (await fetch(`${app.service.docs_url}/docs/reference/clients`)).text();
  assert.match(page, /data-try/);
});

test('given a port that is taken, then the start is refused and names the setting', async (t) => {
  const app = await startApp(t);
  const env = { FOLIO_DOCS_PORT: new URL(app.url).port };
  await assert.rejects(
    startApp(t, { env }),
    /Port \d+ on 127\.0\.0\.1 is taken by another program.* set FOLIO_DOCS_PORT/,
  );
});
