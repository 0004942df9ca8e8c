/** The dashboard's server by HTTP: who may call, from where, and what is shown without a session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { type Answer, type App, startApp } from '../../../test/harness.ts';
import { certificateFile, certificatePath } from '../../../test/support/company-certificates.ts';
import { givenPerson, type PersonBrowser } from '../../../test/support/person-browser.ts';
import { assertRefused } from '../../../test/support/resource-checks.ts';
import { purgePeople } from '../../modules/people/index.ts';
import { registerDashboard } from './dashboard-routes.ts';
import { readShell } from './shell.ts';

async function sessionOf(browser: PersonBrowser) {
  const answer = await browser.get('/dashboard/api/session');
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** What a page of the dashboard sends with a change. */
async function headersOf(app: App, browser: PersonBrowser): Promise<Record<string, string>> {
  const { csrf } = await sessionOf(browser);
  return {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: app.url,
    'sec-fetch-site': 'same-origin',
    'x-folio-csrf': csrf,
  };
}

test('given a session, then it tells the person, the companies and what this service offers', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ name: 'Librería Norte SL' });
  const { browser, email, user_id } = await givenPerson(app, acme, 'accountant');
  const session = await sessionOf(browser);
  assert.deepEqual(session.user, { id: user_id, name: 'Ana Ruiz', email, language: 'es' });
  assert.deepEqual(session.companies, [
    {
      id: acme.company_id,
      name: 'Librería Norte SL',
      tax_id: acme.tax_id,
      role: 'accountant',
      sandbox_id: acme.sandbox_company_id,
    },
  ]);
  assert.deepEqual(session.features, { mail: false, sign_up: false, mcp: true, passkeys: false });
  const nobody = await app.get('/dashboard/api/session');
  assert.deepEqual([nobody.status, nobody.body.error.code], [401, 'session_required']);
  assert.equal(nobody.headers['set-cookie'], undefined);
});

test('given a role, then the operations of its company and sandbox are open as it says, and no others', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const { browser } = await givenPerson(app, acme, 'reader');
  const headers = await headersOf(app, browser);
  const list = (company_id: string, path = 'invoices') =>
    browser.get(`/dashboard/api/${company_id}/v1/${path}`);
  for (const id of [acme.company_id, acme.sandbox_company_id]) {
    const found = await list(id);
    assert.deepEqual([found.status, found.body.data], [200, []]);
    assert.ok(found.headers['service-version']);
  }
  for (const id of [other.company_id, other.sandbox_company_id, 'x', '00000000-0000-4000-8000-000000000000'])
    assert.deepEqual(
      [(await list(id)).status, (await list(id)).body.error.code],
      [404, 'resource_not_found'],
      id,
    );
  const body = { name: 'Papelería Sur SL', tax_id: 'B12345674' };
  const refused = await app.post(`/dashboard/api/${acme.company_id}/v1/clients`, { headers, body });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
  // A person has a role, and no key.
  assert.equal(refused.body.error.message, 'Falta el permiso contacts:write.');
  assert.equal((await list(acme.company_id, 'nothing')).status, 404);
  const wrong = await app.delete(`/dashboard/api/${acme.company_id}/v1/invoices`, { headers });
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD, POST']);
});

test('given a change, then it is made once, told with the person’s name, and only from a page of this service', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser, user_id } = await givenPerson(app, acme, 'owner');
  const stranger = await givenPerson(app, acme, 'owner');
  const headers = await headersOf(app, browser);
  const url = `/dashboard/api/${acme.company_id}/v1/clients`;
  const body = { name: 'Papelería Sur SL', tax_id: 'B12345674' };
  const { csrf } = await sessionOf(stranger.browser);
  for (const [what, changed] of [
    ['no token', { 'x-folio-csrf': '' }],
    ['the token of somebody else', { 'x-folio-csrf': csrf }],
    ['another origin', { origin: 'https://attacker.example' }],
    ['no origin that can be told', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    const refused = await app.post(url, { headers: { ...headers, ...changed }, body });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'foreign_request'], what);
  }
  const key = { 'idempotency-key': 'one-click' };
  const [one, two] = await Promise.all(
    [1, 2].map(() => app.post(url, { headers: { ...headers, ...key }, body })),
  );
  assert.deepEqual([one!.status, two!.status], [201, 201]);
  assert.equal(one!.body.data.id, two!.body.data.id, 'a double click is one effect');
  const keys = `/dashboard/api/${acme.company_id}/v1/account/api-keys`;
  const made = await app.post(keys, { headers, body: { name: 'Tienda', scopes: ['invoices:read'] } });
  assert.equal(made.status, 201, made.text);
  const { body: log } = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'api_key.created' },
  });
  const entry = log.data.find(({ target }: { target: { id: string } }) => target.id === made.body.data.id);
  assert.deepEqual([entry.actor, entry.actor_name, entry.actor_user_id], ['user', 'Ana Ruiz', user_id]);
});

