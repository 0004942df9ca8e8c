/** Puts the service together, for command line and tests. */
import type { AddressInfo } from 'node:net';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { Sql } from 'postgres';
import { purgeOAuth } from '../modules/oauth/index.ts';
import { printingUse } from '../modules/pdfs/index.ts';
import { purgePeople, readAccountMailQueue } from '../modules/people/index.ts';
import { logClosingSummaries } from '../modules/verifactu/index.ts';
import type { DeliveryLoop } from '../modules/webhooks/index.ts';
import type { Addresses } from '../kernel/addresses.ts';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import { countAuthFailures } from '../platform/auth-failures.ts';
import { makeAuthenticator } from '../platform/authenticator.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import { readDueDepth, readEmailQueue } from '../platform/due-depth.ts';
import { type Engine, makeEngine } from '../platform/engine.ts';
import type { ListTurnBounds } from '../platform/list-turns.ts';
import { makeRateLimiter, type RateLimiter } from '../platform/rate-limit.ts';
import { makeRequestLog } from '../platform/request-log.ts';
import { holdsRowSecurity } from '../platform/row-security.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { serviceSecret } from '../platform/service-secrets.ts';
import type { JobHandler, Worker } from '../platform/worker.ts';
import { readWatched } from '../platform/watched.ts';
import type { AnswerBounds } from '../surfaces/rest/held-answers.ts';
import type { BodyBounds } from '../surfaces/rest/read-body.ts';
import { makeRestServer } from '../surfaces/rest/server.ts';
import { families } from '../modules/families.ts';
import type { Family } from '../modules/sales/index.ts';
import { makeBackground } from './background.ts';
import type { Config } from './config.ts';
import type { DatabaseLook } from './database-metrics.ts';
import { makeEnding } from './ending.ts';
import { explainListening } from './explain.ts';
import { StartError } from './start-error.ts';
import { addHealth } from './health.ts';
import { listenForDocs } from './docs-place.ts';
import { LaterWork } from './later-work.ts';
import { limitConnections } from './connection-limit.ts';
import { closeDoors, doorsOf, listenAt } from './listen-at.ts';
import { questionSecret } from './question-secret.ts';
import type { SurfaceParts, Surfaces } from './surfaces.ts';
import {
  makeMetrics,
  type MetricSources,
  type Metrics,
  type MetricsPage,
  type ProcessMetrics,
} from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';
import { secretKey } from './secret-key.ts';
import { makePorts } from './ports.ts';
import { openTraces } from './traces.ts';

export type Role = 'all' | 'api' | 'worker';

/** What one of several processes has from the one that supervises them (ADR 71). */
export type Crew = {
  /** Whether the database was brought up to date for it. */
  has_database: boolean;
  /** How many processes the machine's processors are shared by. */
  processes: number;
  /** False for background work beside an API. */
  listens: boolean;
  /** Where the API listens; empty until it does. */
  url(): string;
  /** Of all processes. */
  metricsPage(): Promise<MetricsPage>;
  /** Whether others are still starting. */
  isIncomplete(): boolean;
};

export type ServiceOptions = {
  config: Config;
  database: Database;
  role?: Role;
  /** A connection past any pooler, for hints between processes; the caller ends it. */
  listener?: Sql | null;
  /** Null for a service of one process. */
  crew?: Crew | null;
  clock?: Clock;
  /** Standard output as JSON without. */
  log_stream?: { write(line: string): void } | undefined;
  /** False: only `flush` writes the request log, so that a test knows when. */
  writes_request_log?: boolean;
  /** How often what is over is removed; null: only when somebody asks, so that a test knows when. */
  purge_every_ms?: number | null;
  /** For tests, added to the catalogue's. */
  more_operations?: readonly Operation[];
  /** For tests. */
  more_families?: readonly Family[];
  /** For tests. */
  more_jobs?: readonly JobHandler[];
  /** For tests. */
  wrap_job?: (handler: JobHandler) => JobHandler;
  /** How long a caller waits for another with its idempotency key or external id; for tests. */
  key_wait_ms?: number;
  /** How many lists of one company are worked at a time, while others call; for tests. */
  list_turns?: Partial<ListTurnBounds>;
  /** How long an answer waits for work after its commit, such as a PDF; for tests. */
  answer_wait_ms?: number;
  /** How long, and how many at a time, bodies may be on their way; for tests. */
  body_bounds?: Partial<BodyBounds>;
  answer_bounds?: Partial<AnswerBounds>;
  /** For tests. */
  wrap_ports?: (ports: Ports) => Ports;
  /** What /mcp serves in place of the tools; for tests. */
  serves_mcp?: McpServerFactory;
  /** Calls outside at a time; for tests. */
  outside_concurrency?: number;
  /** For tests: pauses between attempts to write down what a call outside answered. */
  answer_pauses_ms?: readonly number[];
};

