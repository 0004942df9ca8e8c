/**
 * In no-verifactu mode nothing is issued or withdrawn while nobody can sign. A refusal comes before the operation acts
 * and names what is missing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type App, startApp, type TestCompany } from '../harness.ts';
import { testCertificates } from '../support/certificates.ts';
import {
  certificatePath,
  giveCertificate,
  giveRepresentation,
  representationPath,
  storeRepresentation,
} from '../support/company-certificates.ts';
import { assertRefused } from '../support/resource-checks.ts';

const settings = '/v1/verifactu/settings';
const keep = { enabled: true, remission_mode: 'no_verifactu' };
const line = { description: 'Café', quantity: 1, unit_price: 10, tax_rate: 10 };
const ticket = { type: 'F2', lines: [line] };

type Documents = { client: string; issued: string; ticket: string; draft: string };

/** Made while the company can sign. */
async function documentsOf(app: App, key: string): Promise<Documents> {
  const make = async (path: string, body: unknown): Promise<string> => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  const client = await make('/v1/clients', { name: 'Librería Norte', tax_id: 'B99286320' });
  return {
    client,
    issued: await make('/v1/invoices', { client_id: client, lines: [line], options: { issue: true } }),
    ticket: await make('/v1/invoices', { ...ticket, options: { issue: true } }),
    draft: await make('/v1/invoices', ticket),
  };
}

/** All that issue or withdraw. */
const operations: Record<string, (app: App, key: string, documents: Documents) => Promise<Answer>> = {
  create: (app, key) => app.post('/v1/invoices', { key, body: { ...ticket, options: { issue: true } } }),
  checkout: (app, key) =>
    app.post('/v1/invoices', {
      key,
      body: { ...ticket, payment: { method: 'cash' }, options: { register_verifactu: true } },
    }),
  issue: (app, key, { draft }) => app.post(`/v1/invoices/${draft}/issue`, { key }),
  send: (app, key, { draft }) =>
    app.post(`/v1/invoices/${draft}/send`, { key, body: { to: ['ana@example.com'] } }),
  'mark-sent': (app, key, { draft }) => app.post(`/v1/invoices/${draft}/mark-sent`, { key }),
  corrective: (app, key, { issued }) =>
    app.post(`/v1/invoices/${issued}/corrective`, {
      key,
      body: { correction: { type: 'substitution', reason: 'Precio' }, lines: [{ ...line, unit_price: 8 }] },
    }),
  'substitute-simplified': (app, key, { ticket: id, client }) =>
    app.post('/v1/invoices/substitute-simplified', {
      key,
      body: { simplified_invoice_uuids: [id], client_id: client },
    }),
  annul: (app, key, { issued }) => app.post(`/v1/invoices/${issued}/annul`, { key }),
  void: (app, key, { ticket: id }) => app.post(`/v1/invoices/${id}/void`, { key }),
};

async function stateOf(app: App, company_id: string): Promise<unknown> {
  const invoices = await app.sql`
    select id, status, number from invoices where company_id = ${company_id} order by id`;
  const [counts] = await app.sql`
    select (select count(*)::integer from verifactu_records r where r.company_id = ${company_id}) as records,
           (select sum(next_number)::integer from series_counters c where c.company_id = ${company_id}) as numbers`;
  return { invoices: invoices.map((row) => ({ ...row })), ...counts };
}

async function assertNobodySigns(
  app: App,
  key: string,
  company_id: string,
  documents: Documents,
  param: string,
): Promise<void> {
  const before = await stateOf(app, company_id);
  for (const [name, call] of Object.entries(operations)) {
    const answer = await call(app, key, documents);
    assertRefused(answer, 422, 'verifactu_not_eligible', param);
    assert.equal(answer.body.error.subcode, 'signing_certificate_unavailable', name);
  }
  const bulk = await app.post('/v1/invoices/bulk-create', {
    key,
    body: { invoices: [{ ...ticket, options: { issue: true } }] },
  });
  assert.deepEqual(
    bulk.body.data?.failures.map((failure: { error_code: string; param: string }) => [
      failure.error_code,
      failure.param,
    ]),
    [['verifactu_not_eligible', param]],
    bulk.text,
  );
  assert.deepEqual(await stateOf(app, company_id), before);

  const can = (await app.get(`/v1/invoices/${documents.issued}/can-annul`, { key })).body.data;
  assert.equal(can.can_annul, false);
  assert.match(
    can.reasons.join(),
    { certificate: /certificado/, representation: /representación/ }[param] ?? /servicio/,
  );
  const body = { correction: { type: 'differences' }, dry_run: true };
  for (const dry of [
    await app.post(`/v1/invoices/${documents.draft}/can-issue`, { key }),
    await app.post(`/v1/invoices/${documents.issued}/corrective`, { key, body }),
  ])
    assert.deepEqual(
      dry.body.data.reasons.map((reason: { subcode: string; param: string }) => [
        reason.subcode,
        reason.param,
      ]),
      [['signing_certificate_unavailable', param]],
    );
  // Drafts are not records.
  assert.equal((await app.post('/v1/invoices', { key, body: ticket })).status, 201);
}

async function givenKeeping(app: App): Promise<TestCompany & { documents: Documents }> {
  const acme = await app.given.company();
  await giveCertificate(app, acme);
  const on = await app.put(settings, { key: acme.test_key, body: keep });
  assert.equal(on.status, 200, on.text);
  return { ...acme, documents: await documentsOf(app, acme.test_key) };
}

