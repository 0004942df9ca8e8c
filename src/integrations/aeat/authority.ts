/** Live companies reach the configured tax authority, sandbox companies the simulator. */
import type { AuthorityPort, Message, SendingIdentity } from '../../modules/verifactu/index.ts';
import { type AuthorityChoice, qrUrl, serviceUrl } from './endpoints.ts';
import { writeMessage } from './message.ts';
import type { AgentCache } from './message-agents.ts';
import { noAnswer } from './no-answer.ts';

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

/** The connection waits while the authority works on 1,000 records. */
const defaultTimeouts = { connect: 15_000, answer: 180_000 };

type Target = { url: string; ca: string | null };

export function makeAuthority(settings: AuthoritySettings): Authority {
  const { aeat, certificate, simulator } = settings;
  const timeouts = settings.timeouts ?? defaultTimeouts;
  let agents: AgentCache | undefined;
  let is_closed = false;

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
      // undici is much to load, so the first message does it, and no start.
      const { AgentCache, post } = await import('./message-agents.ts');
      if (is_closed) return noAnswer('the service ends');
      agents ??= new AgentCache(timeouts.connect);
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
    async close() {
      is_closed = true;
      await agents?.close();
    },
  };
}

/** With the causes that undici wraps. Messages of Node's TLS hold no keys. */
function describe(error: unknown): string {
  const told: string[] = [];
  for (let at = error; at instanceof Error && told.length < 4; at = at.cause) told.push(at.message);
  return told.join(': ') || 'the message could not be sent';
}
