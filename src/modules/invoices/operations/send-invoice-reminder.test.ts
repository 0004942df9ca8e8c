import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CallOptions, startApp } from '../../../../test/harness.ts';
import { mailSettings, startMailServer } from '../../../../test/support/mail-server.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

const now = '2027-03-01T10:00:00.000Z';
const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const iban = 'ES9121000418450200051332';

type Made = { id: string; number: string; public_url: string };

async function given(t: TestContext, { sandbox = true, language = 'es', env = {} } = {}) {
  const app = await startApp(t, Object.keys(env).length === 0 ? {} : { env });
  app.clock.set(now);
  const acme = await app.given.company();
  const key = sandbox ? acme.test_key : acme.live_key;
  const settings = { commercial_name: 'Acme', email: 'hola@acme.example', iban, language };
  assert.equal((await app.put('/v1/account/company', { key, body: settings })).status, 200);
  const client = await create(app, '/v1/clients', key, { name: 'Norte SL', email: 'norte@example.com' });
  return { app, key, client: client.id, company_id: sandbox ? acme.sandbox_company_id : acme.company_id };
}

type Given = Awaited<ReturnType<typeof given>>;

function invoice({ app, key, client }: Given, more: Record<string, unknown> = {}) {
  const body = { client_id: client, lines: [line], due_on: '2027-03-31', options: { issue: true }, ...more };
  return create<Made>(app, '/v1/invoices', key, body);
}

const remind = ({ app, key }: Given, id: string, options: Omit<CallOptions, 'key'> = {}) =>
  app.post(`/v1/invoices/${id}/send-reminder`, { key, ...options });

async function emailsOf({ app, key }: Given, document_id: string) {
  return (await app.get('/v1/emails', { key, query: { document_id } })).body.data;
}

async function pay({ app, key }: Given, id: string, amount: number): Promise<void> {
  const body = { amount, payment_method: 'cash' };
  assert.equal((await app.post(`/v1/invoices/${id}/payments`, { key, body })).status, 201);
}

test('given an unpaid invoice, when its client is reminded, also before its due day, then the e-mail says what is left to pay', async (t) => {
  const place = await given(t);
  const { app, key, company_id } = place;
  const made = await invoice(place);
  await pay(place, made.id, 21);
  const before = (await app.get(`/v1/invoices/${made.id}`, { key })).body.data;
  const events = await app.eventTypes(company_id, made.id);

  const answer = await remind(place, made.id);
  assert.equal(answer.status, 200, answer.text);
  const { email, ...shown } = answer.body.data;
  assert.deepEqual(shown, before);
  assert.equal(email.status, 'not_sent');

  const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
  assert.deepEqual(
    [data.purpose, data.document, data.status, data.reason, data.to, data.cc, data.from_name, data.reply_to],
    [
      'payment_reminder',
      { type: 'invoice', id: made.id },
      'not_sent',
      'sandbox',
      ['norte@example.com'],
      [],
      'Acme',
      'hola@acme.example',
    ],
  );
  assert.equal(data.subject, `Recordatorio de pago: factura ${made.number} · Acme`);
  assert.deepEqual(data.attachments, [{ filename: `${made.number}.pdf`, media_type: 'application/pdf' }]);
  const says = `Le recordamos que la factura ${made.number} vence el 31/03/2027 y tiene un importe pendiente de pago de 100,00\u00a0€.`;
  for (const text of [
    says,
    'IBAN: ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332',
    made.public_url,
    'Si ya la ha pagado',
  ]) {
    assert.ok(data.text.includes(text), `${text}\nis not in\n${data.text}`);
  }
  // Nothing was sent, so no event follows.
  assert.deepEqual(await app.eventTypes(company_id, made.id), events);
});

const languages: [language: string, says: string][] = [
  ['ca', 'va vèncer el 31/03/2027 i té un import pendent de pagament de 121,00\u00a0€.'],
  ['eu', 'epemuga igaro dela (2027/03/31) eta zenbateko hau ordaintzeke dagoela: 121,00\u00a0€.'],
  ['gl', 'venceu o 31/03/2027 e ten un importe pendente de pagamento de 121,00\u00a0€.'],
  ['en', 'was due on 31\u00a0Mar\u00a02027 and that €121.00 is still to be paid.'],
];
test('given companies of other languages, when the due day is over, then each says so in its own', async (t) => {
  for (const [language, says] of languages) {
    const place = await given(t, { language });
    const made = await invoice(place);
    place.app.clock.set('2027-04-01T10:00:00Z');
    const { email } = (await remind(place, made.id)).body.data;
    const { data } = (await place.app.get(`/v1/emails/${email.id}`, { key: place.key })).body;
    assert.ok(data.text.includes(says), data.text);
  }
});

