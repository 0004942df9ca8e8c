import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import PostalMime from 'postal-mime';
import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server';
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts';
import { shortRsaKey } from '../../../test/support/rsa-keys.ts';
import { makeServerCertificate, serverCertificate } from '../../../test/support/server-certificate.ts';
import type { OutgoingEmail } from '../../modules/emails/index.ts';
import { makeMailer } from './mailer.ts';
import { readSmtpUrl } from './smtp-url.ts';

const from = 'facturas@folio.example';

const email: OutgoingEmail = {
  message_id: '<AZqx-1_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@folio.example>',
  dated_at: new Date('2026-11-21T10:00:00Z'),
  from_name: 'Peñíscola & "Hijos", SL',
  reply_to: 'compañía@acme.example',
  to: ['ana@example.com'],
  cc: [],
  recipients: ['ana@example.com'],
  subject: 'Factura Ñ-1 · 1.234,56 €',
  text: 'Hola:\n\nAquí está: 1.234,56 €.\n.\nFin\n',
  html: '<p>Aquí está: 1.234,56 €</p>',
  attachments: [],
};

function mailerOf(t: TestContext, { url }: Pick<MailServer, 'url'>) {
  const mailer = makeMailer(readSmtpUrl(url), from);
  t.after(() => mailer.close());
  return mailer;
}

test('given texts of all kinds, when a message goes out, then another library reads it as it was written', async (t) => {
  const server = await startMailServer(t);
  const bytes = new Uint8Array(70_000).map((_, i) => i % 251);
  const attachments = [{ filename: 'Peñíscola 1.pdf', media_type: 'application/pdf', bytes }];
  const outcome = await mailerOf(t, server).send({
    ...email,
    cc: ['leo@example.com'],
    recipients: ['ana@example.com', 'leo@example.com'],
    attachments,
  });
  assert.deepEqual(outcome.accepted, ['ana@example.com', 'leo@example.com']);
  assert.deepEqual([outcome.refused, outcome.deferred, outcome.fault], [[], [], null]);
  const [{ message, raw, ...envelope }] = server.received as [(typeof server.received)[0]];
  assert.deepEqual(envelope, { from, to: ['ana@example.com', 'leo@example.com'] });
  const header = (name: string) => message.headers.find(({ key }) => key === name)?.value;
  assert.deepEqual(
    {
      subject: message.subject,
      from: message.from,
      reply_to: message.replyTo,
      to: message.to,
      cc: message.cc,
      id: message.messageId,
      own_id: header('x-folio-message-id'),
      date: message.date,
      auto: header('auto-submitted'),
      text: message.text?.trimEnd(),
      html: message.html?.trimEnd(),
    },
    {
      subject: email.subject,
      from: { name: email.from_name, address: from },
      reply_to: [{ name: '', address: 'compañía@acme.example' }],
      to: [{ name: '', address: 'ana@example.com' }],
      cc: [{ name: '', address: 'leo@example.com' }],
      id: email.message_id,
      own_id: email.message_id,
      date: '2026-11-21T10:00:00.000Z',
      auto: 'auto-generated',
      text: email.text.trimEnd(),
      html: email.html,
    },
  );
  const [attached] = message.attachments;
  assert.deepEqual(
    [attached?.filename, attached?.mimeType, attached?.disposition],
    ['Peñíscola 1.pdf', 'application/pdf', 'attachment'],
  );
  assert.ok(Buffer.from(attached?.content as ArrayBuffer).equals(Buffer.from(bytes)));
  for (const line of raw.toString('latin1').split('\r\n')) assert.ok(line.length <= 998, 'RFC 5322, 2.1.1');
});

test('given names and subjects that would be headers, when a message goes out, then they are text', async (t) => {
  const server = await startMailServer(t);
  const mailer = mailerOf(t, server);
  const evil = 'x\r\nBcc: eva@evil.example\r\n\r\n<b>y</b>\u2028\u0000"\\,;<z@evil.example>';
  await mailer.send({ ...email, subject: evil, from_name: evil });
  const [{ message, to }] = server.received as [(typeof server.received)[0]];
  assert.deepEqual(to, ['ana@example.com']);
  assert.equal(message.bcc, undefined);
  assert.equal(message.from?.address, from);
  assert.ok(message.headers.every(({ key }) => key !== 'bcc'));
  assert.equal(message.text?.trimEnd(), email.text.trimEnd());
});

