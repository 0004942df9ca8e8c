/** Puts the service together, for command line and tests. */
import type { AddressInfo } from 'node:net';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { Sql } from 'postgres';
import { catalog } from '../modules/catalog.ts';
import { purgeOAuth } from '../modules/oauth/index.ts';
import { openPdf } from '../modules/pdfs/index.ts';
import { purgePeople } from '../modules/people/index.ts';
import { logClosingSummaries } from '../modules/verifactu/index.ts';
import type { DeliveryLoop } from '../modules/webhooks/index.ts';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import { countAuthFailures } from '../platform/auth-failures.ts';
import { makeAuthenticator } from '../platform/authenticator.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import { readDueDepth } from '../platform/due-depth.ts';
import { type Engine, makeEngine } from '../platform/engine.ts';
import type { ListTurnBounds } from '../platform/list-turns.ts';
import { makeRateLimiter } from '../platform/rate-limit.ts';
import { makeRequestLog } from '../platform/request-log.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { serviceSecret } from '../platform/service-secrets.ts';
import type { JobHandler, Worker } from '../platform/worker.ts';
import type { BodyBounds } from '../surfaces/rest/read-body.ts';
import { makeRestServer } from '../surfaces/rest/server.ts';
import { registerPages } from '../surfaces/openapi/pages.ts';
import { registerOAuth } from '../surfaces/oauth/oauth-routes.ts';
import { registerPeoplePages } from '../surfaces/people/people-pages.ts';
import { registerSecurityTxt } from '../surfaces/public/security-txt.ts';
import { answerUnreadable, registerPublicPages } from '../surfaces/public/public-pages.ts';
import { families } from '../modules/families.ts';
import type { Family } from '../modules/sales/index.ts';
import { makeBackground } from './background.ts';
import type { Config } from './config.ts';
import { makeEnding } from './ending.ts';
import { explainListening, StartError } from './explain.ts';
import { addHealth } from './health.ts';
import { LaterWork } from './later-work.ts';
import { addDashboard } from './dashboard.ts';
import { addMcp, questionSecret } from './mcp.ts';
import { makeMetrics, type MetricSources, type Metrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';
import { watchRequests } from './requests-in-flight.ts';
import { secretKey } from './secret-key.ts';
import { makePorts } from './ports.ts';

export type Role = 'all' | 'api' | 'worker';

export type ServiceOptions = {
  config: Config;
  database: Database;
  role?: Role;
  /** A connection past any pooler, for hints between processes; the caller ends it. */
  listener?: Sql | null;
  clock?: Clock;
  /** Standard output as JSON without. */
  log_stream?: { write(line: string): void } | undefined;
  /** False: only `flush` writes the request log, so that a test knows when. */
  writes_request_log?: boolean;
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
  app: FastifyInstance;
  engine: Engine;
  worker: Worker;
  deliveries: DeliveryLoop;
  account_mail: Ports['people']['mail'];
  flush(): Promise<void>;
  /**
   * Drops readiness but goes on answering. Settles when the requests begun by the end of `quiet_ms` (a balancer's
   * time to notice) are answered, or after `limit_ms`.
   */
  drain(quiet_ms: number, limit_ms: number): Promise<void>;
  /** Accepts nothing new, finishes the requests in flight, then ends everything. */
  stop(): Promise<void>;
  /** Ends without waiting: the database is gone. */
  abandon(): Promise<void>;
};

/** For the summaries of no-verifactu mode before the end. */
const summariesMs = 5000;

/** For tests. */
const engineBounds = ({ key_wait_ms, list_turns, answer_wait_ms }: ServiceOptions) => ({
  key_wait_ms,
  list_turns,
  answer_wait_ms,
});

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, database: db, role = 'all', clock = systemClock } = options;
  const operations = [...catalog, ...(options.more_operations ?? [])];
  const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
  const limiter = makeRateLimiter(db.index, config.FOLIO_RATE_LIMITS, clock);
  let url = '';
  const public_url = () => config.FOLIO_PUBLIC_URL ?? url;
  const log = laterLog(() => app.log);
  const all_families = [...families, ...(options.more_families ?? [])];
  const made = await makePorts(config, db, clock, secrets, log, public_url, all_families);
  const ports = options.wrap_ports?.(made.ports) ?? made.ports;
  const later_work = new LaterWork((error) => app.log.error({ err: error }, 'background write failed'));
  const later = (work: () => Promise<unknown>) => later_work.begin(work);
  const onLogError = (error: unknown) => app.log.error({ err: error }, 'request log not written');
  const request_log = makeRequestLog(db, onLogError, options.writes_request_log ?? true);
  const metrics = makeMetrics(metricSources(db, clock, request_log));
  const authenticator = makeAuthenticator({ db, clock, failures: countAuthFailures(), later });
  const engine = makeEngine({
    db,
    clock,
    secrets,
    limiter,
    authenticator,
    request_log,
    ports,
    services: { runDue: (company_id, runs_max) => runDue(worker, company_id, runs_max) },
    log,
    onDue: () => worker.wake(),
    ...engineBounds(options),
  });
  const { keys: question_keys } = await serviceSecret(db.index, secrets, questionSecret);
  const app = makeApp(options, operations, {
    engine,
    question_keys,
    metrics,
    ports,
    log,
    public_url,
    isStopping: () => ending.is_stopping,
  });
  for (const warning of made.warnings) app.log.warn(warning);
  tellOfAddresses(app.log, config, role);
  const { FOLIO_METRICS_PORT: metrics_port } = config;
  const background = makeBackground({
    db,
    clock,
    ports,
    log: app.log,
    engine,
    listener: options.listener ?? null,
    families: all_families,
    more_jobs: options.more_jobs ?? [],
    wrap_job: options.wrap_job ?? ((handler) => handler),
    mail_connections: config.FOLIO_SMTP_URL?.connections ?? 1,
    outside_concurrency: options.outside_concurrency,
    answer_pauses_ms: options.answer_pauses_ms,
  });
  const { worker, deliveries } = background;
  const ending = makeEnding({
    app,
    requests: watchRequests(app.server),
    stopListening() {
      clearInterval(purge);
      unwatch();
    },
    stopBackground: () => Promise.all([worker.stop(), deliveries.stop(), ports.people.mail.stop()]),
    async sayLastWords() {
      if (role !== 'api') await logClosingSummaries(db, ports, clock, summariesMs);
    },
    async closeAll() {
      await later_work.settled();
      await request_log.close();
      await made.close();
      await metrics_server?.close();
    },
  });
  let metrics_server: MetricsServer | null = null;
  try {
    if (metrics_port !== null)
      metrics_server = await startMetricsServer(metrics, { host: config.HOST, port: metrics_port });
    url = await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await Promise.all([app.close(), request_log.close(), made.close(), metrics_server?.close()]);
    throw error instanceof StartError ? error : explainListening(error, config.HOST, config.PORT);
  }
  const unwatch = background.start(role !== 'api');
  const purgeAll = () => {
    const now = clock.now();
    return Promise.all([limiter.purge(), purgePeople(db, now), purgeOAuth(db, now)]);
  };
  const purge = setInterval(() => void purgeAll().catch(() => undefined), 60_000);
  purge.unref();

  return {
    url,
    port: (app.server.address() as AddressInfo).port,
    metrics_url: metrics_server?.url ?? null,
    app,
    engine,
    worker,
    deliveries,
    account_mail: ports.people.mail,
    async flush() {
      await later_work.settled();
      await request_log.flush();
    },
    drain: ending.drain,
    stop: ending.stop,
    abandon: ending.abandon,
  };
}