test('given a rectified invoice of which more was given back than it owes, then its client is reminded of what is left', async (t) => {
  const place = await given(t);
  const { app, key } = place;
  const made = await invoice(place);
  const post = async (path: string, body: object) => {
    const res = await app.post(`/v1/invoices/${made.id}/${path}`, { key, body });
    assert.ok(res.status < 300, res.text);
    return res.body.data;
  };
  const debited = await post('payments', { amount: 121, payment_method: 'direct_debit' });
  await post('corrective', { correction: { type: 'differences' } });
  await pay(place, made.id, -121);
  assertRefused(await remind(place, made.id), 409, 'invalid_status_transition');
  // The bank takes back what was given back already.
  await post(`payments/${debited.id}/reversal`, { reason: 'direct_debit_return' });
  const answer = await remind(place, made.id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.status, answer.body.data.pending_amount], ['rectified', 121]);
  const { data } = (await app.get(`/v1/emails/${answer.body.data.email.id}`, { key })).body;
  assert.ok(data.text.includes('121,00'), data.text);
  await pay(place, made.id, 121);
  assertRefused(await remind(place, made.id), 409, 'invalid_status_transition');
});

test('given an invoice in another language than the company has now, when it is reminded of, then in that of its PDF', async (t) => {
  const place = await given(t, { language: 'en' });
  const { app, key } = place;
  const made = await invoice(place);
  await app.put('/v1/account/company', { key, body: { language: 'es' } });
  app.clock.set('2027-04-01T10:00:00Z');

  const { email } = (await remind(place, made.id)).body.data;

  const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
  assert.equal(data.subject, `Payment reminder: invoice ${made.number} · Acme`);
  assert.ok(
    data.text.includes('was due on 31\u00a0Mar\u00a02027 and that €121.00 is still to be paid.'),
    data.text,
  );
});

test('given words and addresses of the caller, when it reminds, then those are used, and the PDF stays away if it wants', async (t) => {
  const place = await given(t);
  const { app, key } = place;
  const made = await invoice(place, { due_on: null });
  const body = {
    to: ['pagos@norte.example', 'PAGOS@norte.example'],
    cc: ['jefa@norte.example'],
    subject: 'Su factura',
    message: 'Hola, Ana:\n\n¿Cómo va el pago?',
    attach_pdf: false,
  };
  const { email } = (await remind(place, made.id, { body })).body.data;
  const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
  assert.deepEqual(
    [data.to, data.cc, data.subject, data.attachments],
    [['pagos@norte.example'], ['jefa@norte.example'], 'Su factura', []],
  );
  assert.match(data.text, /Hola, Ana:\n\n¿Cómo va el pago\?\n\nNúmero: /);
  assert.doesNotMatch(data.text, /Le recordamos|Vencimiento|PDF/);
  // A company may remind as often as it wants; an idempotency key makes two calls one.
  const headers = { 'Idempotency-Key': 'recordatorio-1' };
  const twice = [await remind(place, made.id, { headers }), await remind(place, made.id, { headers })];
  assert.deepEqual(twice[0]!.body, twice[1]!.body);
  assert.equal(twice[1]!.headers['idempotent-replayed'], 'true');
  assert.equal((await emailsOf(place, made.id)).length, 2);
});

test('given another account since the issue, or a client who is debited, when reminded, then the mail says what the PDF says', async (t) => {
  const place = await given(t);
  const { app, key } = place;
  const debited = await create(app, '/v1/clients', key, {
    name: 'Sur SL',
    email: 'sur@example.com',
    payment_preferences: { method: 'direct_debit' },
  });
  const made = [await invoice(place), await invoice(place, { client_id: debited.id })];
  await app.put('/v1/account/company', { key, body: { iban: 'ES7921000813610123456789' } });
  const accounts = [];
  for (const { id } of made) {
    const { email } = (await remind(place, id)).body.data;
    const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
    accounts.push(/IBAN: (.+)|transferencia/.exec(data.text)?.[1] ?? null);
  }
  assert.deepEqual(accounts, ['ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332', null]);
});

