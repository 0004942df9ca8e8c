import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type App, type StartOptions, startApp, type TestCompany } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertRefused } from '../../../../test/support/resource-checks.ts';
import { startS3Server } from '../../../../test/support/s3-server.ts';
import { documentIn, TestPrinter } from '../../../../test/support/test-printer.ts';
import { PrinterBusy } from '../../pdfs/index.ts';

const path = (id: string) => `/v1/invoices/${id}/pdf`;
const line = { description: 'Café', unit_price: 10, tax_rate: 10 };
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'folio-pdfs-'));
  folders.push(folder);
  return folder;
}

/** Stores PDFs in the folder. */
async function withPrinter(t: TestContext, options: StartOptions & { folder?: string } = {}) {
  const { folder = newFolder(), ...rest } = options;
  const printer = new TestPrinter();
  const app = await startApp(t, {
    wrap_ports: printer.wrap,
    ...rest,
    env: { FOLIO_DATA_DIR: folder, ...rest.env },
  });
  return { app, printer, folder };
}

async function issue(app: App, { live_key: key }: TestCompany, more: object = {}) {
  const body = { type: 'F2', lines: [line], options: { issue: true }, ...more };
  const { status, body: answer, text } = await app.post('/v1/invoices', { key, body });
  assert.equal(status, 201, text);
  return answer.data as { id: string; number: string };
}

async function pdf(app: App, key: string, id: string, headers: Record<string, string> = {}, format?: string) {
  const answer = await app.get(path(id), { key, headers, ...(format ? { query: { format } } : {}) });
  return { ...answer, tag: String(answer.headers.etag) };
}

test('given an issued invoice, when its PDF is read, then it is printed once and has a name, a length and a strong tag', async (t) => {
  const { app, printer } = await withPrinter(t);
  const acme = await app.given.company();
  const { id, number } = await issue(app, acme);
  const first = await pdf(app, acme.live_key, id);
  assert.equal(first.status, 200, first.text);
  const { etag, 'content-type': type, 'content-length': length, vary } = first.headers;
  assert.deepEqual([type, Number(length)], ['application/pdf', first.bytes.length]);
  assert.match(String(etag), /^"[0-9a-f]{64}"$/);
  assert.equal(first.headers['cache-control'], 'private, no-cache');
  assert.match(String(vary), /Authorization.*X-API-Key.*X-Active-Profile/);
  assert.equal(first.headers['content-disposition'], `inline; filename="${number}.pdf"`);
  const document = documentIn(first.bytes);
  assert.deepEqual([document.number, document.marks, document.qr], [number, [], null]);

  const second = await pdf(app, acme.live_key, id);
  assert.ok(second.bytes.equals(first.bytes));
  assert.equal(second.headers.etag, etag);
  assert.equal(printer.printed.length, 1);
});

test('given the three formats, then each is printed and kept apart, with a tag of its own; and no other is known', async (t) => {
  const { app, printer, folder } = await withPrinter(t);
  const acme = await app.given.company();
  const { id } = await issue(app, acme);
  const tags = new Set<string>();
  for (let round = 0; round < 2; round++)
    for (const format of ['a4', 'ticket_80', 'ticket_58']) {
      const { status, bytes, tag } = await pdf(app, acme.live_key, id, {}, format);
      assert.deepEqual([status, bytes.toString().split('\n')[1]], [200, format]);
      tags.add(tag);
    }
  const plain = await pdf(app, acme.live_key, id);
  assert.ok(tags.has(plain.tag), 'a4 is meant where no format is named');
  assert.deepEqual([tags.size, printer.printed.length], [3, 3]);
  await app.stop();
  const kept = readdirSync(join(folder, 'blobs', 'pdfs', acme.company_id, 'invoice', id)).sort();
  assert.deepEqual(
    kept.map((name) => name.replace(/-[0-9a-f]{64}\.pdf$/, '')),
    ['a4', 'ticket_58', 'ticket_80'],
  );
});

test('given a format that is none, then 422 parameter_invalid names it', async (t) => {
  const { app } = await withPrinter(t);
  const acme = await app.given.company();
  const { id } = await issue(app, acme);
  for (const format of ['a5', 'A4', ''])
    for (const address of [path(id), `${path(id)}-link`]) {
      const answer = await app.get(address, { key: acme.live_key, query: { format } });
      assertRefused(answer, 422, 'parameter_invalid', 'format');
    }
});

