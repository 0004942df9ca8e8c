/** A company that records: VeriFactu on, tickets and invoices issued, its sender run against the simulator. */
import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';

export type RecordingCompany = { company: TestCompany; company_id: string; key: string };

/** @param environment `test`: the simulator answers; `live`: nobody does */
export async function givenRecording(
  app: App,
  environment: 'test' | 'live' = 'test',
): Promise<RecordingCompany> {
  const company = await app.given.company();
  const is_test = environment === 'test';
  const key = is_test ? company.test_key : company.live_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  return { company, company_id: is_test ? company.sandbox_company_id : company.company_id, key };
}

export type IssuedTicket = { id: string; number: string; total: number; issued_on: string };

/** A simplified invoice of one line at 21 %; by its total the simulator knows what to answer (magic values). */
export async function issueTicket(app: App, key: string, total = 121): Promise<IssuedTicket> {
  const lines = [{ description: 'Consultoría', quantity: 1, unit_price: total, tax_rate: 21 }];
  const body = { type: 'F2', lines, prices_include_tax: true, options: { issue: true } };
  const res = await app.post('/v1/invoices', { key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data;
}

/** An invoice to a client with this tax id. */
export async function issueInvoice(app: App, key: string, tax_id = 'A58818501'): Promise<IssuedTicket> {
  const client = await app.post('/v1/clients', { key, body: { name: 'Librería Norte SL', tax_id } });
  assert.equal(client.status, 201, client.text);
  const lines = [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 }];
  const body = { client_id: client.body.data.id, lines, options: { issue: true } };
  const res = await app.post('/v1/invoices', { key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data;
}

/** Runs the sender of a sandbox company until nothing waits; a frozen clock skips the authority's waits. */
export async function sendAll(app: App, { company_id, key }: RecordingCompany): Promise<void> {
  const frozen = await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } });
  assert.ok(frozen.status === 200 || frozen.status === 202, frozen.text);
  await app.service.worker.runDue(company_id);
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers
export async function recordOf(app: App, key: string, invoice_id: string): Promise<any> {
  const res = await app.get(`/v1/invoices/${invoice_id}/verifactu`, { key });
  assert.equal(res.status, 200, res.text);
  return res.body.data;
}

/** What the authority says of a record, written by hand where the simulator would not say it. */
export async function answered(
  app: App,
  record_id: string,
  status: 'accepted' | 'accepted_with_errors' | 'rejected' | 'pending',
  code: string | null = null,
): Promise<void> {
  await app.sql`
    update verifactu_sendings set status = ${status}, aeat_error_code = ${code}, is_blocked = false, block_reason = null
     where record_id = ${record_id}`;
}

/** Keeps a record back as one that breaks the schema. */
export async function broken(app: App, record_id: string): Promise<void> {
  await app.sql`
    update verifactu_sendings
       set status = 'pending', is_blocked = true, block_reason = 'schema_invalid', aeat_error_code = 'SCHEMA_INVALID'
     where record_id = ${record_id}`;
}