test('given a certificate that was removed, then nothing is issued or withdrawn, until there is one again', async (t) => {
  const app = await startApp(t);
  const acme = await givenKeeping(app);
  const { test_key: key, sandbox_company_id, documents } = acme;
  const can = await app.get(`/v1/invoices/${documents.issued}/can-annul`, { key });
  assert.equal(can.body.data.can_annul, true);
  assert.equal((await app.delete(certificatePath, { key })).status, 200);
  await assertNobodySigns(app, key, sandbox_company_id, documents, 'certificate');

  await giveCertificate(app, acme);
  for (const name of ['create', 'issue', 'annul', 'void']) {
    const answer = await operations[name]!(app, key, documents);
    assert.ok(answer.status < 300, `${name}: ${answer.text}`);
  }
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from verifactu_records
     where company_id = ${sandbox_company_id} and xml not like '%Signature>%'`;
  assert.equal(row?.count, 0);
});

test('given a certificate that ran out, then nothing is issued or withdrawn', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id } = acme;
  const now = app.clock.now().getTime();
  await giveCertificate(app, acme, { valid_until: new Date(now + 86_400_000) });
  assert.equal((await app.put(settings, { key, body: keep })).status, 200);
  const documents = await documentsOf(app, key);
  const body = { now: new Date(now + 2 * 86_400_000).toISOString(), frozen: true };
  assert.equal((await app.put('/v1/sandbox/clock', { key, body })).status, 200);
  await assertNobodySigns(app, key, sandbox_company_id, documents, 'certificate');
});

test('given a representation that was revoked, then nothing is issued or withdrawn, and the service signed before', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id } = acme;
  await giveRepresentation(app, key);
  assert.equal((await app.put(settings, { key, body: keep })).status, 200);
  const documents = await documentsOf(app, key);
  const revoked = await app.delete(representationPath, { key, body: { reason: 'Se acabó' } });
  assert.equal(revoked.status, 200);
  await assertNobodySigns(app, key, sandbox_company_id, documents, 'representation');
  await giveRepresentation(app, key);
  assert.equal((await operations.issue!(app, key, documents)).status, 200);
});

test('given a representation that ran out, then nothing is issued or withdrawn', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id } = acme;
  const now = app.clock.now().getTime();
  await giveRepresentation(app, key, { valid_until: new Date(now + 86_400_000).toISOString().slice(0, 10) });
  assert.equal((await app.put(settings, { key, body: keep })).status, 200);
  const documents = await documentsOf(app, key);
  const body = { now: new Date(now + 3 * 86_400_000).toISOString(), frozen: true };
  assert.equal((await app.put('/v1/sandbox/clock', { key, body })).status, 200);
  await assertNobodySigns(app, key, sandbox_company_id, documents, 'representation');
});

test('given a service without a certificate, when a live company relies on it, then that certificate is what is missing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key, company_id } = acme;
  await storeRepresentation(app, company_id);
  const refused = await app.put(settings, { key, body: keep });
  assertRefused(refused, 422, 'social_collaborator_unavailable', 'remission_mode');
  await giveCertificate(app, acme, {}, key);
  assert.equal((await app.put(settings, { key, body: keep })).status, 200);
  const documents = await documentsOf(app, key);
  assert.equal((await app.delete(certificatePath, { key })).status, 200);
  await assertNobodySigns(app, key, company_id, documents, 'system_certificate');
  const { data } = (await app.get('/v1/verifactu/config', { key })).body;
  assert.deepEqual(
    [data.social_collaborator_available, data.presenter, data.presenter_certificate_status],
    [false, null, 'service_unavailable'],
  );
});

test('given a service with a certificate, when a live company is represented by it, then the service signs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-certificate-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'service.p12');
  writeFileSync(file, testCertificates.company().toPkcs12('clave'));
  const env = { FOLIO_AEAT_CERTIFICATE: file, FOLIO_AEAT_CERTIFICATE_PASSWORD: 'clave' };
  const app = await startApp(t, { env });
  const { live_key: key, company_id } = await app.given.company();
  await giveRepresentation(app, key);
  assert.equal((await app.put(settings, { key, body: keep })).status, 200);
  await documentsOf(app, key);
  const [row] = await app.sql<{ count: number; signed: number }[]>`
    select count(*)::integer as count, count(*) filter (where xml like '%Signature>%')::integer as signed
      from verifactu_records where company_id = ${company_id}`;
  assert.deepEqual({ ...row }, { count: 2, signed: 2 });
  const { data } = (await app.get('/v1/verifactu/config', { key })).body;
  assert.deepEqual([data.social_collaborator_available, data.presenter], [true, 'service']);
});

test('given VeriFactu off or records that are sent, then no certificate is asked for', async (t) => {
  const app = await startApp(t);
  for (const body of [{ enabled: false }, { enabled: true }]) {
    const { test_key: key } = await app.given.company();
    assert.equal((await app.put(settings, { key, body })).status, 200);
    const documents = await documentsOf(app, key);
    for (const name of ['create', 'issue', 'void']) {
      const answer = await operations[name]!(app, key, documents);
      assert.ok(answer.status < 300, `${name}: ${answer.text}`);
    }
  }
});
