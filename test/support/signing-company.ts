/** Companies that keep billing records, in either mode, for tests of the chain and of what is done with it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { makeSecretBox } from '../../src/platform/secrets.ts';
import type { App, TestCompany } from '../harness.ts';
import { makeTestCertificate, testCertificates } from './certificates.ts';

export type RecordingCompany = TestCompany & {
  /** The key and the id of the sandbox, where the tests work. */
  key: string;
  id: string;
};

const line = { description: 'Consultoría', quantity: 2, unit_price: 50.25, tax_rate: 21 };

/** Gives a company a certificate that signs for it, or replaces the one it has. */
export async function giveCertificate(
  app: App,
  company_id: string,
  tax_id: string,
  valid: { valid_from?: Date; valid_until?: Date } = {},
): Promise<void> {
  // All have one key, for keys take long to make.
  const { private_key } = testCertificates.company();
  const { certificates } = makeTestCertificate({ kind: 'representative', tax_id, private_key, ...valid });
  const secret_key = app.config.FOLIO_SECRET_KEY;
  assert.ok(secret_key);
  const sealed = makeSecretBox(secret_key).seal(JSON.stringify({ private_key, certificates }));
  await removeCertificate(app, company_id);
  await app.sql`
    insert into verifactu_certificates (company_id, id, sealed, subject, holder_name, tax_id, kind, issuer, serial,
                                        fingerprint, valid_from, valid_until, is_current, created_at)
    values (${company_id}, ${randomUUID()}, ${sealed}, 'Prueba', 'Prueba', ${tax_id}, 'representative', 'Prueba', '1',
            ${randomUUID()}, ${valid.valid_from ?? new Date('2020-01-01T00:00:00Z')},
            ${valid.valid_until ?? new Date('2040-01-01T00:00:00Z')}, true, now())`;
}

export function removeCertificate(app: App, company_id: string) {
  return app.sql`delete from verifactu_certificates where company_id = ${company_id}`;
}

/** A company whose sandbox records in a mode. */
export async function recordingCompany(
  app: App,
  remission_mode: 'verifactu' | 'no_verifactu',
): Promise<RecordingCompany> {
  const made = await app.given.company();
  const company = { ...made, key: made.test_key, id: made.sandbox_company_id };
  if (remission_mode === 'no_verifactu') await giveCertificate(app, company.id, company.tax_id);
  const res = await app.put('/v1/verifactu/settings', {
    key: company.key,
    body: { enabled: true, remission_mode },
  });
  assert.equal(res.status, 200, res.text);
  return company;
}

/** Issues a ticket with its record. @returns the invoice */
export async function issueTicket(app: App, { key }: RecordingCompany, body: object = {}) {
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { register_verifactu: true }, ...body },
  });
  assert.equal(res.status, 201, res.text);
  return res.body.data as { id: string; number: string; total: number };
}

/** Checks everything that is stored of the company. */
export async function checkIntegrity(app: App, { key }: RecordingCompany, body: object = {}) {
  const res = await app.post('/v1/verifactu/integrity-checks', { key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data as {
    is_intact: boolean;
    is_whole: boolean;
    checked: { records: number; events: number; invoices: number; signatures: number };
    fault_count: number;
    fault_counts: Record<string, number>;
    faults: {
      kind: string;
      anomaly: string;
      position: number | null;
      number: string | null;
      message: string;
    }[];
    alarm: string | null;
  };
}

/** The events of the company's log, oldest first. */
export async function eventsOf(app: App, { id }: RecordingCompany) {
  return app.sql<{ id: string; type: string; position: string; xml: string; huella: string }[]>`
    select id, type, position, xml, huella from verifactu_events where company_id = ${id} order by position`;
}