export type Service = {
  url: string;
  /** Also when the system chose it. */
  port: number;
  /** Null while metrics are beside the API. */
  metrics_url: string | null;
  /** Where documents are answered; null while that is beside the API. */
  docs_url: string | null;
  app: FastifyInstance;
  engine: Engine;
  worker: Worker;
  deliveries: DeliveryLoop;
  people: Ports['people'];
  flush(): Promise<void>;
  /** Of this process. */
  metrics(): Promise<ProcessMetrics>;
  /**
   * Drops readiness but goes on answering. Settles when the requests begun by the end of `quiet_ms` (a balancer's
   * time to notice) are answered, or after `limit_ms`.
   */
  drain(quiet_ms: number, limit_ms: number): Promise<void>;
  /** Accepts nothing new, finishes the requests in flight, then ends everything. */
  stop(): Promise<void>;
  /** Ends without waiting: the database is gone. */
  abandon(): Promise<void>;
  /** Accepts no connection, and waits until those that are open have ended, `limit_ms` have passed or `hurry` is aborted. */
  leave(limit_ms: number, hurry: AbortSignal): Promise<void>;
};

const openRequestLog = ({ database, writes_request_log = true }: ServiceOptions, logOf: () => Log) =>
  makeRequestLog(
    database,
    (error) => logOf().error({ err: error }, 'request log not written'),
    writes_request_log,
  );

const openAuthenticator = (db: Database, clock: Clock, later_work: LaterWork) =>
  makeAuthenticator({
    db,
    clock,
    failures: countAuthFailures(),
    later: (work) => later_work.begin(work),
  });

/** A worker loads none: nobody calls. */
async function surfacesOf(role: Role, more: readonly Operation[] = []): Promise<Surfaces | null> {
  if (role === 'worker') return null;
  const { makeSurfaces } = await import('./surfaces.ts');
  return makeSurfaces(more);
}

/** For the summaries of no-verifactu mode before the end. */
const summariesMs = 5000;

/** For tests. */
const engineBounds = ({ key_wait_ms, list_turns, answer_wait_ms }: ServiceOptions) => ({
  key_wait_ms,
  list_turns,
  answer_wait_ms,
});

/** What the background work takes from the options. */
const backgroundOptions = (options: ServiceOptions) => ({
  listener: options.listener ?? null,
  more_jobs: options.more_jobs ?? [],
  wrap_job: options.wrap_job ?? ((handler: JobHandler) => handler),
  mail_connections: options.config.FOLIO_SMTP_URL?.connections ?? 1,
  outside_concurrency: options.outside_concurrency,
  answer_pauses_ms: options.answer_pauses_ms,
});

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, database: db, role = 'all', clock = systemClock, crew = null } = options;
  const surfaces = await surfacesOf(role, options.more_operations);
  const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
  const limiter = makeRateLimiter(db.index, config.FOLIO_RATE_LIMITS, clock);
  const { addresses, at } = makeAddresses(config, crew);
  const log = laterLog(() => app.log);
  const all_families = [...families, ...(options.more_families ?? [])];
  const made = await makePorts(config, db, clock, secrets, log, addresses.public_url, {
    families: all_families,
    processes: crew?.processes ?? 1,
  });
  const traces = await openTraces(config, role, log);
  const ports = traces.ports(options.wrap_ports?.(made.ports) ?? made.ports);
  const later_work = new LaterWork((error) => app.log.error({ err: error }, 'background write failed'));
  const request_log = openRequestLog(options, () => app.log);
  const metrics = makeMetrics(metricSources(db, clock, request_log, { ...made, ports }));
  const engine = makeEngine({
    db,
    clock,
    secrets,
    limiter,
    authenticator: openAuthenticator(db, clock, later_work),
    request_log,
    ports,
    services: { runDue: (company_id, runs_max) => runDue(worker, company_id, runs_max) },
    log,
    onDue: () => worker.wake(),
    ...engineBounds(options),
  });
  const { app, docs } = makeApps(options, {
    engine,
    clock,
    question_keys: (await serviceSecret(db.index, secrets, questionSecret)).keys,
    metrics,
    ports,
    log,
    ...addresses,
    surfaces,
    isStopping: () => ending.is_stopping,
  });
  for (const warning of made.warnings) app.log.warn(warning);
  if (crew === null || crew.listens) tellOfAddresses(app.log, config, role);
  const background = makeBackground({
    db,
    clock,
    ports,
    log: app.log,
    engine,
    families: all_families,
    observe: metrics.observeRuns,
    ...backgroundOptions(options),
  });
  const { worker, deliveries } = background;
  const ending = makeEnding({
    apps: docs ? [app, docs] : [app],
    stopListening() {
      clearInterval(purge);
      unwatch();
    },
    stopBackground: background.stop,
    async sayLastWords() {
      if (role !== 'api') await logClosingSummaries(db, ports, clock, summariesMs);
    },
    async closeAll() {
      await later_work.settled();
      await closeInTurn([request_log, made, traces, metrics_server]);
    },
  });
  const servers = { app, docs, metrics, config, crew, at };
  const metrics_server = await openServers(servers, [request_log, made, traces]);
  const unwatch = background.start(role !== 'api');
  const purge = purgeEachMinute(options, limiter, (error) => {
    if (!ending.is_stopping) app.log.warn({ err: error }, 'what is over was not removed');
  });

  return {
    url: at.api,
    port: (app.server.address() as AddressInfo | null)?.port ?? config.PORT,
    metrics_url: metrics_server?.url ?? null,
    docs_url: docs && at.docs,
    app,
    engine,
    worker,
    deliveries,
    people: ports.people,
    async flush() {
      await later_work.settled();
      await request_log.flush();
    },
    metrics: metrics.values,
    drain: ending.drain,
    stop: ending.stop,
    abandon: ending.abandon,
    leave: ending.leave,
  };
}

