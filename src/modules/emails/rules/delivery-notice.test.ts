/** Notices as Postfix, Exim and Microsoft write them, and what is no notice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bounce, deliveryNotice } from '../../../../test/support/delivery-notices.ts';
import { readDeliveryNotice } from './delivery-notice.ts';

const message_id = '<token_-0@folio.example>';
const failed = {
  address: 'ana@example.com',
  answer: '550 5.1.1 <ana@example.com>: Recipient address rejected',
};

const read = (bounce: Partial<Bounce> = {}) =>
  readDeliveryNotice(deliveryNotice({ message_id, address: failed.address, ...bounce }).toString('latin1'));

test('a notice of failure tells the message and who did not get it', () => {
  assert.deepEqual(read(), { message_ids: [message_id], failed: [failed] });
});

test('the same whatever its line ends, its encoding, and how it is nested and quoted', () => {
  const variants: Partial<Bounce>[] = [
    { line_end: '\n' },
    { encoding: 'base64' },
    { encoding: 'quoted-printable' },
    { quoted: 'text/rfc822-headers' },
    { quoted: 'message/global-headers' },
    { is_nested: true },
    { boundary: 'a b"c'.replace('"', "'") },
  ];
  for (const variant of variants)
    assert.deepEqual(read(variant), { message_ids: [message_id], failed: [failed] }, JSON.stringify(variant));
});

test('a delay, a success, a relay and an expansion are no failure', () => {
  for (const action of ['delayed', 'delivered', 'relayed', 'expanded'])
    assert.deepEqual(read({ action }), { message_ids: [message_id], failed: [] });
});

test('the address it was sent to counts before the one it was forwarded to, and a status stands in for words', () => {
  const original = read({ original: 'ana@example.com', address: 'ana.real@elsewhere.example' });
  assert.equal(original?.failed[0]?.address, 'ana@example.com');
  assert.deepEqual(read({ diagnostic: null })?.failed, [{ address: failed.address, answer: '5.1.1' }]);
  const long = read({ diagnostic: `smtp; 550 ${'x'.repeat(10_000)}\u0000\u202e` })?.failed[0]?.answer ?? '';
  assert.equal(long.length, 500);
});

test('a provider that writes a Message-ID of its own quotes ours beside it', () => {
  const notice = read({ message_id: '<0100@eu-west-1.amazonses.com>', own_id: message_id });
  assert.deepEqual(notice?.message_ids, ['<0100@eu-west-1.amazonses.com>', message_id]);
});

test('what is no notice is none, however long or odd', () => {
  const odd = [
    '',
    'Hello',
    'Subject: Out of office\n\nI am away.',
    'Content-Type: multipart/report; boundary=x\n\n--x\n\nNothing\n--x--\n',
    'Content-Type: multipart/report\n\n--x\n',
    `Content-Type: multipart/mixed; boundary=x\n\n${'--x\nContent-Type: multipart/mixed; boundary=x\n\n'.repeat(20_000)}`,
    `Content-Type: ${';boundary='.repeat(100_000)}`,
    `${' '.repeat(500_000)}\n`,
    `${'X: y\n'.repeat(100_000)}`,
    `Content-Type: message/delivery-status${' '.repeat(200_000)}`,
  ];
  for (const text of odd) {
    const notice = readDeliveryNotice(text);
    assert.deepEqual(notice?.failed ?? [], [], text.slice(0, 60));
    assert.deepEqual(notice?.message_ids ?? [], []);
  }
});
