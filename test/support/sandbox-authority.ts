/** A simulator inside the test, which services in any process can reach. */
import type { TestContext } from 'node:test';
import { memoryStore, type SimulatorOptions, type SimulatorStore, startSimulator } from 'aeat-simulator';
import { type Authority, makeAuthority } from '../../src/integrations/aeat/authority.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import type { SendingIdentity } from '../../src/modules/verifactu/index.ts';
import { until } from './worker-place.ts';

/** Plain data, for another process. */
export type Connection = { url: string; ca: string; identity: SendingIdentity };

/**
 * Clients of companies that are `impatient` as they send give up after `impatience_ms`; the others wait. Only for
 * messages that get no answer: on a busy machine a good answer takes longer than a moment, and its CSV is lost.
 */
export type Patience = { readonly impatient: readonly string[]; impatience_ms: number };

const patient = { connect: 20_000, answer: 150_000 };

export function portsTo(connection: Connection, patience?: Patience): (ports: Ports) => Ports {
  // No company waits for another's connection.
  const clients = new Map<string, Authority>();
  const clientOf = (company_id: string): Authority => {
    const is_hasty = patience?.impatient.includes(company_id) === true;
    const name = `${company_id} ${is_hasty}`;
    const known = clients.get(name);
    if (known) return known;
    const timeouts = is_hasty ? { ...patient, answer: patience.impatience_ms } : patient;
    const made = makeAuthority({ aeat: 'none', certificate: null, simulator: connection, timeouts });
    clients.set(name, made);
    return made;
  };
  return (ports) => ({
    ...ports,
    authority: {
      ...ports.authority,
      serviceIdentity: async (environment) =>
        environment === 'test' ? connection.identity : ports.authority.serviceIdentity(environment),
      send: (message, identity) =>
        message.environment === 'test'
          ? clientOf(message.company_id).send(message, identity)
          : ports.authority.send(message, identity),
    },
  });
}

export type TestAuthority = {
  simulator: Awaited<ReturnType<typeof startSimulator>>;
  store: SimulatorStore;
  connection: Connection;
};

/** It stops after the test. */
export async function startTestAuthority(
  t: Pick<TestContext, 'after'>,
  options: SimulatorOptions,
): Promise<TestAuthority> {
  const store = options.store ?? memoryStore();
  const simulator = await startSimulator({ ...options, store });
  t.after(() => simulator.stop());
  const { key, cert } = await simulator.clientIdentity('B12345674', 'Servicio de pruebas SL', 'collaborator');
  const identity: SendingIdentity = { private_key: key, certificates: [cert], kind: 'seal' };
  return { simulator, store, connection: { url: simulator.url, ca: simulator.ca, identity } };
}

/** Stops everyone who arrives, by name, until it opens. */
export class Gate {
  readonly arrived = new Set<string>();
  #is_shut = false;
  #opened = Promise.withResolvers<void>();

  shut(): void {
    this.#is_shut = true;
    this.#opened = Promise.withResolvers();
  }

  open(): void {
    this.#is_shut = false;
    this.#opened.resolve();
  }

  async pass(name: string): Promise<void> {
    this.arrived.add(name);
    if (this.#is_shut) await this.#opened.promise;
  }

  async holds(names: readonly string[]): Promise<void> {
    await until(() => names.every((name) => this.arrived.has(name)));
  }
}