test('given a caller who has the PDF already, then 304 with its headers, and nothing is printed', async (t) => {
  const printing = await withPrinter(t);
  const acme = await printing.app.given.company();
  const key = acme.live_key;
  const { id } = await issue(printing.app, acme);
  const { tag, headers } = await pdf(printing.app, key, id);
  // This process has not printed the PDF, and its store is empty.
  const { app, printer } = await withPrinter(t);
  for (const held of [tag, `W/${tag}`, `"a", ${tag}`, `"a",W/${tag} , "b"`, '*', ' * ']) {
    const answer = await pdf(app, key, id, { 'if-none-match': held });
    assert.deepEqual([answer.status, answer.bytes.length], [304, 0], held);
    for (const name of ['etag', 'cache-control', 'vary'])
      assert.equal(answer.headers[name], headers[name], name);
  }
  assert.equal(printer.printed.length, 0);
  const last = tag.at(-2) === '0' ? '1' : '0';
  for (const other of ['"a"', `"${tag.slice(1, -2)}${last}"`, tag.slice(1, -1)]) {
    const answer = await pdf(app, key, id, { 'if-none-match': other });
    assert.deepEqual([answer.status, answer.tag], [200, tag], other);
  }
  assert.equal((await pdf(app, key, id, { 'if-none-match': tag }, 'ticket_80')).status, 200);
});

test('given an invoice issued without VeriFactu, when its record is made later, then the tag changes and the QR is printed', async (t) => {
  const { app, printer } = await withPrinter(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const body = { external_id: 'tpv-1', options: { issue: true, register_verifactu: true } };
  const { id } = await issue(app, acme, body);
  const before = await pdf(app, key, id);
  assert.equal(documentIn(before.bytes).qr, null);
  assert.equal((await app.put('/v1/verifactu/settings', { key, body: { enabled: true } })).status, 200);
  const again = await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], ...body } });
  assert.deepEqual([again.status, again.body.data.id], [200, id], again.text);
  const { qr_url } = again.body.data.verifactu;
  const recorded = await pdf(app, key, id, { 'if-none-match': before.tag });
  assert.equal(recorded.status, 200);
  assert.notEqual(recorded.tag, before.tag);
  assert.deepEqual(documentIn(recorded.bytes).qr?.url, qr_url);
  assert.equal((await pdf(app, key, id, { 'if-none-match': recorded.tag })).status, 304);
  assert.equal(printer.printed.length, 2);
});

test('given a draft, then its PDF is marked, follows its edits and is kept nowhere; issued, it has another', async (t) => {
  const { app, folder } = await withPrinter(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line] } });
  const { id } = made.body.data;
  const draft = await pdf(app, key, id);
  assert.deepEqual(documentIn(draft.bytes).marks, ['BORRADOR']);
  assert.equal(draft.headers['content-disposition'], `inline; filename="borrador-${id}.pdf"`);
  await app.put(`/v1/invoices/${id}`, { key, body: { notes: 'Gracias' } });
  const edited = await pdf(app, key, id, { 'if-none-match': draft.tag });
  assert.deepEqual([edited.status, edited.tag !== draft.tag], [200, true]);
  assert.equal(documentIn(edited.bytes).notes?.text, 'Gracias');
  await app.post(`/v1/invoices/${id}/issue`, { key });
  const issued = await pdf(app, key, id, { 'if-none-match': edited.tag });
  assert.deepEqual([issued.status, documentIn(issued.bytes).marks], [200, []]);
  await app.stop();
  assert.equal(readdirSync(join(folder, 'blobs', 'pdfs', acme.company_id, 'invoice', id)).length, 1);
});

test('given an annulled, a voided and a sandbox invoice, then the PDF says so across the page', async (t) => {
  const { app } = await withPrinter(t);
  const acme = await app.given.company();
  for (const way of ['annul', 'void']) {
    const { id } = await issue(app, acme);
    const before = await pdf(app, acme.live_key, id);
    const done = await app.post(`/v1/invoices/${id}/${way}`, { key: acme.live_key, body: {} });
    assert.equal(done.status, 200, done.text);
    const marked = await pdf(app, acme.live_key, id, { 'if-none-match': before.tag });
    assert.deepEqual([marked.status, documentIn(marked.bytes).marks], [200, ['ANULADA']], way);
  }
  const sandbox = await issue(app, { ...acme, live_key: acme.test_key });
  assert.deepEqual(documentIn((await pdf(app, acme.test_key, sandbox.id)).bytes).marks, [
    'SIN VALIDEZ FISCAL',
  ]);
});

