/** Sends invoices through a real mail server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { startMailServer } from '../../../../test/support/mail-server.ts';
import {
  createTicket,
  givenPost,
  issueAndSend,
  mailEvents,
  readEmail,
  readInvoice,
  runDueWork,
  send,
  ticket,
} from '../../../../test/support/mailed-invoices.ts';

const body = ticket;
const to = ['ana@example.com'];

test('given one address with its domain in Unicode and in ASCII, when a document is sent, then it counts once, as first written', async (t) => {
  const post = await givenPost(t);
  const draft = await createTicket(post);
  const [unicode, ascii] = ['ana@peñíscola.example', 'ANA@xn--pescola-8ya9a.example'];
  const { body: sent } = await send(post, draft.id, {
    to: [unicode, ascii, ...to],
    cc: [ascii, 'leo@example.com'],
    attach_pdf: false,
  });
  const stored = await readEmail(post, sent.data.email.id);
  assert.deepEqual([stored.to, stored.cc], [[unicode, ...to], ['leo@example.com']]);
  await runDueWork(post);
  assert.deepEqual(post.mail.received[0]?.to, [unicode, ...to, 'leo@example.com']);
});

test('given a draft, when it is sent, then it is issued with its message in one, and marked as sent when the server took it', async (t) => {
  const post = await givenPost(t);
  const { app, mail, key } = post;
  const company = { name: 'Cerámicas Peñíscola, S. L.', email: 'hola@acme.example', colour: '#ffcc00' };
  await app.put('/v1/account/company', { key, body: company });
  const draft = await createTicket(post);
  const { status, body: sent } = await send(post, draft.id, {
    to,
    cc: ['leo@example.com', 'ANA@example.com'],
  });
  assert.equal(status, 200);
  const { email, number } = sent.data;
  assert.deepEqual([sent.data.status, email.status], ['issued', 'queued']);
  assert.equal(
    (await readEmail(post, email.id)).next_attempt_at,
    (await readEmail(post, email.id)).created_at,
  );

  await runDueWork(post);
  const invoice = await readInvoice(post, draft.id);
  assert.equal(invoice.status, 'sent');
  assert.deepEqual(await mailEvents(post, draft.id), ['invoice.sent', 'invoice.email_sent']);
  const [event] = await app.sql<{ data: unknown }[]>`
    select data from events where aggregate_id = ${draft.id} and type = 'invoice.email_sent'`;
  assert.deepEqual(event?.data, { invoice: { id: draft.id }, email: { id: email.id } });

  const stored = await readEmail(post, email.id);
  assert.deepEqual(
    [stored.status, stored.attempts, stored.refused, stored.next_attempt_at, stored.to, stored.cc],
    ['sent', 1, [], null, to, ['leo@example.com']],
  );
  const [{ message, to: recipients, from }] = mail.received as [(typeof mail.received)[0]];
  assert.deepEqual([from, recipients], ['facturas@folio.example', ['ana@example.com', 'leo@example.com']]);
  assert.deepEqual(
    [message.from, message.replyTo?.[0]?.address, message.subject, message.messageId],
    [
      { name: company.name, address: 'facturas@folio.example' },
      company.email,
      `Factura simplificada ${number} · ${company.name}`,
      stored.message_id,
    ],
  );
  // Both versions say the same and contain an address that opens the invoice.
  for (const text of [message.text ?? '', message.html ?? '']) {
    for (const said of [number, '11,00\u00a0€', invoice.public_url, 'hola@acme.example', 'PDF'])
      assert.ok(text.includes(said), `${said} in ${text}`);
  }
  assert.match(message.html ?? '', /background-color:#ffcc00.*color:#000000/s);
  assert.doesNotMatch(message.html ?? '', /<img|url\(|<script|<link|src=/);
  assert.equal((await app.get(new URL(invoice.public_url).pathname)).status, 200);
  const pdf = await app.get(`/v1/invoices/${draft.id}/pdf`, { key });
  const [attached] = message.attachments;
  assert.equal(attached?.filename, `${number}.pdf`);
  assert.ok(Buffer.from(attached?.content as ArrayBuffer).equals(pdf.bytes), 'the bytes of GET /pdf');
  await runDueWork(post);
  assert.equal(mail.received.length, 1);
});

test('given texts of the sender, when an invoice is sent, then they replace ours and contain no markup and no header', async (t) => {
  const post = await givenPost(t);
  const words = {
    subject: 'Su <b>pedido</b>\r\nBcc: eva@evil.example & "más"',
    message: 'Hola, <script>alert(1)</script> & "Ana":\n\nsegunda\nlínea',
    attach_pdf: false,
  };
  const { email, number } = await issueAndSend(post, { to, ...words });
  await runDueWork(post);
  const { message, to: recipients } = post.mail.received[0]!;
  assert.deepEqual(recipients, to);
  assert.equal(message.subject, 'Su <b>pedido</b> Bcc: eva@evil.example & "más"');
  assert.equal(message.attachments.length, 0);
  assert.match(
    message.html ?? '',
    /<p[^>]*>Hola, &lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;Ana&quot;:<\/p><p[^>]*>segunda<br>línea<\/p>/,
  );
  assert.ok(message.text?.startsWith('Hola, <script>alert(1)</script> & "Ana":\n\nsegunda\nlínea\n\n'));
  assert.doesNotMatch(message.text ?? '', /Le enviamos/);
  assert.ok(message.text?.includes(number));
  assert.equal((await readEmail(post, email.id)).subject, message.subject);
});

test('given the languages of companies, when invoices are sent, then each message speaks its own', async (t) => {
  const post = await givenPost(t);
  const { app, key, mail } = post;
  const due = { due_on: '2199-01-31', lines: [{ description: 'x', unit_price: 1000, tax_rate: 21 }] };
  const expected: Record<string, RegExp> = {
    es: /Le enviamos la factura .*Vencimiento: 31\/01\/2199.*1\.210,00/s,
    ca: /Us enviem la factura .*Venciment: 31\/01\/2199.*/s,
    eu: /faktura bidaltzen dizugu.*Epemuga: 2199\/01\/31/s,
    gl: /Enviámoslle a factura .*Vencemento: 31\/01\/2199/s,
    en: /Please find invoice .*Due date: 31 Jan 2199.*€1,210\.00/s,
  };
  for (const [language, pattern] of Object.entries(expected)) {
    await app.put('/v1/account/company', { key, body: { language } });
    const { id } = await createTicket(post, { ...due, options: { issue: true } });
    await send(post, id, { to, attach_pdf: false });
    await runDueWork(post);
    const { text = '', html = '' } = mail.received.at(-1)!.message;
    assert.match(`${text}${html}`.replaceAll('\u00a0', ' '), pattern);
    assert.match(html, new RegExp(`<html lang="${language}">`));
  }
});

