import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';
import { storeCertificate } from './company-certificates.ts';

/** `key` and `id` belong to the environment that records. */
export type RecordingCompany = TestCompany & { key: string; id: string };

/** @param environment in `test` the simulator answers; in `live` nobody does */
export async function recordingCompany(
  app: App,
  options: { environment?: 'test' | 'live'; remission_mode?: 'verifactu' | 'no_verifactu' } = {},
): Promise<RecordingCompany> {
  const { environment = 'test', remission_mode = 'verifactu' } = options;
  const made = await app.given.company();
  const company =
    environment === 'test'
      ? { ...made, key: made.test_key, id: made.sandbox_company_id }
      : { ...made, key: made.live_key, id: made.company_id };
  if (remission_mode === 'no_verifactu') await storeCertificate(app, company.id, company.tax_id);
  const on = await app.put('/v1/verifactu/settings', {
    key: company.key,
    body: { enabled: true, remission_mode },
  });
  assert.equal(on.status, 200, on.text);
  return company;
}

const line = { description: 'Consultoría', quantity: 2, unit_price: 50.25, tax_rate: 21 };

export async function issueTicket(app: App, { key }: RecordingCompany, body: object = {}) {
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { register_verifactu: true }, ...body },
  });
  assert.equal(res.status, 201, res.text);
  return res.body.data as { id: string; number: string; total: number };
}

/** So many in one call, of which each has its record. */
export async function issueTickets(app: App, { key }: RecordingCompany, count: number): Promise<void> {
  const one = { type: 'F2', lines: [line], options: { register_verifactu: true } };
  const invoices = Array.from({ length: count }, () => one);
  const res = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  assert.equal(res.body.data?.successful, count, res.text);
}

export type IssuedTicket = { id: string; number: string; total: number; issued_on: string };

/** One line at 21 %. The total may be a magic value (docs/sandbox-magic-values.md). */
export async function issueTicketOf(app: App, key: string, total = 121): Promise<IssuedTicket> {
  const lines = [{ description: 'Consultoría', quantity: 1, unit_price: total, tax_rate: 21 }];
  const body = { type: 'F2', lines, prices_include_tax: true, options: { issue: true } };
  const res = await app.post('/v1/invoices', { key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data;
}

export async function issueInvoice(app: App, key: string, tax_id = 'A58818501'): Promise<IssuedTicket> {
  const client = await app.post('/v1/clients', { key, body: { name: 'Librería Norte SL', tax_id } });
  assert.equal(client.status, 201, client.text);
  const lines = [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 }];
  const body = { client_id: client.body.data.id, lines, options: { issue: true } };
  const res = await app.post('/v1/invoices', { key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data;
}

/** Sends until nothing waits. The frozen clock skips the authority's waits. */
export async function sendAll(app: App, { id, key }: RecordingCompany): Promise<void> {
  const frozen = await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } });
  assert.ok(frozen.status === 200 || frozen.status === 202, frozen.text);
  await app.service.worker.runDue(id);
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers
export async function recordOf(app: App, key: string, invoice_id: string): Promise<any> {
  const res = await app.get(`/v1/invoices/${invoice_id}/verifactu`, { key });
  assert.equal(res.status, 200, res.text);
  return res.body.data;
}

/** For answers that the simulator would not give. */
export async function storeAnswer(
  app: App,
  record_id: string,
  status: 'accepted' | 'accepted_with_errors' | 'rejected' | 'pending',
  code: string | null = null,
): Promise<void> {
  await app.sql`
    update verifactu_sendings set status = ${status}, aeat_error_code = ${code}, is_blocked = false, block_reason = null
     where record_id = ${record_id}`;
}

/** As a record that breaks the schema. */
export async function keepBack(app: App, record_id: string): Promise<void> {
  await app.sql`
    update verifactu_sendings
       set status = 'pending', is_blocked = true, block_reason = 'schema_invalid', aeat_error_code = 'SCHEMA_INVALID'
     where record_id = ${record_id}`;
}

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

/** Oldest first. */
export async function eventsOf(app: App, { id }: RecordingCompany) {
  return app.sql<{ id: string; type: string; position: string; xml: string; huella: string }[]>`
    select id, type, position, xml, huella from verifactu_events where company_id = ${id} order by position`;
}
