import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type App, type StartOptions, startApp } from '../../../../test/harness.ts';
import { TestPrinter } from '../../../../test/support/test-printer.ts';
import { until } from '../../../../test/support/worker-place.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { PrinterBusy, PrinterLate } from '../../pdfs/index.ts';

const path = '/v1/invoices';
const ticket = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };
const waited = { ...ticket, options: { wait_for_pdf: true } };

async function withPrinter(t: TestContext, options: StartOptions = {}) {
  const printer = new TestPrinter();
  const app = await startApp(t, { wrap_ports: printer.wrap, ...options });
  const acme = await app.given.company();
  return { app, printer, acme, key: acme.live_key };
}

/** For callers whose wait ends without a PDF. */
const briefly = { answer_wait_ms: 50 };

async function create(app: App, key: string, body: object = waited, headers: Record<string, string> = {}) {
  const answer = await app.post(path, { key, body, headers });
  assert.ok(answer.status === 201 || answer.status === 200, answer.text);
  return { ...answer, data: answer.body.data };
}

const dayMs = 86_400_000;

test('given a PDF that is waited for, then the invoice is issued, and the block says ready with an address for a day', async (t) => {
  const { app, printer, key } = await withPrinter(t);
  const { status, data } = await create(app, key);
  assert.deepEqual([status, data.status, data.pdf.status], [201, 'issued', 'ready']);
  assert.ok(data.pdf.url.startsWith(`${app.url}/pdf/`), data.pdf.url);
  assert.equal(Date.parse(data.pdf.expires_at), app.clock.now().getTime() + dayMs);
  assert.deepEqual(
    printer.printed.map(({ format, document }) => [format, document.number]),
    [['a4', data.number]],
  );
  assert.equal((await app.get(`${path}/${data.id}/pdf`, { key })).status, 200);
  assert.equal(printer.printed.length, 1);
  const unwaited = await create(app, key, { ...ticket, options: { issue: true } });
  assert.deepEqual([unwaited.data.pdf.status, printer.printed.length], ['pending', 1]);
});

test('given a printer slower than the wait, then the block is pending with an address, holds no connection and prints later', async (t) => {
  const { app, printer, key } = await withPrinter(t, { ...briefly, env: { FOLIO_POOL_SIZE: '2' } });
  printer.hold();
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(app, key)));
  for (const { data } of answers) {
    assert.deepEqual([data.status, data.pdf.status], ['issued', 'pending']);
    assert.ok(data.pdf.url);
  }
  // On a busy machine the wait may end before the printer is asked.
  await until(() => printer.printed.length === 5);
  printer.letGo();
  for (const { data } of answers)
    assert.equal((await app.get(`${path}/${data.id}/pdf`, { key })).status, 200);
  assert.equal(printer.printed.length, 5);
});

test('given an Idempotency-Key, then pending is stored, ready once it is printed, and a replay returns what is stored', async (t) => {
  const { app, printer, acme, key } = await withPrinter(t);
  const storedBlock = async () => {
    const [row] = await app.sql<{ status: string | null }[]>`
      select answer::json #>> '{body,data,pdf,status}' as status from idempotency_keys where company_id = ${acme.company_id}`;
    return row?.status;
  };
  printer.hold();
  const first = create(app, key, waited, { 'idempotency-key': 'k-1' });
  while (printer.printed.length === 0) await turn();
  assert.equal(await storedBlock(), 'pending');
  printer.letGo();
  const { status, data } = await first;
  assert.deepEqual([status, data.pdf.status, await storedBlock()], [201, 'ready', 'ready']);
  const again = await create(app, key, waited, { 'idempotency-key': 'k-1' });
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
  assert.deepEqual(again.data, data);
  assert.equal(printer.printed.length, 1);
});

