import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { makeSecretBox } from '../../src/platform/secrets.ts';
import type { Answer, App, TestCompany } from '../harness.ts';
import { makeTestCertificate, type TestCertificateWish, testCertificates } from './certificates.ts';

export const certificatePath = '/v1/verifactu/certificate';
export const representationPath = '/v1/verifactu/representation';
export const filePassword = 'clave del fichero 0451';

/** All files share one key and use few rounds of hashing: both are slow. */
export function certificateFile(wish: Partial<TestCertificateWish> & { tax_id: string }): string {
  const { private_key } = testCertificates.company();
  return makeTestCertificate({ kind: 'representative', private_key, ...wish })
    .toPkcs12(filePassword, 'aes256', 2)
    .toString('base64');
}

export function putCertificate(
  app: App,
  { test_key, tax_id }: TestCompany,
  wish: Partial<TestCertificateWish> = {},
  key = test_key,
): Promise<Answer> {
  const pkcs12_base64 = certificateFile({ tax_id, ...wish });
  return app.put(certificatePath, { key, body: { pkcs12_base64, password: filePassword } });
}

/** By default for the company's sandbox. */
export async function giveCertificate(
  app: App,
  company: TestCompany,
  wish: Partial<TestCertificateWish> = {},
  key?: string,
): Promise<void> {
  const answer = await putCertificate(app, company, wish, key);
  assert.equal(answer.status, 200, answer.text);
}

export async function giveRepresentation(
  app: App,
  key: string,
  body: Record<string, unknown> = {},
): Promise<void> {
  const valid_until = new Date(app.clock.now().getTime() + 400 * 86_400_000).toISOString().slice(0, 10);
  const answer = await app.post(representationPath, { key, body: { valid_until, ...body } });
  assert.equal(answer.status, 201, answer.text);
}

/** For a live company of a service that has no certificate any more. */
export async function storeRepresentation(app: App, company_id: string): Promise<void> {
  await app.sql`
    insert into verifactu_representations (company_id, id, valid_from, valid_until, is_current, created_at)
    values (${company_id}, ${randomUUID()}, '2020-01-01', '2040-01-01', true, now())`;
}

/** Oldest first. */
export async function auditOf(app: App, key: string, action: string) {
  const answer = await app.get('/v1/audit-log', { key, query: { action, limit: '100' } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.reverse();
}

/** Replaces any other certificate, without a file to read. */
export async function storeCertificate(app: App, company_id: string, tax_id: string): Promise<void> {
  // Making one is slow, and whose it is stands in the row.
  const { private_key, certificates } = testCertificates.company();
  const secret_key = app.config.FOLIO_SECRET_KEY;
  assert.ok(secret_key);
  const id = randomUUID();
  const place = { table: 'verifactu_certificates', company_id, id };
  const sealed = makeSecretBox(secret_key).seal(JSON.stringify({ private_key, certificates }), place);
  await removeCertificate(app, company_id);
  await app.sql`
    insert into verifactu_certificates (company_id, id, sealed, subject, holder_name, tax_id, kind, issuer, serial,
                                        fingerprint, valid_from, valid_until, is_current, created_at)
    values (${company_id}, ${id}, ${sealed}, 'Prueba', 'Prueba', ${tax_id}, 'representative', 'Prueba', '1',
            ${randomUUID()}, '2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z', true, now())`;
}

export function removeCertificate(app: App, company_id: string) {
  return app.sql`delete from verifactu_certificates where company_id = ${company_id}`;
}
