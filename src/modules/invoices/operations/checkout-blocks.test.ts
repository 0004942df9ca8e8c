/** The blocks of every creation that issued: `verifactu`, `pdf` and `public_url`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { recordingCompany } from '../../../../test/support/recording-company.ts';

const ticket = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };
const issue = { options: { issue: true } };
const dayMs = 86_400_000;

type Blocks = {
  verifactu: { status: string; huella: string | null; qr_url: string | null; qr_png_base64: string | null };
  pdf: { status: string; url: string | null; expires_at: string | null };
  public_url: string | null;
};

/** What all three blocks hold in each case. */
function assertBlocks(app: App, data: Blocks, record: string): void {
  assert.deepEqual([data.verifactu?.status, data.pdf?.status], [record, 'pending']);
  assert.ok(data.pdf.url?.startsWith(`${app.url}/pdf/`), String(data.pdf.url));
  assert.equal(Date.parse(data.pdf.expires_at ?? ''), app.clock.now().getTime() + dayMs);
  assert.ok(data.public_url?.startsWith(`${app.url}/i/`), String(data.public_url));
}

for (const [asked, wish] of [
  ['options.issue', issue],
  ['a payment', { payment: { method: 'card' } }],
  ['automatic sending', { options: { send_automatically: true, send_to: 'ana@example.com' } }],
  ['its record', { options: { register_verifactu: true } }],
] as const) {
  test(`given VeriFactu off, when ${asked} issues, then the 201 has all three blocks, and says that it is off`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const { status, body } = await app.post('/v1/invoices', { key, body: { ...ticket, ...wish } });
    assert.equal(status, 201);
    assertBlocks(app, body.data, 'disabled');
    assert.equal((await app.get(new URL(body.data.pdf.url).pathname)).status, 200);
  });
}

test('given VeriFactu on, when an invoice is issued, then its block is there, with the picture of the QR if it was asked for', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const plain = (await app.post('/v1/invoices', { key, body: { ...ticket, ...issue } })).body.data;
  assertBlocks(app, plain, 'pending');
  assert.ok(plain.verifactu.huella && plain.verifactu.qr_url);
  assert.equal(plain.verifactu.qr_png_base64, null);
  const options = { register_verifactu: true };
  const full = (await app.post('/v1/invoices', { key, body: { ...ticket, options } })).body.data;
  assertBlocks(app, full, 'pending');
  assert.ok(full.verifactu.qr_png_base64);
});

test('given a draft, then it has no blocks, and its replay that issues has them all, again and again', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { ...ticket, external_id: 'tpv-1' };
  const draft = (await app.post('/v1/invoices', { key, body })).body.data;
  const again = (await app.post('/v1/invoices', { key, body })).body.data;
  for (const data of [draft, again])
    assert.deepEqual([data.verifactu, 'pdf' in data, data.public_url], [null, false, null]);
  for (const wish of [issue, issue, { payment: { method: 'cash' } }, {}]) {
    const answer = await app.post('/v1/invoices', { key, body: { ...body, ...wish } });
    assert.deepEqual([answer.status, answer.headers['idempotent-replayed']], [200, 'true']);
    assertBlocks(app, answer.body.data, 'disabled');
  }
});

test('given an Idempotency-Key, when the call is sent again, then its stored blocks are answered', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const send = () =>
    app.post('/v1/invoices', { key, body: { ...ticket, ...issue }, headers: { 'idempotency-key': 'k-1' } });
  const first = await send();
  assertBlocks(app, first.body.data, 'disabled');
  assert.deepEqual((await send()).body, first.body);
});

test('given a bulk creation, then each issued element has all three blocks, and a draft has none', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const invoices = [{ ...ticket, ...issue }, ticket, { ...ticket, payment: { method: 'cash' } }];
  const [issued, draft, paid] = (await app.post('/v1/invoices/bulk-create', { key, body: { invoices } })).body
    .data.invoices;
  for (const data of [issued, paid]) assertBlocks(app, data, 'disabled');
  assert.deepEqual([draft.verifactu, 'pdf' in draft, draft.public_url], [null, false, null]);
});