type AppParts = {
  engine: Engine;
  metrics: Metrics;
  ports: Ports;
  log: Log;
  public_url: () => string;
  isStopping: () => boolean;
  question_keys: readonly Buffer[];
};

/** Operations, health and pages. A worker has health alone. */
function makeApp(
  { config, database: db, role = 'all', clock = systemClock, ...options }: ServiceOptions,
  operations: readonly Operation[],
  { engine, metrics, ports, log, public_url, isStopping, question_keys }: AppParts,
): FastifyInstance {
  const is_worker = role === 'worker';
  const { app, mountForPeople, endRoutes } = makeRestServer({
    catalog: is_worker ? [] : operations,
    engine,
    shares: db.shares,
    public_url,
    trusted_proxies: config.FOLIO_TRUSTED_PROXIES,
    log: { level: config.FOLIO_LOG_LEVEL, ...(options.log_stream ? { stream: options.log_stream } : {}) },
    ...(is_worker ? {} : { answerUnreadable }),
    observe: metrics.observe,
    body_bounds: options.body_bounds,
  });
  addHealth(app, { db, metrics: config.FOLIO_METRICS_PORT === null ? metrics : null, isStopping });
  const { body_bounds } = options;
  if (!is_worker) {
    addPages(app, operations, { db, clock, ports, log, public_url, engine, body_bounds });
    registerSecurityTxt(app, {
      contacts: config.FOLIO_SECURITY_CONTACT,
      public_url,
      now: () => clock.now(),
    });
    const { serves_mcp } = options;
    const catalog = operations;
    addDashboard(app, { ports, engine, clock, public_url, mount: mountForPeople });
    addMcp(app, { config, db, clock, engine, log, public_url, catalog, question_keys, serves_mcp });
  }
  endRoutes();
  return app;
}

const metricSources = (
  db: Database,
  clock: Clock,
  request_log: ReturnType<typeof makeRequestLog>,
): MetricSources => ({
  request_log_dropped: () => request_log.dropped(),
  connections: () => db.use(),
  due: () => readDueDepth(db.index, clock.now()),
  now: () => clock.now(),
});

/** For parts that are made before the server. */
function laterLog(of: () => Log): Log {
  return {
    info: (details, message) => of().info(details, message),
    warn: (details, message) => of().warn(details, message),
    error: (details, message) => of().error(details, message),
  };
}

type PageParts = Pick<AppParts, 'engine' | 'ports' | 'log' | 'public_url'> & {
  db: Database;
  clock: Clock;
  body_bounds: Partial<BodyBounds> | undefined;
};

function addPages(app: FastifyInstance, operations: readonly Operation[], parts: PageParts): void {
  const { db, clock, ports, log, public_url, engine, body_bounds } = parts;
  registerPages(app, { operations, public_url });
  registerOAuth(app, { clock, ports, public_url, shares: db.shares, body_bounds });
  registerPeoplePages(app, { people: ports.people, clock, public_url, shares: db.shares, body_bounds });
  registerPublicPages(app, {
    db,
    clock,
    ports,
    public_url,
    shares: db.shares,
    body_bounds,
    run: (call) => engine.runFromLink(call),
    openPdf: (document, format) => openPdf({ db, ports, log }, document, format),
  });
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
  const { protocol, hostname } = new URL(config.FOLIO_PUBLIC_URL ?? `http://${hostOf(config)}`);
  if (role !== 'worker' && protocol === 'http:' && !isLoopback(hostname))
    log.warn(
      {},
      'people sign in over plain http: passwords and sessions can be read on their way; set FOLIO_PUBLIC_URL to an address with https',
    );
}

const hostOf = ({ HOST }: Config) => (HOST.includes(':') ? `[${HOST}]` : HOST);

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