/** @returns `at` too: where the servers of this process listen, to be filled in once they do */
function makeAddresses(config: Config, crew: Crew | null) {
  const at = { api: '', docs: '' };
  const public_url = () => config.FOLIO_PUBLIC_URL ?? (at.api || (crew?.url() ?? ''));
  const docs_url = () => config.FOLIO_DOCS_URL ?? (at.docs || public_url());
  return { addresses: { public_url, docs_url }, at };
}

/** Each may still need those that come after it. */
async function closeInTurn(parts: readonly ({ close(): Promise<unknown> } | null)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

type Servers = {
  app: FastifyInstance;
  docs: FastifyInstance | null;
  metrics: Parameters<typeof startMetricsServer>[0];
  config: Config;
  crew: Crew | null;
  at: { api: string; docs: string };
};

/**
 * Listens for metrics, for documents and for calls. Where one of them cannot, nothing stays open.
 * @param others what is open already
 * @throws StartError
 */
async function openServers(
  { app, docs, metrics, config, crew, at }: Servers,
  others: readonly { close(): Promise<unknown> }[],
): Promise<MetricsServer | null> {
  let metrics_server: MetricsServer | null = null;
  try {
    if (crew === null) metrics_server = await startMetricsServer(metrics, config);
    if (docs) at.docs = await listenForDocs(docs, config);
    at.api = await listenOn(app, crew?.listens ?? true, config);
    const servers = [app, docs].flatMap((one) => (one ? doorsOf(one.server) : []));
    limitConnections(servers, (line) => app.log.warn(line));
    return metrics_server;
  } catch (error) {
    const doors = [app, docs].map((one) => one && closeDoors(one.server));
    await Promise.all([...doors, ...[app, docs, metrics_server, ...others].map((part) => part?.close())]);
    throw error instanceof StartError ? error : explainListening(error, config.HOST, config.PORT);
  }
}

/** @returns its address; empty where it does not listen */
async function listenOn(app: FastifyInstance, listens: boolean, { PORT, HOST }: Config): Promise<string> {
  if (listens) return listenAt(app, { host: HOST, port: PORT });
  await app.ready();
  return '';
}

/** Each process does it, for all companies. */
function purgeEachMinute(
  { database: db, clock = systemClock, purge_every_ms = 60_000 }: ServiceOptions,
  limiter: RateLimiter,
  onError: (error: unknown) => void,
): NodeJS.Timeout | undefined {
  if (purge_every_ms === null) return undefined;
  let is_purging = false;
  const purge = async () => {
    if (is_purging) return;
    is_purging = true;
    const now = clock.now();
    const ends = await Promise.allSettled([limiter.purge(), purgePeople(db, now), purgeOAuth(db, now)]);
    is_purging = false;
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) onError(failed.reason);
  };
  return setInterval(() => void purge(), purge_every_ms).unref();
}

type AppParts = Addresses &
  Pick<SurfaceParts, 'clock' | 'ports' | 'log' | 'question_keys'> & {
    engine: Engine;
    metrics: Metrics;
    isStopping: () => boolean;
    /** Null for a worker, which has health alone. */
    surfaces: Surfaces | null;
  };