test('given names and subjects in the form of encoded words, when a message goes out, then nobody decodes them', async (t) => {
  const server = await startMailServer(t);
  const [coded, shown] = ['=?utf-8?Q?a=40bank=2Eexample?=', '= ?utf-8?Q?a=40bank=2Eexample?='];
  await mailerOf(t, server).send({ ...email, subject: `1 =? 2 ${coded}`, from_name: coded });
  const [{ message }] = server.received as [(typeof server.received)[0]];
  assert.deepEqual([message.subject, message.from?.name], [`1 =? 2 ${shown}`, shown]);
});

test('given international addresses, then domains go out in ASCII, and other names need a server that takes them', async (t) => {
  const wires: string[] = [];
  const addresses = ['ana@peñíscola.example', 'JOSÉ@example.com'];
  const server = await startMailServer(t);
  server.on_recipient = (address) => {
    wires.push(address);
    return address.startsWith('JOSÉ') ? '553 Mailbox name not allowed' : undefined;
  };
  const outcome = await mailerOf(t, server).send({ ...email, to: addresses, recipients: addresses });
  // The test's server shows domains as people write them; the header has what was sent.
  assert.deepEqual(wires, ['ana@peñíscola.example', 'JOSÉ@example.com']);
  assert.match(server.received[0]?.raw.toString('latin1') ?? '', /^To: ana@xn--pescola-[a-z0-9]+\.example,/m);
  assert.deepEqual(outcome.accepted, [addresses[0]], 'by the name that the company wrote');
  assert.deepEqual(outcome.refused, [{ address: addresses[1], answer: '553 Mailbox name not allowed' }]);
});

const mixed = ['ana@example.com', 'josé@peñíscola.example', 'leo@example.com'];
const toMixed = { ...email, to: mixed.slice(0, 2), cc: mixed.slice(2), recipients: mixed };
const asksUtf8 = ({ args }: SMTPServerAddress) => Object.hasOwn(Object(args), 'SMTPUTF8');
const headOf = (raw: Buffer) => raw.toString('latin1').split('\r\n\r\n')[0] ?? '';

test('given a server without SMTPUTF8, when an international name is among the recipients, then it is refused without being sent, and it alone', async (t) => {
  const asked: string[] = [];
  const server = await startMailServer(t, { hideSMTPUTF8: true, query: '?connections=1' });
  server.on_recipient = (address) => void asked.push(address);
  const mailer = mailerOf(t, server);
  const outcome = await mailer.send({ ...toMixed, reply_to: null });
  assert.deepEqual([outcome.accepted, outcome.deferred, outcome.fault], [[mixed[0], mixed[2]], [], null]);
  assert.deepEqual(
    outcome.refused.map(({ address }) => address),
    [mixed[1]],
  );
  assert.match(outcome.refused[0]?.answer ?? '', /arroba.*SMTPUTF8/);
  assert.match(outcome.answer, /^250 /);
  const [{ raw, message }] = server.received as [(typeof server.received)[0]];
  assert.equal(Buffer.from(headOf(raw)).length, headOf(raw).length, 'its headers are ASCII');
  assert.deepEqual(message.to, [
    { name: '', address: mixed[0] },
    { name: mixed[1], group: [] },
  ]);
  const alone = await mailer.send({ ...email, to: [mixed[1]!], recipients: [mixed[1]!] });
  assert.deepEqual([alone.accepted, alone.deferred, alone.fault], [[], [], null]);
  assert.deepEqual(alone.refused, outcome.refused);
  assert.equal(alone.answer, outcome.refused[0]?.answer);
  assert.equal((await mailer.send(email)).accepted.length, 1);
  assert.deepEqual([asked, server.connections], [[mixed[0], mixed[2], mixed[0]], 1]);
});

