/**
 * Kills a worker at each step of sending. The message goes out twice, under one Message-ID, only where the server took
 * it and nobody could store that. Row and events are written once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../harness.ts';
import { type Cut, type DatabaseWire, openWire } from '../support/database-wire.ts';
import { mailSettings } from '../support/mail-server.ts';
import {
  givenPost,
  issueAndSend,
  mailEvents,
  type Post,
  readEmail,
  runDueWork,
} from '../support/mailed-invoices.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

/** `copies`: how often the message goes out. */
const steps = [
  { where: 'before it has noted the attempt', at: 'noting', copies: 1 },
  { where: 'when it has noted the attempt', at: 'noted', copies: 1 },
  { where: 'in the middle of the message', at: 'sending', copies: 1 },
  { where: 'when the server has taken it', at: 'taken', copies: 2 },
  { where: 'before it has noted the end', at: 'ending', copies: 2 },
  { where: 'when it has noted the end', at: 'ended', copies: 1 },
] as const;

type Step = (typeof steps)[number];
type Held = { step: Step; post: Post; id: string; email_id: string };

/** The message of a company of its own stands still at the step, until one kill ends them all. */
async function holdAt(
  step: Step,
  { app, mail }: Pick<Post, 'app' | 'mail'>,
  wire: DatabaseWire,
): Promise<Held> {
  const { at } = step;
  const to = `${at}@example.com`;
  const company = await app.given.company();
  const post = { app, mail, company, key: company.live_key };
  let is_held = false;
  const stand = () => {
    is_held = true;
  };
  const hold = (cut: Cut['cut']): Cut => ({ cut, on_held: stand });
  let commits = 0;
  let settling: number | undefined;
  wire.watch = (text, connection): Cut | undefined => {
    // What stores the end reads the message first, after the server took it.
    if (at === 'taken' && arrived(post, to).length > 0 && /\bemails\b/.test(text)) return hold('before');
    if (/^\s*update emails/.test(text)) settling = connection;
    if (text !== 'commit' || connection !== settling) return undefined;
    settling = undefined;
    commits += 1;
    if (commits === 1 && at === 'noting') return hold('before');
    if (commits === 1 && at === 'noted') return hold('after');
    if (commits === 2 && at === 'ending') return hold('before');
    if (commits === 2 && at === 'ended') return hold('after');
    return undefined;
  };
  if (at === 'sending')
    mail.on_data = () => {
      stand();
      return new Promise(() => undefined);
    };
  const { id, email } = await issueAndSend(post, { to: [to], attach_pdf: false });
  await until(() => is_held);
  mail.on_data = () => undefined;
  return { step, post, id, email_id: email.id };
}

const arrived = ({ mail }: Pick<Post, 'mail'>, address: string) =>
  mail.received.filter(({ to }) => to.includes(address));

async function assertContinues({ step: { at, copies }, post, id, email_id }: Held): Promise<void> {
  const before = await readEmail(post, email_id);
  assert.equal(before.status, at === 'ended' ? 'sent' : 'queued');
  // Its lease has run out.
  post.app.clock.set(new Date(Date.now() + 61_000));
  await runDueWork(post);
  const read = await readEmail(post, email_id);
  assert.deepEqual([read.status, read.refused, read.next_attempt_at], ['sent', [], null]);
  assert.deepEqual(
    arrived(post, `${at}@example.com`).map(({ message }) => message.messageId),
    Array.from({ length: copies }, () => read.message_id),
  );
  assert.deepEqual(await mailEvents(post, id), ['invoice.sent', 'invoice.email_sent']);
  assert.equal(await runDueWork(post), 0);
}

test('one worker sends a message for each step, and is killed', async (t) => {
  const { app, mail } = await givenPost(t, {}, startApp);
  const wire = await openWire(t, app);
  const child = await startChild(t, app, {
    target: wire.target,
    writes_request_log: false,
    works: true,
    // A message that is held keeps a connection of each, and a place among those that are sent at once.
    pool_size: 16,
    env: mailSettings({ url: `${mail.url}?connections=${steps.length}` }),
  });
  const held: Held[] = [];
  for (const step of steps) held.push(await holdAt(step, { app, mail }, wire));
  await child.kill();
  for (const one of held)
    await t.test(
      `given a worker killed ${one.step.where}, when another continues, then the message arrives ${one.step.copies === 1 ? 'once' : 'twice, as the same one'}`,
      () => assertContinues(one),
    );
  const copies = steps.reduce((sum, step) => sum + step.copies, 0);
  assert.equal(mail.received.length, copies);
});

test('given a message that kills whoever sends it, when it was tried some times, then it is given up', async (t) => {
  const post = await givenPost(t, {}, startApp);
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
