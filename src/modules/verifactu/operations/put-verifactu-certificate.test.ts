import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase, startApp } from '../../../../test/harness.ts';
import { testCertificates } from '../../../../test/support/certificates.ts';
import {
  auditOf,
  certificateFile,
  certificatePath,
  filePassword,
  putCertificate,
} from '../../../../test/support/company-certificates.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';
import { findSecrets } from '../../../../test/support/secret-search.ts';

const day = 86_400_000;

for (const kind of ['representative', 'seal'] as const) {
  test(`given a certificate file of kind ${kind}, when it is uploaded, then it is shown without its key`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const put = await putCertificate(app, acme, { kind, name: 'Acme SL' });
    assert.equal(put.status, 200, put.text);
    const { data } = put.body;
    assert.deepEqual(
      [data.object, data.status, data.kind, data.tax_id, data.holder_name],
      ['verifactu_certificate', 'valid', kind, acme.tax_id, 'Acme SL'],
    );
    assert.match(data.fingerprint, /^[0-9a-f]{64}$/);
    assert.match(data.issuer, /AC de pruebas/);
    assert.equal(data.valid_from, '2020-01-01T00:00:00.000Z');
    assert.ok(!/sealed|private|password|PRIVATE KEY/.test(put.text), put.text);

    const shown = await app.get(certificatePath, { key: acme.test_key });
    assert.deepEqual(shown.body, put.body);
    const config = await app.get('/v1/verifactu/config', { key: acme.test_key });
    assert.equal(config.body.data.certificate.id, data.id);
    // The live company has its own.
    assertRefused(await app.get(certificatePath, { key: acme.live_key }), 404, 'resource_not_found');
  });
}

test('given a self-employed person, when their certificate is uploaded, then it is theirs', async (t) => {
  const app = await startApp(t);
  const ana = await app.given.company({ tax_id: '00000000T', name: 'Ana Prueba' });
  const put = await putCertificate(app, ana, { kind: 'person' });
  assert.deepEqual([put.status, put.body.data?.kind, put.body.data?.tax_id], [200, 'person', '00000000T']);
});

test('given a file of an old browser (3DES), when it is uploaded, then it is read', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ tax_id: 'B12345674' });
  const pkcs12_base64 = testCertificates.company().toPkcs12(filePassword, '3des').toString('base64');
  const body = { pkcs12_base64, password: filePassword };
  const put = await app.put(certificatePath, { key: acme.test_key, body });
  assert.equal(put.status, 200, put.text);
});

test('given files that cannot be used, when they are uploaded, then each is refused in its own words, and nothing is kept', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { tax_id, test_key: key } = acme;
  const own = certificateFile({ tax_id });
  const past = new Date(app.clock.now().getTime() - day);
  const ahead = new Date(app.clock.now().getTime() + day);
  const cases: [Record<string, unknown>, string, string, RegExp][] = [
    [{ pkcs12_base64: own, password: 'otra' }, 'parameter_invalid', 'password', /contraseña/],
    [{ pkcs12_base64: own, password: '' }, 'parameter_invalid', 'password', /contraseña/],
    [{ pkcs12_base64: own }, 'parameter_invalid', 'password', /./],
    [{ password: filePassword }, 'parameter_invalid', 'pkcs12_base64', /./],
    [{ pkcs12_base64: '¿?', password: filePassword }, 'parameter_invalid', 'pkcs12_base64', /./],
    [{ pkcs12_base64: 'AAAA', password: filePassword }, 'parameter_invalid', 'pkcs12_base64', /PKCS#12/],
    [
      { pkcs12_base64: certificateFile({ tax_id: 'A58818501' }), password: filePassword },
      'business_rule_violation',
      'pkcs12_base64',
      new RegExp(`A58818501.*${tax_id}`),
    ],
    [
      { pkcs12_base64: certificateFile({ tax_id, valid_until: past }), password: filePassword },
      'business_rule_violation',
      'pkcs12_base64',
      /caducó el \d{4}-\d\d-\d\d/,
    ],
    [
      { pkcs12_base64: certificateFile({ tax_id, valid_from: ahead }), password: filePassword },
      'business_rule_violation',
      'pkcs12_base64',
      /no vale hasta/,
    ],
    [
      { pkcs12_base64: certificateFile({ tax_id, kind: 'employee' }), password: filePassword },
      'business_rule_violation',
      'pkcs12_base64',
      /NIF 00000000T/,
    ],
  ];
  for (const [body, code, param, message] of cases) {
    const answer = await app.put(certificatePath, { key, body });
    assertRefused(answer, 422, code, param);
    assert.match(answer.text, message);
  }
  assertRefused(await app.get(certificatePath, { key }), 404, 'resource_not_found');
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from verifactu_certificates where company_id = ${acme.sandbox_company_id}`;
  assert.equal(row?.count, 0);
});

test('given a file beyond the limit, when it is uploaded, then 413, or 422 for a text that is too long', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const put = (length: number) =>
    app.put(certificatePath, { key, body: { pkcs12_base64: 'A'.repeat(length), password: 'x' } });
  assertRefused(await put(1_100_000), 413, 'request_too_large');
  assertRefused(await put(150_000), 422, 'parameter_invalid', 'pkcs12_base64');
});

test('given a certificate, when another is uploaded, then the first is kept without its key, and both are in the audit log', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const first = await putCertificate(app, acme);
  const second = await putCertificate(app, acme, { kind: 'seal' });
  assert.notEqual(second.body.data.id, first.body.data.id);
  const rows = await app.sql`
    select id, is_current, sealed is null as is_gone, replaced_at is null as is_there from verifactu_certificates
     where company_id = ${acme.sandbox_company_id} order by created_at, id`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { id: first.body.data.id, is_current: false, is_gone: true, is_there: false },
      { id: second.body.data.id, is_current: true, is_gone: false, is_there: true },
    ],
  );
  const [entry, next] = await auditOf(app, acme.test_key, 'verifactu_certificate.uploaded');
  assert.deepEqual(entry.details, {
    tax_id: acme.tax_id,
    fingerprint: first.body.data.fingerprint,
    valid_until: first.body.data.valid_until,
    replaced_id: null,
  });
  assert.equal(next.details.replaced_id, first.body.data.id);
});

test('given a certificate, when it is removed, then it is gone, and a second removal finds none', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  const put = await putCertificate(app, acme);
  const removed = await app.delete(certificatePath, { key });
  assert.deepEqual(removed.body.data, {
    id: put.body.data.id,
    object: 'verifactu_certificate',
    deleted: true,
  });
  assertRefused(await app.get(certificatePath, { key }), 404, 'resource_not_found');
  assertRefused(await app.delete(certificatePath, { key }), 404, 'resource_not_found');
  const { data } = (await app.get('/v1/verifactu/config', { key })).body;
  assert.deepEqual([data.certificate, data.presenter_certificate_status], [null, 'missing']);
  assert.equal((await auditOf(app, key, 'verifactu_certificate.deleted')).length, 1);
});

test('given an upload with an idempotency key, when it comes again, then the same answer, and one certificate', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = { pkcs12_base64: certificateFile({ tax_id: acme.tax_id }), password: filePassword };
  const put = () =>
    app.put(certificatePath, { key: acme.test_key, headers: { 'idempotency-key': 'c1' }, body });
  const first = await put();
  const again = await put();
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.body, first.body);
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from verifactu_certificates where company_id = ${acme.sandbox_company_id}`;
  assert.equal(row?.count, 1);
});