test('given a certificate with a wrong password or of 5 MB, then each is refused in its own words, and nothing is kept', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'owner');
  const own = certificateFile({ tax_id: acme.tax_id });
  for (const id of [acme.company_id, acme.sandbox_company_id]) {
    const put = (pkcs12_base64: string) =>
      browser.ask('PUT', `/${id}${certificatePath}`, { pkcs12_base64, password: 'otra' });
    const wrong = await put(own);
    assertRefused(wrong, 422, 'parameter_invalid', 'password');
    assert.match(wrong.text, /contraseña/);
    assertRefused(await put(Buffer.alloc(5_000_000).toString('base64')), 413, 'request_too_large');
    assertRefused(await browser.get(`/dashboard/api/${id}${certificatePath}`), 404, 'resource_not_found');
  }
  const kept = await app.sql`
    select 1 from verifactu_certificates where company_id in (${acme.company_id}, ${acme.sandbox_company_id})`;
  assert.deepEqual([...kept], []);
});

test('given a sandbox whose clock goes past the life of a session, then whoever moved it stays signed in', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser, user_id } = await givenPerson(app, acme, 'owner');
  const before = await sessionOf(browser);
  const path = `/${acme.sandbox_company_id}/v1`;
  for (const days of [45, 400]) {
    const now = new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
    const moved = await browser.ask('PUT', `${path}/sandbox/clock`, { now, frozen: true });
    assert.deepEqual([moved.status, moved.body.data?.now], [200, now], moved.text);
    await purgePeople(app.db, app.clock.now());
    assert.deepEqual(await sessionOf(browser), before);
    const body = { name: 'Clínica Robles SL', tax_id: 'B12345674', external_id: String(days) };
    const made = await browser.ask('POST', `${path}/clients`, body);
    assert.equal(made.status, 201, made.text);
  }
  const { data } = (await browser.ask('GET', `/${acme.company_id}/members`)).body;
  assert.equal(data[0].user_id, user_id);
  // The moved clock does not age the proof.
  assert.equal(
    (await browser.ask('POST', '/me/recovery-codes', {})).status,
    404,
    'no factor, and no new proof',
  );
});

test('given the id of a company in capitals, then what is kept under it is found by keys too', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'owner');
  const of = acme.company_id.toUpperCase();
  const file = { file_name: 'uno.pdf', content_base64: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64') };
  const { id } = (await browser.ask('POST', `/${of}/v1/purchase_scans`, file)).body.data;
  assert.equal((await app.get(`/v1/purchase_scans/${id}/file`, { key: acme.live_key })).status, 200);
});

test('given a cookie at /v1, or a key at the dashboard, then neither opens anything', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'owner');
  assert.equal((await browser.get('/v1/invoices')).body.error.code, 'missing_api_key');
  const url = `/dashboard/api/${acme.company_id}/v1/invoices`;
  const byKey = await app.get(url, { key: acme.live_key });
  assert.deepEqual([byKey.status, byKey.body.error.code], [401, 'session_required']);
  const child = await browser.get(url, { 'x-active-profile': acme.company_id });
  assert.deepEqual([child.status, child.body.error.code], [404, 'profile_not_found']);
});

