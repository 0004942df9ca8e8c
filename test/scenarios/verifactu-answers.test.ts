/** What Folio sends is what the authority takes, and what it shows is what the authority holds. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { portsTo, startTestAuthority } from '../support/sandbox-authority.ts';
import { givenSendingCompany, issue } from '../support/sending-companies.ts';
import { until } from '../support/worker-place.ts';

const minute = 60_000;
/** The simulator refuses an invoice of this client (docs/sandbox-magic-values.md). */
const refusedTaxId = 'B00000034';

async function startPlace(t: TestContext, wait_seconds = 1) {
  let app: App | undefined;
  const authority = await startTestAuthority(t, { wait_seconds, now: () => app!.clock.now() });
  const made = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection) });
  // An invoice is held under its month, and a test passes an hour.
  made.clock.set('2026-11-20T10:00:00Z');
  app = made;
  const company = await givenSendingCompany(made);
  const id = company.sandbox_company_id;
  return {
    app: made,
    company,
    key: company.test_key,
    faults: authority.simulator.faults,
    messages: authority.simulator.log,
    /** Sends all that waits, and passes the waiting times. */
    async send() {
      for (let times = 0; times < 3; times++) {
        await made.service.worker.runDue(id);
        made.clock.advance(6 * minute);
      }
    },
    async heldOf(number: string) {
      const period = made.clock.now().toISOString().slice(0, 7);
      const held = await authority.store.list(id, { period, after: null, limit: 1000 });
      return held.find((one) => one.number === number)?.state;
    },
  };
}
type Place = Awaited<ReturnType<typeof startPlace>>;

async function invoiceOfRefused({ app, key }: Place): Promise<{ id: string; number: string }> {
  const client = await app.post('/v1/clients', { key, body: { name: 'R', tax_id: refusedTaxId } });
  const line = { description: 'Café', unit_price: 10, tax_rate: 21 };
  const body = { client_id: client.body.data.id, lines: [line], options: { issue: true } };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data;
}

type Shown = { id: string; kind: string; status: string; aeat_error_code: string | null };

/** Oldest first. */
async function recordsOf({ app, key }: Place, invoice_id: string): Promise<Shown[]> {
  const list = await app.get(`/v1/verifactu/records?invoice_id=${invoice_id}`, { key });
  assert.equal(list.status, 200, list.text);
  return list.body.data.toReversed();
}

const told = (records: readonly Shown[]) =>
  records.map(({ kind, status, aeat_error_code: code }) => [kind, status, code].filter(Boolean).join(' '));

/** Waits until so many transactions wait for a lock. */
const waiting = (app: App, count: number) => until(async () => (await waitersOf(app)) >= count);

