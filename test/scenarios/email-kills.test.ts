/**
 * Kills a worker at each step of sending. The message goes out twice, under one Message-ID, only where the server took
 * it and nobody could store that. Row and events are written once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cut } from '../support/database-wire.ts';
import { openWire } from '../support/database-wire.ts';
import { mailSettings } from '../support/mail-server.ts';
import { givenPost, issueAndSend, mailEvents, readEmail, runDueWork } from '../support/mailed-invoices.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

/** `copies`: how often the message goes out. */
const steps = [
  { where: 'before it has noted the attempt', at: 'noting', copies: 1 },
  { where: 'when it has noted the attempt', at: 'noted', copies: 1 },
  { where: 'in the middle of the message', at: 'sending', copies: 1 },
  { where: 'when the server has taken it', at: 'taken', copies: 2 },
  { where: 'before it has noted the end', at: 'ending', copies: 2 },
  { where: 'when it has noted the end', at: 'ended', copies: 1 },
] as const;

for (const { where, at, copies } of steps) {
  test(`given a worker killed ${where}, when another continues, then the message arrives ${copies === 1 ? 'once' : 'twice, as the same one'}`, async (t) => {
    const post = await givenPost(t);
    const { app, mail } = post;
    const { id, email } = await issueAndSend(post, { to: ['ana@example.com'], attach_pdf: false });
    const wire = await openWire(t, app);
    const died = Promise.withResolvers<void>();
    const strike = () => {
      child.signal('SIGKILL');
      died.resolve();
    };
    let commits = 0;
    let is_settling = false;
    wire.watch = (text): Cut | undefined => {
      // The transaction that stores the end begins after the server took the message.
      if (at === 'taken' && mail.received.length > 0) return { cut: 'before', on_end: strike };
      if (/^\s*update emails/.test(text)) is_settling = true;
      if (text !== 'commit' || !is_settling) return undefined;
      is_settling = false;
      commits += 1;
      if (commits === 1 && at === 'noting') return { cut: 'before', on_end: strike };
      if (commits === 1 && at === 'noted') return { cut: 'after', on_end: strike };
      if (commits === 2 && at === 'ending') return { cut: 'before', on_end: strike };
      if (commits === 2 && at === 'ended') return { cut: 'after', on_end: strike };
      return undefined;
    };
    if (at === 'sending')
      mail.on_data = () => {
        strike();
        return new Promise(() => undefined);
      };
    const child = await startChild(t, app, {
      target: wire.target,
      writes_request_log: false,
      works: true,
      is_held: true,
      env: mailSettings(mail),
    });
    // Its start is not awaited: it may die before that shows.
    child.signal('SIGUSR2');
    await died.promise;
    await child.kill();
    mail.on_data = () => undefined;
    const before = await readEmail(post, email.id);
    assert.equal(before.status, at === 'ended' ? 'sent' : 'queued');
    // Its lease has run out.
    app.clock.set(new Date(Date.now() + 61_000));
    await runDueWork(post);
    const read = await readEmail(post, email.id);
    assert.deepEqual([read.status, read.refused, read.next_attempt_at], ['sent', [], null]);
    assert.deepEqual(
      mail.received.map(({ message }) => message.messageId),
      Array.from({ length: copies }, () => read.message_id),
    );
    assert.deepEqual(await mailEvents(post, id), ['invoice.sent', 'invoice.email_sent']);
    assert.equal(await runDueWork(post), 0);
  });
}

test('given a message that kills whoever sends it, when it was tried some times, then it is given up', async (t) => {
  const post = await givenPost(t);
  const { app } = post;
  const { id, email } = await issueAndSend(post, { to: ['ana@example.com'], attach_pdf: false });
  // As after a worker that died repeatedly: claimed, with an expired lease.
  await until(async () => {
    await app.sql`update due_work set lease_id = gen_random_uuid(), lease_until = now() - interval '1 hour', takeovers = 4
                   where company_id = ${post.company.company_id} and kind = 'job:email.send'`;
    await runDueWork(post);
    return true;
  });
  const read = await readEmail(post, email.id);
  assert.deepEqual([read.status, read.reason, post.mail.connections], ['failed', 'gave_up', 0]);
  assert.deepEqual(await mailEvents(post, id), ['invoice.email_failed']);
});