test('given another company, when the PDF or its address is asked for, then there is no such invoice', async (t) => {
  const { app, printer } = await withPrinter(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const { id } = await issue(app, acme);
  for (const key of [other.live_key, acme.test_key])
    for (const address of [path, (one: string) => `${path(one)}-link`])
      await assertHidesForeignIds(app, 'GET', address, id, { key });
  assert.equal(printer.printed.length, 0);
});

test('given a master key, when it works for a child, then it has the PDFs of the child, and with them alone', async (t) => {
  const { app } = await withPrinter(t);
  const master = await app.given.company();
  const child = await app.given.company({ parent_id: master.company_id });
  const key = master.live_key;
  const [own, childs] = [await issue(app, master), await issue(app, child)];
  const headers = { 'X-Active-Profile': child.company_id };
  for (const [invoice, as, status] of [
    [own, {}, 200],
    [own, headers, 404],
    [childs, {}, 404],
    [childs, headers, 200],
  ] as const) {
    assert.equal((await pdf(app, key, invoice.id, as)).status, status);
    const link = await app.get(`${path(invoice.id)}-link`, { key, headers: as });
    assert.equal(link.status, status);
    if (status === 200) assert.equal((await app.get(link.body.data.url)).status, 200);
  }
  const body = { type: 'F2', lines: [line], options: { issue: true, wait_for_pdf: true } };
  const { data } = (await app.post('/v1/invoices', { key, headers, body })).body;
  assert.equal(data.pdf.status, 'ready');
  assert.equal(documentIn((await app.get(data.pdf.url)).bytes).number, data.number);
});

test('given a key without one of the two scopes, then 403 names the one that is missing', async (t) => {
  const { app, printer } = await withPrinter(t);
  const acme = await app.given.company();
  const { id } = await issue(app, acme);
  for (const address of [path(id), `${path(id)}-link`]) {
    for (const missing of ['pdfs:read', 'invoices:read']) {
      const scopes = ['pdfs:read', 'invoices:read', 'invoices:write'].filter((scope) => scope !== missing);
      const answer = await app.get(address, { key: await app.given.apiKey(acme, { scopes }) });
      assertRefused(answer, 403, 'insufficient_scope');
      assert.match(answer.body.error.message, new RegExp(missing));
    }
    const both = await app.given.apiKey(acme, { scopes: ['pdfs:read', 'invoices:read'] });
    assert.equal((await app.get(address, { key: both })).status, 200);
  }
  assert.equal(printer.printed.length, 1);
});

test('given many who ask at once while it is printed, then it is printed once, and no connection is held meanwhile', async (t) => {
  const { app, printer } = await withPrinter(t, { env: { FOLIO_POOL_SIZE: '2' } });
  const acme = await app.given.company();
  const key = acme.live_key;
  const [one, another] = [await issue(app, acme), await issue(app, acme)];
  printer.hold();
  const asked = [one, one, one, one, another, another].map(({ id }) => pdf(app, key, id));
  while (printer.printed.length < 2) await turn();
  // More callers wait than there are connections, and each read needs one.
  for (let i = 0; i < 4; i++) assert.equal((await app.get(`/v1/invoices/${one.id}`, { key })).status, 200);
  printer.letGo();
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  );
  assert.equal(printer.printed.length, 2);
});

test('given a full queue of the printer, then 503 tells when to retry; given a fault of it, 500; and neither is stored', async (t) => {
  const { app, printer } = await withPrinter(t);
  const acme = await app.given.company();
  const { id } = await issue(app, acme);
  printer.fault = new PrinterBusy('too many');
  const busy = await pdf(app, acme.live_key, id);
  assertRefused(busy, 503, 'service_unavailable');
  assert.equal(busy.headers['retry-after'], '5');
  // A caller with a copy gets 304 even then.
  assert.equal((await pdf(app, acme.live_key, id, { 'if-none-match': '*' })).status, 304);
  printer.fault = new Error('out of ink');
  const failed = await app.get(path(id), { key: acme.live_key, expects_fault: true });
  assertRefused(failed, 500, 'internal_error');
  assert.ok(app.log_lines.some((text) => text.includes('out of ink')));
  printer.fault = null;
  assert.equal((await pdf(app, acme.live_key, id)).status, 200);
});

