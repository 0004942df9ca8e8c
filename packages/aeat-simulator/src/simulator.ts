/**
 * The authority's VeriFactu service: HTTPS with client certificates, SOAP 1.1, rules, memory and faults.
 * It shares no code with the senders that it judges.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { holderOf, type Identity, type IdentityKind, makeCertificateAuthority } from './certificates.ts';
import { companyQueue } from './company-queue.ts';
import { type Faults, faultList } from './faults.ts';
import { faultOncePerRecord } from './magic-values.ts';
import { type LoggedMessage, messageLog } from './message-log.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { readBody } from './read-body.ts';
import { makeReply, type Reply, sendReply } from './reply.ts';
import { answerMessage } from './serve.ts';
import { memoryStore, type SimulatorStore } from './store.ts';

export type SimulatorOptions = {
  /** Keeps accepted records. Default: in memory. */
  store?: SimulatorStore;
  /** The clock of a company (sandbox id, or NIF without one). Default: the machine's. */
  now?: (company_id: string) => Date | Promise<Date>;
  /** TiempoEsperaEnvio of the answers, 0 to 9,999. Default 60. */
  wait_seconds?: number;
  /** A folder with the authority's schemas. */
  schemas?: string | null;
  /** On 127.0.0.1. Default 0: any free port. */
  port?: number;
  /** How long a time-out holds its connection. Default 120,000. */
  hold_milliseconds?: number;
  /** How many messages the log keeps. Default 100. */
  messages_max?: number;
  /** Gets errors of store and clock. The connection is cut. */
  report?: (error: unknown) => void;
};

export type Simulator = {
  /** `?sandbox=<company_id>` names a company with its own state. */
  url: string;
  /** The root of all certificates here, as PEM. */
  ca: string;
  clientIdentity: (nif: string, name: string, kind: IdentityKind) => Promise<Identity>;
  faults: Faults;
  setWaitSeconds: (seconds: number) => void;
  /** Oldest first. */
  log: readonly LoggedMessage[];
  /** Cuts all connections when pending writes are stored. */
  stop: () => Promise<void>;
};

export const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
const HOLD_MS = 120_000;
const MESSAGES_MAX = 100;

/** @throws when the port is taken or the folder lacks a schema */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const schemas = options.schemas ? loadOfficialSchemas(options.schemas) : null;
  const authority = await makeCertificateAuthority();
  const faults = faultList();
  const log = messageLog(options.messages_max ?? MESSAGES_MAX);
  const queue = companyQueue();
  const service = {
    store: options.store ?? memoryStore(),
    now: options.now ?? (() => new Date()),
    schemas,
    wait_seconds: options.wait_seconds ?? 60,
    takeFault: faults.take,
    takeMagicFault: faultOncePerRecord(),
    log,
    queue,
  };
  const server = createServer({
    ...(await authority.server()),
    ca: [authority.cert],
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
  const handle = async (request: IncomingMessage): Promise<Reply> => {
    const address = new URL(request.url ?? '/', 'https://localhost');
    if (address.pathname !== SERVICE_PATH) return makeReply(404, '');
    const body = await readBody(request);
    if (body === 'too_long') return makeReply(413, '');
    const holder = holderOf((request.socket as TLSSocket).getPeerCertificate());
    const sandbox = address.searchParams.get('sandbox');
    return answerMessage(service, { method: request.method ?? '', body, holder, sandbox });
  };
  const report = options.report ?? ((error: unknown) => console.error('authority simulator:', error));
  const hold_milliseconds = options.hold_milliseconds ?? HOLD_MS;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(request).then(
      (reply) => sendReply(response, reply, hold_milliseconds),
      (error: unknown) => {
        // A sender that broke off its request is not the simulator's error.
        if (request.complete) report(error);
        response.destroy();
      },
    );
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}${SERVICE_PATH}`,
    ca: authority.cert,
    clientIdentity: authority.client,
    faults: { next: faults.next, waiting: faults.waiting, clear: faults.clear },
    setWaitSeconds(seconds) {
      service.wait_seconds = seconds;
    },
    log: log.messages,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      await queue.settled();
      server.closeAllConnections();
      await closed;
      await queue.settled();
      schemas?.dispose();
    },
  };
}