test('given a server with SMTPUTF8, then an international name goes out as it is written, in a message of its own', async (t) => {
  const asked: boolean[] = [];
  const server = await startMailServer(t, {
    onMailFrom: (sender, _, callback) => {
      asked.push(asksUtf8(sender));
      callback();
    },
  });
  const outcome = await mailerOf(t, server).send(toMixed);
  assert.deepEqual([outcome.accepted.toSorted(), outcome.refused], [mixed, []]);
  assert.deepEqual(asked, [false, true]);
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [[mixed[0], mixed[2]], [mixed[1]]],
  );
  const [, { message, raw }] = server.received as [unknown, (typeof server.received)[0]];
  assert.ok(headOf(raw).includes(Buffer.from(mixed[1]!).toString('latin1')));
  assert.deepEqual([message.messageId, message.to?.length], [email.message_id, 2]);
});

test('given a server that refuses SMTPUTF8 after all, then plain addresses have their message, and the others wait', async (t) => {
  const said = '555 5.5.4 Unsupported option: SMTPUTF8';
  const server = await startMailServer(t, {
    onMailFrom: (sender, _, callback) =>
      callback(
        asksUtf8(sender)
          ? Object.assign(new Error(said.slice(4)), { responseCode: Number(said.slice(0, 3)) })
          : null,
      ),
  });
  const outcome = await mailerOf(t, server).send(toMixed);
  assert.deepEqual(outcome.accepted, [mixed[0], mixed[2]]);
  assert.deepEqual([outcome.refused, outcome.deferred], [[], [{ address: mixed[1], answer: said }]]);
  assert.match(outcome.fault ?? '', /555 5.5.4/);
});

test('given a server that is away, when an international name is among the recipients, then it is tried once for all', async (t) => {
  const server = await startMailServer(t);
  server.on_connect = () => '421 Closing';
  const outcome = await mailerOf(t, server).send(toMixed);
  assert.deepEqual(outcome.deferred.map(({ address }) => address).toSorted(), mixed);
  assert.deepEqual([outcome.accepted, outcome.refused, server.connections], [[], [], 1]);
});

test('given an address whose domain the mail library spells in its own way, when it is refused, then it is, and nobody else', async (t) => {
  const server = await startMailServer(t);
  server.on_recipient = (address) => (address === 'ana@example.com' ? undefined : '550 No such domain');
  // Digits of a right-to-left script are no domain label by themselves.
  const odd = 'eva@\u0661\u0662.example';
  const mailer = mailerOf(t, server);
  for (const to of [[odd], [odd, 'ana@example.com'], ['ana@example.com', odd]]) {
    const outcome = await mailer.send({ ...email, to, recipients: to });
    assert.deepEqual(outcome.refused, [{ address: odd, answer: '550 No such domain' }], to.join());
    assert.deepEqual([outcome.accepted.length, outcome.deferred.length], [to.length - 1, 0]);
  }
});

test('given a server that refuses the sender or wants a login, then the message waits; a message too long does not', async (t) => {
  let said = '';
  const refuse = (callback: (error?: Error) => void) =>
    callback(Object.assign(new Error(said.slice(4)), { responseCode: Number(said.slice(0, 3)) }));
  const server = await startMailServer(t, {
    onMailFrom: (_, __, callback) => (said.startsWith('530 5.7.0 R') ? callback() : refuse(callback)),
    onRcptTo: (_, __, callback) => refuse(callback),
  });
  const mailer = mailerOf(t, server);
  for (said of [
    '530 5.7.0 Authentication required',
    '530 5.7.0 Recipients need a login',
    '530 5.7.0 Recipients such as <ana@example.com> need a login',
    '550 5.7.1 ana@peñíscola.example,<leo@example.com>: not from facturas@folio.example',
    '553 5.7.1 Sender address rejected: not owned by user',
    '550 5.4.6 Daily sending quota exceeded',
    '451 4.3.0 Later',
  ]) {
    const { deferred, answer, fault } = await mailer.send(email);
    assert.deepEqual([deferred, answer], [[{ address: 'ana@example.com', answer: said }], said], said);
    if (!said.startsWith('4')) assert.match(fault ?? '', /EENVELOPE/, said);
    assert.doesNotMatch(fault ?? '', /@|ana/, 'for the log, which names nobody');
  }
  said = '552 5.3.4 Message size exceeds fixed limit';
  const { refused, fault } = await mailer.send(email);
  assert.deepEqual([refused, fault], [[{ address: 'ana@example.com', answer: said }], null]);
});

