/**
 * Receives measured webhooks over HTTPS on loopback. Answers 200 at once, but never under `/dead`. Notes when
 * each delivery under `/counted` began to arrive.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerParent, machineMs } from './talk.ts';

export type ReceiverQuestion =
  /** Also ends unanswered requests. */
  | { ask: 'reset' }
  /** Waits for `count` deliveries. Answers how many different ones came. */
  | { ask: 'await'; count: number; patience_ms: number }
  /** In the order of arrival. */
  | { ask: 'take' };

/** `at_ms` is by the machine's clock (talk.ts). */
export type Arrival = { delivery_id: string; at_ms: number; body: string };

const { BENCH_KEY: key = '', BENCH_CERTIFICATE: cert = '' } = process.env;
const arrivals: Arrival[] = [];
const unanswered = new Set<ServerResponse>();
let waiter: { count: number; told(): void } | undefined;

const server = createServer({ key, cert }, (request, response) => {
  const at_ms = machineMs();
  const path = request.url ?? '';
  const chunks: Buffer[] = [];
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    if (path.startsWith('/dead')) {
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
      return;
    }
    const body = Buffer.concat(chunks).toString();
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    if (!path.startsWith('/counted')) return;
    arrivals.push({ delivery_id: String(request.headers['service-delivery-id']), at_ms, body });
    if (waiter && arrivals.length >= waiter.count) waiter.told();
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerParent<ReceiverQuestion>({ port: (server.address() as AddressInfo).port }, async (question) => {
  if (question.ask === 'take') return arrivals;
  if (question.ask === 'reset') {
    arrivals.length = 0;
    for (const response of unanswered) response.destroy();
    return null;
  }
  const { count, patience_ms } = question;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${arrivals.length} of ${count} deliveries came.`)),
      patience_ms,
    );
    waiter = {
      count,
      told() {
        clearTimeout(timer);
        waiter = undefined;
        resolve();
      },
    };
    if (arrivals.length >= count) waiter.told();
  });
  return new Set(arrivals.map((one) => one.delivery_id)).size;
});
