import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { givenIssuer, issuePublic, type PublicInvoice } from '../../../test/support/public-invoices.ts';

const start = '2026-05-04T10:00:00.000Z';
const line = { description: 'Consultoría', quantity: 2, unit_price: 125, tax_rate: 21 };
const due_on = '2026-06-03';

async function given(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  app.clock.set(start);
  const key = (await givenIssuer(app)).test_key;
  const post = async (path: string, body: object) => {
    const answer = await app.post(`/v1/invoices/${path}`, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const issue = (more: object = {}) =>
    issuePublic(app, key, { lines: [{ ...line, retention_rate: 15 }], due_on, ...more });
  return { app, key, post, issue };
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ').replace(/<style>[\s\S]*<\/style>/, '');

async function see(app: App, { token }: PublicInvoice, says: readonly string[], hides: readonly string[]) {
  const page = await app.get(`/i/${token}`);
  assert.equal(page.status, 200);
  const text = plain(page.text);
  for (const said of says) assert.ok(text.includes(said), `says ${said}\n${text}`);
  for (const hidden of hides) assert.ok(!text.includes(hidden), `hides ${hidden}\n${text}`);
}

const paid = '<p class="standing paid">Pagada</p>';
const iban = 'ES91 2100';

test('given an invoice that is paid in two parts and late, then its page follows, and its PDF keeps its tag', async (t) => {
  const { app, key, post, issue } = await given(t);
  const invoice = await issue();
  const tagOf = async () => (await app.get(`/v1/invoices/${invoice.id}/pdf`, { key })).headers.etag;
  const tag = await tagOf();
  // A payment at the instant of the issue would be on the paper.
  app.clock.advance(60_000);
  const to_pay = '<span>Total a pagar</span> <strong>265,00 €</strong>';
  await see(app, invoice, [to_pay, iban, '03/06/2026'], ['Pendiente', 'Vencida', 'Pagad']);

  await post(`${invoice.id}/payments`, { amount: 51.24, payment_method: 'bank_transfer' });
  const pending = '<span>Pendiente</span> <strong>213,76 €</strong>';
  await see(app, invoice, [pending, 'Pagado: 51,24 €', iban], [to_pay, paid, 'Vencida']);
  assert.equal(await tagOf(), tag);

  const moved = await app.put('/v1/sandbox/clock', {
    key,
    body: { now: '2026-06-05T10:00:00Z', frozen: true },
  });
  assert.equal(moved.status, 200, moved.text);
  const past = '<strong>03/06/2026</strong> <span class="remark">Vencida</span>';
  await see(app, invoice, [pending, past, iban], [paid]);
  assert.equal(await tagOf(), tag);

  await post(`${invoice.id}/payments`, { amount: 213.76, payment_method: 'bank_transfer' });
  await see(app, invoice, [paid, '<dt>Pagado</dt><dd>265,00 €</dd>'], [to_pay, iban, 'Pendiente', 'Vencida']);
  assert.equal(await tagOf(), tag);
});

test('given invoices that others corrected or replaced, then one page alone asks for each sum', async (t) => {
  const { app, key, post, issue } = await given(t);
  const corrected = await issue();
  const correction = (type: string) => ({ correction: { type, reason: 'Precio' } });
  const shown = (data: { public_url: string }) =>
    ({ ...data, token: data.public_url.split('/').at(-1) }) as PublicInvoice;
  const more = shown(
    await post(`${corrected.id}/corrective`, {
      ...correction('differences'),
      lines: [{ ...line, quantity: 1, unit_price: 100 }],
    }),
  );
  await see(app, corrected, ['<span>Pendiente</span>', 'Rectificación: ', iban], ['queda nada']);
  await see(app, more, ['Su importe cuenta en la factura que rectifica'], [iban, 'Pendiente']);
  const unpaid = await issue();
  const bad = shown(
    await post(`${unpaid.id}/corrective`, {
      type: 'R3',
      ...correction('differences'),
      lines: [{ ...line, quantity: -1, unit_price: 100 }],
    }),
  );
  await see(
    app,
    unpaid,
    ['<span>Pendiente</span> <strong>244,00 €</strong>', 'Rectificación: -21,00 €', iban],
    [],
  );
  await see(app, bad, ['Su impuesto cuenta en la factura que rectifica'], [iban, 'Pendiente', 'A devolver']);
  // Nor is anything given back of an invoice of before, which its client did not pay.
  for (const sold of [
    { ...line, quantity: -1 },
    { ...line, tax_rate: 0, exemption_reason: 'E1' },
  ]) {
    const of_before = await issue({
      type: 'R3',
      ...correction('differences'),
      corrected_invoices: [{ number: 'A-1', issued_on: '2025-01-10' }],
      lines: [sold],
    });
    await see(
      app,
      of_before,
      ['Su impuesto cuenta en la factura que rectifica', 'Aquí no queda nada que pagar.'],
      [iban, 'Pendiente', 'A devolver', 'Rectificada por otra'],
    );
  }

  const replaced = await issue();
  const other = shown(
    await post(`${replaced.id}/corrective`, { ...correction('substitution'), lines: [line] }),
  );
  await see(
    app,
    replaced,
    ['Rectificada por otra factura', 'Aquí no queda nada que pagar.'],
    [iban, other.token],
  );
  assert.ok(!(await app.get(`/i/${replaced.token}`)).text.includes(other.number), 'nor names the other');
  await see(app, other, [iban], ['Rectificada', 'Pendiente']);

  const simplified = await issue({ type: 'F2', lines: [line] });
  const made = await app.post('/v1/clients', { key, body: { name: 'Sur, S. L.', tax_id: 'B12345674' } });
  await post('substitute-simplified', {
    simplified_invoice_uuids: [simplified.id],
    client_id: made.body.data.id,
  });
  await see(app, simplified, ['Sustituida por otra factura', 'queda nada'], [iban, 'Sur, S. L.']);

  // A payment at the issue is on the paper, and stays on the page that asks for nothing.
  const ticket = await app.post('/v1/invoices', {
    key,
    body: {
      type: 'F2',
      lines: [line],
      payment: { method: 'cash' },
      options: { issue: true },
    },
  });
  assert.equal(ticket.status, 201, ticket.text);
  await see(app, shown(ticket.body.data), [paid, 'Efectivo, 302,50 €'], [iban]);
});

test('given money that is owed to the client, then the page says so until it was given back', async (t) => {
  const { app, post, issue } = await given(t);
  const correction = { type: 'differences', reason: 'Devolución' };
  const pay = (id: string, amount: number) =>
    post(`${id}/payments`, { amount, payment_method: 'bank_transfer' });
  const owed = (amount: string) => [
    `<span>A devolver al cliente: ${amount}</span>`,
    `<dt>A devolver al cliente</dt><dd>${amount}</dd>`,
  ];
  const asks = [iban, 'Pendiente'];

  const paid_invoice = await issue();
  await pay(paid_invoice.id, 265);
  await see(app, paid_invoice, [paid], ['A devolver']);
  const part = [{ ...line, quantity: -1, retention_rate: 15 }];
  await post(`${paid_invoice.id}/corrective`, { correction, lines: part });
  await see(app, paid_invoice, [paid, 'Rectificación</dt><dd>-132,50 €', ...owed('132,50 €')], asks);
  await pay(paid_invoice.id, -100);
  await see(app, paid_invoice, [paid, ...owed('32,50 €')], asks);
  await pay(paid_invoice.id, -32.5);
  await see(app, paid_invoice, [paid], [...asks, 'A devolver']);

  const undone = await issue();
  await pay(undone.id, 200);
  const debited = await post(`${undone.id}/payments`, { amount: 65, payment_method: 'direct_debit' });
  await post(`${undone.id}/corrective`, { correction });
  await see(app, undone, ['Rectificada por otra factura', 'queda nada', ...owed('265,00 €')], asks);
  await pay(undone.id, -265);
  await see(app, undone, ['Rectificada por otra factura', 'queda nada'], [...asks, 'A devolver']);
  // The bank takes back what was given back already: the client pays it again.
  await post(`${undone.id}/payments/${debited.id}/reversal`, { reason: 'direct_debit_return' });
  await see(
    app,
    undone,
    ['<span>Pendiente</span> <strong>65,00 €</strong>', 'Rectificación: -265,00 €', 'Pagado: -65,00 €', iban],
    ['Rectificada por otra factura', 'queda nada', 'A devolver'],
  );

  // What it corrects is of another system, so it has its own money.
  const negative = await issue({
    type: 'R1',
    correction,
    corrected_invoices: [{ number: 'A-1', issued_on: '2026-01-10' }],
    lines: part,
    due_on: null,
  });
  await see(app, negative, owed('132,50 €'), asks);
  await pay(negative.id, -100);
  await see(app, negative, ['Pagado: -100,00 €', ...owed('32,50 €')], asks);
  await pay(negative.id, -32.5);
  await see(app, negative, [paid], [...asks, 'A devolver']);
});

test('given a payment of the issue that is reversed, then the page asks for it again as it does for any, and the PDF stays', async (t) => {
  const { app, key, post, issue } = await given(t);
  const invoice = await issue({ payment: { method: 'card', reference: 'TPV 1' } });
  const tagOf = async () => (await app.get(`/v1/invoices/${invoice.id}/pdf`, { key })).headers.etag;
  const tag = await tagOf();
  const by_card = 'Tarjeta, 265,00 €';
  await see(app, invoice, [paid, by_card], [iban]);

  app.clock.advance(60_000);
  const { data } = (await app.get(`/v1/invoices/${invoice.id}`, { key })).body;
  await post(`${invoice.id}/payments/${data.payments.detail[0].id}/reversal`, { reason: 'card_dispute' });
  const to_pay = '<span>Total a pagar</span> <strong>265,00 €</strong>';
  await see(app, invoice, [to_pay, iban, due_on.split('-').reverse().join('/')], ['Pagad', 'Tarjeta']);
  assert.equal(await tagOf(), tag);

  await post(`${invoice.id}/payments`, { amount: 21, payment_method: 'cash' });
  const pending = '<span>Pendiente</span> <strong>244,00 €</strong>';
  await see(app, invoice, [pending, 'Pagado: 21,00 €', iban], [paid, 'Tarjeta']);

  await post(`${invoice.id}/payments`, { amount: 244, payment_method: 'bank_transfer' });
  await see(app, invoice, [paid, '<dt>Pagado</dt><dd>265,00 €</dd>'], [iban, 'Pendiente', 'Tarjeta']);
  assert.equal(await tagOf(), tag);
});
