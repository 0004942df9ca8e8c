import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bounce, deliveryNotice } from '../../../../test/support/delivery-notices.ts';
import { readDeliveryNotice } from './delivery-notice.ts';

const message_id = '<token_-0@folio.example>';
const failed = {
  address: 'ana@example.com',
  answer: '550 5.1.1 <ana@example.com>: Recipient address rejected',
};

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const read = (bounce: Partial<Bounce> = {}) =>
  readDeliveryNotice(deliveryNotice({ message_id, address: failed.address, ...bounce }));

test('a notice of failure tells the message and who did not get it', async () => {
  assert.deepEqual(await read(), { message_ids: [message_id], failed: [failed] });
});

test('the same whatever its line ends, its encoding, and how it is nested and quoted', async () => {
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
    assert.deepEqual(
      await read(variant),
      { message_ids: [message_id], failed: [failed] },
      JSON.stringify(variant),
    );
});

test('a delay, a success, a relay and an expansion are no failure', async () => {
  for (const action of ['delayed', 'delivered', 'relayed', 'expanded'])
    assert.deepEqual(await read({ action }), { message_ids: [message_id], failed: [] });
});

test('a comment is no part of what a field says', async () => {
  for (const variant of [
    { action: 'failed (for good)' },
    { action: '(bounced) Failed' },
    { address: 'ana@example.com (Ana (Ventas) Ruiz)' },
    { original: '<ana@example.com> (as given)', address: 'ana.real@elsewhere.example' },
  ])
    assert.deepEqual(
      (await read({ diagnostic: null, ...variant }))?.failed,
      [{ address: failed.address, answer: '5.1.1' }],
      JSON.stringify(variant),
    );
  assert.deepEqual((await read({ action: 'delayed (not failed)' }))?.failed, []);
  const deep = `${'('.repeat(20_000)}${')'.repeat(20_000)}`;
  assert.deepEqual((await read({ address: `ana@example.com ${deep}` }))?.failed[0]?.address, failed.address);
});

test('the address it was sent to counts before the one it was forwarded to, and a status replaces absent text', async () => {
  const original = await read({ original: 'ana@example.com', address: 'ana.real@elsewhere.example' });
  assert.equal(original?.failed[0]?.address, 'ana@example.com');
  assert.deepEqual((await read({ diagnostic: null }))?.failed, [
    { address: failed.address, answer: '5.1.1' },
  ]);
  const long = await read({ diagnostic: `smtp; 550 ${'x'.repeat(10_000)}\u0000\u202e` });
  assert.equal(long?.failed[0]?.answer.length, 500);
});

test('what a recipient of a message may write into a notice about it stays short and storable', async () => {
  const cut = await read({
    diagnostic: `smtp; 550 ${'x'.repeat(495)}${Buffer.from('😀').toString('latin1')}`,
  });
  assert.ok(cut?.failed[0]?.answer.isWellFormed());
  for (const address of [
    `a${String.fromCharCode(0)}b@example.com`,
    'a\u0007@example.com',
    `${'a'.repeat(400)}@example.com`,
  ])
    assert.deepEqual((await read({ address }))?.failed, [], JSON.stringify(address));
  const many = 'Final-Recipient: rfc822; a@example.com\nAction: failed\n\n'.repeat(5_000);
  const notice = await readDeliveryNotice(
    latin1(
      `Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\n${many}--x--\n`,
    ),
  );
  assert.equal(notice?.failed.length, 200);
});

test('an international address is read as its notice writes it', async () => {
  const local = Buffer.from('josé@example.com').toString('latin1');
  for (const original of [`utf-8; ${local}`, 'utf-8; jos\\x{E9}@example.com'])
    assert.equal(
      (
        await readDeliveryNotice(
          latin1(
            `Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/global-delivery-status\n\nReporting-MTA: dns; a\n\nFinal-Recipient: ${original}\nAction: failed\n\n--x--\n`,
          ),
        )
      )?.failed[0]?.address,
      'josé@example.com',
    );
});

test('a provider that writes a Message-ID of its own quotes ours beside it', async () => {
  const notice = await read({ message_id: '<0100@eu-west-1.amazonses.com>', own_id: message_id });
  assert.deepEqual(notice?.message_ids, ['<0100@eu-west-1.amazonses.com>', message_id]);
});

test('what is no notice is none, however long or odd', async () => {
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
    // Looks like many addresses: a careless pattern takes quadratic time.
    `Content-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nFinal-Recipient: rfc822; ${'@'.repeat(500_000)} x\nAction: failed\n`,
    '\n'.repeat(25_000_000),
    `Content-Type: multipart/mixed; boundary=x\n\n${'--x\nContent-Transfer-Encoding: quoted-printable\n\n\n'.repeat(200_000)}`,
    `Content-Type: multipart/mixed; boundary=${'-'.repeat(60_000)}\n\n${`--${'-'.repeat(60_000)}y\n`.repeat(100)}`,
    `To: ${'<"('.repeat(40_000)}\nFrom: ${',;:'.repeat(2_000)}\n\n`,
    `Content-Type: text/html\n\n${'<a <!-- <script href='.repeat(100_000)}`,
    `Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n${`${'x=='.repeat(25)}\n`.repeat(100_000)}`,
    `Content-Type: message/delivery-status\n\n${'\n \t'.repeat(100_000)}x`,
    `Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\na: b\n${' c\n'.repeat(90_000)}\n--x--`,
  ];
  for (const text of odd) {
    const notice = await readDeliveryNotice(latin1(text));
    assert.deepEqual(notice?.failed ?? [], [], text.slice(0, 60));
    assert.deepEqual(notice?.message_ids ?? [], []);
  }
});

test('a notice is read although what it quotes is far longer than what is read of it', async () => {
  const notice = deliveryNotice({ message_id, address: failed.address }).toString('latin1');
  const attached = `${'QUJDREVG'.repeat(9)}\n`.repeat(100_000);
  const long = notice.replace('Message-ID: <not@the.header>', attached);
  assert.deepEqual(await readDeliveryNotice(latin1(long)), { message_ids: [message_id], failed: [failed] });
});
