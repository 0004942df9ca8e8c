/** An annulment beside other records of its invoice. What Folio shows is what the authority holds. */
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

async function startPlace(t: TestContext) {
  let app: App | undefined;
  const authority = await startTestAuthority(t, { wait_seconds: 1, now: () => app!.clock.now() });
  const made = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection) });
  app = made;
  const company = await givenSendingCompany(made);
  const id = company.sandbox_company_id;
  return {
    app: made,
    company,
    key: company.test_key,
    faults: authority.simulator.faults,
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
