import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { startApp } from '../harness.ts';
import {
  createTicket,
  givenPost,
  mailEvents,
  type Post,
  readEmail,
  runDueWork,
  ticket,
} from '../support/mailed-invoices.ts';

const [ana, leo] = ['ana@example.com', 'leo@example.com'];
const options = { send_automatically: true, send_to: ana };

async function countEmails({ app, company }: Pick<Post, 'app' | 'company'>, invoice_id: string) {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from emails where company_id = ${company.company_id} and document_id = ${invoice_id}`;
  return row!.count;
}

test('given a checkout that is to be sent, when it is made, then its message goes to whom it names, else to the client', async (t) => {
  const post = await givenPost(t);
  const invoice = await createTicket(post, { options });
  assert.deepEqual([invoice.status, invoice.email.status], ['issued', 'queued']);
  const made = await post.app.post('/v1/clients', {
    key: post.key,
    body: { name: 'Norte SL', email: 'norte@example.com', billing_emails: ['facturas@norte.example', leo] },
  });
  const client = { type: 'F1', client_id: made.body.data.id };
  await createTicket(post, { ...client, options: { send_automatically: true } });
  await runDueWork(post);
  assert.deepEqual(
    post.mail.received.map(({ to }) => to),
    [[ana], ['facturas@norte.example', leo]],
  );
  assert.deepEqual(await mailEvents(post, invoice.id), ['invoice.sent', 'invoice.email_sent']);
  // The call must wake the waiting worker.
  post.app.service.worker.start();
  const next = await createTicket(post, { options });
  while ((await readEmail(post, next.email.id)).status !== 'sent')
    await new Promise((resolve) => setTimeout(resolve, 10));
});

test('given no mail server, when sending is asked for, then the message is kept and the invoice is not marked as sent', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const place = { app, company, key: company.live_key };
  const countDue = async () => {
    const [row] = await app.sql<{ count: number }[]>`
      select count(*)::int as count from due_work where company_id = ${company.company_id}`;
    return row!.count;
  };
  const before = await countDue();
  const { id, status, email } = await createTicket(place, { options });
  assert.deepEqual([status, email.status, await countDue()], ['issued', 'not_sent', before]);
  const { reason, to, text } = await readEmail(place, email.id);
  assert.deepEqual([reason, to], ['not_configured', [ana]]);
  assert.ok(text.includes('11,00'));
  assert.deepEqual(await mailEvents(place, id), []);
});

test('given many at once, when some are to be sent and one is refused, then each that was made has its one message', async (t) => {
  const post = await givenPost(t);
  const invoices = [
    { ...ticket, external_id: 'a', options },
    { ...ticket, external_id: 'b', options: { issue: true } },
    { ...ticket, client_id: newId(), options },
    { ...ticket, options: { send_automatically: true } },
    // The first is replayed; the second is now to be sent.
    { ...ticket, external_id: 'a', options },
    { ...ticket, external_id: 'b', options: { ...options, send_to: leo } },
  ];
  const { body } = await post.app.post('/v1/invoices/bulk-create', { key: post.key, body: { invoices } });
  const codes = body.data.failures.map((one: { index: number; param: string }) => [one.index, one.param]);
  assert.deepEqual(codes, [
    [2, 'client_id'],
    [3, 'options.send_to'],
  ]);
  const [a, b, a_again, b_again] = body.data.invoices;
  assert.deepEqual([a_again.id, b_again.id], [a.id, b.id]);
  assert.deepEqual([a_again.email, b_again.email], [a.email, b.email]);
  await runDueWork(post);
  assert.deepEqual(post.mail.received.map(({ to }) => to).sort(), [[ana], [leo]]);
  const [row] = await post.app.sql<{ count: number }[]>`
    select count(*)::int as count from emails where company_id = ${post.company.company_id}`;
  assert.equal(row?.count, 2);
});

test('given an external id, when its request comes again, then a message that is queued or sent is not sent again', async (t) => {
  const post = await givenPost(t);
  const request = { external_id: 'P-1', options };
  const first = await createTicket(post, request);
  const queued = await createTicket(post, request);
  assert.deepEqual([queued.id, queued.email], [first.id, first.email]);
  await runDueWork(post);
  const sent = await createTicket(post, { ...request, options: { ...options, send_to: leo } });
  assert.deepEqual(sent.email, { id: first.email.id, status: 'sent' });
  assert.deepEqual([await countEmails(post, first.id), post.mail.received.length], [1, 1]);
});

test('given an external id whose message has failed, when its request comes again twice at once, then it is queued once', async (t) => {
  const post = await givenPost(t);
  post.mail.on_recipient = () => '550 No such mailbox';
  const request = { external_id: 'P-1', options };
  const first = await createTicket(post, request);
  await runDueWork(post);
  assert.equal((await readEmail(post, first.email.id)).status, 'failed');
  post.mail.on_recipient = () => undefined;
  // Another process does not share the queue of calls.
  const other = await startApp(t, {
    env: { FOLIO_SMTP_URL: post.mail.url, FOLIO_MAIL_FROM: 'a@folio.example' },
  });
  // A message that this one queues is due at once for the other too.
  other.clock.set(post.app.clock.now());
  const answers = await Promise.all(
    [post.app, other, post.app, other].map((app) => createTicket({ app, key: post.key }, request)),
  );
  const ids = new Set(answers.map(({ email }) => email.id));
  assert.equal(ids.size, 1);
  assert.ok(!ids.has(first.email.id));
  await runDueWork(post);
  assert.deepEqual([await countEmails(post, first.id), post.mail.received.length], [2, 1]);
});

test('given an external id whose message is missing, when its request comes again, then it is completed', async (t) => {
  const post = await givenPost(t);
  const silent = await createTicket(post, { external_id: 'P-1', options: { issue: true } });
  const draft = await createTicket(post, { external_id: 'P-2' });
  for (const [{ id }, external_id] of [
    [silent, 'P-1'],
    [draft, 'P-2'],
  ]) {
    const completed = await createTicket(post, { external_id, options });
    assert.deepEqual([completed.id, completed.status, completed.email.status], [id, 'issued', 'queued']);
    assert.equal(await countEmails(post, id), 1);
  }
  const refused = await post.app.post('/v1/invoices', {
    key: post.key,
    body: { ...ticket, external_id: 'P-3', options: { issue: true } },
  });
  assert.equal(refused.status, 201);
  const again = { ...ticket, external_id: 'P-3', options: { send_automatically: true } };
  const answer = await post.app.post('/v1/invoices', { key: post.key, body: again });
  assert.deepEqual([answer.status, answer.body.error.param], [422, 'options.send_to']);
});

test('given kept messages, when their requests come again, then a sandbox keeps its one, and a new mail server gets it', async (t) => {
  const plain = await startApp(t);
  const post = await givenPost(t);
  const request = { external_id: 'P-1', options };
  const sandbox = {
    app: post.app,
    company: { ...post.company, company_id: post.company.sandbox_company_id },
    key: post.company.test_key,
  };
  const kept = await createTicket(sandbox, request);
  assert.deepEqual((await createTicket(sandbox, request)).email, kept.email);
  assert.equal(await countEmails(sandbox, kept.id), 1);
  const before = await createTicket({ app: plain, key: post.key }, request);
  assert.equal(before.email.status, 'not_sent');
  assert.deepEqual((await createTicket({ app: plain, key: post.key }, request)).email, before.email);
  const after = await createTicket(post, request);
  assert.deepEqual([after.id, after.email.status], [before.id, 'queued']);
  await runDueWork(post);
  assert.equal(post.mail.received.length, 1);
});

test('given an invoice that was annulled, when its request comes again, then it is not sent', async (t) => {
  const post = await givenPost(t);
  const request = { external_id: 'P-1', options: { issue: true } };
  const { id } = await createTicket(post, request);
  await post.app.post(`/v1/invoices/${id}/annul`, { key: post.key });
  const again = await createTicket(post, { external_id: 'P-1', options });
  assert.deepEqual([again.status, again.email], ['annulled', undefined]);
  assert.equal(await countEmails(post, id), 0);
});