test('given an external_id, when it is sent again, then the PDF of the invoice that exists is waited for', async (t) => {
  const { app, printer, key } = await withPrinter(t, briefly);
  const body = { ...waited, external_id: 'tpv-1' };
  printer.hold();
  const first = await create(app, key, body);
  assert.deepEqual([first.status, first.data.pdf.status], [201, 'pending']);
  printer.letGo();
  const patient = await startApp(t, { wrap_ports: printer.wrap });
  patient.clock.set(new Date(app.clock.now().getTime() + 3_600_000));
  const again = await create(patient, key, body);
  assert.deepEqual(
    [again.status, again.headers['idempotent-replayed'], again.data.id, again.data.pdf.status],
    [200, 'true', first.data.id, 'ready'],
  );
  // The address is good for a day from the replay on.
  assert.equal(Date.parse(again.data.pdf.expires_at), patient.clock.now().getTime() + dayMs);
  const keyed = await create(patient, key, body, { 'idempotency-key': 'k-2' });
  const replayed = await create(patient, key, body, { 'idempotency-key': 'k-2' });
  assert.deepEqual([keyed.data.pdf.status, replayed.data], ['ready', keyed.data]);
  const unwaited = await create(app, key, { ...body, options: { issue: true } });
  assert.equal(unwaited.data.pdf.status, 'pending');
});

test('given a printer that fails, then failed without an address, the invoice stands, and the log tells', async (t) => {
  const { app, printer, key } = await withPrinter(t);
  printer.fault = new Error('out of ink');
  const { status, data } = await create(app, key);
  assert.deepEqual([status, data.status], [201, 'issued']);
  assert.deepEqual(data.pdf, { status: 'failed', url: null, expires_at: null });
  assert.ok(app.log_lines.some((line) => line.includes('out of ink') && line.includes(data.id)));
  printer.fault = null;
  assert.equal((await app.get(`${path}/${data.id}/pdf`, { key })).status, 200);
});

test('given a busy printer, then it is asked again for as long as the caller waits', async (t) => {
  const { app, printer, key } = await withPrinter(t);
  printer.fault = new PrinterBusy('too many');
  const waiting = create(app, key);
  while (printer.printed.length === 0) await turn();
  printer.fault = null;
  assert.equal((await waiting).data.pdf.status, 'ready');
  assert.equal(printer.printed.length, 2);

  const hurried = await startApp(t, { wrap_ports: printer.wrap, ...briefly });
  printer.fault = new PrinterBusy('too many');
  const { data } = await create(hurried, key);
  assert.deepEqual([data.pdf.status, data.status], ['pending', 'issued']);
});

// The limit of the test is far below the wait.
test('given a document that takes too long to print, then nobody waits for it in vain', {
  timeout: 120_000,
}, async (t) => {
  const { printer, key, app } = await withPrinter(t, { answer_wait_ms: 240_000 });
  printer.fault = new PrinterLate('too slow');
  const body = { ...waited, external_id: 'tpv-1' };
  const { data } = await create(app, key, body);
  assert.deepEqual([data.status, data.pdf.status], ['issued', 'pending']);
  const again = await create(app, key, body);
  assert.deepEqual([again.status, again.data.pdf.status, printer.printed.length], [200, 'pending', 1]);
});

test('given a busy printer, then the tag of what it is asked for again is computed once', async (t) => {
  const { app, printer, key } = await withPrinter(t);
  let tags = 0;
  Object.defineProperty(printer, 'edition', {
    get() {
      tags += 1;
      return 'test 1';
    },
  });
  printer.fault = new PrinterBusy('too many');
  const waiting = create(app, key);
  await until(() => printer.printed.length >= 3);
  printer.fault = null;
  assert.equal((await waiting).data.pdf.status, 'ready');
  assert.equal(tags, 1);
});

test('given a bulk creation, then each element that asks for it has its block', async (t) => {
  const { app, printer, key } = await withPrinter(t);
  const existing = await create(app, key, { ...ticket, external_id: 'tpv-1', options: { issue: true } });
  const invoices = [
    ...Array.from({ length: 12 }, () => waited),
    { ...ticket, options: { issue: true } },
    { ...waited, external_id: 'tpv-1' },
    { ...waited, client_id: newId() },
  ];
  const { data } = (await app.post(`${path}/bulk-create`, { key, body: { invoices } })).body;
  assert.deepEqual([data.successful, data.failed], [14, 1]);
  assert.deepEqual(
    data.invoices.map((one: { pdf?: { status: string } }) => one.pdf?.status),
    [...Array(12).fill('ready'), 'pending', 'ready'],
  );
  assert.equal(data.invoices[13].id, existing.data.id);
  assert.equal(printer.printed.length, 13);
});