test('given an answer that is longer than what is kept, when it is cut, then between characters', async (t) => {
  const server = await startMailServer(t);
  server.on_recipient = () => `550 ${'x'.repeat(495)}😀`;
  const { refused, answer } = await mailerOf(t, server).send(email);
  assert.ok(answer.isWellFormed() && refused[0]?.answer.isWellFormed());
});

const [ana, leo, eva] = ['ana@example.com', 'leo@example.com', 'eva@dead.example'];
const three = { ...email, to: [ana, leo, eva], recipients: [ana, leo, eva] };

/** [what, what the server does, accepted, refused, deferred, answer] */
const answers: [string, (server: MailServer) => void, string[], string[], string[], RegExp][] = [
  [
    'one unknown mailbox',
    (s) => (s.on_recipient = (a) => (a === eva ? '550 No such mailbox' : undefined)),
    [ana, leo],
    [eva],
    [],
    /^250 /,
  ],
  [
    'one that is put off and one that is unknown',
    (s) =>
      (s.on_recipient = (a) =>
        a === eva ? '550 No such mailbox' : a === leo ? '450 Greylisted' : undefined),
    [ana],
    [eva],
    [leo],
    /^250 /,
  ],
  [
    'more recipients than it takes at a time, which some tell by 552 (RFC 5321, section 4.5.3.1.10)',
    (s) => (s.on_recipient = (a) => (a === ana ? undefined : '552 Too many recipients')),
    [ana],
    [],
    [leo, eva],
    /^250 /,
  ],
  [
    'a mailbox that is full, and says so',
    (s) => (s.on_recipient = (a) => (a === eva ? '552 5.2.2 Over quota' : undefined)),
    [ana, leo],
    [eva],
    [],
    /^250 /,
  ],
  [
    '552 to each of them',
    (s) => (s.on_recipient = () => '552 Mailbox full'),
    [],
    three.to as string[],
    [],
    /^552 Mailbox full$/,
  ],
  [
    'no known mailbox',
    (s) => (s.on_recipient = () => '550 No such mailbox'),
    [],
    three.to as string[],
    [],
    /^550 No such mailbox$/,
  ],
  [
    'nobody for now, and one never',
    (s) => (s.on_recipient = (a) => (a === ana ? '550 No such mailbox' : '451 Later')),
    [],
    [ana],
    [leo, eva],
    /^(451 Later|550 No such mailbox)$/,
  ],
  [
    'a message too long',
    (s) => (s.on_data = () => '552 Too large'),
    [],
    three.to as string[],
    [],
    /^552 Too large$/,
  ],
  [
    'a server that is full',
    (s) => (s.on_data = () => '452 Out of space'),
    [],
    [],
    three.to as string[],
    /^452 Out of space$/,
  ],
  [
    'a server that closes',
    (s) => (s.on_connect = () => '421 Closing'),
    [],
    [],
    three.to as string[],
    /conectar/,
  ],
  [
    'a server that wants nobody',
    (s) => (s.on_connect = () => '554 No service'),
    [],
    [],
    three.to as string[],
    /conectar/,
  ],
  [
    'a connection that ends before the last answer',
    (s) =>
      (s.on_data = () => {
        s.hangUp();
        return new Promise(() => undefined);
      }),
    [],
    [],
    three.to as string[],
    /ha cortado la conexión/,
  ],
  [
    'a server that closes in the middle of the recipients',
    (s) => (s.on_recipient = () => '421 Too many messages'),
    [],
    [],
    three.to as string[],
    /ha cortado la conexión/,
  ],
];

for (const [what, arrange, accepted, refused, deferred, answer] of answers) {
  test(`given ${what}, when a message goes out, then each recipient is told apart`, async (t) => {
    const server = await startMailServer(t);
    arrange(server);
    const outcome = await mailerOf(t, server).send(three);
    const names = (list: readonly { address: string }[]) => list.map(({ address }) => address);
    assert.deepEqual(
      [outcome.accepted, names(outcome.refused), names(outcome.deferred)],
      [accepted, refused, deferred],
      JSON.stringify(outcome),
    );
    assert.match(outcome.answer, answer);
  });
}

