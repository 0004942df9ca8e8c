/** Writers that meet on one resource, each with If-Match (RFC 9110, 13.1.1; ADR 33, ADR 37). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isResource, resourceOf, takesCondition } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, type CallOptions, startApp, type TestCompany } from '../harness.ts';
import {
  certificateFile,
  certificatePath,
  filePassword,
  giveCertificate,
  giveRepresentation,
  representationPath,
} from '../support/company-certificates.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';

const companyPath = '/v1/account/company';

const keyed = (tag: string) => ({ 'If-Match': tag, 'Idempotency-Key': `k-${newId()}` });

test('every resource that an own operation acts on says the row to lock, and one that is declared exists', () => {
  for (const operation of catalog) {
    const { name, resource_path, transaction, method } = operation;
    const resource = resourceOf(operation, catalog);
    if (resource_path !== null)
      assert.equal(resource?.path, resource_path, `${name} acts on ${resource_path}, which no GET answers`);
    if (!resource || method === 'GET' || transaction !== 'own' || !takesCondition(operation)) continue;
    assert.ok(
      resource.row ?? resource.company_row,
      `${name} can change what ${resource.name} answers, which says no row to lock`,
    );
  }
});

test('every PUT acts on a resource that can be read', () => {
  const without = catalog.filter((one) => one.method === 'PUT' && !resourceOf(one, catalog));
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
  assert.ok(catalog.some(isResource));
});

test('given another transaction that refers to the company, when its settings are put with If-Match, then the call does not wait', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  // As the insert of any row of the company does.
  await holdLock(t, app, (sql) => sql`select from companies where company_id = ${company_id} for key share`);
  let is_done = false;
  const put = app
    .put(companyPath, { key, body: { name: 'Otra SL' }, headers: keyed('*') })
    .finally(() => (is_done = true));
  while (!is_done) {
    assert.equal(await waitersOf(app), 0, 'the call waits for the lock');
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await put).status, 200);
});

test('given many edits at once of one company, when each has a key and If-Match, then all are made', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const edits = Array.from({ length: 24 }, (_, n) =>
    app.put(companyPath, { key, body: { name: `Empresa ${n}` }, headers: keyed('*') }),
  );
  for (const answer of await Promise.all(edits)) assert.equal(answer.status, 200, answer.text);
});

type Edit = (n: number) => Promise<{ method?: 'PUT' | 'DELETE' | 'POST'; body?: unknown }>;

/** @returns what four edits that read the same got */
async function race(app: App, key: string, read: string, written: string, edit: Edit): Promise<number[]> {
  const first = await app.get(read, { key });
  assert.equal(first.status, 200, first.text);
  const headers = { 'If-Match': String(first.headers.etag) };
  const edits = await Promise.all([0, 1, 2, 3].map(edit));
  const answers = await Promise.all(
    edits.map(({ method = 'PUT', body }) => {
      const options: CallOptions = { key, headers, ...(body === undefined ? {} : { body }) };
      return app.call(method, written, options);
    }),
  );
  return answers.map(({ status }) => status).toSorted();
}

const oneOfFour = [200, 412, 412, 412];

test('given four edits that read the same certificate, representation, clock or settings, when they meet, then one is made', async (t) => {
  const app = await startApp(t);
  const company: TestCompany = await app.given.company();
  const { test_key: key, tax_id } = company;

  await giveCertificate(app, company);
  const upload: Edit = async () => ({
    body: { pkcs12_base64: certificateFile({ tax_id }), password: filePassword },
  });
  const remove: Edit = async () => ({ method: 'DELETE' });
  assert.deepEqual(await race(app, key, certificatePath, certificatePath, upload), oneOfFour);

  await giveRepresentation(app, key);
  const revoke: Edit = async () => ({ method: 'DELETE', body: { reason: 'Ya no hace falta' } });
  const revoked = await race(app, key, representationPath, representationPath, revoke);
  assert.deepEqual(revoked, oneOfFour);

  const config = '/v1/verifactu/config';
  const settings = '/v1/verifactu/settings';
  const switchOn: Edit = async () => ({ body: { enabled: true, remission_mode: 'verifactu' } });
  assert.deepEqual(await race(app, key, config, settings, switchOn), oneOfFour);

  const clock = '/v1/sandbox/clock';
  const frozen = await app.put(clock, { key, body: { frozen: true } });
  assert.equal(frozen.status, 200, frozen.text);
  const now = new Date(frozen.body.data.now).getTime();
  const move: Edit = async (n) => ({
    body: { now: new Date(now + 60_000 * (n + 1)).toISOString(), frozen: true },
  });
  // The move is answered 200 once nothing due is left.
  assert.deepEqual(await race(app, key, clock, clock, move), oneOfFour);

  const removed = await race(app, key, certificatePath, certificatePath, remove);
  assert.deepEqual(removed, oneOfFour);
});

test('given the settings of VeriFactu, when they are put with the tag of the configuration, then it is compared', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const config = async () => String((await app.get('/v1/verifactu/config', { key })).headers.etag);
  const put = (tag: string, enabled: boolean) =>
    app.put('/v1/verifactu/settings', { key, body: { enabled }, headers: { 'If-Match': tag } });
  const before = await config();
  assert.equal((await put('"other"', true)).status, 412);
  assert.equal((await put(before, true)).status, 200);
  assert.notEqual(await config(), before);
  assert.equal((await put(before, false)).status, 412);
  assert.equal((await put('*', true)).status, 200);
});

test('given two keys that see different parts of an invoice, when both read it, then each has a tag of its own, and writes with that alone', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = {
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 1, tax_rate: 10 }],
    options: { issue: true },
  };
  const made = await app.post('/v1/invoices', { key: acme.live_key, body });
  assert.equal(made.status, 201, made.text);
  const path = `/v1/invoices/${made.body.data.id}`;
  const scopes = ['invoices:read', 'invoices:write'];
  const seeing = await app.given.apiKey(acme, { scopes: [...scopes, 'pdfs:read'] });
  const blind = await app.given.apiKey(acme, { scopes });
  const [shown, hidden] = [await app.get(path, { key: seeing }), await app.get(path, { key: blind })];
  assert.ok(shown.body.data.public_url);
  assert.equal(hidden.body.data.public_url, null);
  assert.notEqual(shown.headers.etag, hidden.headers.etag);
  const put = (key: string, tag: unknown) =>
    app.put(path, { key, body: { metadata: { caja: '1' } }, headers: { 'If-Match': String(tag) } });
  assert.equal((await put(blind, shown.headers.etag)).status, 412);
  // Nor does the other key's tag give a 304.
  const held = await app.get(path, { key: blind, headers: { 'If-None-Match': String(shown.headers.etag) } });
  assert.equal(held.status, 200);
  const edited = await put(blind, hidden.headers.etag);
  // A tag would say that the invoice is what was sent (RFC 9110, 9.3.4).
  assert.deepEqual([edited.status, edited.headers.etag], [200, undefined]);
});
