/** The mail server's answers decide an e-mail's retries, end and events. No recipient is served twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTicket,
  givenPost,
  issueAndSend,
  mailEvents,
  type Post,
  readEmail,
  readInvoice,
  runDueWork,
} from '../support/mailed-invoices.ts';
import { untilDone } from '../support/worker-place.ts';

const [ana, leo, eva] = ['ana@example.com', 'leo@example.com', 'eva@dead.example'];
const plain = { attach_pdf: false };

/** @returns the hours of its attempts, once the message has ended */
async function workOut(post: Post, id: string): Promise<number[]> {
  const tried: number[] = [];
  const start = post.app.clock.now().getTime();
  for (let tries = 0; tries < 30; tries++) {
    await runDueWork(post);
    tried.push((post.app.clock.now().getTime() - start) / 3_600_000);
    const { next_attempt_at, attempts } = await readEmail(post, id);
    if (next_attempt_at === null) return tried;
    post.app.clock.set(new Date(Date.parse(next_attempt_at) - 1));
    await runDueWork(post);
    assert.equal((await readEmail(post, id)).attempts, attempts, 'not a moment earlier');
    post.app.clock.set(next_attempt_at);
  }
  throw new Error('The message was tried for ever.');
}

test('given a server that is away for days, when a message is sent, then it fails after a day under one Message-ID', async (t) => {
  const post = await givenPost(t);
  post.mail.on_data = () => '451 Try again later';
  const { id, email } = await issueAndSend(post, { to: [ana], ...plain });
  const tried = await workOut(post, email.id);
  assert.equal(tried.length, 11);
  assert.ok(tried.at(-1)! > 23 && tried.at(-1)! < 25, tried.join());
  const read = await readEmail(post, email.id);
  assert.deepEqual(
    [read.status, read.reason, read.attempts, read.answer, read.refused],
    ['failed', 'gave_up', 11, '451 Try again later', [{ address: ana, answer: '451 Try again later' }]],
  );
  assert.deepEqual(await mailEvents(post, id), ['invoice.email_failed']);
  assert.equal((await readInvoice(post, id)).status, 'issued');
  const ids = post.mail.seen.map((text) => /^Message-ID:\s+(<.*>)\r?$/im.exec(text)?.[1]);
  assert.deepEqual([...new Set(ids)], [read.message_id]);
  assert.equal(ids.length, 11);
  const bodies = new Set(post.mail.seen.map((text) => text.replace(/--_NmP-[\w-]+|boundary="[^"]+"/g, '')));
  assert.equal(bodies.size, 1, 'each time the same, but for the marks between its parts');
});

test('given a server that comes back, when a message was put off, then it goes out once, and the invoice is sent', async (t) => {
  const post = await givenPost(t);
  post.mail.on_connect = () => '421 Closing';
  const { id, email } = await issueAndSend(post, { to: [ana], ...plain });
  await runDueWork(post);
  const waiting = await readEmail(post, email.id);
  assert.deepEqual([waiting.status, waiting.attempts], ['queued', 1]);
  assert.deepEqual(await mailEvents(post, id), []);
  post.mail.on_connect = () => undefined;
  await workOut(post, email.id);
  assert.deepEqual(await mailEvents(post, id), ['invoice.sent', 'invoice.email_sent']);
  assert.equal(post.mail.received.length, 1);
});

test('given a server that refuses a message for good, when it is sent, then it has failed at once', async (t) => {
  const post = await givenPost(t);
  const faults: [() => void, string][] = [
    [() => (post.mail.on_recipient = () => '550 No such mailbox'), '550 No such mailbox'],
    [
      () => {
        post.mail.on_recipient = () => undefined;
        post.mail.on_data = () => '552 Too large';
      },
      '552 Too large',
    ],
  ];
  for (const [arrange, answer] of faults) {
    arrange();
    const { id, email } = await issueAndSend(post, { to: [ana], ...plain });
    await runDueWork(post);
    const read = await readEmail(post, email.id);
    assert.deepEqual(
      [read.status, read.reason, read.attempts, read.next_attempt_at],
      ['failed', 'refused', 1, null],
    );
    assert.deepEqual(read.refused, [{ address: ana, answer }]);
    assert.deepEqual(await mailEvents(post, id), ['invoice.email_failed']);
    assert.equal((await readInvoice(post, id)).status, 'issued');
  }
});

test('given recipients of whom one is refused and one put off, when a message is sent, then each gets it once or is told of', async (t) => {
  const post = await givenPost(t);
  let is_greylisting = true;
  post.mail.on_recipient = (address) =>
    address === eva ? '550 No such domain' : address === leo && is_greylisting ? '450 Greylisted' : undefined;
  const { id, email } = await issueAndSend(post, { to: [ana, eva], cc: [leo], ...plain });
  await runDueWork(post);
  const halfway = await readEmail(post, email.id);
  assert.deepEqual([halfway.status, halfway.refused.length], ['sent', 1]);
  assert.ok(halfway.next_attempt_at);
  assert.deepEqual(await mailEvents(post, id), ['invoice.sent', 'invoice.email_sent']);
  is_greylisting = false;
  await workOut(post, email.id);
  assert.deepEqual(
    post.mail.received.map(({ to }) => to),
    [[ana], [leo]],
  );
  const read = await readEmail(post, email.id);
  assert.deepEqual(
    [read.status, read.reason, read.refused],
    ['sent', null, [{ address: eva, answer: '550 No such domain' }]],
  );
  assert.deepEqual(await mailEvents(post, id), [
    'invoice.sent',
    'invoice.email_sent',
    'invoice.email_failed',
  ]);
});

test('given a recipient that is put off for a day, when others were served, then the message was sent and one has failed', async (t) => {
  const post = await givenPost(t);
  post.mail.on_recipient = (address) => (address === leo ? '450 Greylisted' : undefined);
  const { id, email } = await issueAndSend(post, { to: [ana, leo], ...plain });
  await workOut(post, email.id);
  const read = await readEmail(post, email.id);
  assert.deepEqual([read.status, read.refused], ['sent', [{ address: leo, answer: '450 Greylisted' }]]);
  assert.equal(post.mail.received.length, 1);
  assert.deepEqual(await mailEvents(post, id), [
    'invoice.sent',
    'invoice.email_sent',
    'invoice.email_failed',
  ]);
});

test('given a PDF that cannot be printed, when its message is sent, then it waits for the PDF and goes out with it', async (t) => {
  let is_broken = true;
  const post = await givenPost(t, {
    wrap_ports: (ports) => ({
      ...ports,
      printer: {
        ...ports.printer,
        print: (...given) =>
          is_broken ? Promise.reject(new Error('The printer is on fire.')) : ports.printer.print(...given),
      },
    }),
  });
  const { email } = await issueAndSend(post, { to: [ana] });
  await runDueWork(post);
  const waiting = await readEmail(post, email.id);
  assert.deepEqual([waiting.status, waiting.attempts, post.mail.connections], ['queued', 1, 0]);
  assert.match(waiting.answer, /PDF/);
  is_broken = false;
  await workOut(post, email.id);
  assert.equal(post.mail.received[0]?.message.attachments.length, 1);
});

test('given documents that cannot be printed, when their messages are sent, then nobody gets one without its document', async (t) => {
  let faulty: 'printer' | 'document' = 'printer';
  const post = await givenPost(t, {
    wrap_ports: (ports) => ({
      ...ports,
      printer: { ...ports.printer, print: () => Promise.reject(new Error('The printer is on fire.')) },
      documents: {
        ...ports.documents,
        invoice: {
          find: (...given) =>
            faulty === 'document'
              ? Promise.reject(new Error('Nobody knows what this says.'))
              : ports.documents.invoice.find(...given),
        },
      },
    }),
  });
  for (faulty of ['printer', 'document'] as const) {
    const { id, email } = await issueAndSend(post, { to: [ana] });
    await workOut(post, email.id);
    const read = await readEmail(post, email.id);
    assert.deepEqual([read.status, read.reason, read.attempts], ['failed', 'gave_up', 11], faulty);
    assert.match(read.refused[0].answer, /PDF/);
    assert.deepEqual(await mailEvents(post, id), ['invoice.email_failed']);
  }
  assert.equal(post.mail.connections, 0);
});

test('given a service whose mail server was taken away, when queued messages are due, then they wait, and fail after a day', async (t) => {
  const post = await givenPost(t, {
    wrap_ports: (ports) => ({
      ...ports,
      mailer: {
        ...ports.mailer,
        send: async ({ recipients }) => ({
          accepted: [],
          refused: [],
          deferred: recipients.map((address) => ({ address, answer: 'No hay servidor.' })),
          answer: 'No hay servidor.',
          fault: 'FOLIO_SMTP_URL is not set',
        }),
      },
    }),
  });
  const { email } = await issueAndSend(post, { to: [ana], ...plain });
  await workOut(post, email.id);
  assert.equal((await readEmail(post, email.id)).reason, 'gave_up');
  assert.ok(post.app.log_lines.some((line) => line.includes('FOLIO_SMTP_URL is not set')));
});

test('given a thousand messages of which some go to a dead domain, when they are sent, then the others arrive once each', async (t) => {
  // Prints nothing, because the test measures sending.
  const post = await givenPost(t, {
    wrap_ports: (ports) => ({
      ...ports,
      printer: { ...ports.printer, print: async () => ({ bytes: Buffer.from('%PDF-'), is_final: true }) },
    }),
  });
  const { app, mail, key } = post;
  mail.on_recipient = (address) => (address.endsWith('@dead.example') ? '450 Domain not found' : undefined);
  const made: string[] = [];
  for (let call = 0; call < 10; call++) {
    const invoices = Array.from({ length: 100 }, (_, i) => ({
      type: 'F2',
      lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }],
      options: {
        send_automatically: true,
        send_to: i % 10 === 0 ? eva : `c${call}-${i}@example.com`,
      },
    }));
    const { body } = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
    made.push(...body.data.invoices.map((one: { email: { status: string } }) => one.email.status));
  }
  assert.deepEqual([...new Set(made), made.length], ['queued', 1000]);
  const started = performance.now();
  mail.reads = false;
  app.service.worker.start();
  const count = async (status: string) => {
    const [row] = await app.sql<{ count: number }[]>`
      select count(*)::int as count from emails where company_id = ${post.company.company_id} and status = ${status}
         and (attempts > 0 or status <> 'queued')`;
    return row!.count;
  };
  const taken = () => mail.received.length;
  await untilDone(() => taken() >= 900, taken);
  while ((await count('sent')) < 900 || (await count('queued')) < 100)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await app.service.worker.stop();
  const recipients = mail.received.map(({ to }) => to.join());
  assert.deepEqual([recipients.length, new Set(recipients).size], [900, 900]);
  const ids = mail.seen.map((text) => /^Message-ID:\s+(<.*>)\r?$/im.exec(text)?.[1]);
  assert.equal(new Set(ids).size, 900);
  assert.ok(mail.seen.every((text) => text.includes('application/pdf')));
  t.diagnostic(`sent in ${Math.round(performance.now() - started)} ms`);
  // Four connections stay open. Each is renewed after a hundred messages.
  assert.ok(mail.connections <= 4 + 1000 / 100, String(mail.connections));
});

test('given a live company and its sandbox, when both send automatically, then one message goes out', async (t) => {
  const post = await givenPost(t);
  const options = { send_automatically: true, send_to: ana };
  await createTicket(post, { options });
  await createTicket({ app: post.app, key: post.company.test_key }, { options });
  for (const id of [post.company.company_id, post.company.sandbox_company_id])
    await post.app.service.worker.runDue(id);
  assert.equal(post.mail.received.length, 1);
  assert.equal(post.mail.connections, 1);
});