test('given an invoice, then its paper alone may be in a frame of this service, and the request log is of programs', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'accountant');
  const lines = [{ description: 'Consultoría', unit_price: 10, tax_rate: 21 }];
  const ticket = { key: acme.live_key, body: { type: 'F2', lines } };
  const { id } = (await app.post('/v1/invoices', ticket)).body.data;
  const url = `/dashboard/api/${acme.company_id}/v1/invoices/${id}`;
  const [paper, data] = [await browser.get(`${url}/pdf`), await browser.get(url)];
  assert.deepEqual([paper.status, paper.headers['content-type']], [200, 'application/pdf'], paper.text);
  assert.equal(paper.headers['content-security-policy'], "frame-ancestors 'self'");
  assert.equal(data.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  // The policy that came with the paper stays: another one in a 304 would close the frame.
  const tag = String(paper.headers.etag);
  const again = await browser.get(`${url}/pdf`, { 'if-none-match': tag });
  assert.deepEqual([again.status, again.headers['content-security-policy']], [304, undefined]);
  // A tab of the browser is led to the sign-in and back; a script and a frame are told.
  const asDocument = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  const led = await app.get(`${url}/pdf?paper=80`, { headers: asDocument });
  assert.deepEqual(
    [led.status, led.headers.location, led.text],
    [303, `/sign-in?return_to=${encodeURIComponent(`${url}/pdf?paper=80`)}`, ''],
  );
  const told = await app.get(`${url}/pdf`, { headers: { 'sec-fetch-dest': 'iframe' } });
  assert.deepEqual([told.status, told.body.error.code], [401, 'session_required']);
  const own = await browser.get(`${url}/pdf`, asDocument);
  assert.deepEqual([own.status, own.headers['content-type']], [200, 'application/pdf']);
  await app.service.flush();
  const { body } = await app.get('/v1/request-logs', { key: acme.live_key });
  const paths = body.data.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths, ['/v1/invoices'], 'the call of the key');
});

test('given a person who asks too often of two processes, then they wait, and programs and colleagues do not', async (t) => {
  const limits = { env: { FOLIO_RATE_LIMITS: '{"scale":[5,3]}' } };
  const app = await startApp(t, limits);
  const acme = await app.given.company();
  const ana = await givenPerson(app, acme, 'reader');
  const eva = await givenPerson(app, acme, 'reader');
  const other = await startApp(t, { ...limits, fresh: true });
  const now = app.clock.now().toISOString();
  for (const one of [app, other]) one.clock.set(now);
  const url = `/dashboard/api/${acme.company_id}/v1/clients`;
  const ask = async (at: App, headers: Record<string, string>): Promise<Answer> =>
    at.post(url, { headers: { ...headers, origin: at.url }, body: {} });
  const headers = await headersOf(app, ana.browser);
  const answers = await Promise.all(Array.from({ length: 140 }, (_, i) => ask(i % 2 ? app : other, headers)));
  const passed = answers.filter(({ body }) => body.error.code === 'insufficient_scope').length;
  const late = answers.filter(({ body }) => body.error.code === 'rate_limit_exceeded');
  assert.equal(passed + late.length, 140);
  // One process may keep the rest of a share that it leased: a tenth of the limit.
  assert.ok(passed <= 120 && passed >= 108, `${passed} passed`);
  assert.equal(late[0]!.headers['ratelimit-policy'], '"write";q=120;w=60');
  assert.ok(Number(late[0]!.headers['retry-after']) >= 1);
  const of_eva = await ask(app, await headersOf(app, eva.browser));
  assert.equal(of_eva.body.error.code, 'insufficient_scope');
  assert.equal((await app.get('/v1/clients', { key: acme.live_key })).status, 200);
});

test('given no dashboard, when people open the service, then they find the reference', async () => {
  const parts = {
    people: {},
    clock: {},
    mount: () => undefined,
    more: [],
    spend: () => undefined,
    version: '',
  };
  const shell = () => readShell('/no-such-folder');
  const public_url = () => 'http://folio.test/base';
  for (const [docs_url, reference] of [
    ['http://folio.test/base', '/base/docs'],
    ['https://docs.example.com', 'https://docs.example.com/docs'],
  ]) {
    const app = Fastify();
    registerDashboard(app, { ...parts, shell, public_url, docs_url: () => docs_url } as never);
    const { statusCode, headers } = await app.inject('/');
    assert.deepEqual([statusCode, headers.location], [303, reference]);
    assert.ok((await app.inject('/dashboard')).body.includes(`<a href="${reference}">`));
  }
});

test('given the pages, then the shell has a fresh nonce and the answers of the API are no pages', async (t) => {
  const app = await startApp(t);
  assert.deepEqual([(await app.get('/')).status, (await app.get('/')).headers.location], [303, '/dashboard']);
  const [one, two] = [await app.get('/dashboard'), await app.get('/dashboard/acme/invoices?x=1')];
  assert.deepEqual([one.status, two.status], [200, 200]);
  assert.equal(one.headers['cache-control'], 'no-store');
  const policy = String(one.headers['content-security-policy']);
  assert.ok(!policy.includes('unsafe-'));
  assert.notEqual(policy, two.headers['content-security-policy']);
  assert.equal((await app.get('/dashboard/api/nothing')).status, 404);
  assert.equal((await app.get('/dashboard/assets/nothing.js')).status, 404);
  assert.equal((await app.get('/dashboard/assets/..%2F..%2Fpackage.json')).status, 404);
});
