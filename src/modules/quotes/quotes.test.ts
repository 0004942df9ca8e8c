/** What quotes do besides what every family does (test/scenarios/sales-families.test.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { givenPost } from '../../../test/support/mailed-invoices.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { assertRefused } from '../../../test/support/resource-checks.ts';
import { quotes, quotesOperations } from './index.ts';

checkOffers({
  operations: quotesOperations,
  scopes: {
    list_quotes: ['quotes:read'],
    create_quote: ['quotes:write'],
    get_quote: ['quotes:read'],
    get_quote_pdf: ['pdfs:read', 'quotes:read'],
    get_quote_pdf_link: ['pdfs:read', 'quotes:read'],
    revoke_quote_public_link: ['quotes:write'],
    update_quote: ['quotes:write'],
    delete_quote: ['quotes:delete'],
    duplicate_quote: ['quotes:write'],
    send_quote: ['quotes:send'],
    mark_quote_pending: ['quotes:transition'],
    accept_quote: ['quotes:transition'],
    reject_quote: ['quotes:transition'],
    cancel_quote: ['quotes:transition'],
    convert_quote: ['quotes:transition'],
  },
  family: quotes,
  said: { accept: 'approved' },
  enters: ['marked_as_pending'],
});

test('given a quote, when it becomes a pro-forma invoice and that an invoice, then each opens again as the next goes', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const company = await app.given.company();
  const key = company.live_key;
  const post = async (path: string, body: unknown = {}) => (await app.post(path, { key, body })).body.data;
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const lines = [
    { description: 'Reforma', quantity: 3, unit_price: 33.33, tax_rate: 21 },
    { description: 'Libros', quantity: 1, unit_price: 9.99, tax_rate: 4 },
  ];
  const options = { mark_pending: true };
  const quote = await post('/v1/quotes', { client_id: client.id, lines, notes: 'Gracias', options });
  const proforma = await post(`/v1/quotes/${quote.id}/convert`, { target: 'proforma' });
  assert.deepEqual(
    [proforma.object, proforma.status, proforma.number, proforma.total, proforma.notes, proforma.valid_until],
    ['proforma', 'draft', null, quote.total, 'Gracias', '2026-12-22'],
  );
  const converted = await read(`/v1/quotes/${quote.id}`);
  assert.deepEqual(
    [converted.status, converted.converted_to],
    ['converted', { object: 'proforma', id: proforma.id }],
  );
  const pending = await post(`/v1/proformas/${proforma.id}/mark-pending`);
  assert.match(pending.number, /^PF2026-000001$/);
  await post(`/v1/proformas/${proforma.id}/accept`);
  const invoice = await post(`/v1/proformas/${proforma.id}/convert`, { due_on: '2027-01-31' });
  assert.deepEqual(
    [invoice.object, invoice.total, invoice.tax_breakdown, invoice.due_on],
    ['invoice', quote.total, quote.tax_breakdown, '2027-01-31'],
  );
  assert.equal((await app.delete(`/v1/invoices/${invoice.id}`, { key })).status, 200);
  assert.equal((await read(`/v1/proformas/${proforma.id}`)).status, 'accepted');
  // What has a number is cancelled, not deleted.
  assert.equal((await app.delete(`/v1/proformas/${proforma.id}`, { key })).status, 409);
  assert.equal((await read(`/v1/quotes/${quote.id}`)).status, 'converted');
  await post(`/v1/proformas/${proforma.id}/cancel`);
  const offered = await read(`/v1/quotes/${quote.id}`);
  assert.deepEqual([offered.status, offered.converted_to_id], ['pending', null]);
  const other = await post(`/v1/quotes`, { client_id: client.id, lines, options });
  const draft = await post(`/v1/quotes/${other.id}/convert`, { target: 'proforma' });
  assert.equal((await app.delete(`/v1/proformas/${draft.id}`, { key })).status, 200);
  const open = await read(`/v1/quotes/${other.id}`);
  assert.deepEqual([open.status, open.converted_to], ['pending', null]);
  assert.deepEqual((await app.eventTypes(company, other.id)).slice(-2), ['quote.converted', 'quote.updated']);
  const due = { target: 'proforma', due_on: '2027-01-31' };
  const refused = await app.post(`/v1/quotes/${other.id}/convert`, { key, body: due });
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'due_on']);
});

type Gone =
  | 'deleted as a draft'
  | 'deleted with its number'
  | 'deleted with others'
  | 'cancelled'
  | 'cancelled the old way';

test('given a quote that became a delivery note, when the note goes by any way, then the quote is open again and can become another', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const company = await app.given.company();
  const key = company.live_key;
  const send = (path: string, body: unknown = {}) => app.post(path, { key, body });
  const post = async (path: string, body?: unknown) => {
    const answer = await send(path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  const remove = async (path: string) => assert.equal((await app.delete(path, { key })).status, 200, path);
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const lines = [{ description: 'Sillas', quantity: 10, unit_price: 33.33, tax_rate: 21 }];
  const body = { client_id: client.id, lines, notes: 'Gracias', options: { mark_pending: true } };
  const quote = await post('/v1/quotes', body);
  const path = `/v1/quotes/${quote.id}`;
  await post(`${path}/accept`, { name: 'Ana Ruiz' });
  const accepted = await read(path);
  const toNote = { target: 'delivery_note' };
  for (const param of ['due_on', 'exchange_rate'])
    assert.equal((await send(`${path}/convert`, { ...toNote, [param]: null })).body.error?.param, param);
  const ways: Record<Gone, (note: string, id: string) => Promise<unknown>> = {
    'deleted as a draft': (note) => remove(note),
    'deleted with its number': async (note) => {
      await post(`${note}/mark-delivered`);
      await remove(note);
    },
    'deleted with others': async (note, id) => {
      await post(`${note}/mark-pending`);
      await post('/v1/delivery_notes/bulk-delete', { ids: [id] });
    },
    cancelled: async (note) => {
      await post(`${note}/mark-pending`);
      await post(`${note}/sign`, { signed_by: 'Eva Ruiz' });
      await post(`${note}/cancel`, { reason: 'No se entregó' });
    },
    'cancelled the old way': (note) => post(`${note}/change_status`, { status: 'cancelled' }),
  };
  for (const [what, go] of Object.entries(ways)) {
    const note = await post(`${path}/convert`, { ...toNote, external_id: what });
    assert.deepEqual(
      [note.object, note.status, note.number, note.total, note.notes, note.delivery_date, note.show_prices],
      ['delivery_note', 'draft', null, quote.total, 'Gracias', null, true],
      what,
    );
    assert.deepEqual(note.lines[0].source, {
      object: 'quote',
      id: quote.id,
      number: quote.number,
      operation_on: null,
      line_id: quote.lines[0].id,
    });
    const converted = await read(path);
    assert.deepEqual(
      [converted.status, converted.converted_to],
      ['converted', { object: 'delivery_note', id: note.id }],
      what,
    );
    assert.equal((await send(`${path}/convert`)).status, 409, what);
    await go(`/v1/delivery_notes/${note.id}`, note.id);
    const { updated_at: _, ...open } = await read(path);
    const { updated_at: __, ...before } = accepted;
    assert.deepEqual(open, before, what);
    assert.deepEqual((await app.eventTypes(company, quote.id)).slice(-2), [
      'quote.converted',
      'quote.updated',
    ]);
  }
  const [told] = await app.sql`
    select data from events where company_id = ${company.company_id} and type = 'quote.converted'
     order by sequence desc limit 1`;
  const last = await post(`${path}/convert`, toNote);
  assert.deepEqual(Object.keys(told?.data).sort(), ['delivery_note', 'quote']);
  // A cancelled note that is deleted afterwards opens nothing again.
  const cancelled = (
    await app.get('/v1/delivery_notes', { key, query: { status: 'cancelled', limit: '100' } })
  ).body.data;
  for (const note of cancelled) await app.delete(`/v1/delivery_notes/${note.id}`, { key });
  assert.equal((await read(path)).converted_to_id, last.id);
});

test('given a quote that is delivered in parts, when one invoice bills its notes, then it is of what was delivered', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const { live_key: key } = await app.given.company();
  const post = async (path: string, body: unknown = {}) => {
    const answer = await app.post(path, { key, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const lines = [{ description: 'Sillas', quantity: 10, unit_price: 33.33, tax_rate: 21 }];
  const quote = await post('/v1/quotes', { client_id: client.id, lines, options: { mark_pending: true } });
  const first = await post(`/v1/quotes/${quote.id}/convert`, { target: 'delivery_note' });
  const second = await post(`/v1/delivery_notes/${first.id}/duplicate`);
  assert.equal(second.lines[0].source, null);
  for (const [note, quantity] of [
    [first, 4],
    [second, 6],
  ]) {
    const edited = await app.put(`/v1/delivery_notes/${note.id}`, {
      key,
      body: { lines: [{ id: note.lines[0].id, quantity }] },
    });
    assert.equal(edited.status, 200, edited.text);
    await post(`/v1/delivery_notes/${note.id}/mark-delivered`);
  }
  const ids = { delivery_note_ids: [first.id, second.id] };
  const invoice = await post('/v1/delivery_notes/recapitulate', ids);
  assert.deepEqual(
    [invoice.total, invoice.lines.map((line: { quantity: number }) => line.quantity)],
    [quote.total, [4, 6]],
  );
  assert.equal((await app.delete(`/v1/delivery_notes/${first.id}`, { key })).status, 409);
  const issued = await post(`/v1/invoices/${invoice.id}/issue`);
  assert.equal((await read(`/v1/quotes/${quote.id}`)).status, 'converted');
  await post(`/v1/invoices/${issued.id}/void`);
  const states = await Promise.all([first, second].map(({ id }) => read(`/v1/delivery_notes/${id}`)));
  assert.deepEqual(
    states.map(({ status, converted_to_id }) => [status, converted_to_id]),
    [
      ['delivered', null],
      ['delivered', null],
    ],
  );
  const again = await post('/v1/delivery_notes/recapitulate', ids);
  assert.equal((await post(`/v1/invoices/${again.id}/issue`)).total, quote.total);
});

test('given a quote whose product, rate, currency or client no longer serves, when it is converted, then what was agreed is copied or a field is refused', async (t) => {
  const app = await startApp(t);
  app.clock.set('2024-12-20T12:00:00Z');
  const { live_key: key } = await app.given.company();
  const send = (path: string, body: unknown = {}) => app.post(path, { key, body });
  const post = async (path: string, body: unknown = {}) => {
    const answer = await send(path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const product = await post('/v1/products', { name: 'Aceite', unit_price: 8 });
  const lines = [
    { description: 'Mesa', unit_price: 100, tax_rate: 21 },
    { product_id: product.id, quantity: 10, tax_rate: 7.5 },
  ];
  const offered = { client_id: client.id, lines, options: { mark_pending: true } };
  const quote = await post('/v1/quotes', offered);
  const [archived, foreign] = [
    await post('/v1/quotes', offered),
    // A product's own price is in euros.
    await post('/v1/quotes', {
      ...offered,
      lines: [lines[0], { ...lines[1], unit_price: 8 }],
      currency: 'USD',
    }),
  ];
  // The rate of 7.5 % was in force to the end of 2024.
  app.clock.set('2025-01-10T12:00:00Z');
  assert.equal((await app.delete(`/v1/products/${product.id}`, { key })).status, 200);
  const invoice = await post(`/v1/quotes/${quote.id}/convert`);
  assert.deepEqual([invoice.total, invoice.tax_breakdown], [quote.total, quote.tax_breakdown]);
  const reasons = async () => (await post(`/v1/invoices/${invoice.id}/can-issue`)).reasons;
  const [reason, ...others] = await reasons();
  assert.deepEqual(
    [reason.code, reason.param, reason.line_index, others],
    ['business_rule_violation', 'lines.1.tax_rate', 1, []],
  );
  assertRefused(await send(`/v1/invoices/${invoice.id}/issue`), 422, reason.code, reason.param);
  // The operation was of December. The archived product stays on its line.
  const body = { operation_on: '2024-12-20' };
  assert.equal((await app.put(`/v1/invoices/${invoice.id}`, { key, body })).status, 200);
  assert.deepEqual(await reasons(), []);
  const path = `/v1/quotes/${foreign.id}/convert`;
  assertRefused(await send(path), 422, 'missing_required_param', 'exchange_rate');
  assertRefused(await send(path, { exchange_rate: 0 }), 422, 'parameter_invalid', 'exchange_rate');
  const note = await post(path, { target: 'delivery_note' });
  assert.deepEqual([note.currency, note.total], ['USD', foreign.total]);
  await app.delete(`/v1/delivery_notes/${note.id}`, { key });
  const converted = await post(path, { exchange_rate: 0.95 });
  assert.deepEqual(
    [converted.currency, converted.exchange_rate, converted.total],
    ['USD', 0.95, foreign.total],
  );
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  for (const target of ['invoice', 'proforma', 'delivery_note'])
    assertRefused(
      await send(`/v1/quotes/${archived.id}/convert`, { target }),
      422,
      'parameter_invalid',
      'client_id',
    );
});

test('given a converted quote whose last day passes, when its draft is deleted, then nobody can accept it, and it expires and tells it', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const company = await app.given.company();
  const key = company.live_key;
  const send = (path: string, body: unknown = {}) => app.post(path, { key, body });
  const client = (await send('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' })).body.data;
  const lines = [{ description: 'Sillas', unit_price: 33.33, tax_rate: 21 }];
  const offered = { client_id: client.id, lines, valid_until: '2026-11-22', options: { mark_pending: true } };
  // An end that was sent is not missing, in the call as in its trial.
  const ended = { ...offered, issued_on: '2026-11-01', valid_until: '2026-11-20' };
  assertRefused(await send('/v1/quotes', ended), 422, 'business_rule_violation', 'valid_until');
  const tried = await send('/v1/quotes', { ...ended, options: { mark_pending: true, dry_run: true } });
  assert.deepEqual(
    tried.body.data.reasons.map(({ code }: { code: string }) => code),
    ['business_rule_violation'],
  );
  const path = `/v1/quotes/${(await send('/v1/quotes', offered)).body.data.id}`;
  const draft = (await send(`${path}/convert`)).body.data;
  const nextDay = async (now: string) => {
    app.clock.set(now);
    await app.service.worker.runDue(company.company_id);
  };
  const statusNow = async () => (await app.get(path, { key })).body.data.status;
  await nextDay('2026-11-23T12:00:00Z');
  assert.equal(await statusNow(), 'converted');
  assert.equal((await app.delete(`/v1/invoices/${draft.id}`, { key })).status, 200);
  for (const word of ['accept', 'convert', 'send'])
    assertRefused(await send(`${path}/${word}`), 409, 'invalid_status_transition');
  await nextDay('2026-11-24T00:05:00+01:00');
  assert.equal(await statusNow(), 'expired');
  assert.equal(
    (await app.eventTypes(company, path.slice(path.lastIndexOf('/') + 1))).at(-1),
    'quote.expired',
  );
});

test('given a company without a name, when it sends a quote, then its message names it by its tax id', async (t) => {
  const { app, mail, company, key } = await givenPost(t);
  await app.put('/v1/account/company', { key, body: { name: null, commercial_name: null } });
  const client = { name: 'Norte SL', tax_id: 'A58818501', email: 'norte@example.com' };
  const { id: client_id } = (await app.post('/v1/clients', { key, body: client })).body.data;
  const lines = [{ description: 'Mesa', unit_price: 10, tax_rate: 21 }];
  const { id } = (await app.post('/v1/quotes', { key, body: { client_id, lines } })).body.data;
  const sent = await app.post(`/v1/quotes/${id}/send`, { key });
  assert.equal(sent.status, 200, sent.text);
  const { number } = sent.body.data;
  await app.service.worker.runDue(company.company_id);
  const { tax_id } = (await app.get('/v1/account/company', { key })).body.data;
  const [{ message }] = mail.received as [(typeof mail.received)[0]];
  assert.deepEqual([message.subject, message.from?.name], [`Presupuesto ${number} · ${tax_id}`, tax_id]);
  assert.equal(message.text?.split(tax_id).length, 2, 'the signature says it once');
});

test('given a quote with a retention, when it is sent, then its message says until when it is valid and what is payable, as its paper', async (t) => {
  const { app, mail, company, key } = await givenPost(t);
  const client = { name: 'Norte SL', tax_id: 'A58818501', email: 'norte@example.com' };
  const { id: client_id } = (await app.post('/v1/clients', { key, body: client })).body.data;
  const send = async (body: object) => {
    const { id } = (await app.post('/v1/quotes', { key, body: { client_id, ...body } })).body.data;
    const sent = await app.post(`/v1/quotes/${id}/send`, { key });
    assert.equal(sent.status, 200, sent.text);
    await app.service.worker.runDue(company.company_id);
    return mail.received.at(-1)!.message.text ?? '';
  };
  const line = { description: 'Diseño', kind: 'service', unit_price: 100, tax_rate: 21 };
  const text = await send({ valid_until: '2099-12-31', lines: [{ ...line, retention_rate: 15 }] });
  assert.match(text, /Válido hasta: 31\/12\/2099\nTotal: 121,00\s€\nTotal a pagar: 106,00\s€\n/);
  const plain = await send({ valid_until: null, lines: [line] });
  assert.match(plain, /Total: 121,00\s€\n/);
  assert.doesNotMatch(plain, /Válido hasta|a pagar/);
});
