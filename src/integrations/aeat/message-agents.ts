/** Connections to the authority, and how a message goes over one. */
import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import type { SendingIdentity, SendResult } from '../../modules/verifactu/index.ts';
import { connectorOf } from '../http/connector.ts';
import { answerBytesMax, noAnswer } from './no-answer.ts';

const agentsMax = 64;
/** A worker's messages under way. Companies that the service sends for share its certificate. */
const connectionsMax = 16;
const keepAliveMs = 30_000;

/** The body decides, as faults come with status 500. Redirects are not followed. */
export async function post(
  url: string,
  body: string,
  dispatcher: Agent,
  answer_ms: number,
): Promise<SendResult> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""', accept: 'text/xml' },
    body,
    dispatcher,
    signal: AbortSignal.timeout(answer_ms),
  });
  const bytes = await answer.body.bytes();
  if (answer.statusCode !== 200 && answer.statusCode !== 500)
    return noAnswer(`HTTP status ${answer.statusCode}`);
  // Imported here, so that a start does not load the reader of XML.
  const { readAnswer } = await import('./answer.ts');
  const result = readAnswer(bytes);
  if (answer.statusCode === 500 && result.kind === 'answer')
    return noAnswer('an answer under HTTP status 500');
  return result;
}

/** One agent for each certificate, since connections belong to one. The oldest closes first. */
export class AgentCache {
  readonly #agents = new Map<string, Agent>();
  readonly #connect_ms: number;
  readonly #stopping = new AbortController();

  constructor(connect_ms: number) {
    this.#connect_ms = connect_ms;
  }

  get({ private_key, certificates }: SendingIdentity, ca: string | null): Agent {
    const name = createHash('sha256');
    for (const part of [private_key, ...certificates, ca ?? '']) name.update(`${part.length}:${part}`);
    const key = name.digest('hex');
    const agent = this.#agents.get(key) ?? this.#make(private_key, certificates, ca);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    const [oldest] = this.#agents;
    if (this.#agents.size > agentsMax && oldest !== undefined) {
      this.#agents.delete(oldest[0]);
      // Waits for messages under way; their senders learn of failures.
      void oldest[1].close();
    }
    return agent;
  }

  async close(): Promise<void> {
    const all = [...this.#agents.values()];
    this.#agents.clear();
    const ended = all.map((agent) => agent.destroy());
    // An agent that is destroyed waits for connections that are not made yet.
    this.#stopping.abort();
    await Promise.all(ended);
  }

  #make(key: string, certificates: readonly string[], ca: string | null): Agent {
    const cert = certificates.join('\n');
    return new Agent({
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      maxResponseSize: answerBytesMax,
      connectTimeout: this.#connect_ms,
      // The request's own signal limits the time of the answer.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connectorOf({
        key,
        cert,
        timeout: this.#connect_ms,
        minVersion: 'TLSv1.2',
        signal: this.#stopping.signal,
        ...(ca === null ? {} : { ca }),
      }),
    });
  }
}