test('given an invoice in another language than the company has now, when it is sent, then the message is in that of its PDF', async (t) => {
  const post = await givenPost(t);
  const { app, key } = post;
  await app.put('/v1/account/company', { key, body: { language: 'en' } });
  const { id } = await createTicket(post, { options: { issue: true } });
  await app.put('/v1/account/company', { key, body: { language: 'es', commercial_name: 'Acme hoy' } });

  const { email } = (await send(post, id, { to })).body.data;

  const { subject, text, from_name } = await readEmail(post, email.id);
  assert.match(subject, /^Simplified invoice S\d{4}-000001 · Acme hoy$/);
  assert.match(text, /Please find invoice .*The invoice is attached as a PDF\./s);
  assert.equal(from_name, 'Acme hoy');
});

test('given a client with addresses for invoices, when one is sent without any, then those are written to; else the one it has', async (t) => {
  const post = await givenPost(t);
  const client = async (fields: object) => {
    const made = await post.app.post('/v1/clients', { key: post.key, body: { name: 'Norte SL', ...fields } });
    const { id } = await createTicket(post, {
      type: 'F1',
      client_id: made.body.data.id,
      options: { issue: true },
    });
    const answer = await send(post, id, { attach_pdf: false });
    return answer.status === 200
      ? (await readEmail(post, answer.body.data.email.id)).to
      : [answer.body.error.code, answer.body.error.param, answer.body.error.errors[0].message];
  };
  const email = 'norte@example.com';
  assert.deepEqual(await client({ email }), [email]);
  assert.deepEqual(await client({ email, billing_emails: ['a@example.com', 'b@example.com'] }), [
    'a@example.com',
    'b@example.com',
  ]);
  assert.deepEqual(await client({}), [
    'missing_required_param',
    'to',
    'El cliente no tiene dirección de correo: indique aquí a quién se envía, o póngasela al cliente.',
  ]);
});

test('given a paid and an overdue invoice, when they are sent, then they stay what they are, and were sent', async (t) => {
  const post = await givenPost(t);
  const paid = await createTicket(post, { payment: { method: 'card' } });
  await send(post, paid.id, { to });
  await runDueWork(post);
  const read = await readInvoice(post, paid.id);
  assert.equal(read.status, 'paid');
  assert.deepEqual(await mailEvents(post, paid.id), ['invoice.sent', 'invoice.email_sent']);
  assert.doesNotMatch(post.mail.received[0]!.message.text ?? '', /Pendiente/);
  // Sent again, but marked once.
  await send(post, paid.id, { to });
  await runDueWork(post);
  assert.deepEqual(await mailEvents(post, paid.id), [
    'invoice.sent',
    'invoice.email_sent',
    'invoice.email_sent',
  ]);
});

