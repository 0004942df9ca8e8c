/**
 * A few connections stay open, and each message has a time limit. Whatever the server does becomes an outcome. The
 * dialogue is not logged: it holds addresses and the login.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { domainToASCII, domainToUnicode } from 'node:url';
import type { MailerPort, MailOutcome, OutgoingEmail } from '../../modules/emails/index.ts';
import {
  joinOutcomes,
  outcomeOfAccepted,
  outcomeOfFault,
  putOff,
  type Recipient,
  type SmtpFault,
} from './outcome.ts';
import type { SmtpServer } from './smtp-url.ts';

/** For connection and greeting. */
const greetingMs = 60_000;
const messagesPerConnection = 100;
/** A server that answers byte by byte is never silent. A message ends after this many times the patience. */
const patiences = 3;

/** Without SMTP settings messages stay in the outbox. */
export const noMailer: MailerPort & { close(): void } = {
  is_configured: false,
  from: null,
  send: ({ recipients }) => {
    const answer = 'No hay ningún servidor de correo configurado.';
    const deferred = recipients.map((address) => ({ address, answer }));
    return Promise.resolve({
      accepted: [],
      refused: [],
      deferred,
      answer,
      fault: 'FOLIO_SMTP_URL is not set',
    });
  },
  close: () => undefined,
};

/**
 * @param from the address of all messages (FOLIO_MAIL_FROM)
 * @throws Error for a file of authorities that cannot be read
 */
export function makeMailer(server: SmtpServer, from: string): MailerPort & { close(): void } {
  const timeout_ms = server.timeout_seconds * 1000;
  const short_ms = Math.min(timeout_ms, greetingMs);
  // Only where there is a mail server: its forty modules would slow each start.
  const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer');
  const transport = createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.tls === 'first',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'none',
    tls: {
      rejectUnauthorized: server.checks_certificate,
      ...(server.ca_file === null ? {} : { ca: readFileSync(server.ca_file) }),
    },
    ...(server.login === null ? {} : { auth: { user: server.login.user, pass: server.login.password } }),
    ...(server.name === null ? {} : { name: server.name }),
    maxConnections: server.connections,
    maxMessages: messagesPerConnection,
    connectionTimeout: short_ms,
    greetingTimeout: short_ms,
    dnsTimeout: short_ms,
    socketTimeout: timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // nodemailer sends a message again when a kept connection ends before it, and would find in the envelope what the server
  // said then to MAIL FROM. Asked for the envelope, it knows what the connection takes. Of nobody it makes a fault of its own.
  transport.use('stream', ({ message }, done) => {
    const envelope = message.getEnvelope();
    const needs_utf8 = !envelope.to.every(isAscii);
    message.getEnvelope = () => ({
      ...envelope,
      to: needs_utf8 && lacksUtf8(transport.transporter, message) ? [] : envelope.to,
    });
    done();
  });

  async function attempt(
    email: OutgoingEmail,
    recipients: readonly Recipient[],
    signal: AbortSignal,
  ): Promise<MailOutcome> {
    try {
      const info = await transport.sendMail({ ...messageOf(email, from, recipients), signal });
      return outcomeOfAccepted(recipients, info);
    } catch (error) {
      return outcomeOfFault(recipients, error as SmtpFault);
    }
  }

  return {
    is_configured: true,
    from,
    // Whose name is international gets a message of its own: a server that does not take it refuses the whole message.
    async send(email) {
      const signal = AbortSignal.timeout(timeout_ms * patiences);
      const recipients = email.recipients.map(onTheWire);
      const [plain, others] = [false, true].map((is) =>
        recipients.filter((one) => one.is_international === is),
      ) as [Recipient[], Recipient[]];
      if (plain.length === 0 || others.length === 0) return await attempt(email, recipients, signal);
      const first = await attempt(email, plain, signal);
      // The next would hear the same.
      const next = first.fault === null ? await attempt(email, others, signal) : putOff(others, first);
      return joinOutcomes(first, next);
    },
    // Does not wait for a message under way: it is sent again with its Message-ID.
    close: () => transport.close({ force: true }),
  };
}

function messageOf(email: OutgoingEmail, from: string, recipients: readonly Recipient[]) {
  const address = (text: string) => ({ name: '', address: text });
  const is_utf8 = recipients.some((one) => one.is_international);
  // Without SMTPUTF8 headers are ASCII: such a recipient is named as a group of nobody (RFC 6857, appendix A).
  const named = (text: string) => (is_utf8 || !isInternational(text) ? address(text) : `"${text}":;`);
  const envelope_id = email.message_id.slice(1, email.message_id.lastIndexOf('@'));
  return {
    messageId: email.message_id,
    date: email.dated_at,
    from: { name: asWritten(email.from_name), address: from },
    ...(email.reply_to === null ? {} : { replyTo: address(email.reply_to) }),
    to: email.to.map(named),
    cc: email.cc.map(named),
    subject: asWritten(email.subject),
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(({ filename, media_type, bytes }) => ({
      filename,
      contentType: media_type,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    headers: {
      // Asks for no notices of absence (RFC 3834, section 5).
      'Auto-Submitted': 'auto-generated',
      // Some providers replace the Message-ID. Delivery notices quote this header too.
      'X-Folio-Message-ID': email.message_id,
    },
    envelope: { from, to: recipients.map(({ wire }) => wire) },
    // Asks for notices of failure alone, with the quoted headers.
    dsn: { ret: 'HDRS', envid: envelope_id, notify: 'FAILURE' },
  };
}

/**
 * A text that is an encoded word by chance, or by intent, would be decoded (RFC 2047): a name could become an address so. One
 * blank makes it none.
 */
function asWritten(text: string): string {
  return text.replace(/=\?(?=[^?\s]{1,75}\?[bq]\?)/gi, '= ?');
}

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);

/** The part before the @. */
const isInternational = (address: string): boolean => !isAscii(address.slice(0, address.lastIndexOf('@')));

/**
 * Domains are in ASCII unless the part before the @ is international too: then the server must know SMTPUTF8 (RFC
 * 6531), or does not get it.
 */
function onTheWire(address: string): Recipient {
  const at = address.lastIndexOf('@');
  const [user, domain] = [address.slice(0, at), address.slice(at + 1)];
  const is_international = isInternational(address);
  const written = is_international ? domainToUnicode(domain) : domainToASCII(domain);
  return { address, wire: `${user}@${written === '' ? domain : written}`, is_international };
}

/** nodemailer shows nowhere else what the server of a connection knows. A new version of it has to pass the tests. */
type Pool = {
  _connections: {
    queueEntry?: { mail: { message: unknown } } | false;
    connection?: { _supportedExtensions: readonly string[] };
  }[];
};

function lacksUtf8(pool: unknown, message: unknown): boolean {
  const found = (pool as Pool)._connections.find(
    ({ queueEntry }) => queueEntry && queueEntry.mail.message === message,
  );
  return found?.connection?._supportedExtensions.includes('SMTPUTF8') === false;
}
