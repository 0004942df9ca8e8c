/** The magic addresses of the sandbox (docs/sandbox-magic-values.md): no mail server hears of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { magicAddresses } from '../../src/modules/emails/index.ts';
import { createTicket, givenPost, issueAndSend, mailEvents, readEmail } from '../support/mailed-invoices.ts';

const sent = ['invoice.sent', 'invoice.email_sent'];
const failed = ['invoice.email_failed'];

test('the page tells exactly these addresses', () => {
  const page = readFileSync(new URL('../../docs/sandbox-magic-values.md', import.meta.url), 'utf8');
  const told = [...page.matchAll(/^\| `(\S+@\S+)` \|/gm)].map((match) => match[1]);
  assert.deepEqual(told, Object.values(magicAddresses));
});

for (const [to, status, reason, events] of [
  [[magicAddresses.accepted], 'sent', null, sent],
  [[magicAddresses.refused], 'failed', 'refused', failed],
  [[magicAddresses.bounced], 'failed', 'bounced', [...sent, ...failed]],
  [[magicAddresses.bounced, magicAddresses.accepted], 'sent', null, [...sent, ...failed]],
  [[magicAddresses.refused, 'ana@example.com'], 'sent', null, [...sent, ...failed]],
  [['Accepted@SANDBOX.example'], 'sent', null, sent],
  [['ana@example.com'], 'not_sent', 'sandbox', []],
] as const) {
  test(`given a sandbox, when an invoice goes to ${to.join(' and ')}, then it is ${status} and the events follow`, async (t) => {
    const { app, mail, company } = await givenPost(t);
    const post = { app, key: company.test_key };
    const { id, email } = await issueAndSend(post, { to });
    assert.equal(email.status, status === 'not_sent' ? status : 'queued');
    await app.service.worker.runDue(company.sandbox_company_id);
    const read = await readEmail(post, email.id);
    assert.deepEqual([read.status, read.reason], [status, reason], JSON.stringify(read));
    assert.equal(read.refused.length, events.includes('invoice.email_failed' as never) ? 1 : 0);
    const sandbox = { ...company, company_id: company.sandbox_company_id };
    assert.deepEqual(await mailEvents({ app, company: sandbox }, id), events);
    assert.deepEqual(mail.received, []);
  });
}

test('given a sandbox, when a recipient is put off, then the clock moves it through a day of attempts until it is given up', async (t) => {
  const { app, company } = await givenPost(t);
  const key = company.test_key;
  const { email } = await issueAndSend({ app, key }, { to: [magicAddresses.deferred] });
  await app.service.worker.runDue(company.sandbox_company_id);
  const waiting = await readEmail({ app, key }, email.id);
  assert.deepEqual([waiting.status, waiting.attempts], ['queued', 1]);
  assert.ok(waiting.next_attempt_at);
  const now = new Date(app.clock.now().getTime() + 26 * 3_600_000).toISOString();
  const moved = await app.put('/v1/sandbox/clock', { key, body: { now } });
  assert.equal(moved.status, 200, moved.text);
  const ended = await readEmail({ app, key }, email.id);
  assert.deepEqual([ended.status, ended.reason, ended.attempts], ['failed', 'gave_up', 11]);
});

test('given a sandbox, when a creation sends, and comes again, then the magic address decides and one e-mail is made', async (t) => {
  const { app, company } = await givenPost(t);
  const post = { app, key: company.test_key };
  const body = {
    external_id: 'pedido-1',
    options: { send_automatically: true, send_to: magicAddresses.accepted },
  };
  const made = await createTicket(post, body);
  const again = await createTicket(post, body);
  assert.deepEqual([made.email.status, again.email.id], ['queued', made.email.id]);
});

test('given a live company, when it writes to a magic address, then its mail server is asked', async (t) => {
  const { app, mail, company, key } = await givenPost(t);
  const { email } = await issueAndSend({ app, key }, { to: [magicAddresses.bounced] });
  await app.service.worker.runDue(company.company_id);
  assert.equal((await readEmail({ app, key }, email.id)).status, 'sent');
  assert.equal(mail.received.length, 1);
});