test('given what is no debt or nobody to write to, when it is reminded of, then it is refused and nothing is written', async (t) => {
  const place = await given(t);
  const { app, key } = place;
  const post = (path: string, body: unknown) => create<Made>(app, path, key, body as never);
  const act = async (id: string, action: string, body: unknown = {}) => {
    const answer = await app.post(`/v1/invoices/${id}/${action}`, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data as Made;
  };
  const draft = await invoice(place, { options: {} });
  const paid = await invoice(place);
  await pay(place, paid.id, 121);
  const annulled = await invoice(place);
  await act(annulled.id, 'annul');
  const voided = await invoice(place);
  await act(voided.id, 'void');
  const nothing = await invoice(place, { lines: [{ ...line, discount_percent: 100 }] });
  const replaced = await invoice(place);
  await act(replaced.id, 'corrective', { correction: { type: 'substitution' }, lines: [line] });
  const cleared = await invoice(place);
  const credit = await act(cleared.id, 'corrective', {
    correction: { type: 'differences' },
    lines: [{ ...line, quantity: -1 }],
  });
  const ticket = await post('/v1/invoices', { type: 'F2', lines: [line], options: { issue: true } });
  const substituted = await post('/v1/invoices', { type: 'F2', lines: [line], options: { issue: true } });
  await post('/v1/invoices/substitute-simplified', {
    simplified_invoice_uuids: [substituted.id],
    client_id: place.client,
  });
  const open = await invoice(place);

  const to = ['ana@example.com'];
  const cases: [Made, unknown, number, string, string?][] = [
    [draft, { to }, 409, 'invalid_status_transition'],
    [annulled, { to }, 409, 'invalid_status_transition'],
    [voided, { to }, 409, 'invalid_status_transition'],
    [replaced, { to }, 409, 'invalid_status_transition'],
    [cleared, { to }, 409, 'invalid_status_transition'],
    [substituted, { to }, 409, 'invalid_status_transition'],
    [paid, { to }, 422, 'business_rule_violation', 'invoice'],
    [nothing, { to }, 422, 'business_rule_violation', 'invoice'],
    [credit, { to }, 422, 'business_rule_violation', 'invoice'],
    [ticket, {}, 422, 'missing_required_param', 'to'],
    [open, { to: ['ana'] }, 422, 'parameter_invalid', 'to.0'],
    [open, { to, cc: ['ana@example.com', '@'] }, 422, 'parameter_invalid', 'cc.1'],
    [open, { until: 'mañana' }, 422, 'parameter_invalid', 'until'],
  ];
  for (const [{ id }, body, status, code, param] of cases) {
    assertRefused(await remind(place, id, { body }), status, code, param);
    assert.deepEqual(await emailsOf(place, id), []);
  }
});

test('given another company’s invoice, or a key that may not send, when it is reminded of, then it is refused', async (t) => {
  const place = await given(t);
  const made = await invoice(place);
  const other = await given(t);
  assertRefused(await remind(other, made.id), 404, 'resource_not_found');
  const acme = await place.app.given.company();
  const key = await place.app.given.apiKey(acme, { scopes: ['invoices:read', 'invoices:write'] });
  assertRefused(
    await place.app.post(`/v1/invoices/${made.id}/send-reminder`, { key }),
    403,
    'insufficient_scope',
  );
  assert.deepEqual(await emailsOf(place, made.id), []);
});

/** Events of the invoice's e-mails, and the state of the last one. */
async function ends(place: Given, id: string) {
  const types = await place.app.eventTypes(place.company_id, id);
  const [email] = await emailsOf(place, id);
  const { data } = (await place.app.get(`/v1/invoices/${id}`, { key: place.key })).body;
  return [email.status, email.reason, types.filter((type) => /email|remind|sent/.test(type)), data.status];
}

test('given a live company with mail, when a reminder is sent, refused or overtaken by a payment, then its events say so', async (t) => {
  const mail = await startMailServer(t);
  const place = await given(t, { sandbox: false, env: mailSettings(mail) });
  const { app, company_id } = place;
  const [taken, refused, overtaken] = [await invoice(place), await invoice(place), await invoice(place)];
  mail.on_recipient = (address) => (address === 'no@norte.example' ? '550 No such mailbox' : undefined);
  assert.equal((await remind(place, taken.id)).body.data.email.status, 'queued');
  await remind(place, refused.id, { body: { to: ['no@norte.example'] } });
  await remind(place, overtaken.id);
  await pay(place, overtaken.id, 121);
  await app.service.worker.runDue(company_id);

  assert.deepEqual(await ends(place, taken.id), ['sent', null, ['invoice.payment_reminder_sent'], 'issued']);
  assert.deepEqual(await ends(place, refused.id), ['failed', 'refused', ['invoice.email_failed'], 'issued']);
  assert.deepEqual(await ends(place, overtaken.id), ['not_sent', 'withdrawn', [], 'paid']);
  assert.equal(mail.received.length, 1);
  const [{ to, message }] = mail.received as [(typeof mail.received)[number]];
  assert.deepEqual(to, ['norte@example.com']);
  assert.equal(message.subject, `Recordatorio de pago: factura ${taken.number} · Acme`);
  assert.match(message.text ?? '', /pendiente de pago de 121,00\s€/);
  assert.ok(message.html?.includes(taken.public_url));
  const [pdf] = message.attachments;
  assert.deepEqual([pdf?.filename, pdf?.mimeType], [`${taken.number}.pdf`, 'application/pdf']);
  assert.equal(Buffer.from(pdf?.content as ArrayBuffer).toString('latin1', 0, 5), '%PDF-');
});

test('given a live company without a mail server, when it reminds, then the e-mail is kept and says why', async (t) => {
  const place = await given(t, { sandbox: false });
  const made = await invoice(place);
  assert.equal((await remind(place, made.id)).body.data.email.status, 'not_sent');
  assert.deepEqual(await ends(place, made.id), ['not_sent', 'not_configured', [], 'issued']);
});