test('given an issued invoice, when it is corrected or substituted, then the new invoice has all three blocks', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = async (path: string, body: object) => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const client = await make('/v1/clients', { name: 'Norte SL', tax_id: 'A58818501' });
  const corrected = await make('/v1/invoices', { ...ticket, ...issue });
  const correction = { type: 'differences' };
  assertBlocks(app, await make(`/v1/invoices/${corrected.id}/corrective`, { correction }), 'disabled');
  const first = await make('/v1/invoices', { ...ticket, ...issue });
  const substitution = { simplified_invoice_uuids: [first.id], client_id: client.id };
  assertBlocks(app, await make('/v1/invoices/substitute-simplified', substitution), 'disabled');
});

test('given a key without pdfs:read, then no answer of an invoice gives an address of its paper', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const scopes = ['invoices:read', 'invoices:write', 'invoices:send', 'invoices:void'];
  const poor = await app.given.apiKey(acme, { scopes });
  const rich = await app.given.apiKey(acme, { scopes: [...scopes, 'pdfs:read'] });
  const options = { wait_for_pdf: true };
  const made = (await app.post('/v1/invoices', { key: poor, body: { ...ticket, options } })).body.data;
  assert.deepEqual(made.pdf, { status: 'ready', url: null, expires_at: null });
  const invoices = [{ ...ticket, ...issue }];
  const bulk = await app.post('/v1/invoices/bulk-create', { key: poor, body: { invoices } });
  const path = `/v1/invoices/${made.id}`;
  const sent = await app.post(`${path}/send`, { key: poor, body: { to: ['ana@example.com'] } });
  const list = await app.get('/v1/invoices', { key: poor });
  const changed = await app.put(path, { key: poor, body: { tags: ['a'] } });
  const void_ = await app.post(`${path}/void`, { key: poor });
  const answers = [made, sent.body.data, changed.body.data, void_.body.data, ...bulk.body.data.invoices];
  for (const data of [...answers, ...list.body.data]) {
    assert.equal(data.public_url, null);
    assert.equal(data.pdf?.url ?? null, null);
  }
  const shown = (await app.get(path, { key: rich })).body.data;
  assert.ok(shown.public_url);
  const paid = await app.post('/v1/invoices', { key: rich, body: { ...ticket, options } });
  assert.ok(paid.body.data.pdf.url && paid.body.data.public_url);
});

test('given an idempotency key, when a key without pdfs:read repeats it, then the stored answer comes without addresses of paper', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const scopes = ['invoices:read', 'invoices:write', 'invoices:void'];
  const poor = await app.given.apiKey(acme, { scopes });
  const rich = await app.given.apiKey(acme, { scopes: [...scopes, 'pdfs:read'] });
  const wait = { options: { wait_for_pdf: true } };
  const made = (await app.post('/v1/invoices', { key: rich, body: { ...ticket, ...issue } })).body.data;
  const voided = (await app.post('/v1/invoices', { key: rich, body: { ...ticket, ...issue } })).body.data;
  const calls: [path: string, body?: object][] = [
    ['/v1/invoices', { ...ticket, ...wait }],
    [
      '/v1/invoices/bulk-create',
      {
        invoices: [
          { ...ticket, ...issue },
          { ...ticket, ...wait },
        ],
      },
    ],
    [`/v1/invoices/${made.id}/corrective`, { correction: { type: 'differences' } }],
    [`/v1/invoices/${made.id}/public-link/revoke`],
    [`/v1/invoices/${voided.id}/void`],
  ];
  for (const [path, body] of calls) {
    const headers = { 'idempotency-key': `k ${path}` };
    const call = (key: string) => app.post(path, { key, headers, ...(body ? { body } : {}) });
    const [first, hidden, whole] = [await call(rich), await call(poor), await call(rich)];
    assert.deepEqual(
      [hidden.status, hidden.headers['idempotent-replayed']],
      [first.status, 'true'],
      hidden.text,
    );
    assert.match(first.text, /\/(i|pdf)\/[\w-]{20}/);
    assert.doesNotMatch(hidden.text, /\/(i|pdf)\/[\w-]{20}/);
    assert.deepEqual(whole.body, first.body);
    const one = (answer: typeof first) => answer.body.data.invoices?.[1] ?? answer.body.data;
    const { public_url, pdf } = one(first);
    assert.ok(public_url);
    const blocks = pdf ? { pdf: { ...pdf, url: null, expires_at: null } } : {};
    assert.deepEqual(one(hidden), { ...one(first), public_url: null, ...blocks });
  }
});
