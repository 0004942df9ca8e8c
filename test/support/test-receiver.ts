/** A receiver of webhooks over HTTPS on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { App, TestCompany } from '../harness.ts';
import { loopbackPorts, loopbackRanges } from './loopback-ports.ts';
import { serverCertificate } from './server-certificate.ts';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  /** The address that it came from. */
  from: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events of every shape
  event: any;
};

type Behaviour = (received: Received, response: ServerResponse) => void;

export const answering =
  (status: number, body = ''): Behaviour =>
  (_received, response) =>
    void response.writeHead(status).end(body);

export class TestReceiver {
  readonly received: Received[] = [];
  /** In progress, now and at most. */
  open = 0;
  open_max = 0;
  behaviour: Behaviour = answering(204);
  url = '';

  static async listen(t: TestContext): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    const { private_key, certificate } = serverCertificate();
    const server = createServer({ key: private_key, cert: certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      const from = request.socket.remoteAddress;
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const { url: path = '', headers } = request;
        const seen = { path, headers, raw, from, event: JSON.parse(raw) };
        receiver.received.push(seen);
        receiver.open += 1;
        receiver.open_max = Math.max(receiver.open, receiver.open_max);
        response.on('close', () => {
          receiver.open -= 1;
        });
        receiver.behaviour(seen, response);
      });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    receiver.url = `https://localhost:${(server.address() as AddressInfo).port}`;
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  /** Oldest first. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }
}

/** Options of startApp that let the service reach and trust loopback receivers. */
export function loopbackReceivers(env: Record<string, string> = {}) {
  return {
    env: { FOLIO_WEBHOOK_ALLOWED_RANGES: loopbackRanges.join(','), ...env },
    wrap_ports: loopbackPorts(serverCertificate().ca),
  };
}

export type TestEndpoint = { id: string; secret: string };

export async function givenEndpoint(
  app: App,
  company: Pick<TestCompany, 'live_key'>,
  url: string,
  more: Record<string, unknown> = {},
): Promise<TestEndpoint> {
  const body = { url, enabled_events: ['product.*'], ...more };
  const made = await app.post('/v1/webhook_endpoints', { key: company.live_key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data;
}

/** Oldest first. */
export async function deliveriesOf(app: App, company: Pick<TestCompany, 'live_key'>, endpoint_id: string) {
  const path = `/v1/webhook_endpoints/${endpoint_id}/deliveries`;
  const list = await app.get(path, { key: company.live_key, query: { limit: '100' } });
  assert.equal(list.status, 200, list.text);
  const ids = list.body.data.map((one: { id: string }) => one.id).sort() as string[];
  const details = [];
  for (const id of ids) details.push((await app.get(`${path}/${id}`, { key: company.live_key })).body.data);
  return details;
}

/** Each has its event. @returns their ids */
export async function givenProducts(
  app: App,
  company: Pick<TestCompany, 'live_key'>,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const made = await app.post('/v1/products', { key: company.live_key, body: { name: `Silla ${n}` } });
    assert.equal(made.status, 201, made.text);
    ids.push(made.body.data.id);
  }
  return ids;
}