const holdHead = (t: TestContext, { app, company }: Place) =>
  holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${company.sandbox_company_id} for update`,
  );

test('given an annulment that the authority met before its alta, when it is mended, then the invoice is annulled there', async (t) => {
  const place = await startPlace(t);
  const { app, company, key, faults } = place;
  const [id] = await issue(app, company);
  const number = (await app.get(`/v1/invoices/${id}`, { key })).body.data.number;
  assert.equal((await app.post(`/v1/invoices/${id}/annul`, { key, body: {} })).status, 200);
  // The authority's own trouble: the alta goes again, after its annulment.
  faults.next(company.sandbox_company_id, { kind: 'reject_record', code: 1129 });
  await place.send();
  const [alta, refused] = await recordsOf(place, id!);
  assert.deepEqual(told([alta!, refused!]), ['alta accepted', 'anulacion rejected 3002']);
  const mended = await app.post(`/v1/verifactu/records/${refused!.id}/subsanar`, { key, body: {} });
  assert.equal(mended.status, 201, mended.text);
  assert.deepEqual([mended.body.data.prior_rejection, mended.body.data.has_no_prior_record], ['S', false]);
  await place.send();
  assert.deepEqual(told((await recordsOf(place, id!)).slice(2)), ['anulacion accepted']);
  assert.equal(await place.heldOf(number), 'Anulada');
});

test('given a subsanación that comes between an annulment and its record, then the annulment follows it', async (t) => {
  const place = await startPlace(t);
  const { app, key } = place;
  const { id, number } = await invoiceOfRefused(place);
  await place.send();
  const [alta] = await recordsOf(place, id);
  assert.equal(alta?.status, 'rejected');
  const held = await holdHead(t, place);
  const recipient = { name: 'Reparada SL', tax_id: 'B12345674' };
  const mending = app.post(`/v1/verifactu/records/${alta!.id}/subsanar`, { key, body: { recipient } });
  await waiting(app, 1);
  const annulling = app.post(`/v1/invoices/${id}/annul`, { key, body: {} });
  await waiting(app, 2);
  await held.release();
  const [mended, annulled] = await Promise.all([mending, annulling]);
  assert.deepEqual([mended.status, annulled.status], [201, 200], mended.text + annulled.text);
  const [, second, third] = await recordsOf(place, id);
  assert.equal((third as unknown as { follows_id: string }).follows_id, second!.id);
  await place.send();
  assert.deepEqual(told(await recordsOf(place, id)), [
    'alta rejected 1100',
    'alta accepted',
    'anulacion accepted',
  ]);
  assert.equal(await place.heldOf(number), 'Anulada');
});

test('given an answer that comes between an annulment and its record, then the annulment says what the authority holds', async (t) => {
  const place = await startPlace(t);
  const { app, company, key } = place;
  const { id } = await invoiceOfRefused(place);
  const held = await holdHead(t, place);
  const sending = app.service.worker.runDue(company.sandbox_company_id);
  await waiting(app, 1);
  const annulling = app.post(`/v1/invoices/${id}/annul`, { key, body: {} });
  await waiting(app, 2);
  await held.release();
  await sending;
  assert.equal((await annulling).status, 200);
  await place.send();
  assert.deepEqual(told(await recordsOf(place, id)), ['alta rejected 1100', 'anulacion accepted']);
});

test('given messages that failed, when a record is asked for again, then it waits for the authority alone', async (t) => {
  const place = await startPlace(t, 60);
  const { app, company, key, faults, messages } = place;
  const run = () => app.service.worker.runDue(company.sandbox_company_id);
  await issue(app, company);
  await run();
  app.clock.advance(minute);
  const [id] = await issue(app, company);
  // The next attempt after the third failure would be five minutes later.
  for (const minutes of [1, 2, 0]) {
    faults.next(company.sandbox_company_id, { kind: 'unavailable' });
    await run();
    app.clock.advance(minutes * minute);
  }
  const [record] = await recordsOf(place, id!);
  assert.deepEqual([messages.length, record?.status], [4, 'sending']);
  for (let times = 0; times < 3; times++) {
    const asked = await app.post(`/v1/verifactu/records/${record!.id}/retry`, { key });
    assert.equal(asked.status, 200, asked.text);
    app.clock.advance(15_000);
    await run();
  }
  assert.equal(messages.length, 4);
  app.clock.advance(15_000);
  await run();
  assert.deepEqual([messages.length, told(await recordsOf(place, id!))], [5, ['alta accepted']]);
});

test('given a company whose name has grown past what a message takes, then what waits and its annulments are sent', async (t) => {
  const place = await startPlace(t);
  const { app, company, key } = place;
  const [sent, waiting_id] = await issue(app, company, 2);
  const named = await app.put('/v1/account/company', { key, body: { name: `${'Ñ'.repeat(125)} SL` } });
  assert.equal(named.status, 200, named.text);
  const annulled = await app.post(`/v1/invoices/${sent}/annul`, { key, body: {} });
  assert.equal(annulled.status, 200, annulled.text);
  await place.send();
  assert.deepEqual(told(await recordsOf(place, sent!)), ['alta accepted', 'anulacion accepted']);
  assert.deepEqual(told(await recordsOf(place, waiting_id!)), ['alta accepted']);
});

test('given a client with a NIF and a VAT number of another member state, when goods go there, then the VAT number counts', async (t) => {
  const place = await startPlace(t);
  const { app, key } = place;
  const ids = { tax_id: 'B98765431', vat_id: 'DE136695976' };
  const client = await app.post('/v1/clients', { key, body: { name: 'Dual GmbH', ...ids } });
  const issued = async (line: object, client_id: string = client.body.data.id) => {
    const lines = [{ description: 'Piezas', unit_price: 100, ...line }];
    const body = { client_id, lines, options: { issue: true } };
    const made = await app.post('/v1/invoices', { key, body });
    assert.equal(made.status, 201, made.text);
    const { id } = made.body.data;
    await place.send();
    const [record] = await recordsOf(place, id);
    const xml = await app.get(`/v1/verifactu/records/${record!.id}/xml`, { key });
    const recipient = /<(?:\w+:)?Destinatarios>.*<\/(?:\w+:)?Destinatarios>/s.exec(xml.text)?.[0] ?? '';
    return { record: record!, recipient };
  };
  const abroad = await issued({ exemption_reason: 'E5' });
  assert.deepEqual(told([abroad.record]), ['alta accepted']);
  // A subsanación that names the NIF would be refused (1289), so it is refused here.
  const recipient = { name: 'Dual GmbH', tax_id: ids.tax_id };
  const mended = await app.post(`/v1/verifactu/records/${abroad.record.id}/subsanar`, {
    key,
    body: { recipient },
  });
  assert.deepEqual(
    [mended.status, mended.body.error?.code, mended.body.error?.param],
    [422, 'verifactu_not_eligible', 'recipient'],
  );
  assert.match(abroad.recipient, /<\w*:?IDType>02<.*DE136695976/s);
  const here = await issued({ tax_rate: 21 });
  assert.deepEqual(told([here.record]), ['alta accepted']);
  assert.match(here.recipient, /<\w*:?NIF>B98765431</);
  // A Spanish VAT number is ES and the NIF.
  const only = await app.post('/v1/clients', { key, body: { name: 'Norte SA', vat_id: 'ES A58818501' } });
  const by_vat = await issued({ tax_rate: 21 }, only.body.data.id);
  assert.deepEqual(told([by_vat.record]), ['alta accepted']);
  assert.match(by_vat.recipient, /<\w*:?NIF>A58818501</);
});

test('given a corrective whose rectified amounts do not fit the record, then it is refused before it takes a number', async (t) => {
  const { app, key } = await startPlace(t);
  const one = { issued_on: '2025-01-01', subtotal: 999_999_999_999.99, taxes_total: 0 };
  const body = {
    type: 'R5',
    correction: { type: 'substitution' },
    corrected_invoices: [
      { ...one, number: 'O-1' },
      { ...one, number: 'O-2' },
    ],
    lines: [{ description: 'Café', unit_price: 10, tax_rate: 21 }],
    options: { issue: true },
  };
  const refused = await app.post('/v1/invoices', { key, body });
  assert.deepEqual(
    [refused.status, refused.body.error?.code, refused.body.error?.param],
    [422, 'verifactu_not_eligible', 'corrected_invoices'],
    refused.text,
  );
  const fits = { ...body, corrected_invoices: [body.corrected_invoices[0]] };
  const made = await app.post('/v1/invoices', { key, body: fits });
  assert.deepEqual([made.status, made.body.data?.number], [201, 'RS2026-000001'], made.text);
});