test('given a PDF printed without its logo, then it is not stored, and the next read prints it again with its tag', async (t) => {
  const { app, printer, folder } = await withPrinter(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await issue(app, acme);
  const link = await app.get(`/v1/invoices/${id}/pdf-link`, { key });
  const byLink = () => app.get(new URL(link.body.data.url).pathname);
  printer.is_final = false;
  for (const answer of [await pdf(app, key, id), await byLink()]) {
    assert.deepEqual([answer.status, answer.headers.etag], [200, undefined]);
    assert.match(String(answer.headers['cache-control']), /no-store/, 'no copy of it is kept');
    assert.match(String(answer.headers['content-type']), /^application\/pdf/);
  }
  assert.equal(printer.printed.length, 2);
  assert.ok(!existsSync(join(folder, 'blobs', 'pdfs', acme.company_id)));
  printer.is_final = true;
  assert.match((await pdf(app, key, id)).tag, /^"[0-9a-f]{64}"$/);
  assert.match(String((await byLink()).headers.etag), /^"[0-9a-f]{64}"$/);
  assert.equal(printer.printed.length, 3);
});

test('given a restarted process, then it finds the stored PDF; if that is lost or cut short, it prints the same bytes again', async (t) => {
  const printing = await withPrinter(t);
  const { folder } = printing;
  const acme = await printing.app.given.company();
  const key = acme.live_key;
  const { id } = await issue(printing.app, acme);
  const { bytes } = await pdf(printing.app, key, id);
  await printing.app.stop();
  const kept = join(folder, 'blobs', 'pdfs', acme.company_id, 'invoice', id);
  const [name = ''] = readdirSync(kept);
  for (const [harm, printed] of [
    [() => undefined, 0],
    [() => truncateSync(join(kept, name), 40), 1],
    [() => rmSync(kept, { recursive: true }), 1],
  ] as const) {
    harm();
    const { app, printer } = await withPrinter(t, { folder });
    const again = await pdf(app, key, id);
    assert.deepEqual([again.status, printer.printed.length], [200, printed]);
    assert.ok(again.bytes.equals(bytes));
    await app.stop();
    assert.deepEqual(readdirSync(kept), [name]);
  }
});

test('given a store that cannot be read or written, then PDFs are answered even so, and the log tells', async (t) => {
  const fault = () => Promise.reject(new Error('the store is away'));
  const printer = new TestPrinter();
  const { app } = await withPrinter(t, {
    wrap_ports: (ports) => ({ ...printer.wrap(ports), blobs: { get: fault, put: fault, delete: fault } }),
  });
  const acme = await app.given.company();
  const began = performance.now();
  for (let i = 0; i < 3; i++) {
    const { id } = await issue(app, acme);
    assert.equal((await pdf(app, acme.live_key, id)).status, 200);
  }
  assert.equal(printer.printed.length, 3);
  const told = app.log_lines.filter((text) => text.includes('the store is away'));
  // One for reading and one for writing; then the store is left alone for ten seconds, which a slow machine may need.
  const most = 2 * Math.ceil((performance.now() - began) / 10_000);
  assert.ok(told.length >= 2 && told.length <= most, told.join());
});

test('given a bucket as the store, then another process finds the PDF there; and once the store is gone, it is printed', async (t) => {
  const store = await startS3Server();
  const env = { FOLIO_BLOB_URL: store.urlOf({ prefix: '/folio' }) };
  const printing = await withPrinter(t, { env });
  const acme = await printing.app.given.company();
  const [kept, other] = [await issue(printing.app, acme), await issue(printing.app, acme)];
  const { bytes } = await pdf(printing.app, acme.live_key, kept.id);
  // Writes under way reach the store before the end.
  await printing.app.stop();
  const finding = await withPrinter(t, { env });
  const found = await pdf(finding.app, acme.live_key, kept.id);
  assert.deepEqual([found.status, finding.printer.printed.length], [200, 0]);
  assert.ok(found.bytes.equals(bytes));
  await store.close();
  assert.equal((await pdf(finding.app, acme.live_key, other.id)).status, 200);
  assert.equal(finding.printer.printed.length, 1);
  await finding.app.stop();
  const told = finding.app.log_lines.join('');
  assert.match(told, /the blob store could not be read/);
  assert.match(told, /a PDF could not be kept in the blob store/);
  assert.doesNotMatch(told + printing.app.log_lines.join(''), /the-secret/);
});

test('given a corrective that takes the place of one by differences, when its PDF is read, then it asks for nothing that is paid in the original', async (t) => {
  const { app } = await withPrinter(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  await app.put('/v1/account/company', { key, body: { iban: 'ES9121000418450200051332' } });
  const person = {
    name: 'Norte SL',
    tax_id: 'A58818501',
    payment_preferences: { method: 'bank_transfer', terms_days: 30 },
  };
  const client = await app.post('/v1/clients', { key, body: person });
  assert.equal(client.status, 201, client.text);
  const { id } = await issue(app, acme, { type: 'F1', client_id: client.body.data.id });
  const correct = async (of: string, type: string, unit_price: number): Promise<string> => {
    const body = { correction: { type }, lines: [{ ...line, unit_price }] };
    const made = await app.post(`/v1/invoices/${of}/corrective`, { key, body });
    assert.equal(made.status, 201, made.text);
    return made.body.data.id;
  };
  const asked = async (of: string) => {
    const { facts, payment } = documentIn((await pdf(app, key, of)).bytes);
    return [facts.some(({ label }) => label === 'Vencimiento'), payment !== null];
  };
  const added = await correct(id, 'differences', 5);
  const instead = await correct(added, 'substitution', 8);
  const last = await correct(instead, 'substitution', 9);
  assert.deepEqual(await asked(id), [true, true]);
  for (const one of [added, instead, last]) assert.deepEqual(await asked(one), [false, false]);
});
