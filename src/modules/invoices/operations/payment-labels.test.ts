/** `external_id`, `metadata` and `notes` of payments and correctives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';

const lines = [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }];

async function issued(app: App, key: string): Promise<string> {
  const body = { type: 'F2', lines, options: { issue: true } };
  return (await app.post('/v1/invoices', { key, body })).body.data.id;
}

const mismatch = [409, 'idempotency_key_reused', 'unattended_replay_mismatch', 'external_id'];
type Refusal = { status: number; body: { error?: { code: string; subcode: string; param: string } } };
const refusal = ({ status, body: { error } }: Refusal) => [status, error?.code, error?.subcode, error?.param];

test('given a payment with labels, when it is registered, then it has them everywhere, and its external id is used once', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const [id, other] = [await issued(app, key), await issued(app, key)];
  const labels = { external_id: 'pago-1', metadata: { caja: '3' }, notes: 'En mano' };
  const body = { amount: 20, payment_method: 'cash', ...labels };
  const pay = (invoice: string, fields: object = {}) =>
    app.post(`/v1/invoices/${invoice}/payments`, { key, body: { ...body, ...fields } });
  const made = await pay(id);
  assert.equal(made.status, 201, made.text);
  const { external_id, metadata, notes } = made.body.data;
  assert.deepEqual({ external_id, metadata, notes }, labels);
  const again = await pay(id);
  assert.deepEqual(
    [again.status, again.headers['idempotent-replayed'], again.body],
    [200, 'true', made.body],
  );
  const both = await Promise.all([pay(id, { external_id: 'pago-2' }), pay(id, { external_id: 'pago-2' })]);
  assert.deepEqual(both.map((answer) => answer.status).sort(), [200, 201]);
  assert.deepEqual(refusal(await pay(id, { amount: 21 })), mismatch);
  assert.deepEqual(refusal(await pay(other)), mismatch);
  for (const fields of [
    { payment_date: '2026-01-02' },
    { payment_method: 'card' },
    { reference: 'TRF 1' },
    { notes: 'Por correo' },
    { metadata: { caja: '4' } },
    { metadata: null },
  ])
    assert.deepEqual(refusal(await pay(id, fields)), mismatch, JSON.stringify(fields));
  const { payment_date } = made.body.data;
  const same = [
    { amount: 20.0, reference: null, payment_date },
    { payment_date: null },
    { notes: undefined },
  ];
  for (const fields of same) assert.equal((await pay(id, fields)).status, 200, JSON.stringify(fields));
  const invoice = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.deepEqual([invoice.paid_amount, invoice.payments.detail[0]], [40, made.body.data]);
  const reversed = await app.post(`/v1/invoices/${id}/payments/${made.body.data.id}/reversal`, {
    key,
    body: { reason: 'recording_error' },
  });
  assert.deepEqual([reversed.body.data.external_id, reversed.body.data.metadata], ['pago-1', { caja: '3' }]);
  const plain = await pay(other, { external_id: null, metadata: null });
  assert.deepEqual([plain.body.data.external_id, plain.body.data.metadata], [null, {}]);
});

test('given a checkout with a payment, then the payment has its notes and metadata', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const payment = { method: 'card', notes: 'TPV 2', metadata: { turno: 'tarde' } };
  const { body } = await app.post('/v1/invoices', { key, body: { type: 'F2', lines, payment } });
  const [{ notes, metadata }] = body.data.payments.detail;
  assert.deepEqual({ notes, metadata }, { notes: 'TPV 2', metadata: { turno: 'tarde' } });
});

test('given a corrective with labels, when it is sent again, then it is the one that exists', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const [id, other] = [await issued(app, key), await issued(app, key)];
  const labels = {
    external_id: 'abono-1',
    metadata: { a: '1' },
    notes: 'Le pedimos disculpas',
    tags: ['abono'],
  };
  const body = { correction: { type: 'differences' }, ...labels };
  const correct = (invoice: string, fields: object = {}) =>
    app.post(`/v1/invoices/${invoice}/corrective`, { key, body: { ...body, ...fields } });
  const [first, second] = await Promise.all([correct(id), correct(id)]);
  assert.deepEqual([first.status, second.status].sort(), [200, 201], first.text + second.text);
  const made = first.status === 201 ? first : second;
  const { external_id, metadata, notes, tags, total } = made.body.data;
  assert.deepEqual({ external_id, metadata, notes, tags }, labels);
  assert.equal(total, -121);
  const again = await correct(id);
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
  assert.deepEqual(
    [again.body.data.id, again.body.data.pdf.status, again.body.data.verifactu.status],
    [made.body.data.id, 'pending', 'disabled'],
  );
  assert.deepEqual(refusal(await correct(id, { lines })), mismatch);
  assert.deepEqual(refusal(await correct(other)), mismatch);
  const found = await app.get('/v1/invoices', { key, query: { external_id: 'abono-1' } });
  assert.deepEqual(
    found.body.data.map((one: { id: string }) => one.id),
    [made.body.data.id],
  );
});

test('given a corrective of one line, when its external id comes with other words for what is inherited, then it is another', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const sold = {
    type: 'F2',
    lines: [{ ...lines[0], quantity: 3, discount_percent: 10 }],
    options: { issue: true },
  };
  const { id } = (await app.post('/v1/invoices', { key, body: sold })).body.data;
  const correct = (line: object) =>
    app.post(`/v1/invoices/${id}/corrective`, {
      key,
      body: { correction: { type: 'substitution' }, external_id: 'abono-2', lines: [line] },
    });
  const made = await correct({ unit_price: 90 });
  assert.deepEqual([made.status, made.body.data?.subtotal], [201, 243], made.text);
  assert.equal((await correct({ unit_price: 90.0 })).status, 200);
  assert.deepEqual(refusal(await correct({ unit_price: 90, quantity: 1 })), mismatch);
  assert.deepEqual(refusal(await correct({ unit_price: 90, discount_percent: null })), mismatch);
});

test('given an original with notes, when it is corrected, then its notes stay unless others are sent', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const correct = async (fields: object) => {
    const sold = { type: 'F2', lines, notes: 'Gracias', options: { issue: true } };
    const { id } = (await app.post('/v1/invoices', { key, body: sold })).body.data;
    const body = { correction: { type: 'differences' }, ...fields };
    return (await app.post(`/v1/invoices/${id}/corrective`, { key, body })).body.data.notes;
  };
  assert.deepEqual(
    [await correct({}), await correct({ notes: null }), await correct({ notes: 'Abono' })],
    ['Gracias', null, 'Abono'],
  );
});

test('given an invoice that cannot be annulled, then the codes of the reasons are those of the real call', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const id = await issued(app, key);
  const free = (await app.get(`/v1/invoices/${id}/can-annul`, { key })).body.data;
  assert.deepEqual([free.can_annul, free.reasons, free.reason_codes], [true, [], []]);
  await app.post(`/v1/invoices/${id}/annul`, { key });
  const can = (await app.get(`/v1/invoices/${id}/can-annul`, { key })).body.data;
  const real = await app.post(`/v1/invoices/${id}/annul`, { key });
  assert.deepEqual([can.can_annul, can.reason_codes], [false, [real.body.error.code]]);
  assert.equal(can.reasons.length, 1);
});