/**
 * Health, and what `surfaces` adds.
 * @returns `docs` of its own where documents have a port of their own
 */
function makeApps(
  { config, database: db, crew = null, ...options }: ServiceOptions,
  { engine, metrics, isStopping, surfaces, ...parts }: AppParts,
): { app: FastifyInstance; docs: FastifyInstance | null } {
  const { answer_bounds, body_bounds, serves_mcp } = options;
  const { public_url, docs_url } = parts;
  const rest = {
    engine,
    shares: db.shares,
    public_url,
    docs_url,
    trusted_proxies: config.FOLIO_TRUSTED_PROXIES,
    log: { level: config.FOLIO_LOG_LEVEL, ...(options.log_stream ? { stream: options.log_stream } : {}) },
    observe: metrics.observe,
    body_bounds,
    answer_bounds,
  };
  const { app, mountForPeople, held, endRoutes } = makeRestServer({
    ...rest,
    catalog: surfaces?.operations ?? [],
    ...(surfaces ? { answerUnreadable: surfaces.answerUnreadable } : {}),
  });
  const page = crew ? { text: crew.metricsPage } : metrics;
  const shown = config.FOLIO_METRICS_PORT === null ? page : null;
  addHealth(app, { db, metrics: shown, isStopping, isIncomplete: crew?.isIncomplete ?? (() => false) });
  const docs = surfaces?.add(app, { config, db, rest, serves_mcp, mountForPeople, held, ...parts }) ?? null;
  endRoutes();
  return { app, docs };
}

const metricSources = (
  db: Database,
  clock: Clock,
  request_log: ReturnType<typeof makeRequestLog>,
  { ports, service_certificate_until }: { ports: Ports; service_certificate_until: Date | null },
): MetricSources => ({
  request_log_dropped: () => request_log.dropped(),
  connections: () => db.use(),
  printing: () => printingUse(ports),
  service_certificate_until,
  look: () => lookAtDatabase(db, clock),
  now: () => clock.now(),
});

/** Bounded, whatever waits in however many companies. */
async function lookAtDatabase(db: Database, clock: Clock): Promise<DatabaseLook> {
  const now = clock.now();
  const [due, documents, accounts, watched, holds_row_security] = await Promise.all([
    readDueDepth(db.index, now),
    readEmailQueue(db.index),
    readAccountMailQueue(db.index),
    readWatched(db.index, now),
    db.indexTransaction(holdsRowSecurity),
  ]);
  const emails: DatabaseLook['emails'] = [
    { outbox: 'documents', queue: documents },
    { outbox: 'accounts', queue: accounts },
  ];
  return { due, emails, ...watched, holds_row_security };
}

/** For parts that are made before the server. */
function laterLog(of: () => Log): Log {
  return {
    info: (details, message) => of().info(details, message),
    warn: (details, message) => of().warn(details, message),
    error: (details, message) => of().error(details, message),
  };
}

/** @returns whether nothing due is left */
async function runDue(worker: Worker, company_id: string, runs_max: number): Promise<boolean> {
  await worker.runDue(company_id, runs_max);
  const is_left = await worker.hasDue(company_id);
  if (is_left) worker.wake();
  return !is_left;
}

/** Logs where e-mails go, and warns when their links lead nowhere. */
function tellOfAddresses(log: Log, config: Config, role: Role): void {
  const { FOLIO_SMTP_URL: mail_server } = config;
  log.info(
    {},
    mail_server
      ? `e-mails go out through ${mail_server.host}:${mail_server.port}`
      : 'FOLIO_SMTP_URL is not set: e-mails are not sent, and stay in the outbox',
  );
  if (config.FOLIO_PUBLIC_URL === null && (role === 'worker' || mail_server))
    log.warn(
      {},
      role === 'worker'
        ? 'FOLIO_PUBLIC_URL is not set: addresses in e-mails lead to this process, which shows no pages'
        : 'FOLIO_PUBLIC_URL is not set: addresses in e-mails lead to where this process listens, which customers may not reach',
    );
  if (role !== 'worker' && isPlain(config))
    log.warn(
      {},
      'people sign in over plain http: passwords and sessions can be read on their way; set FOLIO_PUBLIC_URL to an address with https',
    );
}

/** Whether people reach it by plain http from other machines. HOST may be what no address can hold. */
function isPlain({ FOLIO_PUBLIC_URL: url, HOST }: Config): boolean {
  if (url === null) return !isLoopback(HOST);
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(hostname);
