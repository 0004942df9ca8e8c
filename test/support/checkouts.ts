/**
 * A checkout creates, issues and pays an invoice in one call. Tests interrupt it and check that the replay completes it
 * (docs/conventions.md).
 */
import assert from 'node:assert/strict';
import { type Agent, request } from 'undici';
import type { App, TestCompany } from '../harness.ts';
import type { ServiceChild } from './service-child.ts';

const draft = { type: 'F2', lines: [{ description: 'Menú', unit_price: 13.64, tax_rate: 10 }] };
export const checkout = { ...draft, payment: { method: 'card' }, options: { issue: true } };

/** What already exists when the call arrives. */
export const beginnings = [
  ['nothing', null],
  ['its draft', draft],
  ['its issue', { ...draft, options: { issue: true } }],
] as const;

/** @returns undefined when the process died */
export async function askChild(
  agent: Agent,
  child: ServiceChild,
  company: TestCompany,
  body: object,
): Promise<number | undefined> {
  try {
    const answer = await request(`${child.url}/v1/invoices`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${company.live_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body.text();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}

type Stored = { status: string; number: string | null; payments: number };

export async function readStored(
  app: App,
  company: TestCompany,
  external_id: string,
): Promise<Stored | undefined> {
  const rows = await app.sql<Stored[]>`
    select i.status, i.number,
           (select count(*)::integer from payments p where p.company_id = i.company_id and p.invoice_id = i.id) as payments
      from invoices i where i.company_id = ${company.company_id} and i.external_id = ${external_id}`;
  assert.ok(rows.length <= 1);
  return rows[0] && { ...rows[0] };
}

export const isWhole = (stored: Stored | undefined) =>
  stored?.status === 'paid' && stored.number !== null && stored.payments === 1;

/** Two more checkouts must give what an uninterrupted one gives. */
export async function assertCompletes(
  app: App,
  company: TestCompany,
  external_id: string,
  before: Stored | undefined,
): Promise<void> {
  const body = { ...checkout, external_id };
  const again = await app.post('/v1/invoices', { key: company.live_key, body });
  assert.equal(again.status, before ? 200 : 201, again.text);
  assert.equal(again.headers['idempotent-replayed'], before ? 'true' : undefined);
  const last = await app.post('/v1/invoices', { key: company.live_key, body });
  assert.equal(last.status, 200, last.text);
  assert.equal(last.headers['idempotent-replayed'], 'true');
  assert.deepEqual(last.body, again.body);
  const { data } = last.body;
  if (before?.number) assert.equal(data.number, before.number);
  assert.deepEqual([data.status, data.pending_amount, data.payments.detail.length], ['paid', 0, 1]);
  assert.ok(isWhole(await readStored(app, company, external_id)));
  assert.deepEqual(await app.eventTypes(company, data.id), [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.paid',
  ]);
  assert.deepEqual(await app.eventTypes(company, data.payments.detail[0].id), ['payment.received']);
}

/** The company has one series. Its numbers have no gap, and its counter is past the last one. */
export async function assertNumbers(app: App, company: TestCompany): Promise<number> {
  const rows = await app.sql<{ series_number: number }[]>`
    select series_number from invoices where company_id = ${company.company_id} order by 1`;
  assert.deepEqual(
    rows.map((r) => r.series_number),
    rows.map((_, i) => i + 1),
  );
  const [counter] = await app.sql`
    select next_number from series_counters where company_id = ${company.company_id}`;
  assert.equal(counter?.next_number, rows.length + 1);
  return rows.length;
}

export const isWrite = (text: string) => /^\s*(insert|update|delete|savepoint)/.test(text);
