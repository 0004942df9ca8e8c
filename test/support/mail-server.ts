/**
 * A real mail server. The test decides its answers and where it hangs up. It reads messages with another library than
 * the service's.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = { from: string; to: string[]; raw: Buffer; message: Email };

/** An answer such as `550 No such mailbox`; undefined accepts. */
type Say = string | undefined;

export type MailServer = {
  /** For FOLIO_SMTP_URL. */
  url: string;
  port: number;
  received: ReceivedMail[];
  connections: number;
  /** False skips parsing, which is slow. */
  reads: boolean;
  /** Accepted or not. */
  seen: string[];
  on_connect: () => Say | Promise<Say>;
  on_recipient: (address: string) => Say;
  /** Called with the whole message before the last answer. */
  on_data: (raw: Buffer) => Say | Promise<Say>;
  /** Destroys every connection in the middle of its conversation. */
  hangUp(): void;
  close(): Promise<void>;
};

function problem(said: string): Error {
  const [code, ...words] = said.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
}

/** @param query of the address, such as `?timeout=1` */
export async function startMailServer(
  t: TestContext,
  {
    query = '',
    login = '',
    scheme = 'smtp',
    ...options
  }: SMTPServerOptions & {
    query?: string;
    login?: string;
    scheme?: 'smtp' | 'smtps';
  } = {},
): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const answer = (said: Promise<Say> | Say, callback: (error?: Error | null) => void) =>
    void Promise.resolve(said).then((text) => callback(text === undefined ? null : problem(text)));
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect: (_, callback) => answer(mail.on_connect(), callback),
    onRcptTo: ({ address }, _, callback) => answer(mail.on_recipient(address), callback),
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        mail.seen.push(raw.toString('utf8'));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map((one) => one.address);
        void Promise.resolve(mail.on_data(raw)).then(async (said) => {
          if (said === undefined)
            mail.received.push({ from, to, raw, message: await PostalMime.parse(mail.reads ? raw : '') });
          callback(said === undefined ? null : problem(said));
        });
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    mail.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let is_closed = false;
  const mail: MailServer = {
    url: '',
    port: 0,
    received: [],
    connections: 0,
    reads: true,
    seen: [],
    on_connect: () => undefined,
    on_recipient: () => undefined,
    on_data: () => undefined,
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      if (is_closed) return;
      is_closed = true;
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  mail.port = (server.server.address() as AddressInfo).port;
  mail.url = `${scheme}://${login}127.0.0.1:${mail.port}${query}`;
  t.after(() => mail.close());
  return mail;
}

export function mailSettings({ url }: Pick<MailServer, 'url'>): Record<string, string> {
  return { FOLIO_SMTP_URL: url, FOLIO_MAIL_FROM: 'facturas@folio.example' };
}