test('given an invoice annulled before its message is sent, when its turn comes, then nothing is sent, nor can be again', async (t) => {
  const post = await givenPost(t);
  const { id, email } = await issueAndSend(post, { to });
  await post.app.post(`/v1/invoices/${id}/annul`, { key: post.key });
  await runDueWork(post);
  const { status, reason } = await readEmail(post, email.id);
  assert.deepEqual([status, reason, post.mail.connections], ['not_sent', 'withdrawn', 0]);
  assert.deepEqual(await mailEvents(post, id), []);
  assert.equal((await send(post, id, { to })).body.error.code, 'invalid_status_transition');
});

test('given an idempotency key, when a call is sent again with it, then one message goes out', async (t) => {
  const post = await givenPost(t);
  const { id } = await createTicket(post);
  const again = () =>
    post.app.post(`/v1/invoices/${id}/send`, {
      key: post.key,
      body: { to },
      headers: { 'Idempotency-Key': 'once' },
    });
  const [first, second] = [await again(), await again()];
  assert.deepEqual(first.body, second.body);
  await runDueWork(post);
  assert.equal(post.mail.received.length, 1);
});

test('given a sandbox or no mail server, when an invoice is sent, then the message is stored but not sent, nor marked as sent', async (t) => {
  const post = await givenPost(t);
  const plain = await startApp(t);
  const acme = await plain.given.company();
  const places = [
    {
      app: post.app,
      company: { company_id: post.company.sandbox_company_id },
      key: post.company.test_key,
      reason: 'sandbox',
    },
    { app: plain, company: acme, key: acme.live_key, reason: 'not_configured' },
  ];
  for (const { reason, ...place } of places) {
    const draft = await createTicket(place);
    const answer = await send(place, draft.id, { to, cc: ['leo@example.com'] });
    const { email, number, status } = answer.body.data;
    assert.deepEqual([status, email.status], ['issued', 'not_sent']);
    await place.app.service.worker.runDue(place.company.company_id);
    const stored = await readEmail(place, email.id);
    assert.deepEqual(
      [stored.status, stored.reason, stored.message_id, stored.attempts, stored.to, stored.cc],
      ['not_sent', reason, null, 0, to, ['leo@example.com']],
    );
    assert.deepEqual(stored.attachments, [{ filename: `${number}.pdf`, media_type: 'application/pdf' }]);
    assert.deepEqual(stored.document, { type: 'invoice', id: draft.id });
    assert.ok(
      stored.text.includes(number) && stored.html.includes(number) && stored.subject.includes(number),
    );
    for (const text of [stored.text, stored.html])
      assert.equal(text.includes('SIN VALIDEZ FISCAL'), reason === 'sandbox');
    const invoice = await readInvoice(place, draft.id);
    assert.equal(invoice.status, 'issued');
    const types = await place.app.eventTypes(place.company, draft.id);
    assert.ok(!types.some((type) => /sent|email/.test(type)), types.join());
  }
  assert.equal(post.mail.connections, 0);
});

const refusals: [string, unknown, string, string][] = [
  ['no address', {}, 'missing_required_param', 'to'],
  ['something that is no address', { to: ['ana@example.com', 'ana'] }, 'parameter_invalid', 'to.1'],
  ['a copy to no address', { to, cc: ['@'] }, 'parameter_invalid', 'cc.0'],
  ['two addresses in one', { to: ['ana@example.com, eva@example.com'] }, 'parameter_invalid', 'to.0'],
  [
    'an address with a header',
    { to: ['ana@example.com\r\nBcc: eva@evil.example'] },
    'parameter_invalid',
    'to.0',
  ],
  ['an address with a name', { to: ['Ana <ana@example.com>'] }, 'parameter_invalid', 'to.0'],
];

test('given addresses that are none, when a draft is sent, then each is named and the draft stays', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const [name, sent, code, param] of refusals) {
    const draft = await app.post('/v1/invoices', { key, body });
    const res = await app.post(`/v1/invoices/${draft.body.data.id}/send`, { key, body: sent });
    assert.deepEqual([res.status, res.body.error.code, res.body.error.param], [422, code, param], name);
    assert.equal((await app.get(`/v1/invoices/${draft.body.data.id}`, { key })).body.data.status, 'draft');
  }
});

test('given a mail server that is configured and another company, when its key sends, then it finds no invoice', async (t) => {
  const server = await startMailServer(t);
  const post = await givenPost(t, { env: { FOLIO_SMTP_URL: server.url } });
  const { id } = await createTicket(post);
  const other = await post.app.given.company();
  const answer = await send({ app: post.app, key: other.live_key }, id, { to });
  assert.deepEqual([answer.status, answer.body.error.code], [404, 'resource_not_found']);
});
