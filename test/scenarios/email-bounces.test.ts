/** Notices about messages that could not be delivered. Anyone may forge one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Ports } from '../../src/kernel/ports.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { recordBounce } from '../../src/modules/emails/index.ts';
import { emailedDocumentsOf, families } from '../../src/modules/families.ts';
import { deliveryNotice } from '../support/delivery-notices.ts';
import { createCompany, Installation, program } from '../support/installation.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import {
  givenPost,
  issueAndSend,
  mailEvents,
  type Post,
  readEmail,
  readInvoice,
  runDueWork,
} from '../support/mailed-invoices.ts';
import { until } from '../support/worker-place.ts';

const [ana, leo] = ['ana@example.com', 'leo@example.com'];
const answer = '550 5.1.1 <ana@example.com>: Recipient address rejected';
const events = ['invoice.sent', 'invoice.email_sent'];

type BouncingPost = Post & { ports: Ports };

async function givenBouncingPost(t: TestContext): Promise<BouncingPost> {
  let ports: Ports | undefined;
  const wrap_ports = (own: Ports) => {
    ports = own;
    return own;
  };
  const post = await givenPost(t, { wrap_ports });
  assert.ok(ports);
  return { ...post, ports };
}

/** @returns the outcome of the notice */
async function bounce(
  { app, ports }: BouncingPost,
  given: Parameters<typeof deliveryNotice>[0] | Buffer,
): Promise<string> {
  const notice = Buffer.isBuffer(given) ? given : deliveryNotice(given);
  const parts = { db: app.db, clock: app.clock, ports, documents: emailedDocumentsOf(families) };
  return (await recordBounce(parts, notice)).kind;
}

async function sentTo(post: Post, to: string[], cc: string[] = []) {
  const { id, email } = await issueAndSend(post, { to, cc, attach_pdf: false });
  await runDueWork(post);
  const read = await readEmail(post, email.id);
  assert.equal(read.status, 'sent');
  return { invoice_id: String(id), email_id: String(email.id), message_id: String(read.message_id) };
}

test('given a sent message, when it bounces, then it has failed once, as the notice says, and the invoice stays sent', async (t) => {
  const post = await givenBouncingPost(t);
  const { invoice_id, email_id, message_id } = await sentTo(post, [ana]);
  assert.equal(await bounce(post, { message_id, address: ana }), 'recorded');
  const read = await readEmail(post, email_id);
  assert.deepEqual(
    [read.status, read.reason, read.answer, read.refused],
    ['failed', 'bounced', answer, [{ address: ana, answer }]],
  );
  assert.ok(read.sent_at);
  assert.deepEqual(await mailEvents(post, invoice_id), [...events, 'invoice.email_failed']);
  assert.equal((await readInvoice(post, invoice_id)).status, 'sent');
  assert.equal(await bounce(post, { message_id, address: ana }), 'known_already');
  assert.deepEqual(await mailEvents(post, invoice_id), [...events, 'invoice.email_failed']);
});

test('given a message to two, when it bounces for one and then for the other, then it was sent until nobody has it', async (t) => {
  const post = await givenBouncingPost(t);
  const { invoice_id, email_id, message_id } = await sentTo(post, [ana], [leo]);
  assert.equal(await bounce(post, { message_id, address: ana.toUpperCase() }), 'recorded');
  const half = await readEmail(post, email_id);
  assert.deepEqual([half.status, half.reason, half.refused.length], ['sent', null, 1]);
  assert.equal(half.refused[0].address, ana);
  assert.equal(await bounce(post, { message_id, address: leo }), 'recorded');
  assert.equal((await readEmail(post, email_id)).status, 'failed');
  assert.deepEqual((await mailEvents(post, invoice_id)).slice(2), [
    'invoice.email_failed',
    'invoice.email_failed',
  ]);
});

test('given a mailbox that forwards, when the copy bounces, then a lone recipient has failed, and of several none', async (t) => {
  const post = await givenBouncingPost(t);
  const one = await sentTo(post, [ana]);
  const elsewhere = 'ana.real@elsewhere.example';
  assert.equal(await bounce(post, { message_id: one.message_id, address: elsewhere }), 'recorded');
  const read = await readEmail(post, one.email_id);
  assert.deepEqual([read.status, read.refused[0].address], ['failed', ana]);
  // Mail systems spell international domains in ASCII.
  const abroad = await sentTo(post, ['ana@peñíscola.example', leo]);
  const ascii = 'ana@xn--pescola-8ya9a.example';
  assert.equal(await bounce(post, { message_id: abroad.message_id, address: ascii }), 'recorded');
  assert.equal((await readEmail(post, abroad.email_id)).refused[0].address, 'ana@peñíscola.example');
  const two = await sentTo(post, [ana, leo]);
  assert.equal(await bounce(post, { message_id: two.message_id, address: elsewhere }), 'recorded');
  const both = await readEmail(post, two.email_id);
  assert.deepEqual([both.status, both.refused[0].address], ['sent', elsewhere]);
});

