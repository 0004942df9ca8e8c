/** Live companies reach the configured tax authority, sandbox companies the simulator. */
import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import type { AuthorityPort, Message, SendingIdentity, SendResult } from '../../modules/verifactu/index.ts';
import { connectorOf } from '../http/connector.ts';
import { type AuthorityChoice, qrUrl, serviceUrl } from './endpoints.ts';
import { writeMessage } from './message.ts';
import { answerBytesMax, noAnswer } from './no-answer.ts';

export type AuthoritySettings = {
  /** Who answers live companies. */
  aeat: AuthorityChoice;
  /** The service's own, as a social collaborator; null when it has none. */
  certificate: SendingIdentity | null;
  /** Who answers sandbox companies. `ca` is its issuer's PEM, `identity` the service's certificate there. */
  simulator: { url: string; ca: string; identity: SendingIdentity } | null;
  /** For tests: milliseconds to connect, and to the end of the answer. */
  timeouts?: { connect: number; answer: number };
};

export type Authority = AuthorityPort & {
  /** Answers under way are lost. */
  close(): Promise<void>;
};

const agentsMax = 64;
/** A worker's messages under way. Companies that the service sends for share its certificate. */
const connectionsMax = 16;
const keepAliveMs = 30_000;
/** The connection waits while the authority works on 1,000 records. */
const defaultTimeouts = { connect: 15_000, answer: 180_000 };

type Target = { url: string; ca: string | null };

export function makeAuthority(settings: AuthoritySettings): Authority {
  const { aeat, certificate, simulator } = settings;
  const timeouts = settings.timeouts ?? defaultTimeouts;
  const agents = new AgentCache(timeouts.connect);

  const targetOf = ({ environment, company_id }: Message, { kind }: SendingIdentity): Target | null => {
    if (environment === 'live') return aeat === 'none' ? null : { url: serviceUrl(aeat, kind), ca: null };
    if (simulator === null) return null;
    const url = new URL(simulator.url);
    url.searchParams.set('sandbox', company_id);
    return { url: url.href, ca: simulator.ca };
  };

  return {
    isConfigured: (environment) => (environment === 'live' ? aeat !== 'none' : simulator !== null),
    serviceIdentity: async (environment) =>
      environment === 'live' ? certificate : (simulator?.identity ?? null),
    hasServiceIdentity: (environment) => (environment === 'live' ? certificate : simulator) !== null,
    async send(message, identity) {
      const target = targetOf(message, identity);
      if (target === null) return noAnswer('no authority is configured');
      const body = writeMessage(message);
      try {
        return await post(target.url, body, agents.get(identity, target.ca), timeouts.answer);
      } catch (error) {
        return noAnswer(describe(error));
      }
    },
    // An invoice of a live company is real, unless the service is connected to preproduction.
    qrUrl: (environment, mode, invoice) =>
      qrUrl(
        environment === 'live' && aeat !== 'preproduction' ? 'production' : 'preproduction',
        mode,
        invoice,
      ),
    close: () => agents.close(),
  };
}

/** The body decides, as faults come with status 500. Redirects are not followed. */
async function post(url: string, body: string, dispatcher: Agent, answer_ms: number): Promise<SendResult> {
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

/** With the causes that undici wraps. Messages of Node's TLS hold no keys. */
function describe(error: unknown): string {
  const told: string[] = [];
  for (let at = error; at instanceof Error && told.length < 4; at = at.cause) told.push(at.message);
  return told.join(': ') || 'the message could not be sent';
}

/** One agent for each certificate, since connections belong to one. The oldest closes first. */
class AgentCache {
  readonly #agents = new Map<string, Agent>();
  readonly #connect_ms: number;

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
    await Promise.all(all.map((agent) => agent.destroy()));
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
        ...(ca === null ? {} : { ca }),
      }),
    });
  }
}