test('given uploads, when every table and log line is searched, then no password and no key is there', async (t) => {
  // It searches every row of its database: those of other files would make that long.
  const app = await onOwnDatabase()(t, { env: { FOLIO_LOG_LEVEL: 'trace' } });
  const acme = await app.given.company();
  const { test_key: key, tax_id } = acme;
  const password = 'a-password-of-a-file-0451';
  const { private_key, toPkcs12 } = testCertificates.company();
  const pem_lines = private_key.split('\n').slice(1, 5);
  const file = certificateFile({ tax_id });
  const headers = { 'idempotency-key': 'secret' };
  await app.put(certificatePath, { key, body: { pkcs12_base64: file, password } });
  await app.put(certificatePath, { key, body: { pkcs12_base64: file, password, more: password } });
  await app.put(certificatePath, { key, raw: `{"pkcs12_base64":"${file}","password":"${password}"` });
  const wrong = { pkcs12_base64: toPkcs12(password).toString('base64'), password };
  await app.put(certificatePath, { key, headers, body: wrong });
  const right = { pkcs12_base64: file, password: filePassword };
  assert.equal(
    (await app.put(certificatePath, { key, headers: { 'idempotency-key': 'r' }, body: right })).status,
    200,
  );
  await app.service.flush();
  assert.deepEqual(
    await findSecrets(app, [password, filePassword, file.slice(2000, 2080), ...pem_lines]),
    [],
  );
});

test('given a new secret key with the one before, then the certificate still opens, and after a day it is sealed anew', async (t) => {
  const old_key = 'an old secret key, of 32 characters or more';
  const new_key = 'a new secret key, with 32 characters or more';
  const before = await startApp(t, { env: { FOLIO_SECRET_KEY: old_key } });
  const acme = await before.given.company();
  await putCertificate(before, acme);
  const statusIn = async (env: Record<string, string>) => {
    const app = await startApp(t, { env });
    const { data } = (await app.get('/v1/verifactu/config', { key: acme.test_key })).body;
    return [data.certificate.status, data.presenter];
  };
  const both = { FOLIO_SECRET_KEY: new_key, FOLIO_SECRET_KEY_PREVIOUS: old_key };
  assert.deepEqual(await statusIn(both), ['valid', 'company']);
  assert.deepEqual(await statusIn({ FOLIO_SECRET_KEY: new_key }), ['unreadable', null]);

  const during = await startApp(t, { env: both });
  during.clock.advance(25 * 3_600_000);
  await during.service.worker.runDue(acme.sandbox_company_id);
  assert.deepEqual(await statusIn({ FOLIO_SECRET_KEY: new_key }), ['valid', 'company']);
  assert.deepEqual(await statusIn({ FOLIO_SECRET_KEY: old_key }), ['unreadable', null]);
});

test('given a company that changes its tax id, then its certificate has the old one', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  await putCertificate(app, acme);
  await app.put('/v1/account/company', { key, body: { tax_id: 'A58818501' } });
  const { data } = (await app.get(certificatePath, { key })).body;
  assert.equal(data.status, 'other_tax_id');
});

test('given a key with verifactu:read alone, then it sees the certificate and changes nothing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await putCertificate(app, acme);
  const key = await app.given.apiKey(acme, { scopes: ['verifactu:read'], environment: 'test' });
  assert.equal((await app.get(certificatePath, { key })).status, 200);
  const calls = [
    await putCertificate(app, acme, {}, key),
    await app.delete(certificatePath, { key }),
    await app.post('/v1/verifactu/representation', { key, body: { valid_until: '2027-01-01' } }),
    await app.delete('/v1/verifactu/representation', { key, body: { reason: 'Nada' } }),
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } }),
  ];
  for (const answer of calls) assertRefused(answer, 403, 'insufficient_scope');
});