test('given a server that is not there or has no name, then the message is put off and the server is not named', async (t) => {
  const server = await startMailServer(t);
  await server.close();
  for (const url of [server.url, 'smtp://mail.folio.invalid:25']) {
    const outcome = await mailerOf(t, { url }).send(email);
    assert.deepEqual(
      outcome.deferred.map((one) => one.address),
      ['ana@example.com'],
    );
    assert.doesNotMatch(outcome.answer, /127\.0\.0\.1|invalid/);
    assert.match(outcome.fault ?? '', /ESOCKET|ECONNECTION|EDNS/);
  }
});

test('given a server that never greets, stops in the middle or trickles, then the message is put off in time', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  const trickling = createServer((socket) => {
    const drip = setInterval(() => socket.write('220-still here\r\n'), 100);
    socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    silent.close();
    trickling.close();
  });
  await Promise.all([once(silent, 'listening'), once(trickling, 'listening')]);
  const stopping = await startMailServer(t, { query: '?timeout=1' });
  stopping.on_data = () => new Promise(() => undefined);
  const at = (server: typeof silent) => ({
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}?timeout=1`,
  });
  for (const server of [at(silent), at(trickling), stopping]) {
    const outcome = await mailerOf(t, server).send(email);
    assert.deepEqual(outcome.deferred.length, 1);
    assert.match(outcome.answer, /no ha respondido a tiempo/, JSON.stringify(outcome));
  }
});

test('given a message whose connection was closed while it was idle, when another goes out, then it takes a new one', async (t) => {
  const server = await startMailServer(t);
  const mailer = mailerOf(t, server);
  for (let round = 0; round < 3; round++) {
    const outcome = await mailer.send(email);
    assert.deepEqual(outcome.accepted, ['ana@example.com'], JSON.stringify(outcome));
    server.hangUp();
  }
  assert.equal(server.received.length, 3);
});

for (const [when, command] of Object.entries({
  'the sender': 'onMailFrom',
  'a recipient': 'onRcptTo',
})) {
  test(`given a kept connection that the server ends by 421 at ${when}, then the message goes out on a new one`, async (t) => {
    const known = new Set<string>();
    const server = await startMailServer(t, {
      [command]: (
        _: SMTPServerAddress,
        { id }: SMTPServerSession,
        callback: (error?: Error | null) => void,
      ) => {
        const ends = known.has(id);
        known.add(id);
        callback(ends ? Object.assign(new Error('Idle for too long'), { responseCode: 421 }) : null);
      },
    });
    const mailer = mailerOf(t, server);
    for (let n = 1; n <= 3; n++) {
      const { accepted, deferred, fault } = await mailer.send(email);
      assert.deepEqual([accepted, deferred, fault], [['ana@example.com'], [], null]);
      assert.equal(server.received.length, n);
    }
    assert.equal(server.connections, 3);
  });
}

test('given many messages at once, when they go out, then over as many connections as there may be', async (t) => {
  const server = await startMailServer(t, { query: '?connections=3' });
  const mailer = mailerOf(t, server);
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => mailer.send(email)));
  assert.ok(outcomes.every(({ accepted }) => accepted.length === 1));
  assert.equal(server.connections, 3);
});

async function caFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-ca-'));
  t.after(() => rm(folder, { recursive: true }));
  writeFileSync(join(folder, 'ca.pem'), serverCertificate().ca);
  return join(folder, 'ca.pem');
}

test('given TLS, when a message goes out, then it is encrypted where it can be, and not sent where it must be and cannot', async (t) => {
  const ca = await caFile(t);
  const { private_key: key, certificate: cert } = serverCertificate();
  const told: { user: string | undefined; is_secure: boolean }[] = [];
  const accepts = (is_secure: boolean) =>
    ({
      onAuth({ username, password }, session, callback) {
        told.push({ user: username, is_secure: session.secure });
        if (is_secure && password === 'p@ss:word/ñ') callback(null, { user: username ?? '' });
        else
          callback(Object.assign(new Error('Authentication failed for p@ss:word/ñ'), { responseCode: 535 }));
      },
    }) satisfies Parameters<typeof startMailServer>[1];
  const login = 'folio:p%40ss%3Aword%2F%C3%B1@';
  const starttls = { key, cert, disabledCommands: [] };
  const of = async (options: Parameters<typeof startMailServer>[1]) => {
    const server = await startMailServer(t, options);
    const { accepted, answer, fault } = await mailerOf(t, server).send(email);
    return { is_sent: accepted.length === 1, answer, fault, server };
  };
  const trusted = `?ca=${encodeURIComponent(ca)}`;
  assert.ok((await of({ key, cert, secure: true, scheme: 'smtps', query: trusted })).is_sent);
  assert.ok((await of({ ...starttls, query: trusted })).is_sent);
  assert.ok((await of({ ...starttls, ...accepts(true), login, query: trusted })).is_sent);
  assert.deepEqual(told, [{ user: 'folio', is_secure: true }]);
  const untrusted = await of(starttls);
  assert.equal(untrusted.is_sent, false);
  assert.equal(untrusted.server.received.length, 0);
  const at_once = await of({ key, cert, secure: true, scheme: 'smtps' });
  const certificateFault = 'El certificado del servidor de correo no es válido.';
  for (const { answer, fault } of [untrusted, at_once]) {
    assert.equal(answer, certificateFault);
    assert.match(fault ?? '', /self-signed certificate/);
  }
  const short = makeServerCertificate({ issuer: serverCertificate(), private_key: shortRsaKey() });
  const of_short_key = { key: short.private_key, cert: short.certificate, ciphers: 'DEFAULT@SECLEVEL=0' };
  const weak = await of({ ...of_short_key, secure: true, scheme: 'smtps', query: trusted });
  assert.equal(weak.answer, certificateFault);
  assert.match(weak.fault ?? '', /key too weak/);
  const plain = await of({ scheme: 'smtps' });
  assert.equal(plain.answer, 'No se ha podido cifrar la conexión con el servidor de correo.');
  assert.ok((await of({ ...starttls, query: '?certificate=any' })).is_sent);
  assert.ok((await of({ ...starttls, query: '?tls=none' })).is_sent);
  // A server without encryption does not get the password.
  told.length = 0;
  const bare = await of({ ...accepts(false), login, allowInsecureAuth: true });
  assert.deepEqual(
    [bare.is_sent, told, bare.answer],
    [false, [], 'No se ha podido cifrar la conexión con el servidor de correo.'],
  );
  // After a refused login the message waits for the operator, and nobody sees the password.
  const wrong = await of({ ...starttls, ...accepts(true), login: 'folio:wrong@', query: trusted });
  assert.equal(wrong.is_sent, false);
  assert.match(wrong.answer, /identificación/);
  assert.equal(wrong.fault, 'EAUTH AUTH PLAIN 535');
});

test('a message goes to those alone whose turn it is, and says whom it is for', async (t) => {
  const server = await startMailServer(t);
  const both = ['ana@example.com', 'leo@example.com'];
  await mailerOf(t, server).send({ ...email, to: both, recipients: ['leo@example.com'] });
  const [{ to, raw }] = server.received as [(typeof server.received)[0]];
  assert.deepEqual(to, ['leo@example.com']);
  const read = await PostalMime.parse(raw);
  assert.deepEqual(
    read.to?.map(({ address }) => address),
    both,
  );
});

test('given a server that sends delivery notices, when a message goes out, then it asks for those of failures, with the headers', async (t) => {
  const asked: unknown[] = [];
  const server = await startMailServer(t, {
    hideDSN: false,
    onRcptTo({ dsn }, { envelope }, callback) {
      asked.push(dsn, envelope.dsn);
      callback();
    },
  });
  await mailerOf(t, server).send(email);
  const envid = email.message_id.slice(1, email.message_id.indexOf('@'));
  assert.deepEqual(asked, [{ notify: ['FAILURE'] }, { ret: 'HDRS', envid }]);
});
