/** Whatever a mail server says, each recipient is served once or reported, and the message ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spellingOf } from '../../../domain/email-address.ts';
import type { EmailRow } from '../emails.rows.ts';
import { bounce, giveUp, settleAttempt, waitsAfter, withdraw } from './attempts.ts';

const now = new Date('2026-11-21T10:00:00Z');
const everybody = ['ana@example.com', 'leo@example.com', 'eva@example.com'];

const queued: EmailRow = {
  id: '0199c4a8-0000-7000-8000-000000000001',
  purpose: 'invoice',
  document_kind: 'invoice',
  document_id: '0199c4a8-0000-7000-8000-000000000002',
  status: 'queued',
  reason: null,
  from_name: 'Acme SL',
  reply_to: null,
  to: everybody.slice(0, 2),
  cc: everybody.slice(2),
  subject: 'Factura',
  text: '',
  html: '',
  attachments: [],
  message_id: '<a@folio.example>',
  dated_at: null,
  attempts: 0,
  last_attempt_at: null,
  next_attempt_at: now,
  answer: null,
  waiting: everybody,
  refused: [],
  sent_at: null,
  created_at: now,
  updated_at: now,
};

type Said = 'accepted' | 'refused' | 'deferred';
const saying = fc.array(
  fc.array(fc.constantFrom<Said>('accepted', 'refused', 'deferred'), { minLength: 3, maxLength: 3 }),
  { minLength: waitsAfter.length + 1, maxLength: waitsAfter.length + 1 },
);

test('after any attempts, each recipient was served once or stands among the refused, and each end was told once', () => {
  fc.assert(
    fc.property(saying, (attempts) => {
      let email = queued;
      const served: string[] = [];
      const told = { sent: 0, failed: 0 };
      for (const said of attempts) {
        if (email.waiting.length === 0) break;
        const of = (kind: Said) =>
          email.waiting.filter((address) => said[everybody.indexOf(address)] === kind);
        const unserved = (kind: Said) => of(kind).map((address) => ({ address, answer: kind }));
        const settled = settleAttempt(
          { ...email, attempts: email.attempts + 1 },
          {
            accepted: of('accepted'),
            refused: unserved('refused'),
            deferred: unserved('deferred'),
            answer: '',
            fault: null,
          },
          now,
        );
        served.push(...of('accepted'));
        told.sent += Number(settled.is_sent);
        told.failed += Number(settled.has_failed);
        email = settled.email;
        assert.equal(email.waiting.length > 0, email.next_attempt_at !== null);
      }
      const refused = email.refused.map(({ address }) => address);
      assert.deepEqual([...served, ...refused].sort(), [...everybody].sort());
      assert.deepEqual(told, { sent: Number(served.length > 0), failed: Number(refused.length > 0) });
      assert.equal(email.status, served.length > 0 ? 'sent' : 'failed');
      assert.equal(email.reason === null, served.length > 0);
      assert.equal(email.sent_at !== null, served.length > 0);
    }),
  );
});

test('the waits make about a day', () => {
  const hours = waitsAfter.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  assert.ok(hours > 23 && hours < 25, String(hours));
  assert.deepEqual(
    [...waitsAfter],
    waitsAfter.toSorted((a, b) => a - b),
  );
});

test('a message that is given up names just those who still wait; one that is withdrawn names nobody', () => {
  const half = { ...queued, status: 'sent' as const, waiting: everybody.slice(1) };
  const up = giveUp(half, 'x', now);
  assert.deepEqual(
    [up.email.status, up.email.refused.length, up.has_failed, up.is_sent],
    ['sent', 2, true, false],
  );
  const all = giveUp(queued, 'x', now).email;
  assert.deepEqual([all.status, all.reason], ['failed', 'gave_up']);
  const [none, some] = [withdraw(queued, now), withdraw(half, now)];
  assert.deepEqual([none.status, none.reason, none.waiting, none.refused], ['not_sent', 'withdrawn', [], []]);
  assert.deepEqual([some.status, some.reason, some.waiting, some.refused], ['sent', null, [], []]);
});

test('a bounce is counted once for each recipient, and a message that nobody has is failed', () => {
  let email: EmailRow = { ...queued, status: 'sent', waiting: [], next_attempt_at: null };
  for (const [i, address] of everybody.entries()) {
    const told = [{ address: address.toUpperCase(), answer: '5.1.1' }];
    const changed = bounce(email, told, now);
    assert.ok(changed);
    assert.equal(changed.status, i === 2 ? 'failed' : 'sent');
    assert.equal(bounce(changed, told, now), undefined);
    email = changed;
  }
});

test('a message that nobody has is failed, whichever of its recipients is known to miss it last', () => {
  const half: EmailRow = { ...queued, status: 'sent', waiting: everybody.slice(1), attempts: 1 };
  const bounced = bounce(half, [{ address: everybody[0]!, answer: '5.1.1' }], now);
  assert.deepEqual([bounced?.status, bounced?.waiting], ['sent', everybody.slice(1)]);
  for (const settled of [
    giveUp(bounced!, 'x', now),
    settleAttempt(
      bounced!,
      {
        accepted: [],
        refused: everybody.slice(1).map((address) => ({ address, answer: '550' })),
        deferred: [],
        answer: '550',
        fault: null,
      },
      now,
    ),
  ])
    assert.deepEqual(
      [settled.email.status, settled.email.reason, settled.has_failed],
      ['failed', 'bounced', true],
    );
});

test('a recipient of whom an attempt says nothing is tried again', () => {
  const said = { accepted: [everybody[0]!], refused: [], deferred: [], answer: '250 OK', fault: null };
  const { email } = settleAttempt({ ...queued, attempts: 1 }, said, now);
  assert.deepEqual([email.status, email.waiting], ['sent', everybody.slice(1)]);
  assert.ok(email.next_attempt_at);
});

test('a bounce names its recipient in either spelling of an international domain', () => {
  const to = ['ana@Peñíscola.example', 'leo@example.com'];
  const sent: EmailRow = { ...queued, status: 'sent', to, cc: [], waiting: [], next_attempt_at: null };
  const told = [{ address: 'ana@xn--pescola-8ya9a.example', answer: '5.1.1' }];
  const changed = bounce(sent, told, now, spellingOf);
  assert.deepEqual(changed?.refused, [{ address: to[0], answer: '5.1.1' }]);
  assert.equal(bounce(changed!, told, now, spellingOf), undefined);
});

test('those who are no recipients of a message are noted up to a bound, however many notices name them', () => {
  let email: EmailRow = { ...queued, status: 'sent', waiting: [], next_attempt_at: null };
  for (let i = 0; i < 100; i++)
    email = bounce(email, [{ address: `${i}@elsewhere.example`, answer: '5.1.1' }], now) ?? email;
  assert.deepEqual([email.refused.length, email.status], [20, 'sent']);
  for (const address of everybody) email = bounce(email, [{ address, answer: '5.1.1' }], now) ?? email;
  assert.equal(email.status, 'failed');
});
