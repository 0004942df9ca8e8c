/**
 * A proxy between a service process and PostgreSQL. The test sees each statement and may cut its connection before or
 * after it runs. The service sees a broken network.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { App } from '../harness.ts';
import { databaseOf } from './service-child.ts';

/**
 * `before`: the statement never arrives. `after`: it runs, but nobody gets the result. `on_end` runs before the
 * connection closes. With `on_held`, which runs instead, it stays open and silent until the service's process ends.
 */
export type Cut = { cut: 'before' | 'after'; on_end?: () => void; on_held?: () => void };
export type Watch = (text: string, connection: number) => Cut | undefined;

export type DatabaseWire = {
  /** Leads the service to this proxy. */
  target: Record<string, unknown>;
  watch: Watch;
};

/** Splits a stream into messages `[type] [length of the rest, 4 bytes] [rest]`. The first message may lack the type. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #is_first: boolean;

  constructor(has_startup: boolean) {
    this.#is_first = has_startup;
  }

  *read(chunk: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const at = this.#is_first ? 0 : 1;
      if (this.#rest.length < at + 4) return;
      const size = at + this.#rest.readInt32BE(at);
      if (this.#rest.length < size) return;
      yield this.#rest.subarray(0, size);
      this.#rest = this.#rest.subarray(size);
      this.#is_first = false;
    }
  }
}

function textAt(message: Buffer, from: number): { text: string; end: number } {
  const end = message.indexOf(0, from);
  return { text: message.toString('utf8', from, end), end: end + 1 };
}

/** Gives the text of the statement that a client's message runs. */
class Statements {
  readonly #prepared = new Map<string, string>();
  #bound = '';

  textOf(message: Buffer): string | undefined {
    const type = String.fromCharCode(message[0]!);
    if (type === 'Q') return textAt(message, 5).text;
    if (type === 'P') {
      const name = textAt(message, 5);
      this.#prepared.set(name.text, textAt(message, name.end).text);
    } else if (type === 'B') {
      this.#bound = textAt(message, textAt(message, 5).end).text;
    } else if (type === 'E') {
      return this.#prepared.get(this.#bound) ?? '';
    }
    return undefined;
  }
}

function join(client: Socket, server: Socket, connection: number, wire: DatabaseWire): void {
  const sent = new Messages(true);
  const heard = new Messages(false);
  const statements = new Statements();
  // The server reports "ready" once after the start and once per request for it.
  let to_come = 1;
  let cutting: Cut | undefined;
  const end = () => {
    if (!client.destroyed) cutting?.on_end?.();
    client.destroy();
    server.destroy();
  };
  const endOrHold = () => {
    if (cutting?.on_held) cutting.on_held();
    else end();
  };
  client.on('data', (chunk) => {
    for (const message of sent.read(chunk)) {
      if (cutting) return;
      const text = statements.textOf(message);
      const cut = text === undefined ? undefined : wire.watch(text, connection);
      if (cut?.cut === 'before') {
        cutting = cut;
        endOrHold();
        return;
      }
      if (/[QS]/.test(String.fromCharCode(message[0]!))) to_come += 1;
      server.write(message);
      if (cut) {
        cutting = cut;
        // The server answers the extended protocol only after a Sync or Flush.
        if (message[0] === 'E'.charCodeAt(0)) {
          to_come += 1;
          server.write(Buffer.from([0x53, 0, 0, 0, 4]));
        }
      }
    }
  });
  server.on('data', (chunk) => {
    for (const message of heard.read(chunk)) {
      if (message[0] === 'Z'.charCodeAt(0)) to_come -= 1;
    }
    if (!cutting) client.write(chunk);
    else if (to_come === 0) endOrHold();
  });
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
}

export async function openWire(t: TestContext, app: App): Promise<DatabaseWire> {
  const { host, port, ...login } = await databaseOf(app);
  const wire: DatabaseWire = { target: {}, watch: () => undefined };
  let count = 0;
  const open = new Set<Socket>();
  const listening = createServer((client) => {
    const server = String(host).startsWith('/')
      ? connect(`${String(host)}/.s.PGSQL.${String(port)}`)
      : connect(Number(port), String(host));
    open.add(client);
    client.on('close', () => open.delete(client));
    join(client, server, count++, wire);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    for (const client of open) client.destroy();
    listening.close();
  });
  await once(listening, 'listening');
  wire.target = { ...login, host: '127.0.0.1', port: (listening.address() as AddressInfo).port };
  return wire;
}