test('given addresses of a notice in xtext or in the forms for international ones, then they are found among several recipients', async (t) => {
  const post = await givenBouncingPost(t);
  const plus = 'ana+pagos@example.com';
  // RFC 3461, section 4, and RFC 6533, section 3.
  for (const [given, found] of [
    ['ana+2Bpagos@example.com', plus],
    ['jos+C3+A9@example.com', 'josé@example.com'],
    ['ana\\x{2B}pagos@example.com', plus],
    ['utf-8; jos\\x{E9}@example.com', 'josé@example.com'],
    ['utf-8; jos\\x{E9}@xn--pescola-8ya9a.example', 'josé@peñíscola.example'],
    ['utf-8; josé@peñíscola.example', 'josé@peñíscola.example'],
    // What is written so counts before what it may stand for.
    [plus, plus],
    ['leo+40x@example.com', 'leo+40x@example.com'],
    ['+zz+4@elsewhere.example', '+zz+4@elsewhere.example'],
  ] as const) {
    const { email_id, message_id } = await sentTo(post, [
      leo,
      plus,
      'josé@example.com',
      'josé@peñíscola.example',
      'leo+40x@example.com',
    ]);
    assert.equal(await bounce(post, { message_id, address: ana, original: given }), 'recorded', given);
    assert.deepEqual(
      (await readEmail(post, email_id)).refused.map(({ address }: { address: string }) => address),
      [found],
      given,
    );
  }
});

test('given a notice that comes before its message is noted as sent, when the worker goes on, then it is sent once', async (t) => {
  const post = await givenBouncingPost(t);
  const { id, email } = await issueAndSend(post, { to: [ana], attach_pdf: false });
  const { message_id } = await readEmail(post, email.id);
  assert.equal(await bounce(post, { message_id, address: ana }), 'recorded');
  await runDueWork(post);
  assert.equal((await readEmail(post, email.id)).status, 'failed');
  assert.deepEqual([await mailEvents(post, id), post.mail.connections], [['invoice.email_failed'], 0]);
});

test('given notices that report no bounce of ours, when they are handed over, then nothing changes and each is told', async (t) => {
  const post = await givenBouncingPost(t);
  const { invoice_id, email_id, message_id } = await sentTo(post, [ana]);
  const before = await readEmail(post, email_id);
  const { message_ids } = post.ports;
  const unknown = message_ids.of({ company_id: post.company.company_id, id: newId() }, ana);
  const nobodys = message_ids.of({ company_id: newId(), id: email_id }, ana);
  const forged = message_id.replace(/.(?=@)/, (last) => (last === 'A' ? 'Q' : 'A'));
  const told: [Parameters<typeof bounce>[1], string][] = [
    [{ message_id, address: ana, action: 'delayed' }, 'no_failure'],
    [{ message_id, address: ana, action: 'delivered' }, 'no_failure'],
    [{ message_id, address: ana, action: 'relayed' }, 'no_failure'],
    [{ message_id: forged, address: ana }, 'unknown'],
    [{ message_id: unknown, address: ana }, 'unknown'],
    [{ message_id: nobodys, address: ana }, 'unknown'],
    [{ message_id: '<CAF1@mail.example.com>', address: ana }, 'unknown'],
    [Buffer.from(`Subject: Out of office\r\nIn-Reply-To: ${message_id}\r\n\r\nBack on Monday.`), 'no_notice'],
    [Buffer.alloc(0), 'no_notice'],
  ];
  for (const [notice, kind] of told) assert.equal(await bounce(post, notice), kind);
  assert.deepEqual(await readEmail(post, email_id), before);
  assert.deepEqual(await mailEvents(post, invoice_id), events);
});

test('given a running service, when the command line is given a notice, then it says what it did, or asks again with 75', async (t) => {
  const mail = await startMailServer(t);
  const place = await Installation.makeMigrated(t);
  await place.start({ env: mailSettings(mail) });
  const { live_key, company_id } = await createCompany(place);
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const res = await request(`${place.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${live_key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return ((await res.body.json()) as { data: never }).data as Record<string, string> & {
      email: { id: string };
    };
  };
  const line = { description: 'Pan', unit_price: 2, tax_rate: 4 };
  const options = { send_automatically: true, send_to: ana };
  const { email } = await call('POST', '/v1/invoices', { type: 'F2', lines: [line], options });
  await until(async () => (await call('GET', `/v1/emails/${email.id}`)).status === 'sent');

  const file = join(place.data_dir, 'notice.eml');
  const hand = async (notice: Buffer, env = {}, ...args: string[]) => {
    writeFileSync(file, notice);
    const command = [...program, 'email', 'bounced', ...args];
    const run = place.spawn('/bin/sh', ['-c', `"$0" "$@" < "${file}"`, process.execPath, ...command], env);
    return { code: await run.exited(), stdout: run.stdout, stderr: run.stderr };
  };
  const message_id = mail.received[0]?.message.messageId ?? '';
  const notice = deliveryNotice({ message_id, address: ana });
  assert.deepEqual(await hand(notice), {
    code: 0,
    stdout: `Recorded: recipients did not get the message.\nE-mail ${email.id} of company ${company_id}: failed.\n`,
    stderr: '',
  });
  const again = await hand(notice, {}, '--json');
  assert.deepEqual([again.code, JSON.parse(again.stdout).kind], [0, 'known_already']);
  const other = await hand(deliveryNotice({ message_id: '<a@b.example>', address: ana }));
  assert.deepEqual(
    [other.code, other.stdout],
    [0, 'This is about no message of this installation: nothing was changed.\n'],
  );
  const away = { DATABASE_URL: 'postgres://folio@127.0.0.1:1/folio', FOLIO_SECRET_KEY: 'x'.repeat(32) };
  const failed = await hand(notice, away);
  assert.deepEqual([failed.code, failed.stdout], [75, '']);
  assert.notEqual(failed.stderr, '');
});
